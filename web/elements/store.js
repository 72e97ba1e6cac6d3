/**
 * A deep copy of plain data; unlike by JSON, non-finite numbers stay.
 * @template T
 * @param {T} value
 * @returns {T}
 */
export function copy(value) {
  if (Array.isArray(value)) return /** @type {T} */ (value.map(copy));
  if (typeof value !== 'object' || value === null) return value;
  return /** @type {T} */ (Object.fromEntries(Object.entries(value).map(([key, item]) => [key, copy(item)])));
}

/**
 * The values of one element in three layers: what is shown, what the page last gave, and what reset returns to.
 * As with a form field, reset goes back to the markup; a property set before the first picture counts as markup.
 */
export class Store {
  #fields;
  /** @type {Record<string, any>} */ #shown;
  /** @type {Record<string, any>} */ #given;
  /** @type {Record<string, any>} */ #initial;
  #settled = false;

  /** @param {import('./fields.js').Schema} fields */
  constructor(fields) {
    this.#fields = fields;
    this.#shown = Object.fromEntries(Object.entries(fields).map(([key, field]) => [key, field.default]));
    this.#given = copy(this.#shown);
    this.#initial = copy(this.#shown);
  }

  /** @param {string} key */
  get(key) {
    return this.#shown[key];
  }

  /** @param {Iterable<string>} keys @param {'shown' | 'given' | 'initial'} [layer] */
  pick(keys, layer = 'shown') {
    const values = { shown: this.#shown, given: this.#given, initial: this.#initial }[layer];
    return copy(Object.fromEntries([...keys].map((key) => [key, values[key]])));
  }

  /** Values of an attribute or of the child JSON. @param {Record<string, any>} values */
  fromMarkup(values) {
    Object.assign(this.#shown, copy(values));
    Object.assign(this.#given, copy(values));
    Object.assign(this.#initial, copy(values));
  }

  /** Values of a property. @param {Record<string, any>} values */
  fromProgram(values) {
    Object.assign(this.#shown, copy(values));
    Object.assign(this.#given, copy(values));
    if (!this.#settled) Object.assign(this.#initial, copy(values));
  }

  /** Values the reader set. Says whether anything is different now. @param {Record<string, any>} values */
  fromReader(values) {
    const before = JSON.stringify(this.#shown);
    Object.assign(this.#shown, copy(values));
    return JSON.stringify(this.#shown) !== before;
  }

  /** The first picture is there: from now on properties no longer change what reset returns to. */
  settle() {
    this.#settled = true;
  }

  /** @param {Iterable<string>} keys */
  reset(keys) {
    this.fromProgram(this.pick(keys, 'initial'));
  }

  /**
   * The values that differ from the defaults, written as attributes.
   * @returns {[name: string, text: string][]}
   */
  attributes() {
    return Object.entries(this.#fields).flatMap(([key, field]) => {
      const value = this.#shown[key];
      if (field.attribute === undefined || JSON.stringify(value) === JSON.stringify(field.default)) return [];
      const text = field.toText(value);
      return text === null ? [] : [/** @type {[string, string]} */ ([field.attribute, text])];
    });
  }
}
