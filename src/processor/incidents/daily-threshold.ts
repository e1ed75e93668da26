/**
 * A threshold in bits that about n events a day exceed, by the events' own time, for any distribution of bits, even a
 * changing one. No I/O; the time is passed in.
 *
 * It is a Robbins-Monro tracker: an event that passes raises the threshold, any other lowers it a little, so that both
 * balance when the wanted share of events passes. The step follows the mean excess over the threshold, which is the
 * scale of the tail; so the usual level of bits does not matter. The share is n divided by the events of a day, which
 * are estimated over some days: a quiet night lowers nothing. A surplus or deficit of passed events is paid back over
 * some days, so the mean rate holds even after a jump in the level of bits.
 */

import { isFuture, MS_PER_SECOND } from "../../text/clock";

/** The state of a threshold. All members are finite numbers. */
export interface DailyThreshold {
  /** Number of events seen. */
  events: number;
  /** Epoch seconds of the latest event. */
  last: number;
  /** Number of events in a row that were dated more than {@link LATE_DAYS} before the latest. */
  behind: number;
  /** Number of events and of days, both forgotten exponentially over {@link RATE_DAYS}. */
  weight: number;
  days: number;
  /** The threshold in bits, 0 or more; the mean of all bits during {@link WARM_UP}. */
  level: number;
  /** The mean excess of events that pass, in bits; the variance of all bits during {@link WARM_UP}. */
  scale: number;
  /** Number of events that should have passed since the last one did. */
  quiet: number;
  /** Number of events that should have passed, less those that have. */
  debt: number;
  /** 1 if {@link last} is when the event arrived, by the server's clock, and 0 if its sender said when it happened. */
  arrived: number;
}

/** Number of events observed before any can pass. */
export const WARM_UP = 30;

/** Time constant of the estimated events a day, in days. */
const RATE_DAYS = 2;

/** The step of the threshold, as a fraction of the mean excess. */
const STEP_SHARE = 0.25;

/** The weight of each excess in the moving mean. */
const EXCESS_WEIGHT = 0.2;

/** Cap on one excess, as a multiple of the mean excess: a single extreme event must not blind the alert. */
const MAX_EXCESS = 8;

/** Days over which a debt is paid back; the maximum debt, in days of n; and the minimum n for that maximum. */
const DEBT_DAYS = 1.5;
const MAX_DEBT_DAYS = 5;
const MIN_DEBT_EVENTS = 4;

/** A smaller n counts as this, one event in 2,700 years: the numbers of a threshold must stay finite. */
const MIN_PER_DAY = 1e-6;

/** To pay back a debt, the wanted number is multiplied or divided by at most this. */
const MAX_DEBT_FACTOR = 4;

/** When this many events should have passed and none has, the threshold falls faster. */
const MAX_MISSED_EVENTS = 3;

/**
 * A surplus of passed events above this fraction of a day's n doubles the upward step; for a small n, above this number
 * of events or of days' n, whichever is less: with one event in ten days wanted, three too many would take a month to
 * balance.
 */
const RUSH_DAYS = 0.25;
const RUSH_EVENTS = 3;
const MIN_RUSH_EVENTS = 0.3;

/**
 * Maximum days counted for a pause between two events: after a wrong clock, the threshold must not fall by a thousand
 * events' worth.
 */
const MAX_PAUSE_DAYS = 2;

/**
 * An event this many days before the latest is late; after this many late events in a row, the latest time was wrong.
 */
const LATE_DAYS = 1;
const MAX_LATE_EVENTS = 100;

/** Minimum step, as a fraction of the threshold, and in bits. */
const MIN_STEP_SHARE = 0.005;
const MIN_STEP_BITS = 1e-4;

const DAY = 86_400;

/** A threshold that has seen nothing. */
export const NEW_THRESHOLD: DailyThreshold = {
  events: 0,
  last: 0,
  behind: 0,
  weight: 0,
  days: 0,
  level: 0,
  scale: 0,
  quiet: 0,
  debt: 0,
  arrived: 0,
};

/** The threshold in bits; `undefined` during {@link WARM_UP}. */
export function bitsOf({ events, level }: DailyThreshold): number | undefined {
  return events < WARM_UP ? undefined : level;
}

/** An event as a threshold sees it. */
export interface DatedBits {
  readonly bits: number;
  /** Epoch seconds. */
  readonly time: number;
  /** Whether `time` is when it arrived, by the server's clock; false if absent. */
  readonly isArrival?: boolean;
}

/**
 * Compares an event with a threshold, and moves the threshold.
 *
 * @param asked wanted number of passing events a day, above 0
 */
export function compared(
  before: DailyThreshold,
  asked: number,
  event: DatedBits,
): { readonly after: DailyThreshold; readonly passes: boolean } {
  const perDay = Math.max(asked, MIN_PER_DAY);
  const after = { ...before };
  const elapsed = moveClock(after, event);
  const kept = Math.exp(-elapsed / RATE_DAYS);
  after.weight = before.weight * kept + 1;
  after.days = before.days * kept + RATE_DAYS * (1 - kept);
  after.events = before.events + 1;
  if (after.events <= WARM_UP) {
    warmUp(after, perDay, event.bits);
    return { after, passes: false };
  }
  const passes = event.bits > before.level;
  const wanted = within(perDay + before.debt / DEBT_DAYS, perDay / MAX_DEBT_FACTOR, perDay * MAX_DEBT_FACTOR);
  const share = Math.min(1, (wanted * after.days) / after.weight);
  if (passes) raise(after, share, event.bits, perDay);
  else lower(after, share);
  const most = MAX_DEBT_DAYS * Math.max(perDay, MIN_DEBT_EVENTS);
  after.debt = within(before.debt + perDay * elapsed - (passes ? 1 : 0), -most, most);
  after.scale = Math.max(after.scale, leastScale(after.level));
  return { after, passes };
}

