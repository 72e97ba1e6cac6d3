/**
 * A pointerdown listener that follows the pointer in the coordinates of the SVG the target is in. The point that is
 * dragged keeps its distance from the pointer, so it does not jump when it is caught off-centre.
 * @param {{ x: number, y: number }} at  where the dragged point is when it is caught
 * @param {(x: number, y: number) => void} move
 */
export function draggable(at, move) {
  return (/** @type {PointerEvent} */ event) => {
    if (event.button !== 0) return;
    const handle = /** @type {SVGGraphicsElement} */ (event.currentTarget);
    const drawing = /** @type {SVGSVGElement} */ (handle.ownerSVGElement);
    const place = (/** @type {PointerEvent} */ { clientX, clientY }) => {
      const box = drawing.getBoundingClientRect();
      const scale = drawing.viewBox.baseVal.width / box.width;
      return { x: (clientX - box.left) * scale, y: (clientY - box.top) * scale };
    };
    const start = place(event);
    const follow = (/** @type {PointerEvent} */ moved) => {
      const now = place(moved);
      move(at.x + now.x - start.x, at.y + now.y - start.y);
    };
    const done = () => {
      handle.removeEventListener('pointermove', follow);
      handle.removeEventListener('pointerup', done);
      handle.removeEventListener('pointercancel', done);
    };
    handle.setPointerCapture(event.pointerId);
    handle.addEventListener('pointermove', follow);
    handle.addEventListener('pointerup', done);
    handle.addEventListener('pointercancel', done);
    handle.focus({ preventScroll: true });
    // Otherwise the drag would select text.
    event.preventDefault();
  };
}
