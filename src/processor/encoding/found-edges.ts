/**
 * Finds the edges of an encoder of the kind auto from the first numbers that it has seen: bins of about equal counts,
 * narrower tails, a bin of its own for a frequent value, and empty bins beyond the range. Thanks to the empty bins, a
 * number outside the range is a new symbol, and one further out is another.
 */

import Big from "big.js";

/** Number of outer edges on each side of the range, and at most in each of its tails. */
const OUTER_EDGES = 10;

/**
 * Distances of the outer edges, in spreads: from the ends of the range outward, and from the start of each tail. The
 * first is a quarter, and each gap is twice the one before. The first 200 numbers rarely cover all that is normal: a
 * number slightly out of range must not share a symbol with one far out, and numbers of a sensor that was off at first,
 * or that drifts or counts, must not all share one.
 */
const OUTER_DISTANCES = Array.from({ length: OUTER_EDGES }, (_, at) => 0.25 * (2 ** (at + 1) - 1));

/** The spread is the distance between these quantiles, so that a few outliers do not stretch it. */
const [LOW, HIGH] = [0.05, 0.95];

/** How far an edge may move to become a shorter decimal, in spreads. */
const MAX_EDGE_SHIFT = 0.01;

/** The spread to assume for numbers that are all equal, as a share of their value. */
const SHARE_OF_CONSTANT = 0.01;

/** Maximum number of decimals examined; a number with more is not exact anyway. */
const MAX_DECIMALS = 400;

/** A separate constructor, because Big's settings are per constructor. */
const Decimal = Big();

/** A number rounded to a power of ten. @param mode Big's rounding mode */
function rounded(value: number, decimals: number, mode: 0 | 3): number {
  return new Decimal(value).round(decimals, mode).toNumber() + 0;
}

/** The greatest multiple of a power of ten not above a number. */
function floorTo(value: number, decimals: number): number {
  return rounded(value, decimals, value < 0 ? Decimal.roundUp : Decimal.roundDown);
}

/** How many decimals a number has. */
function decimalsOf(value: number): number {
  const { c: digits, e: exponent } = new Decimal(value);
  return Math.max(0, digits.length - 1 - exponent);
}

/** Decimals of the greatest power of ten not above a distance. */
function decimalsFor(distance: number): number {
  return -Math.floor(Math.log10(distance));
}

/**
 * The shortest decimal above one number and not above another.
 * @param above not greater than `most`
 */
function shortestIn(above: number, most: number): number {
  if (!(most > above)) return most;
  const first = Math.max(-MAX_DECIMALS, Math.min(MAX_DECIMALS, decimalsFor(most - above) - 1));
  for (let decimals = first; decimals <= MAX_DECIMALS; decimals++) {
    const edge = floorTo(most, decimals);
    if (edge > above && edge <= most) return edge;
    if (decimals > decimalsOf(most)) break;
  }
  return most;
}

/** The number at a share of sorted numbers. */
function quantile(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN;
}

/** How often each number occurs, in rising order. */
function countsOf(sorted: readonly number[]): ReadonlyMap<number, number> {
  const counts = new Map<number, number>();
  for (const value of sorted) counts.set(value, (counts.get(value) ?? 0) + 1);
  return counts;
}

/** Sorted numbers with the measures from which edges are placed. */
interface Numbers {
  readonly sorted: readonly number[];
  /** How often each number occurs, in rising order. */
  readonly counts: ReadonlyMap<number, number>;
  /** The distance between the two quantiles; above 0. */
  readonly spread: number;
  /** The smallest possible distance between two numbers: one unit of the last decimal. */
  readonly unit: number;
}

function measured(values: readonly number[]): Numbers {
  const sorted = [...values].sort((a, b) => a - b);
  const counts = countsOf(sorted);
  const [least, most] = [quantile(sorted, 0), quantile(sorted, 1)];
  const decimals = Math.max(...[...counts.keys()].map(decimalsOf));
  const unit = 10 ** -Math.min(decimals, MAX_DECIMALS);
  const widths = [quantile(sorted, HIGH) - quantile(sorted, LOW), most - least, SHARE_OF_CONSTANT * Math.abs(most)];
  const spread = widths.find((width) => width > 0 && Number.isFinite(width)) ?? unit;
  return { sorted, counts, spread: Math.max(spread, unit), unit };
}

