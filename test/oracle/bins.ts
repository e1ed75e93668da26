/** Bins by exact fractions of BigInts, slowly: what edges a definition has, and which bin a number is in. Shares no code with the processor. */

/** An exact decimal: `digits` · 10^-`scale`. */
interface Decimal {
  readonly digits: bigint;
  readonly scale: number;
}

/** The decimal that a number prints as. */
function decimalOf(value: number): Decimal {
  const [, sign = "", whole = "", fraction = "", exponent = "0"] =
    /^(-?)(\d+)(?:\.(\d+))?(?:e([+-]\d+))?$/.exec(String(value)) ?? [];
  const scale = fraction.length - Number(exponent);
  const digits = BigInt(sign + whole + fraction);
  return scale >= 0 ? { digits, scale } : { digits: digits * 10n ** BigInt(-scale), scale: 0 };
}

/** Both with the same scale. */
function aligned(a: Decimal, b: Decimal): { a: bigint; b: bigint; scale: number } {
  const scale = Math.max(a.scale, b.scale);
  const raised = ({ digits, scale: own }: Decimal) => digits * 10n ** BigInt(scale - own);
  return { a: raised(a), b: raised(b), scale };
}

/** The nearest double. */
function doubleOf(digits: bigint, scale: number): number {
  return Number(`${digits}e-${scale}`) + 0;
}

/** The double nearest to the exact sum of two numbers as they are written. */
export function exactSum(one: number, other: number): number {
  if (!Number.isFinite(one)) return one;
  const { a, b, scale } = aligned(decimalOf(one), decimalOf(other));
  return doubleOf(a + b, scale);
}

/** The edges of steps by k: origin + k·size, rounded to the nearest double. */
function stepEdges(size: number, origin: number): (k: bigint) => number {
  const { a, b, scale } = aligned(decimalOf(size), decimalOf(origin));
  return (k) => doubleOf(b + k * a, scale);
}

/** The whole k whose exact edge is nearest to a number, give or take one. */
function nearestStep(size: number, origin: number, value: number): bigint {
  const { a, b, scale } = aligned(decimalOf(value), decimalOf(origin));
  const { a: distance, b: step } = aligned({ digits: a - b, scale }, decimalOf(size));
  return distance / step;
}

/** The least double above a finite one. */
function nextAbove(value: number): number {
  if (value === 0) return Number.MIN_VALUE;
  const bits = new BigInt64Array(new Float64Array([value]).buffer);
  bits[0] = (bits[0] ?? 0n) + (value > 0 ? 1n : -1n);
  return new Float64Array(bits.buffer)[0] as number;
}

/**
 * The bin of a number between steps, found by bisection over whole k, from the exact one outwards: many k may be one double. It ends as
 * soon as no double lies between its two edges: edges rise with k, so each edge between them is one of the two.
 */
export function stepBin(size: number, origin: number, value: number): { from: number; below: number } {
  const edge = stepEdges(size, origin);
  const near = nearestStep(size, origin, value);
  let reach = 1n;
  while (edge(near + reach) <= value) reach *= 2n;
  let above = near + reach;
  reach = 1n;
  while (edge(near - reach) > value) reach *= 2n;
  let low = near - reach;
  let [from, below] = [edge(low), edge(above)];
  while (above - low > 1n && !(from === value && below === nextAbove(value))) {
    const middle = low + (above - low) / 2n;
    const between = edge(middle);
    if (between > value) [above, below] = [middle, between];
    else [low, from] = [middle, between];
  }
  return { from, below };
}
