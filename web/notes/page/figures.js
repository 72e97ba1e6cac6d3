/** Marks each figure of the text once its first picture is drawn; until then the style sheet keeps room for it. */
export function watchFigures() {
  for (const figure of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll('figure'))) {
    const widget = /** @type {Element & {ready?: Promise<unknown>}} */ (figure.firstElementChild);
    customElements
      .whenDefined(widget.localName)
      .then(() => widget.ready)
      .then(() => {
        figure.dataset.drawn = '';
      });
  }
}
