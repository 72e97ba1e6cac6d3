// The one import of lit. Lit reads `document` and `HTMLElement` while it loads, which Node does not have;
// a stand-in is there just for that moment, so that importing an element in Node changes nothing.
import { restoreGlobals } from './dom-stand-in.js';

export { LitElement, css, html, mathml, noChange, nothing, svg, unsafeCSS } from 'lit';
export { Directive, PartType, directive } from 'lit/directive.js';
export { guard } from 'lit/directives/guard.js';

restoreGlobals();
