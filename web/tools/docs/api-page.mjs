// The page of the API, from the declarations: each call with the types that it is the first to mention.

/** @typedef {import('./declarations.mjs').Declaration} Declaration */
/** @typedef {import('./declarations.mjs').Property} Property */
/** @typedef {import('./declarations.mjs').Signature} Signature */

const head = `# API reference

<!-- Written by \`npm run docs\` from the comments in web/core. Change them there. -->

What the calls of \`attn-widgets\` take and give. What they mean where other libraries differ is on the page
[Semantics](semantics.md). Letters are the same everywhere: B batch, Hq query heads, Hk key/value heads, nq queries, nk keys, d width of
a key, dv width of a value. Options that are left out, or \`undefined\`, have the default that is stated; a restriction without one does
not hold unless it is given.
`;

const errors = `## Errors

A call that cannot be made throws, with a sentence in the form \`argument: expected …, got …\`; the next call works as if it had not been made.
Nothing else is thrown: no number, no bare trap of WebAssembly.

| error | when |
|---|---|
| \`TypeError\` | the wrong kind of thing: no tensor, a text for a number, an unknown option (with the name that was probably meant), numbers as \`allow\`, an engine that was disposed |
| \`RangeError\` | the right kind with an impossible value: ranks or sizes that do not fit each other, ragged rows, a window of 0, a call that needs more memory than there is (with the bytes) |
| \`EngineLoadError\` | \`loadEngine\` found no engine; its \`code\` says why |
| what a signal or a function of yours throws | comes through as it is: the \`reason\` of an aborted \`signal\`, an error in \`onProgress\`, \`scoreMod\` or \`maskMod\` |
`;

const callsHead = `## Calls

All but \`info\`, a property, are methods of the engine, or of \`explain\`, \`positions\` and \`reference\` in it, and need no \`this\`. They compute at once and return, but for those whose result is a \`Promise\`.
`;

/** Types that every call has to do with: they are described once and not linked to again. */
const everywhere = ['TensorInput', 'BooleanInput', 'Tensor', 'BooleanTensor'];

/** @param {Map<string, Declaration>} declarations @returns {string} */
export function apiPage(declarations) {
  const page = new Page(declarations);
  const { signature, description } = page.get('loadEngine', 'function');
  const engine = page.get('Engine', 'object');
  page.known.add('Engine'); // it is the rest of the page
  page.add(head);
  page.add('## Loading');
  page.call('loadEngine', signature, description);
  page.type('EngineLoadError');
  page.add('## Tensors');
  for (const name of everywhere) page.type(name, 3);
  page.add(callsHead);
  page.add(engine.description);
  page.members('engine', engine.properties);
  page.add(errors);
  return `${page.parts.join('\n\n').replace(/\n{3,}/g, '\n\n').trim()}\n`;
}

class Page {
  /** @param {Map<string, Declaration>} declarations */
  constructor(declarations) {
    this.declarations = declarations;
    /** Types that have their place already. @type {Set<string>} */
    this.known = new Set();
    /** @type {string[]} */
    this.parts = [];
  }

  /** @param {string} text */
  add(text) {
    if (text.trim()) this.parts.push(text.trim());
  }

  /**
   * @template {Declaration['kind']} Kind
   * @param {string} name @param {Kind} kind
   * @returns {Extract<Declaration, { kind: Kind }>}
   */
  get(name, kind) {
    const declaration = this.declarations.get(name);
    if (declaration?.kind !== kind) throw new Error(`docs: expected the ${kind} ${name} in web/core, found ${declaration?.kind ?? 'nothing'}`);
    return /** @type {any} */ (declaration);
  }

  /** The members of an object that holds calls. @param {string} owner @param {Property[]} properties */
  members(owner, properties) {
    for (const { name, type, description, signature } of properties) {
      const inner = this.declarations.get(type);
      if (signature) {
        this.call(`${owner}.${name}`, signature, description);
      } else if (inner?.kind === 'object' && inner.properties.some((property) => property.signature)) {
        this.add(`### ${owner}.${name}`);
        this.add([description, inner.description].filter(Boolean).join('\n\n'));
        this.known.add(type);
        this.members(`${owner}.${name}`, inner.properties);
      } else {
        this.add(`### ${owner}.${name}`);
        this.add(description);
        this.types([type]);
      }
    }
  }

  /** @param {string} name @param {Signature} signature @param {string} description */
  call(name, { parameters, result }, description) {
    const list = parameters.map((parameter) => `${parameter.name}${parameter.optional ? '?' : ''}: ${parameter.type}`).join(', ');
    this.add(`### ${name}`);
    this.add(`\`\`\`ts\n${name}(${list}): ${result}\n\`\`\``);
    this.add(description);
    this.types([...parameters.map(({ type }) => type), result]);
  }

  /** Describes the types in these that are new, and links to the others. @param {string[]} texts @param {number} [level] @param {string} [self] the type they are in */
  types(texts, level = 4, self = '') {
    const names = [...new Set(texts.flatMap((text) => this.namesIn(text)))].filter((name) => name !== self);
    const before = names.filter((name) => this.known.has(name));
    const linked = before.filter((name) => ![...everywhere, 'Engine'].includes(name));
    if (linked.length > 0) this.add(`See ${linked.map(link).join(', ')}.`);
    for (const name of names.filter((each) => !before.includes(each))) this.type(name, level);
  }

  /** Names of declared types in the text of a type. @param {string} text */
  namesIn(text) {
    const names = text.replace(/'[^']*'/g, '').match(/\b[A-Z]\w*/g) ?? [];
    return names.filter((name) => this.declarations.has(name));
  }

  /** @param {string} name @param {number} [level] */
  type(name, level = 4) {
    const declaration = this.declarations.get(name);
    if (!declaration || declaration.kind === 'function' || this.known.has(name)) return;
    this.known.add(name);
    this.add(`${'#'.repeat(level)} ${name}`);
    this.add(declaration.description);
    if (declaration.kind === 'alias') {
      this.alias(declaration, level);
      return;
    }
    this.table(declaration.properties);
    this.types(declaration.properties.map(({ type }) => type), 5, name);
  }

  /** @param {import('./declarations.mjs').AliasType} alias @param {number} level */
  alias({ name, parameters, type }, level) {
    const parts = type.split(' & ');
    if (parts.length > 1 && parts.every((part) => this.declarations.has(part))) {
      this.add(`All of ${parts.map(link).join(', ')}.`);
      for (const part of parts) this.type(part, 5);
      return;
    }
    this.add(`\`\`\`ts\ntype ${name}${parameters} = ${type}\n\`\`\``);
    this.types([type], Math.max(level + 1, 5));
  }

  /** @param {Property[]} properties */
  table(properties) {
    if (properties.length === 0) return;
    const cell = (/** @type {string} */ text) => text.replace(/\s*\n\s*/g, ' ').replace(/\|/g, '\\|');
    const rows = properties.map(({ name, type, optional, description }) => `| \`${name}\`${optional ? '' : ' *'} | \`${cell(type)}\` | ${cell(description)} |`);
    const note = properties.some(({ optional }) => optional) && properties.some(({ optional }) => !optional) ? '\n\n\\* must be given' : '';
    const plain = note ? rows : rows.map((row) => row.replace('` * |', '` |'));
    this.add(`| name | type | meaning |\n|---|---|---|\n${plain.join('\n')}${note}`);
  }
}

/** @param {string} name */
const link = (name) => `[${name}](#${name.toLowerCase()})`;
