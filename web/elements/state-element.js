// The half of an element that holds values: attributes, properties and child JSON all go through one table of fields.
// The last write wins; a property set before the upgrade beats the attribute. A bad value changes nothing: it leaves a
// problem (a sentence), one console warning and an attn-error event.

import { LitElement } from '../view/lit.js';
import { refusal } from '../view/refusal.js';
import { show } from './attribute-text.js';
import { choiceField, wordsField } from './fields.js';
import { Store, copy } from './store.js';

/** @typedef {{ name: string, error: unknown }} Problem */

export class StateElement extends LitElement {
  static tag = '';
  /** What the state consists of. @type {import('./fields.js').Schema} */
  static schema = {};
  /** Names that `controls` may list. @type {readonly string[]} */
  static controlNames = ['toolbar'];

  /** @type {Store} */ #store;
  /** @type {Map<string, unknown>} */ #problems = new Map();
  /** @type {Problem[]} */ #unreported = [];
  /** Attributes whose first value comes too late, since a property was set before the upgrade. @type {Set<string>} */ #overruled = new Set();
  /** Keys that properties have set before the element was first connected. @type {Set<string>} */ #bySetter = new Set();
  #wasConnected = false;
  #scriptText = '';
  /** Grows with every change of a value. */
  revision = 0;
  #children = new MutationObserver(() => this.#readScript());

  constructor() {
    super();
    this.#store = new Store(this.#fields);
    this.#takeOverProperties();
  }

  static get observedAttributes() {
    const fields = Object.values(fieldsOf(this));
    return [...super.observedAttributes, 'lang', ...fields.flatMap((field) => field.attribute ?? [])];
  }

  static finalize() {
    super.finalize();
    for (const key of Object.keys(fieldsOf(this))) {
      Object.defineProperty(this.prototype, key, {
        configurable: true,
        enumerable: true,
        /** @this {StateElement} */
        get() { return this.value(key); },
        /** @this {StateElement} */
        set(value) { this.#set({ [key]: value }, key); },
      });
    }
  }

  get #type() {
    return /** @type {typeof StateElement} */ (this.constructor);
  }

  get #fields() {
    return fieldsOf(this.#type);
  }

  get #stateKeys() {
    return Object.keys(this.#type.schema);
  }

  /** A copy of the current value of one field. @param {string} key */
  value(key) {
    return this.#store.pick([key])[key];
  }

  /** The whole state, JSON-serialisable. Setting some of its keys leaves the others. */
  get state() {
    return this.#store.pick(this.#stateKeys);
  }

  set state(values) {
    this.#set(values, 'state');
  }

