// Contrast of every text of a figure against what is really behind it, by WCAG 2.

/** @typedef {import('playwright-core').Page} Page */

/**
 * Texts whose contrast is below `least`.
 * @param {Page} page @param {string} selector  of an element @param {number} [least]
 * @returns {Promise<string[]>}
 */
export function lowContrast(page, selector, least = 4.5) {
  return page.$eval(selector, (host, limit) => {
    const root = /** @type {ShadowRoot} */ (host.shadowRoot);
    /** @typedef {[number, number, number, number]} Color */
    const paper = /** @type {CanvasRenderingContext2D} */ (Object.assign(document.createElement('canvas'), { width: 1, height: 1 }).getContext('2d', { willReadFrequently: true }));
    /** @param {string} text @param {number} [opacity] @returns {Color} */
    const colorOf = (text, opacity = 1) => {
      paper.clearRect(0, 0, 1, 1);
      paper.fillStyle = text;
      paper.fillRect(0, 0, 1, 1);
      const [r, g, b, a] = paper.getImageData(0, 0, 1, 1).data;
      return [r, g, b, (a / 255) * opacity];
    };
    /** @param {Color} over @param {Color} under @returns {Color} */
    const blend = (over, under) => {
      const mix = (/** @type {0 | 1 | 2} */ at) => over[at] * over[3] + under[at] * (1 - over[3]);
      return [mix(0), mix(1), mix(2), 1];
    };
    /** @param {Color} color */
    const luminance = (color) => {
      const [r, g, b] = color.slice(0, 3).map((value) => (value / 255 <= 0.03928 ? value / 255 / 12.92 : ((value / 255 + 0.055) / 1.055) ** 2.4));
      return 0.2126 * r + 0.7152 * g + 0.0722 * b;
    };
    /** @param {Color} one @param {Color} other */
    const contrast = (one, other) => {
      const [low, high] = [luminance(one), luminance(other)].sort((a, b) => a - b);
      return (high + 0.05) / (low + 0.05);
    };

    const everything = new CSSStyleSheet();
    everything.replaceSync('* { pointer-events: auto !important; } text, tspan { pointer-events: none !important; }');
    const sheets = root.adoptedStyleSheets;
    root.adoptedStyleSheets = [...sheets, everything];

    /** What is painted at a point, from the bottom up. @param {number} x @param {number} y */
    const ground = (x, y) => {
      let color = /** @type {Color} */ ([255, 255, 255, 1]);
      const stack = [...document.elementsFromPoint(x, y).filter((element) => !root.contains(element)), ...[]].reverse();
      const inside = root.elementsFromPoint(x, y).filter((element) => root.contains(element)).reverse();
      for (const element of [...stack, ...inside]) {
        const looks = getComputedStyle(element);
        if (element instanceof SVGElement && !(element instanceof SVGSVGElement)) {
          if (looks.fill !== 'none' && !(element instanceof SVGGElement)) color = blend(colorOf(looks.fill, Number(looks.fillOpacity) * Number(looks.opacity)), color);
        } else {
          color = blend(colorOf(looks.backgroundColor), color);
        }
      }
      return color;
    };

    const found = [];
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
      const text = /** @type {Text} */ (walker.currentNode);
      const element = /** @type {Element} */ (text.parentElement);
      if (!text.data.trim() || !element || element.closest('style, .unseen, title, desc, [hidden], details:not([open]) > :not(summary)')) continue;
      const range = document.createRange();
      range.selectNodeContents(text);
      const box = range.getBoundingClientRect();
      if (box.width === 0) continue;
      element.scrollIntoView({ block: 'center' });
      const { left, top, width, height } = range.getBoundingClientRect();
      const looks = getComputedStyle(element);
      const inSvg = element instanceof SVGElement;
      const halo = inSvg && looks.paintOrder.startsWith('stroke') && looks.stroke !== 'none' && parseFloat(looks.strokeWidth) >= 2;
      const under = halo ? colorOf(looks.stroke) : ground(left + width / 2, top + height / 2);
      let opacity = 1;
      for (let at = /** @type {Element | null} */ (element); at; at = at.parentElement) opacity *= Number(getComputedStyle(at).opacity);
      const ink = blend(colorOf(inSvg ? looks.fill : looks.color, opacity * (inSvg ? Number(looks.fillOpacity) : 1)), under);
      const ratio = contrast(ink, under);
      if (ratio < limit) found.push(`"${text.data.trim()}" (${element.localName}.${element.getAttribute('class') ?? ''}): ${ratio.toFixed(2)}`);
    }
    root.adoptedStyleSheets = sheets;
    return found;
  }, least);
}

/** Whether an element is drawn dark on light or light on dark. @param {Page} page @param {string} selector @returns {Promise<'light' | 'dark'>} */
export async function shownTheme(page, selector) {
  const svg = await page.$eval(selector, (element) => /** @type {any} */ (element).toSVG());
  return page.evaluate((text) => {
    const paper = /** @type {Element} */ (new DOMParser().parseFromString(text, 'image/svg+xml').querySelector('rect'));
    const context = /** @type {CanvasRenderingContext2D} */ (document.createElement('canvas').getContext('2d'));
    context.fillStyle = paper.getAttribute('fill') ?? '';
    context.fillRect(0, 0, 1, 1);
    const [r, g, b] = context.getImageData(0, 0, 1, 1).data;
    return r + g + b > 382 ? 'light' : 'dark';
  }, svg);
}
