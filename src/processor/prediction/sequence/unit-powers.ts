/**
 * Powers of 2 of whole units, from two small tables: a verdict on a large knowledge takes tens of thousands of them,
 * and the engine takes longer for a power than everything else that is done with it.
 */

import { MAX_BITS_BEHIND_BEST, UNITS_PER_BIT } from "./constants";

/** By units below a whole bit, and by whole bits. Their product is exact, as the second is a power of 2. */
const FRACTIONS = Float64Array.from({ length: UNITS_PER_BIT }, (_, units) => 2 ** (-units / UNITS_PER_BIT));
const WHOLE = Float64Array.from({ length: MAX_BITS_BEHIND_BEST + 1 }, (_, bits) => 2 ** -bits);

/**
 * 2 to the power of minus this number of units, as the engine computes it.
 *
 * @param units a whole number from 0 to {@link MAX_BITS_BEHIND_BEST} bits
 */
export function powerBelow(units: number): number {
  const bits = Math.floor(units / UNITS_PER_BIT);
  return (FRACTIONS[units - bits * UNITS_PER_BIT] ?? 0) * (WHOLE[bits] ?? 0);
}
