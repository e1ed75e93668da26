/**
 * When a memory last observed, and how long it usually pauses: the gaps between its arrivals by the server's clock,
 * counted in buckets whose bounds grow by a sixteenth of an octave. Takes a few hundred bytes for any number of gaps.
 */

import type { Arrivals } from "../ports/silence";

/** Buckets in an octave: a gap is known to within 4.4 %, rounded up. */
const PER_OCTAVE = 16;

/** Maximum number of buckets with gaps; beyond it the two shortest are joined. */
export const MAX_BUCKETS = 48;

/** The greatest bucket: gaps of 2^53 ms. */
const LAST_BUCKET = 53 * PER_OCTAVE;

/** The indexes of an {@link Arrivals}; from {@link BUCKETS_AT} on, pairs of bucket and count follow, ascending. */
const COUNT_AT = 1;
const LONGEST_AT = 2;
const BUCKETS_AT = 3;

/** With fewer gaps, a memory's rhythm is unknown. */
const FEW_GAPS = 20;

/** From this number of gaps on, one gap in this many may exceed the expected pause. */
const GAPS_PER_EXCESS = 1_000;

/** With fewer gaps, a silence must exceed the longest gap by this factor. */
const LONGEST_GAP_FACTOR = 2;

/** A memory that has never observed. */
export const NO_ARRIVALS: Arrivals = [];

/** Arrivals with only the last known. @param at epoch milliseconds */
export function arrivedAt(at: number): Arrivals {
  return [at, 0, 0];
}

/** When the last record arrived, epoch milliseconds; `undefined` for none. */
export function lastArrival(arrivals: Arrivals): number | undefined {
  return arrivals[0];
}

/**
 * The arrivals with one more.
 *
 * @param at epoch milliseconds
 * @param since a gap that begins before this is not counted; nor is a negative gap, because the clock was set back
 */
export function withArrival(arrivals: Arrivals, at: number, since: number): Arrivals {
  const [last, count = 0, longest = 0] = arrivals;
  if (last === undefined) return arrivedAt(at);
  const gap = at - last;
  const after = arrivals.slice();
  after[0] = at;
  if (gap < 0 || last < since) return after;
  after[COUNT_AT] = count + 1;
  after[LONGEST_AT] = Math.max(longest, gap);
  addGap(after, bucketOf(gap));
  return after;
}

/** The bucket of a gap: the first with an upper bound not below it. */
function bucketOf(gapMs: number): number {
  return gapMs <= 1 ? 0 : Math.min(LAST_BUCKET, Math.ceil(PER_OCTAVE * Math.log2(gapMs)));
}

function addGap(arrivals: number[], bucket: number): void {
  let at = BUCKETS_AT;
  while (at < arrivals.length && (arrivals[at] ?? 0) < bucket) at += 2;
  if (arrivals[at] === bucket) {
    arrivals[at + 1] = (arrivals[at + 1] ?? 0) + 1;
    return;
  }
  arrivals.splice(at, 0, bucket, 1);
  if (arrivals.length <= BUCKETS_AT + 2 * MAX_BUCKETS) return;
  const [, fewest = 0] = arrivals.splice(BUCKETS_AT, 2);
  arrivals[BUCKETS_AT + 1] = (arrivals[BUCKETS_AT + 1] ?? 0) + fewest;
}

/**
 * The expected maximum pause of a memory in milliseconds: with 1,000 gaps or more, the 99.9th percentile, rounded up by
 * at most 4.4 %; with fewer, twice the longest gap; with fewer than 20, `undefined`.
 */
export function expectedPause(arrivals: Arrivals): number | undefined {
  const [, count = 0, longest = 0] = arrivals;
  if (count < FEW_GAPS) return undefined;
  if (count < GAPS_PER_EXCESS) return LONGEST_GAP_FACTOR * longest;
  let beyond = 0;
  for (let at = arrivals.length - 2; at >= BUCKETS_AT; at -= 2) {
    beyond += arrivals[at + 1] ?? 0;
    if (beyond > count / GAPS_PER_EXCESS) return Math.min(longest, 2 ** ((arrivals[at] ?? 0) / PER_OCTAVE));
  }
  return longest;
}

/** Whether a list of numbers from a backup is a valid {@link Arrivals}. */
export function areArrivals(numbers: readonly number[]): boolean {
  if (numbers.length === 0) return true;
  const [, count = -1] = numbers;
  const pairs = (numbers.length - BUCKETS_AT) / 2;
  if (!Number.isInteger(pairs) || pairs < 0 || pairs > MAX_BUCKETS) return false;
  if (!numbers.every((number) => Number.isSafeInteger(number) && number >= 0)) return false;
  let sum = 0;
  for (let at = BUCKETS_AT; at < numbers.length; at += 2) {
    const [bucket = 0, gaps = 0] = numbers.slice(at, at + 2);
    const before = at === BUCKETS_AT ? -1 : (numbers[at - 2] ?? 0);
    if (bucket <= before || bucket > LAST_BUCKET || gaps === 0) return false;
    sum += gaps;
  }
  return sum === count;
}
