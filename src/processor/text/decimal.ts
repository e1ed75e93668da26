/**
 * Prints doubles with six decimals exactly as C's `%f` does: the names of vectors and the texts of genes depend on it.
 */

/** From this value on, `toFixed` prints exponents, and every double is a whole number. */
const WHOLE_FROM = 1e21;

const ZERO = "0.000000";

/** Only odd multiples of 1/128 lie halfway between two values of six decimals. */
const TIE_UNITS = 128;
/** 1/128 in units of the seventh decimal. */
const UNIT_IN_SEVENTH_DECIMALS = 78_125n;

function isTie(magnitude: number): boolean {
  const units = magnitude * TIE_UNITS;
  return units % 2 === 1;
}

/** Prints an odd multiple of 1/128; the tie goes to the even last digit. */
function printTie(magnitude: number): string {
  const floor = (BigInt(magnitude * TIE_UNITS) * UNIT_IN_SEVENTH_DECIMALS) / 10n;
  const even = floor % 2n === 0n ? floor : floor + 1n;
  const digits = even.toString().padStart(7, "0");
  return `${digits.slice(0, -6)}.${digits.slice(-6)}`;
}

function printMagnitude(magnitude: number): string {
  if (magnitude >= WHOLE_FROM) return `${BigInt(magnitude)}.000000`;
  return isTie(magnitude) ? printTie(magnitude) : magnitude.toFixed(6);
}

/**
 * Prints a number with six decimals: its exact value, ties to even, no exponent, a minus sign also for -0.
 * @param value a finite number
 */
export function sixDecimals(value: number): string {
  // Fast path: most components of vectors such as images are zero.
  if (Object.is(value, 0)) return ZERO;
  const negative = value < 0 || Object.is(value, -0);
  return negative ? `-${printMagnitude(-value)}` : printMagnitude(value);
}
