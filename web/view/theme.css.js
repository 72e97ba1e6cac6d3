// The visual language in one place: colours of the roles, type and spacing. A page may set any `--attn-…` of these
// names on the element or above it; the figure's own values are the fallback.
// Contrast of every text colour on --surface is at least 4.5:1 (tests/node/view/theme.test.js).

import { css, unsafeCSS } from './lit.js';

/** @typedef {'surface' | 'raised' | 'lit' | 'ink' | 'muted' | 'line' | 'grid' | 'query' | 'key' | 'value' | 'output' | 'weight' | 'positive' | 'negative' | 'problem'} ColorName */

/** @type {Record<'light' | 'dark', Record<ColorName, string>>} */
export const palette = {
  light: {
    surface: '#ffffff',
    raised: '#f7f8fa',
    lit: '#e8eef7',
    ink: '#1d2430',
    muted: '#5b6472',
    line: '#b9c0ca',
    grid: '#e7eaee',
    query: '#1366b8',
    key: '#c04f00',
    value: '#00796b',
    output: '#7b3fb5',
    weight: '#48566b',
    positive: '#f2937d',
    negative: '#8db9ea',
    problem: '#b3261e',
  },
  dark: {
    surface: '#15181d',
    raised: '#20242b',
    lit: '#2c3543',
    ink: '#e8eaee',
    muted: '#a3acb9',
    line: '#4d5664',
    grid: '#292e36',
    query: '#6fb4f7',
    key: '#f0a04f',
    value: '#48c2ad',
    output: '#c79df2',
    weight: '#aab8cd',
    positive: '#9a3f2e',
    negative: '#2c5f9a',
    problem: '#ff9a91',
  },
};

/** A figure at least this wide, in CSS px, has its parts side by side; a narrower one stacks them. */
export const WIDE = 688;

/** Figures do not grow beyond this. */
export const WIDEST = 1080;

/** @param {'light' | 'dark'} theme */
const declarations = (theme) => Object.entries(palette[theme]).map(([name, color]) => `--${name}: var(--attn-${name}, ${color});`).join('');

export const tokens = css`
  .frame {
    /* 8 px grid */
    --gap-1: 4px;
    --gap-2: 8px;
    --gap-3: 16px;
    --gap-4: 24px;
    /* type */
    --text-small: 12px;
    --text: 14px;
    --text-large: 16px;
    --sans: var(--attn-font, system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', 'PingFang SC', 'Microsoft YaHei', 'Noto Sans CJK SC', sans-serif);
    --math: 'STIX Two Math', 'Cambria Math', 'Latin Modern Math', 'Libertinus Math', 'Times New Roman', serif;
    --move: 200ms;
    ${unsafeCSS(declarations('light'))}
    color-scheme: light;
    background: var(--surface);
    color: var(--ink);
    font: var(--text)/1.5 var(--sans);
    font-variant-numeric: tabular-nums lining-nums;
  }
  /* Paper is white. */
  @media screen {
    .frame.dark {
      ${unsafeCSS(declarations('dark'))}
      color-scheme: dark;
    }
  }
  @media (prefers-reduced-motion: reduce) {
    .frame { --move: 0ms; }
  }
`;

/** Classes that mean a role, in HTML, MathML and SVG alike. */
export const roles = css`
  .query { color: var(--query); }
  .key { color: var(--key); }
  .value { color: var(--value); }
  .output { color: var(--output); }
  .weight { color: var(--weight); }
  .muted { color: var(--muted); }
  svg { display: block; direction: ltr; font-family: var(--sans); font-size: var(--text-small); overflow: visible; }
  svg text { fill: currentColor; }
  svg .math { font-family: var(--math); font-style: italic; font-size: 1.25em; }
  svg .hair { stroke: var(--grid); stroke-width: 1; fill: none; }
  svg .axis { stroke: var(--line); stroke-width: 1; fill: none; }
`;
