/** The only imported functions: logarithms of the host, because the recorded doubles are those of V8's own `Math`. */

/** The natural logarithm. */
export declare function log(x: f64): f64;

/** The logarithm to base 2. */
export declare function log2(x: f64): f64;
