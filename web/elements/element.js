// The base of every element: it computes at most once a frame, draws the last good picture, and brings what all figures
// share. A subclass says how to compute, draw, explain and tabulate; the values themselves are StateElement's.

import { nothing } from '../view/lit.js';
import { GridFocus } from '../view/grid-focus.js';
import { PartFocus } from '../view/part-focus.js';
import { svgText, pngBlob } from '../view/export.js';
import { WIDE, WIDEST } from '../view/theme.css.js';
import { csvText } from '../view/csv.js';
import { translator } from '../locales/index.js';
import { version } from '../version.js';
import { Announcer } from './announcer.js';
import { sharedEngine } from './engine.js';
import { frameStyles } from './frame.css.js';
import { frameTemplate } from './frame.js';
import { LinkedState, embedText, linkTo } from './share.js';
import { copy } from './store.js';
import { StateElement } from './state-element.js';
import { localeOf, themeOf, watchSurroundings } from './surroundings.js';
import { Toolbar } from './toolbar.js';

/**
 * What the drawing methods of a subclass get.
 * @template State, Result
 * @typedef {object} Context
 * @property {State} state  of the picture that is shown: the last one that could be computed
 * @property {State} given  the state the page gave last; the reader's moves do not change it, so scales can rest on it
 * @property {Result} result
 * @property {number} width  of the figure in CSS px
 * @property {boolean} wide  from 688 px on: parts side by side rather than stacked
 * @property {string} locale
 * @property {'light' | 'dark'} theme
 * @property {import('../locales/index.js').Translate} text
 * @property {string | null} part  the data-part that is pointed at, tapped or focused
 * @property {(grid: string, row: number, column: number) => number} tabindex  of a cell with data-grid, data-row, data-col
 * @property {(control: string) => boolean} shows  whether a control is visible
 * @property {(values: Partial<State>) => void} change  what the reader did; attn-change follows once it is computed
 */

/** @typedef {{ name: string, columns: string[], rows: (string | number | boolean | null)[][] }} Table */

/** The padding of the frame on each side, CSS px; frame.css.js has the same. */
const PADDING = 16;

export class AttnElement extends StateElement {
  static version = version;
  /** The locales' key of the figure's name. */
  static titleKey = 'common.figure';
  /** @type {import('lit').CSSResultGroup} */
  static styles = frameStyles;

  /** @type {import('./engine.js').Engine | null} */ #engine = null;
  /** @type {{ state: any, result: any, revision: number } | null} */ #picture = null;
  #computed = -1;
  #starting = false;
  #readerActed = false;
  /** @type {ReturnType<typeof watchSurroundings> | null} */ #surroundings = null;
  #parts = new PartFocus(this);
  #grids = new GridFocus(this);
  #announcer = new Announcer(this);
  #linked = new LinkedState(this);
  #toolbar = new Toolbar(this);
  /** @type {(value: AttnElement) => void} */ #resolveReady = () => {};
  /** @type {(reason: unknown) => void} */ #rejectReady = () => {};
  /** Resolves with the element once its first picture is drawn; rejects if the engine cannot start. */
  ready = this.#promise();

  constructor() {
    super();
    // A key or a click starts from the picture that the one before it left, even within one frame.
    const catchUp = () => { if (this.isUpdatePending) this.performUpdate(); };
    for (const act of ['keydown', 'click', 'pointerdown']) this.addEventListener(act, catchUp, true);
  }

  // What a subclass says.

  /**
   * Every number of the picture, from the engine, as plain arrays. May refuse with a sentence.
   * @param {import('./engine.js').Engine} _engine @param {any} _state @returns {any}
   */
  compute(_engine, _state) { return {}; }

  /** The height of the figure, known before anything is computed so that nothing jumps. @param {Context<any, any>} _context */
  figureHeight(_context) { return 0; }

  /** The whole figure as one <svg>. @param {Context<any, any>} _context @returns {unknown} */
  figure(_context) { return nothing; }

  /** The choice that decides what the figure is about, over it. Before the first picture the result is null, here and in the next two. @param {Context<any, any>} _context @returns {unknown} */
  headTemplate(_context) { return null; }

  /** Switches that are rarely needed, at the end. @param {Context<any, any>} _context @returns {unknown} */
  moreTemplate(_context) { return null; }

  /** Sliders, fields and switches. @param {Context<any, any>} _context @returns {unknown} */
  controlsTemplate(_context) { return nothing; }

  /** How a part's number was made, or the main formula for null. @param {string | null} _part @param {Context<any, any>} _context @returns {unknown} */
  explain(_part, _context) { return nothing; }

  /** The picture in a sentence or two. @param {Context<any, any>} _context */
  summary(_context) { return ''; }

  /** The numbers as tables; the first one is the CSV. @param {{ state: any, result: any }} _picture @returns {Table[]} */
  tables(_picture) { return []; }

  /** Controls that are visible unless the page lists others. @param {any} _given @returns {readonly string[]} */
  defaultControls(_given) { return /** @type {typeof AttnElement} */ (this.constructor).controlNames; }

  // What the page reads and calls.

  /** The numbers that are shown, in full precision; null until the engine is there. */
  get result() {
    this.#compute();
    return this.#picture && copy(this.#picture.result);
  }

