// A figure as a file of its own. The picture on the screen gets its looks from style sheets; a copy that leaves the page
// gets them as presentation attributes, so it needs no style sheet, no script and no font file.

const LOOKS = [
  'color', 'fill', 'fill-opacity', 'stroke', 'stroke-width', 'stroke-opacity', 'stroke-dasharray', 'stroke-linecap', 'stroke-linejoin', 'paint-order', 'opacity',
  'font-family', 'font-size', 'font-style', 'font-weight', 'font-variant-numeric', 'text-anchor', 'dominant-baseline', 'letter-spacing', 'visibility', 'display',
];
const ONLY_LIVE = ['class', 'tabindex', 'role', 'aria-describedby', 'data-part', 'data-grid', 'data-row', 'data-col'];

const SVG = 'http://www.w3.org/2000/svg';
const MARGIN = 16;

/**
 * @param {SVGSVGElement} drawing  on the page
 * @param {string} description  the picture in words
 */
export function svgText(drawing, description) {
  const copy = /** @type {SVGSVGElement} */ (drawing.cloneNode(true));
  inlineLooks(drawing, copy, null);
  copy.querySelectorAll('[data-live]').forEach((node) => node.remove());
  const { width, height } = drawing.viewBox.baseVal;
  copy.setAttribute('xmlns', SVG);
  const box = { x: -MARGIN, y: -MARGIN, width: width + 2 * MARGIN, height: height + 2 * MARGIN };
  setAll(copy, { viewBox: Object.values(box).join(' '), width: box.width, height: box.height, role: 'img' });
  const background = document.createElementNS(SVG, 'rect');
  setAll(background, { ...box, fill: getComputedStyle(/** @type {Element} */ (drawing.closest('.frame'))).backgroundColor });
  const words = document.createElementNS(SVG, 'desc');
  words.textContent = description;
  copy.prepend(words, background);
  const comments = document.createTreeWalker(copy, NodeFilter.SHOW_COMMENT);
  const found = [];
  while (comments.nextNode()) found.push(/** @type {Comment} */ (comments.currentNode));
  found.forEach((comment) => comment.remove());
  return new XMLSerializer().serializeToString(copy);
}

/**
 * @param {string} svg  a standalone document with a width and a height
 * @param {number} [scale]
 * @returns {Promise<Blob>}
 */
export async function pngBlob(svg, scale = 2) {
  const image = new Image();
  const address = URL.createObjectURL(new Blob([svg], { type: 'image/svg+xml' }));
  try {
    image.src = address;
    await image.decode();
    const canvas = document.createElement('canvas');
    canvas.width = image.naturalWidth * scale;
    canvas.height = image.naturalHeight * scale;
    const paper = /** @type {CanvasRenderingContext2D} */ (canvas.getContext('2d'));
    paper.drawImage(image, 0, 0, canvas.width, canvas.height);
    return await new Promise((resolve, reject) => {
      canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('toPNG: the browser could not encode the picture'))), 'image/png');
    });
  } finally {
    URL.revokeObjectURL(address);
  }
}

/** @param {Element} element @param {Record<string, string | number>} attributes */
function setAll(element, attributes) {
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, String(value));
}

/**
 * @param {Element} live @param {Element} copy
 * @param {CSSStyleDeclaration | null} inherited  looks of the parent, which need not be repeated
 */
function inlineLooks(live, copy, inherited) {
  const looks = getComputedStyle(live);
  for (const name of LOOKS) {
    const value = looks.getPropertyValue(name);
    if (value !== inherited?.getPropertyValue(name)) copy.setAttribute(name, value);
  }
  for (const name of ONLY_LIVE) copy.removeAttribute(name);
  [...live.children].forEach((child, index) => inlineLooks(child, copy.children[index], looks));
}
