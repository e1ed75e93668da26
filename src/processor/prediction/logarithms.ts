/**
 * Logarithms that are the same to the last bit in every version of the runtime: predictions must be. JavaScript leaves the last bits of
 * `Math.log` and `Math.log2` to the engine, and V8 has changed them. These follow the C library fdlibm, as V8 did when the reference
 * agent's answers were recorded (docs/decisions/011).
 */

import ln from "@stdlib/math-base-special-ln";
import binaryLog from "@stdlib/math-base-special-log2";

/** The natural logarithm; NaN below 0, -Infinity at 0. */
export const log: (x: number) => number = ln;

/** The logarithm to base 2; NaN below 0, -Infinity at 0. */
export const log2: (x: number) => number = binaryLog;
