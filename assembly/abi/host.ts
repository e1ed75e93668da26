/** The only imported functions: the host's logarithms, because the recorded doubles come from V8's own `Math`. */

/** The natural logarithm. */
export declare function log(x: f64): f64;

/** The logarithm to base 2. */
export declare function log2(x: f64): f64;
