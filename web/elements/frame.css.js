import { css } from '../view/lit.js';
import { roles, tokens } from '../view/theme.css.js';

export const frameStyles = [tokens, roles, css`
  :host { display: block; }
  :host([hidden]) { display: none; }
  .frame { box-sizing: border-box; padding: 16px; text-align: start; }
  .frame > * { max-inline-size: 1080px; margin-inline: auto; }
  .figure { position: relative; }
  /* A sentence of a left-to-right language on a page of the other kind keeps its full stop at its end. */
  .figure > p, .explanation p, .problem, .said, .uncopied { unicode-bidi: plaintext; text-align: -webkit-match-parent; text-align: match-parent; }
  .figure > p { margin: 0; } /* else its margin stands outside the height that is kept free */
  .figure [data-part] { cursor: default; outline: none; }
  .controls { margin-block-start: var(--gap-3); }
  .explanation {
    position: relative;
    box-sizing: border-box;
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    align-content: center;
    margin-block-start: var(--gap-3);
    padding-block: var(--gap-2) 7px;
    border-block: 1px solid var(--grid);
    background: var(--surface);
  }
  /* What is pointed at may be far above on a phone: its explanation stays in sight. */
  .explanation.shown { position: sticky; inset-block-end: 0; z-index: 1; }
  .explanation .close { position: absolute; inset-block-start: 4px; inset-inline-end: 0; inline-size: 24px; font-size: var(--text-large); color: var(--muted); }
  .problem { margin-block: var(--gap-2) 0; color: var(--problem); }
  .problem button { margin-inline-start: var(--gap-2); color: var(--ink); text-decoration: underline; text-underline-offset: 3px; }
  .toolbar {
    position: relative;
    display: flex;
    flex-wrap: wrap;
    align-items: baseline;
    gap: var(--gap-1) var(--gap-3);
    margin-block-start: var(--gap-2);
    font-size: var(--text-small);
    color: var(--muted);
  }
  button, summary {
    min-block-size: 24px;
    padding: 0;
    border: 0;
    background: none;
    color: inherit;
    font: inherit;
    cursor: pointer;
    list-style: none;
  }
  summary::-webkit-details-marker { display: none; }
  .toolbar button:hover, summary:hover { color: var(--ink); text-decoration: underline; text-underline-offset: 3px; }
  /* The menu opens into room of its own below: it covers neither the formula nor what follows the figure. */
  .menu[open] { margin-block-end: 116px; }
  .menu > div {
    position: absolute;
    z-index: 1;
    box-sizing: border-box;
    block-size: 112px;
    display: grid;
    justify-items: start;
    padding: var(--gap-1) var(--gap-2);
    border: 1px solid var(--line);
    border-radius: 4px;
    background: var(--surface);
    white-space: nowrap;
  }
  .narrow .menu > div { inset-inline-end: 0; }
  .uncopied { display: flex; flex-basis: 100%; gap: var(--gap-2); }
  .uncopied input { flex: 1; min-inline-size: 0; }
  :focus-visible { outline: 2px solid var(--query); outline-offset: 2px; border-radius: 2px; }
  .unseen { position: absolute; inline-size: 1px; block-size: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
  @media print {
    .frame > .controls, .frame > .toolbar, .problem button { display: none; }
    .explanation.shown { position: static; }
    .figure { min-block-size: 0 !important; } /* what is kept free on screen is too much where the drawing shrinks to the paper */
    .figure > svg { max-inline-size: 100%; block-size: auto; break-inside: avoid; }
  }
`];
