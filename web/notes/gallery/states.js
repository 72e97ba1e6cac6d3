/**
 * What every element can be put into.
 * @param {string} tag
 * @returns {Record<string, string>}
 */
const shared = (tag) => ({
  bare: `<${tag} controls="none"></${tag}>`,
  light: `<${tag} theme="light"></${tag}>`,
  dark: `<${tag} theme="dark"></${tag}>`,
  english: `<${tag} lang="en"></${tag}>`,
  chinese: `<${tag} lang="zh-CN"></${tag}>`,
  rightToLeft: `<div dir="rtl"><${tag}></${tag}></div>`,
  narrow: `<div class="narrow"><${tag}></${tag}></div>`,
  paragraph: `<p>a <${tag}></${tag}> b</p>`,
});

/**
 * Every state of every element. The names of the states are in the locales (`state.…`).
 * @type {{tag: string, states: Record<string, string>}[]}
 */
export const gallery = [
  {
    tag: 'attn-two-key',
    states: {
      worked: '<attn-two-key></attn-two-key>',
      equalMixing: '<attn-two-key q="0,0"></attn-two-key>',
      swapped: '<attn-two-key q="0,1"></attn-two-key>',
      threeKeys: '<attn-two-key q="1,0.5" keys="1,0; -0.5,1; -0.5,-1" values="2,0; 0,4; -2,-1"></attn-two-key>',
      equalKeys: '<attn-two-key q="2,1" keys="1,0; 1,0"></attn-two-key>',
      maskedKey: '<attn-two-key q="1,0" allow-keys="1,0"></attn-two-key>',
      allMasked: '<attn-two-key q="1,0" allow-keys="0,0"></attn-two-key>',
      sharp: '<attn-two-key q="1,0" temperature="0.25"></attn-two-key>',
      zeroTemperature: '<attn-two-key q="1,0" temperature="0"></attn-two-key>',
      json: '<attn-two-key><script type="application/json">{"q": [1.5, -2], "values": [[2, 0], [-1, 3]]}</script></attn-two-key>',
      bad: '<attn-two-key q="1,up"></attn-two-key>',
      ...shared('attn-two-key'),
    },
  },
  {
    tag: 'attn-mask',
    states: {
      causal: '<attn-mask n="3" mask="causal"></attn-mask>',
      none: '<attn-mask n="4" mask="none"></attn-mask>',
      padding: '<attn-mask n="5" mask="padding" length="3"></attn-mask>',
      window: '<attn-mask n="6" mask="window" window="3" causal></attn-mask>',
      block: '<attn-mask n="6" mask="block" block="2"></attn-mask>',
      graph: '<attn-mask n="5" mask="graph" edges="1-2,2-3,3-4,4-5"></attn-mask>',
      own: '<attn-mask mask="own" allow="101; 010; 111"></attn-mask>',
      randomScores: '<attn-mask n="4" mask="causal" scores="random" seed="7"></attn-mask>',
      wrongOrder: '<attn-mask n="4" mask="causal" scores="random" seed="7" compare></attn-mask>',
      replaced: '<attn-mask n="4" mask="padding" length="3" scores="random" seed="7" replaced="4"></attn-mask>',
      emptyZero: '<attn-mask mask="own" allow="11; 00" empty-rows="zero" row="2"></attn-mask>',
      emptyNan: '<attn-mask mask="own" allow="11; 00" empty-rows="nan" row="2"></attn-mask>',
      emptyUniform: '<attn-mask mask="own" allow="11; 00" empty-rows="uniform" row="2"></attn-mask>',
      trueAllows: '<attn-mask n="3" mask="causal" notation="allow"></attn-mask>',
      trueDrops: '<attn-mask n="3" mask="causal" notation="drop"></attn-mask>',
      cross: '<attn-mask queries="2" keys="5" mask="causal"></attn-mask>',
      tokens: '<attn-mask tokens=\'["the", " ", "", "\\n", "<b>", "你好"]\' mask="causal"></attn-mask>',
      smallest: '<attn-mask n="1"></attn-mask>',
      largest: '<attn-mask n="12" mask="window" window="4" causal></attn-mask>',
      json: '<attn-mask><script type="application/json">{"scores": [[1, 2], [3, 4]], "mask": "causal"}</script></attn-mask>',
      bad: '<attn-mask n="40"></attn-mask>',
      ...shared('attn-mask'),
    },
  },
];
