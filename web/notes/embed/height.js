/**
 * Tells the embedding page how tall the widget is, once whenever that changes:
 * `{ type: 'attn-widgets:height', height }` in CSS pixels. The frame is recognised by the message's source.
 * @param {HTMLElement} element what fills the page
 */
export function reportHeight(element) {
  if (window.parent === window) return;
  let reported = -1;
  const observer = new ResizeObserver(() => {
    const height = Math.ceil(element.getBoundingClientRect().height);
    if (height === reported) return;
    reported = height;
    // To any origin: a height is no secret, and a sandboxed frame cannot know its parent's origin.
    window.parent.postMessage({ type: 'attn-widgets:height', height }, '*');
  });
  observer.observe(element);
}
