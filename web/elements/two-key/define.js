import { define } from '../define.js';
import { AttnTwoKey } from './two-key.js';

define(AttnTwoKey);

export { AttnTwoKey };