  /** The state of an element nobody has said anything to. */
  get defaults() {
    return copy(Object.fromEntries(this.#stateKeys.map((key) => [key, this.#fields[key].default])));
  }

  /** The state as the page gave it last, without the reader's moves. */
  get given() {
    return this.#store.pick(this.#stateKeys, 'given');
  }

  /** The state that reset returns to. */
  get initial() {
    return this.#store.pick(this.#stateKeys, 'initial');
  }

  /** Attributes that make this figure, as it is now. */
  markup() {
    return this.#store.attributes();
  }

  /** The sentence to show, if anything is wrong. @returns {Problem | undefined} */
  get problem() {
    return [...this.#problems].map(([name, error]) => ({ name, error })).pop();
  }

  /**
   * A change by the reader. Returns whether anything is different now.
   * @param {Record<string, unknown>} values
   */
  setByReader(values) {
    const changed = this.#store.fromReader(this.#check(values, 'state'));
    if (changed) this.#changed();
    return changed;
  }

  /** Back to what the markup says (and the properties set before the first picture). */
  reset() {
    this.#store.reset(this.#stateKeys);
    this.#problems.clear();
    this.#changed();
  }

  /** From here on properties no longer change what reset returns to. */
  settle() {
    this.#store.settle();
  }

  /**
   * Runs an action; what it throws becomes the problem of that name, and success removes it.
   * @param {string} name
   * @param {() => void} action
   */
  attempt(name, action) {
    try {
      action();
      this.#problems.delete(name);
    } catch (error) {
      this.addProblem(name, error);
    }
  }

  /** @param {string} name @param {unknown} error */
  addProblem(name, error) {
    this.#problems.delete(name);
    this.#problems.set(name, error);
    this.#unreported.push({ name, error });
    this.requestUpdate();
  }

  /** @param {string} name */
  removeProblem(name) {
    if (this.#problems.delete(name)) this.requestUpdate();
  }

  connectedCallback() {
    super.connectedCallback();
    this.#readScript();
    this.#wasConnected = true;
    this.#children.observe(this, { childList: true, subtree: true, characterData: true });
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    this.#children.disconnect();
  }

  /** @param {string} attribute @param {string | null} old @param {string | null} text */
  attributeChangedCallback(attribute, old, text) {
    const found = Object.entries(this.#fields).find(([, field]) => field.attribute === attribute);
    if (!found) {
      super.attributeChangedCallback(attribute, old, text);
      this.requestUpdate();
    } else if (!this.#overruled.delete(attribute)) {
      const [key, field] = found;
      this.attempt(key, () => {
        this.#store.fromMarkup({ [key]: text === null ? field.default : field.fromText(text, attribute) });
        this.#changed();
      });
    }
  }

  /** @param {import('lit').PropertyValues} changed */
  updated(changed) {
    super.updated(changed);
    for (const { name, error } of this.#unreported.splice(0)) {
      const message = error instanceof Error ? error.message : String(error);
      console.warn(`<${this.localName}> ${message}`);
      this.dispatchEvent(new CustomEvent('attn-error', { bubbles: true, composed: true, detail: { name, message, error } }));
    }
  }

  /** @param {unknown} values @param {string} name */
  #set(values, name) {
    this.attempt(name, () => {
      const checked = this.#check(values, name);
      this.#store.fromProgram(checked);
      if (!this.#wasConnected) for (const key of Object.keys(checked)) this.#bySetter.add(key);
      for (const key of Object.keys(checked)) this.#problems.delete(key);
      this.#changed();
    });
  }

  /** All or nothing. @param {unknown} values @param {string} name */
  #check(values, name) {
    const keys = name in this.#fields ? [name] : this.#stateKeys;
    if (typeof values !== 'object' || values === null || Array.isArray(values)) {
      throw refusal('common.expectedObject', { name, keys: keys.join(', '), got: show(values) });
    }
    return Object.fromEntries(Object.entries(values).map(([key, value]) => {
      if (!keys.includes(key)) throw refusal('common.unknownKey', { name, keys: keys.join(', '), got: show(key) });
      return [key, this.#fields[key].fromValue(value, key)];
    }));
  }

  /** Values that were set as plain properties before this class was defined. */
  #takeOverProperties() {
    const fields = this.#fields;
    for (const key of [...Object.keys(fields), 'state']) {
      if (!Object.prototype.hasOwnProperty.call(this, key)) continue;
      const value = Reflect.get(this, key);
      Reflect.deleteProperty(this, key);
      Reflect.set(this, key, value);
      const keys = key === 'state' ? Object.keys(value ?? {}) : [key];
      for (const attribute of keys.map((name) => fields[name]?.attribute)) {
        if (attribute !== undefined && this.hasAttribute(attribute)) this.#overruled.add(attribute);
      }
    }
  }

  #readScript() {
    const script = this.querySelector(':scope > script[type="application/json"]');
    const text = script?.textContent?.trim();
    if (!text || text === this.#scriptText) return;
    this.#scriptText = text;
    this.attempt('script', () => {
      const values = this.#check(parseJson(text), 'script');
      if (!this.#wasConnected) for (const key of this.#bySetter) delete values[key];
      this.#store.fromMarkup(values);
      this.#changed();
    });
  }

  #changed() {
    this.revision += 1;
    this.requestUpdate();
  }
}

/** @type {WeakMap<typeof StateElement, import('./fields.js').Schema>} */
const known = new WeakMap();

/**
 * The fields of a class: its schema and the two settings every element has.
 * @param {typeof StateElement} type
 */
function fieldsOf(type) {
  /** @type {import('./fields.js').Schema} */
  const fields = known.get(type) ?? {
    ...type.schema,
    theme: choiceField({ attribute: 'theme', default: 'auto', choices: ['auto', 'light', 'dark'] }),
    controls: wordsField({ attribute: 'controls', default: null, choices: type.controlNames }),
  };
  known.set(type, fields);
  return fields;
}

/** @param {string} text */
function parseJson(text) {
  try {
    return JSON.parse(text);
  } catch (error) {
    const position = /position (\d+)/.exec(error instanceof Error ? error.message : '')?.[1];
    throw refusal('common.badJson', { name: 'script', position: position ? Number(position) + 1 : text.length });
  }
}
