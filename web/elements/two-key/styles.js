import { css } from '../../view/lit.js';
import { formulaStyles } from '../../view/formula.js';
import { sliderStyles } from '../../view/slider.js';
import { planeStyles } from '../../view/vector-plane.js';

/**
 * Stacked planes are taller than a phone. From below the first of them on, the sliders stay in sight of what they move,
 * but make way for an explanation. The two large margins cancel out: a sticky box stays within what holds it by its
 * margins, so here it never covers the first plane.
 */
const inSight = css`
  @supports selector(:has(a)) {
    @media screen and (min-height: 560px) {
      .narrow .figure:has(+ .controls) { margin-block-end: -360px; }
      .narrow .controls {
        margin-block: 368px -8px;
        padding-block: 7px 8px;
        border-block-start: 1px solid var(--grid);
        background: var(--surface);
        box-shadow: 0 -5px 8px var(--surface); /* what goes on below fades out */
      }
      .narrow .controls:not(:has(~ .shown)) { position: sticky; inset-block-end: 0; z-index: 1; }
      .narrow .refused { inset-block: auto calc(100% + 4px); }
    }
  }
`;

export const twoKeyStyles = [planeStyles, sliderStyles, formulaStyles, css`
  svg .strong { font-size: 13px; font-weight: 600; }
  svg .muted { fill: var(--muted); }
  svg .exact { fill: var(--muted); font-size: 11px; }
  svg .readout { fill: var(--muted); font-size: 11.5px; }
  svg .weight { fill: var(--weight); font-size: 12.5px; }
  svg .number { font-size: 14px; }
  svg .strong .math { font-weight: 500; }
  svg .numbers { font-size: 13px; }

  svg .key .shaft { stroke-width: 3; }
  svg .query .shaft { stroke-width: 1.75; }
  svg .vector.lit .shaft { stroke-width: 4; }
  svg .vector.masked { color: var(--muted); }
  svg .masked .shaft { stroke-dasharray: 4 3; }
  /* Chromium heeds touch-action on no part of an SVG that is inline, as all are unless told otherwise. */
  svg .handle { display: block; cursor: grab; touch-action: none; outline: none; }
  svg .handle:active { cursor: grabbing; }
  svg .reach { fill: transparent; }
  svg .ring { fill: var(--surface); fill-opacity: 0.6; stroke: currentColor; stroke-width: 2; }
  svg .handle:focus-visible .ring { stroke-width: 4; }

  svg .cell .back { fill: transparent; }
  svg .cell.lit .back { fill: var(--lit); }
  svg .cell.target .back { stroke: var(--line); }
  svg [tabindex]:focus-visible .back { stroke: var(--query); stroke-width: 2; }
  svg .vector:focus-visible > .reach { stroke: var(--query); stroke-width: 2; }
  svg .flow { fill: none; stroke: var(--line); stroke-width: 1; }
  svg .track { fill: var(--grid); }
  svg .bar { fill: var(--weight); }
  svg .hatched { fill: url(#hatch); stroke: var(--line); stroke-width: 1; }
  svg .hatch { stroke: var(--muted); stroke-width: 1; }
  svg .masked .key, svg .masked .number { fill: var(--muted); }

  svg .hull { fill: var(--raised); stroke: var(--line); stroke-width: 1; }
  svg .arm { stroke: var(--output); stroke-width: 1.5; }
  svg .tenth { stroke: var(--output); stroke-width: 1; }
  svg .spoke { stroke: var(--output); stroke-width: 1; }
  svg .mass { fill: var(--weight); fill-opacity: 0.2; stroke: none; }
  svg .vector.lit .mass { fill-opacity: 0.4; }
  svg .vector.output.lit .tip { stroke: var(--output); stroke-width: 4; }

  .explanation { min-block-size: 80px; }
  .explanation p { margin: 4px 0 0; }
  .frame.narrow .explanation { min-block-size: 132px; }
  .controls { display: grid; grid-template-columns: repeat(auto-fit, minmax(240px, 1fr)); gap: 8px 40px; }
`, inSight];
