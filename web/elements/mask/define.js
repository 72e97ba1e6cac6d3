import { define } from '../define.js';
import { AttnMask } from './mask.js';

define(AttnMask);

export { AttnMask };
