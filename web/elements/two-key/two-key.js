import { AttnElement } from '../element.js';
import { rowsField, vectorField } from '../fields.js';

/** One query, two keys, two values: the worked example. */
export class AttnTwoKey extends AttnElement {
  static tag = 'attn-two-key';
  static titleKey = 'twoKey.title';
  static schema = {
    q: vectorField({ attribute: 'q', default: [1, 0], width: 2 }),
    keys: rowsField({ attribute: 'keys', default: [[1, 0], [0, 1]], width: 2, min: 1 }),
    values: rowsField({ attribute: 'values', default: [[2, 0], [0, 4]], width: 2, min: 1 }),
  };
}
