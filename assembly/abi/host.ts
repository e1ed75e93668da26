/** The only imported functions: two logarithms, which are the same in every runtime (docs/decisions/011). */

/** The natural logarithm. */
export declare function log(x: f64): f64;

/** The logarithm to base 2. */
export declare function log2(x: f64): f64;
