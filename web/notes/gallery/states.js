/**
 * Every state of every element. The names of the states are in the locales (`state.…`).
 * @type {{tag: string, states: Record<string, string>}[]}
 */
export const gallery = [
  {
    tag: 'attn-two-key',
    states: {
      worked: '<attn-two-key q="1,0"></attn-two-key>',
    },
  },
  {
    tag: 'attn-mask',
    states: {
      causal: '<attn-mask n="3" mask="causal"></attn-mask>',
    },
  },
];