/** Moves the clock to an event. @returns the days passed */
function moveClock(threshold: DailyThreshold, { time, isArrival }: DatedBits): number {
  const { events, last, behind, arrived } = threshold;
  const isLate = events > 0 && last - time > LATE_DAYS * DAY;
  // Arrivals go back only if the server's clock was set back. Without this, its time would stand still until then.
  const isSetBack = isArrival && arrived === 1 && isFuture(MS_PER_SECOND * last, MS_PER_SECOND * time);
  const isWrong = isSetBack || (isLate && behind + 1 >= MAX_LATE_EVENTS);
  threshold.behind = isLate && !isWrong ? behind + 1 : 0;
  if (events === 0 || isWrong || time > last) {
    threshold.last = time;
    threshold.arrived = isArrival ? 1 : 0;
  }
  return events === 0 || time <= last ? 0 : Math.min((time - last) / DAY, MAX_PAUSE_DAYS);
}

/**
 * Adds an event to mean and variance. After the last event of {@link WARM_UP}, sets the threshold as if the tail were
 * exponential.
 */
function warmUp(threshold: DailyThreshold, perDay: number, bits: number): void {
  const off = bits - threshold.level;
  const mean = threshold.level + off / threshold.events;
  const variance = Math.max(0, threshold.scale + (off * (bits - mean) - threshold.scale) / threshold.events);
  threshold.level = mean;
  threshold.scale = variance;
  if (threshold.events < WARM_UP) return;
  threshold.scale = Math.max(Math.sqrt(variance), leastScale(mean));
  const oneIn = threshold.weight / (perDay * Math.max(threshold.days, 1 / DAY));
  threshold.level = Math.max(0, mean + threshold.scale * Math.max(-1, Math.log(oneIn)));
}

/**
 * A short tail makes for small steps. A surplus of passed events enlarges them, so that the threshold catches up with a
 * steady rise.
 */
function raise(threshold: DailyThreshold, share: number, bits: number, perDay: number): void {
  const excess = Math.min(bits - threshold.level, MAX_EXCESS * threshold.scale + 1);
  const least = within(RUSH_EVENTS * perDay, MIN_RUSH_EVENTS, RUSH_EVENTS);
  const haste = 1 + Math.max(0, -threshold.debt) / Math.max(least, perDay * RUSH_DAYS);
  threshold.scale += EXCESS_WEIGHT * (excess - threshold.scale);
  threshold.level += STEP_SHARE * threshold.scale * (1 - share) * haste;
  threshold.quiet = 0;
}

function lower(threshold: DailyThreshold, share: number): void {
  threshold.quiet += share;
  const haste = Math.max(1, threshold.quiet / MAX_MISSED_EVENTS);
  threshold.level = Math.max(0, threshold.level - STEP_SHARE * threshold.scale * share * haste);
}

function leastScale(level: number): number {
  return Math.max(MIN_STEP_SHARE * level, MIN_STEP_BITS);
}

function within(value: number, least: number, most: number): number {
  return Math.min(most, Math.max(least, value));
}

/** Significant digits kept of a member: fewer could change a decision. */
const DIGITS = 12;

/** A threshold rounded to the digits kept, so that a restart changes nothing. */
export function asKept(threshold: DailyThreshold): DailyThreshold {
  const entries = MEMBERS.map((member) => [member, kept(threshold[member])] as const);
  return Object.fromEntries(entries) as unknown as DailyThreshold;
}

function kept(value: number): number {
  return Number(value.toPrecision(DIGITS));
}

/** A threshold as a list of numbers, for a row. */
export function thresholdNumbers(threshold: DailyThreshold): number[] {
  return MEMBERS.map((member) => kept(threshold[member]));
}

/** The reverse of {@link thresholdNumbers}; `undefined` when the numbers are not a threshold. */
export function thresholdOf(numbers: readonly number[]): DailyThreshold | undefined {
  if (numbers.length < MIN_MEMBERS || numbers.length > MEMBERS.length || !numbers.every(Number.isFinite))
    return undefined;
  const entries = MEMBERS.map((member, at) => [member, numbers[at] ?? 0] as const);
  const threshold = Object.fromEntries(entries) as unknown as DailyThreshold;
  const least = [threshold.events, threshold.weight, threshold.days, threshold.level, threshold.scale];
  return least.some((value) => value < 0) ? undefined : threshold;
}

/** Number of members that the rows of the first release with thresholds have. Others are 0 there. */
const MIN_MEMBERS = 9;

/** In the order of a row. Append only. */
const MEMBERS = [
  "events",
  "last",
  "behind",
  "weight",
  "days",
  "level",
  "scale",
  "quiet",
  "debt",
  "arrived",
] as const satisfies readonly (keyof DailyThreshold)[];