/** The upper edge of the bin that a frequent number has for itself. @param next the next greater number, or Infinity */
function after(value: number, next: number, { unit, spread }: Numbers): number {
  const close = value + MAX_EDGE_SHIFT * spread;
  const end =
    unit < close - value
      ? shortestIn(value, Math.min(next, close, Number.MAX_VALUE))
      : new Decimal(value).plus(unit).toNumber();
  return end > value ? end : value + Math.abs(value) * 2 ** -52;
}

/** The edges around a number frequent enough for a bin of its own. */
function around(value: number, numbers: Numbers): number[] {
  const next = numbers.sorted.find((other) => other > value) ?? Number.POSITIVE_INFINITY;
  return [value, after(value, next, numbers)];
}

/** The edges between the remaining numbers, which give bins of about equal counts. */
function betweenOthers(others: readonly number[], bins: number, { counts, spread }: Numbers): number[] {
  const before = new Map<number, number>();
  let last = Number.NEGATIVE_INFINITY;
  for (const value of counts.keys()) {
    before.set(value, last);
    last = value;
  }
  return Array.from({ length: bins - 1 }, (_, at) => {
    const edge = quantile(others, (at + 1) / bins);
    return shortestIn(Math.max(before.get(edge) ?? edge, edge - MAX_EDGE_SHIFT * spread), edge);
  });
}

/**
 * The edges in the tails: the numbers of the range outside the quantiles of the spread. Equal counts alone would give
 * such an outlying number the same symbol as an eighth of all. @param ends of the range
 */
function tails({ sorted, spread, unit }: Numbers, ends: readonly [number, number]): number[] {
  const decimals = outerDecimals(sorted, spread);
  const [low, high] = [quantile(sorted, LOW), quantile(sorted, HIGH)];
  const steps = OUTER_DISTANCES.map((share) => Math.max(unit, share * spread));
  const edges = steps.flatMap((step) => [low - step, high + step]).filter(Number.isFinite);
  return edges.map((edge) => floorTo(edge, decimals)).filter((edge) => edge > ends[0] && edge < ends[1]);
}

/** Decimals of the edges in the tails and beyond: at most as many as the numbers have. */
function outerDecimals(sorted: readonly number[], spread: number): number {
  return Math.min(
    decimalsFor((OUTER_DISTANCES[0] ?? 1) * spread) + 1,
    sorted.reduce((most, value) => Math.max(most, decimalsOf(value)), 0),
  );
}

/** The ends of the range, and the edges beyond them. */
function outside({ sorted, spread, unit }: Numbers, ends: readonly [number, number]): number[] {
  const [least, most] = ends;
  const decimals = outerDecimals(sorted, spread);
  const steps = OUTER_DISTANCES.map((share) => Math.max(unit, share * spread));
  const below = steps.map((step) => least - step).filter(Number.isFinite);
  const above = steps.map((step) => most + step).filter(Number.isFinite);
  return [
    ...below.map((edge) => floorTo(edge, decimals)),
    least,
    most,
    ...above.map((edge) => -floorTo(-edge, decimals) + 0),
  ];
}

/**
 * The edges for numbers like these.
 *
 * @param values finite, at least one
 * @param bins maximum number of bins of their range, besides its tails; 2 or more
 * @returns rising: the ends of the range, the edges in it and those beyond
 */
export function foundEdges(values: readonly number[], bins: number): number[] {
  const numbers = measured(values);
  const { sorted, counts, spread } = numbers;
  const isFew = counts.size <= bins;
  const often = [...counts].filter(([, count]) => isFew || count * bins >= sorted.length).map(([value]) => value);
  const own = new Set(often);
  const others = sorted.filter((value) => !own.has(value));
  const inside = often.flatMap((value) => around(value, numbers));
  if (others.length > 0) inside.push(...betweenOthers(others, Math.max(2, bins - often.length), numbers));
  const [least, most] = [quantile(sorted, 0), quantile(sorted, 1)];
  const begin = own.has(least) ? least : shortestIn(least - MAX_EDGE_SHIFT * spread, least);
  const end = after(most, Number.POSITIVE_INFINITY, numbers);
  if (others.length > 0) inside.push(...tails(numbers, [least, most]));
  const edges = [...inside, ...outside(numbers, [begin, end])].filter(Number.isFinite);
  return [...new Set(edges)].sort((a, b) => a - b);
}
