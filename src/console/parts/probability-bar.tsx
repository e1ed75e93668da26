/** Draws a probability. */

import { chance } from "./figures";

/** A probability as a bar, and in words. */
export function ProbabilityBar({ probability }: { readonly probability: number }) {
  return (
    <>
      <span class="bar" aria-hidden="true">
        <span style={{ width: `${100 * probability}%` }} />
      </span>
      <span class="how" title={String(probability)}>
        {chance(probability)}
      </span>
    </>
  );
}
