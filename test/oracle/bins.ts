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

/** An edge of steps: origin + k·size, rounded to the nearest double. */
export function stepEdge(size: number, origin: number, k: bigint): number {
  const { a, b, scale } = aligned(decimalOf(size), decimalOf(origin));
  return doubleOf(b + k * a, scale);
}

/** The bin of a number between steps, found by bisection over whole k. */
export function stepBin(size: number, origin: number, value: number): { from: number; below: number } {
  const edge = (k: bigint) => stepEdge(size, origin, k);
  const least = (isPast: (k: bigint) => boolean): bigint => {
    let reach = 1n;
    while (!isPast(reach)) reach *= 2n;
    let low = -reach;
    while (isPast(low)) low *= 2n;
    while (reach - low > 1n) {
      const middle = low + (reach - low) / 2n;
      if (isPast(middle)) reach = middle;
      else low = middle;
    }
    return reach;
  };
  const above = least((k) => edge(k) > value);
  const from = edge(above - 1n);
  return { from, below: edge(above) };
}
