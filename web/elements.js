// Defines every element.
import './elements/mask/define.js';
import './elements/two-key/define.js';

export { AttnElement } from './elements/element.js';
export { AttnMask } from './elements/mask/mask.js';
export { AttnTwoKey } from './elements/two-key/two-key.js';
export { define } from './elements/define.js';
export { useEngine } from './elements/engine.js';