  /** The figure as a standalone SVG document, as it is on the screen. */
  toSVG() {
    return svgText(this.#drawing, this.summary(this.#context()));
  }

  /** The figure as a PNG, twice the size on the screen. @returns {Promise<Blob>} */
  toPNG() {
    return pngBlob(this.toSVG());
  }

  /** The first table, every digit. */
  toCSV() {
    return csvText(this.tables(this.#drawn)[0]);
  }

  /** State and numbers; what JSON.stringify(element) writes. */
  toJSON() {
    const { state, result } = copy(this.#drawn);
    return { element: this.localName, version, state, result };
  }

  /** HTML that shows this figure, as it is now, in another page. */
  embedCode() {
    return embedText(this);
  }

  /** The address of this page with the state of this element in it. */
  shareUrl() {
    return linkTo(this);
  }

  connectedCallback() {
    super.connectedCallback();
    this.#surroundings = watchSurroundings(this, () => this.requestUpdate());
    this.#linked.read();
    this.#start();
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    this.#surroundings?.stop();
  }

  // One picture.

  /** The first picture at once, later ones with the next frame: many changes make one. */
  async scheduleUpdate() {
    if (this.hasUpdated && !document.hidden) await new Promise((resolve) => { requestAnimationFrame(resolve); });
    super.scheduleUpdate();
  }

  /** @param {import('lit').PropertyValues} changed */
  willUpdate(changed) {
    super.willUpdate(changed);
    this.#compute();
  }

  render() {
    const context = this.#context();
    const picture = this.#picture;
    // What does not need numbers stands there from the start, so that the page below does not jump when they come.
    const coming = picture !== null || this.problem?.name !== 'engine';
    return frameTemplate({
      context,
      problem: this.problem,
      parts: this.#parts,
      grids: this.#grids,
      retry: () => this.#start(),
      height: this.figureHeight(context),
      title: context.text(/** @type {typeof AttnElement} */ (this.constructor).titleKey),
      head: coming && this.headTemplate(context),
      figure: picture && this.figure(context),
      controls: coming && this.controlsTemplate(context),
      explanation: picture ? this.explain(context.part, context) : coming && '\u00a0',
      more: coming ? this.moreTemplate(context) : nothing,
      summary: picture ? this.summary(context) : context.text('common.loading'),
      spoken: this.#announcer.text,
      tables: picture ? this.tables(picture) : [],
      toolbar: context.shows('toolbar') && coming ? this.#toolbar.template(context) : nothing,
    });
  }

  /** @param {import('lit').PropertyValues} changed */
  updated(changed) {
    super.updated(changed);
    if (!this.#picture) return;
    this.settle();
    this.#resolveReady(this);
    if (!this.#readerActed) return;
    this.#readerActed = false;
    if (this.#picture.revision !== this.revision) return;
    const { state, result } = copy(this.#picture);
    this.dispatchEvent(new CustomEvent('attn-change', { bubbles: true, composed: true, detail: { state, result } }));
    this.#announcer.say(this.summary(this.#context()));
    this.#linked.write();
  }

  /** A change by the reader: attn-change follows once it is computed. @param {Record<string, unknown>} values */
  change = (values) => {
    this.attempt('reader', () => { this.#readerActed = this.setByReader(values) || this.#readerActed; });
  };

  /** The reset of the toolbar: unlike reset(), it is an act of the reader. */
  resetByReader() {
    this.reset();
    this.#parts.clear();
    this.#readerActed = true;
  }

  async #start() {
    if (this.#engine || this.#starting) return;
    this.#starting = true;
    try {
      this.#engine = await sharedEngine();
      this.removeProblem('engine');
    } catch (error) {
      this.addProblem('engine', error);
      this.#rejectReady(error);
      this.ready = this.#promise();
    }
    this.#starting = false;
    this.requestUpdate();
  }

  /** @returns {Promise<AttnElement>} */
  #promise() {
    const promise = new Promise((resolve, reject) => { [this.#resolveReady, this.#rejectReady] = [resolve, reject]; });
    // The figure itself says what went wrong; a page that does not wait for it need not hear of it again.
    promise.catch(() => {});
    return promise;
  }

  #compute() {
    if (!this.#engine || this.#computed === this.revision) return;
    const engine = this.#engine;
    this.#computed = this.revision;
    /** @param {any} state */
    const draw = (state) => { this.#picture = { state, result: this.compute(engine, state), revision: this.revision }; };
    this.attempt('figure', () => draw(this.state));
    // A first state that cannot be computed leaves the figure of the defaults, not an empty box.
    if (!this.#picture) draw(this.defaults);
  }

  /** @returns {import('./element.js').Context<any, any>} */
  #context() {
    const locale = localeOf(this);
    const visible = this.value('controls') ?? this.defaultControls(this.given);
    const width = Math.min(Math.max((this.#surroundings?.width ?? 0) - 2 * PADDING, 240), WIDEST);
    return {
      state: this.#picture?.state ?? this.state,
      result: this.#picture?.result ?? null,
      given: this.given,
      width,
      wide: width >= WIDE,
      locale,
      text: translator(locale),
      theme: themeOf(this, this.value('theme')),
      part: this.#parts.part,
      tabindex: (grid, row, column) => this.#grids.tabindex(grid, row, column),
      shows: (control) => visible.includes(control),
      change: this.change,
    };
  }

  get #drawn() {
    this.#compute();
    if (!this.#picture) throw new Error(`<${this.localName}>: expected a figure that is drawn, got one without an engine; wait for its \`ready\` promise`);
    return this.#picture;
  }

  get #drawing() {
    const drawing = this.#drawn && this.renderRoot.querySelector('.figure > svg');
    if (!drawing) throw new Error(`<${this.localName}>: expected a figure that is drawn, got one that is not on the page`);
    return /** @type {SVGSVGElement} */ (drawing);
  }
}
