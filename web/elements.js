// Defines every element.
import './elements/two-key/define.js';

export { AttnElement } from './elements/element.js';
export { AttnTwoKey } from './elements/two-key/two-key.js';
export { define } from './elements/define.js';
export { useEngine } from './elements/engine.js';
