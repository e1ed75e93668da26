/**
 * Logarithms and exponentials that are the same to the last bit in every version of the runtime, because predictions
 * and forecasts must be. JavaScript leaves the last bits of `Math.log`, `Math.log2` and `Math.exp` to the engine, and
 * V8 has changed them. These follow the C library fdlibm, as V8 did when the reference agent's answers were recorded
 * (docs/decisions/011).
 */

import exponential from "@stdlib/math-base-special-exp";
import ln from "@stdlib/math-base-special-ln";
import binaryLog from "@stdlib/math-base-special-log2";

/** The natural logarithm; NaN below 0, -Infinity at 0. */
export const log: (x: number) => number = ln;

/** The logarithm to base 2; NaN below 0, -Infinity at 0. */
export const log2: (x: number) => number = binaryLog;

/** e to the power of x; 0 far below 0, Infinity far above. */
export const exp: (x: number) => number = exponential;

/** Size of the cache of logarithms: symbols with equal counts share them. A power of 2. */
const CACHED_LOGARITHMS = 4_096;
const keys = new Float64Array(CACHED_LOGARITHMS).fill(Number.NaN);
const logarithms = new Float64Array(CACHED_LOGARITHMS);
const double = new Float64Array(1);
const words = new Uint32Array(double.buffer);

/** {@link log} with a cache: several times as fast for recurring numbers. */
export function rememberedLog(x: number): number {
  double[0] = x;
  const place = (Math.imul((words[0] ?? 0) ^ (words[1] ?? 0), 0x9e37_79b1) >>> 20) & (CACHED_LOGARITHMS - 1);
  if (keys[place] === x) return logarithms[place] ?? 0;
  const value = log(x);
  keys[place] = x;
  logarithms[place] = value;
  return value;
}
