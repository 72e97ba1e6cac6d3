/** A change of width makes two layouts, the browser's and then the figure's new one; only what they settle on counts. */
const settleMs = 50;

/**
 * Tells the embedding page how tall the widget is, once whenever that changes:
 * `{ type: 'attn-widgets:height', height }` in CSS pixels. The frame is recognised by the message's source.
 * @param {HTMLElement} element what fills the page
 */
export function reportHeight(element) {
  if (window.parent === window) return;
  let reported = -1;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;
  const report = () => {
    const height = Math.ceil(element.getBoundingClientRect().height);
    if (height === reported) return;
    reported = height;
    // To any origin: a height is no secret, and a sandboxed frame cannot know its parent's origin.
    window.parent.postMessage({ type: 'attn-widgets:height', height }, '*');
  };
  new ResizeObserver(() => {
    clearTimeout(timer);
    timer = setTimeout(report, settleMs);
  }).observe(element);
}
