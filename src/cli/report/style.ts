/** The style of a report: one page, light and dark, from a width of 360 pixels. */

/** Inlined, because the page must open anywhere without a network. */
export const STYLE = `
:root { color-scheme: light dark; --back: #ffffff; --card: #f6f8fa; --text: #1f2328; --soft: #59636e; --line: #d1d9e0;
  --reading: #0a58b5; --surprise: #116b45; --odd: #9a3f00; --band: #f3b98b; }
@media (prefers-color-scheme: dark) {
  :root { --back: #0d1117; --card: #161b22; --text: #e6edf3; --soft: #9da7b3; --line: #3d444d;
    --reading: #8cc2ff; --surprise: #6fdcaa; --odd: #ffb77a; --band: #7a4316; }
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--back); color: var(--text); font: 16px/1.5 system-ui, sans-serif; }
main { max-width: 1200px; margin: 0 auto; padding: 1rem; }
h1 { font-size: 1.5rem; margin: 0.5rem 0; overflow-wrap: anywhere; }
h2 { font-size: 1.125rem; margin: 0 0 0.25rem; overflow-wrap: anywhere; }
p { margin: 0.25rem 0; overflow-wrap: anywhere; }
.soft { color: var(--soft); }
figure { margin: 0.75rem 0 0; }
figcaption { display: flex; flex-wrap: wrap; justify-content: space-between; gap: 0 1rem; font-size: 0.875rem; }
figcaption b { overflow-wrap: anywhere; }
svg {
  display: block; width: 100%; height: 96px; background: var(--card); border: 1px solid var(--line); border-radius: 4px;
}
svg path {
  fill: none; stroke: var(--reading); stroke-width: 1.5; stroke-linejoin: round; vector-effect: non-scaling-stroke;
}
svg.surprise path { stroke: var(--surprise); }
svg path.grid { stroke: var(--line); stroke-width: 1; }
svg path.mark { stroke: var(--odd); stroke-dasharray: 5 4; }
svg rect { fill: var(--band); }
.plot { display: grid; grid-template-columns: 3.5rem minmax(0, 1fr); gap: 0.5rem; }
.scale {
  display: flex; flex-direction: column; justify-content: space-between;
  text-align: right; font-size: 0.75rem; line-height: 1; color: var(--soft); font-variant-numeric: tabular-nums;
}
.axis, .marks { margin-left: 4rem; font-size: 0.8125rem; color: var(--soft); font-variant-numeric: tabular-nums; }
.axis div, .marks div { position: relative; height: 1.5rem; }
.axis span, .marks span { position: absolute; white-space: nowrap; }
.axis div { height: 2.75rem; }
.axis span {
  width: max-content; max-width: 32%; max-height: 2.5rem;
  overflow: hidden; white-space: normal; overflow-wrap: anywhere; font-size: 0.75rem; line-height: 1.25rem;
}
.marks span { transform: translateX(-50%); color: var(--odd); font-weight: 600; }
.axis span:nth-child(even) { display: none; }
article {
  margin: 1.25rem 0; padding: 1rem;
  border: 1px solid var(--line); border-left: 4px solid var(--odd); border-radius: 6px;
}
article svg { height: 64px; }
.evidence { display: grid; gap: 0 2rem; }
h3 { font-size: 0.9375rem; margin: 0.5rem 0 0; }
ul { margin: 0; padding-left: 1.25rem; }
li { overflow-wrap: anywhere; }
li span { color: var(--soft); white-space: nowrap; }
a { color: var(--reading); }
@media (min-width: 700px) {
  .evidence { grid-template-columns: 1fr 1fr; }
  .axis div { height: 1.5rem; }
  .axis span { max-width: 20%; font-size: 0.8125rem; white-space: nowrap; text-overflow: ellipsis; }
  .axis span:nth-child(even) { display: inline; }
}
@media print { article { break-inside: avoid; } }
`;
