/**
 * When the next events come: quantiles of the seconds from the newest event to those ahead of it. They are those of the
 * nearest moments in the nearest models: moments at which as much had happened, after pauses as long, at this hour of
 * the day and of the week. docs/time.md says it exactly.
 */

import type { TimedModel } from "../knowledge/timed-models";
import type { Sequence } from "../ports/matcher";
import { log2 } from "./logarithms";

/** How many seconds an event is ahead: in one of ten cases less than `p10`, in half of them less than `p50`. */
export interface When {
  p10: number;
  p50: number;
  p90: number;
}

/** The events that a question is about, oldest first, and when each happened, where that is known. */
export interface TimedContext extends Sequence {
  /** Epoch milliseconds; `undefined` where it is not known. */
  readonly times: readonly (number | undefined)[];
}

/** Maximum number of models that are looked at, the nearest ones. */
export const MOST_TIMED_MODELS = 256;

/** Maximum number of moments that are compared with the newest event; those of nearer models come first. */
const MOST_MOMENTS = 8_192;

/** How many of the nearest moments count, and those as near as the last of them. */
const NEAREST = 50;

/** How far a moment is whose event shares nothing with the newest one, and the same for the event before. */
const SYMBOLS_APART = [4, 1.5] as const;

/** The same for a pause that is twice as long, one behind the newest event and one before that. */
const PAUSE_APART = [0.25, 0.05] as const;

/** Beyond this many doublings pauses are equally far, as where only one of them is known. */
const MOST_DOUBLINGS = 8;

/** The same for an hour of the day, and for an hour of the week. */
const DAY_HOUR_APART = 0.15;
const WEEK_HOUR_APART = 0.03;

/** How fast a moment loses weight with its distance beyond the nearest one. */
const DECAY = 0.5;

const QUANTILES = [0.1, 0.5, 0.9] as const;

const MILLISECONDS = 1_000;
const HOUR = 3_600 * MILLISECONDS;
const DAY_HOURS = 24;
const WEEK_HOURS = 7 * DAY_HOURS;

/** An event of a model in one of its runs, to which the newest event is compared. */
interface Moment {
  readonly model: TimedModel;
  /** Where the run begins in the model's times. */
  readonly run: number;
  /** The event's place in the model. */
  readonly at: number;
  readonly distance: number;
}

/** What is compared of the time of an event; `undefined` where it is not known. */
interface Timing {
  /** The hour of the week, with a fraction. */
  readonly hour: number;
  /** log2 of 1 and the seconds of the pauses before the newest event and before that one. */
  readonly pauses: readonly (number | undefined)[];
}

/** The pause as it is compared. @param milliseconds negative where time went backwards */
function pauseOf(milliseconds: number): number {
  return log2(1 + Math.max(0, milliseconds) / MILLISECONDS);
}

function timingAt(timeAt: (back: number) => number | undefined): Timing | undefined {
  const newest = timeAt(0);
  if (newest === undefined) return undefined;
  const pauses = PAUSE_APART.map((_, back) => {
    const [from, to] = [timeAt(back + 1), timeAt(back)];
    return from === undefined || to === undefined ? undefined : pauseOf(to - from);
  });
  return { hour: (newest / HOUR) % WEEK_HOURS, pauses };
}

/** The distance on a circle. */
function around(one: number, other: number, whole: number): number {
  const apart = Math.abs(one - other) % whole;
  return Math.min(apart, whole - apart);
}

function timingApart(one: Timing, other: Timing): number {
  let distance = DAY_HOUR_APART * around(one.hour, other.hour, DAY_HOURS);
  distance += WEEK_HOUR_APART * around(one.hour, other.hour, WEEK_HOURS);
  for (const [back, weight] of PAUSE_APART.entries()) {
    const [mine, theirs] = [one.pauses[back], other.pauses[back]];
    if (mine === undefined && theirs === undefined) continue;
    const doublings = mine === undefined || theirs === undefined ? MOST_DOUBLINGS : Math.abs(mine - theirs);
    distance += weight * Math.min(MOST_DOUBLINGS, doublings);
  }
  return distance;
}

/** The symbols of the newest events, newest first. */
function newestEvents({ symbols, lengths }: Sequence): Set<number>[] {
  const events: Set<number>[] = [];
  let end = symbols.length;
  for (let at = lengths.length - 1; at >= 0 && events.length < SYMBOLS_APART.length; at--) {
    const length = lengths[at] ?? 0;
    events.push(new Set(symbols.subarray(end - length, end) as Uint32Array));
    end -= length;
  }
  return events;
}

/** The share of an event's symbols that an event of a model holds. */
function shareOf(event: ReadonlySet<number> | undefined, model: TimedModel, at: number): number {
  if (event === undefined || at < 0) return 0;
  let shared = 0;
  const [from, to] = [model.starts[at] ?? 0, model.starts[at + 1] ?? 0];
  for (const symbol of event) {
    for (let place = from; place < to; place++) {
      if (model.symbols[place] !== symbol) continue;
      shared++;
      break;
    }
  }
  return shared / event.size;
}

/** How far an event of a model is by symbols; `undefined` where it shares none with the newest event. */
function symbolsApart(events: readonly ReadonlySet<number>[], model: TimedModel, at: number): number | undefined {
  const newest = shareOf(events[0], model, at);
  if (newest === 0) return undefined;
  return SYMBOLS_APART.reduce<number>((distance, weight, back) => {
    const share = back === 0 ? newest : shareOf(events[back], model, at - back);
    return distance + weight * (1 - share);
  }, 0);
}

/** The events of models that share a symbol with the newest event, with their distances by symbols. */
function* placesIn(
  context: TimedContext,
  models: readonly TimedModel[],
): Iterable<{ model: TimedModel; at: number; apart: number }> {
  const events = newestEvents(context);
  for (const model of models) {
    for (let at = 0; at < model.events - 1; at++) {
      const apart = symbolsApart(events, model, at);
      if (apart !== undefined) yield { model, at, apart };
    }
  }
}

/** The moments that are compared, with their distances, in the order of the models. */
function momentsOf(context: TimedContext, models: readonly TimedModel[]): Moment[] {
  const newest = context.times.length - 1;
  const own = timingAt((back) => context.times[newest - back]);
  const moments: Moment[] = [];
  for (const { model, at, apart } of placesIn(context, models)) {
    for (let run = 0; run < model.times.length; run += model.events) {
      if (moments.length === MOST_MOMENTS) return moments;
      const other = own && timingAt((back) => (back > at ? undefined : model.times[run + at - back]));
      const distance = own === undefined || other === undefined ? apart : apart + timingApart(own, other);
      moments.push({ model, run, at, distance });
    }
  }
  return moments;
}

/** The weight of a moment. @param beyond how much farther it is than the nearest one */
function weightOf({ model: { frequency, times, events } }: Moment, beyond: number): number {
  const far = DECAY * beyond;
  return frequency / (times.length / events) / (1 + far + (far * far) / 2);
}

/** Quantiles of the times to the event `ahead` of the moments; `undefined` where none of them has one. */
function quantilesOf(moments: readonly Moment[], ahead: number): When | undefined {
  const having = moments.filter(({ model, at }) => at + ahead < model.events);
  if (having.length === 0) return undefined;
  const distances = Float64Array.from(having, ({ distance }) => distance).sort();
  const [least = 0, most = 0] = [distances[0], distances[Math.min(NEAREST, distances.length) - 1]];
  const nearest = having
    .filter(({ distance }) => distance <= most)
    .map((moment) => {
      const { model, run, at, distance } = moment;
      const milliseconds = (model.times[run + at + ahead] ?? 0) - (model.times[run + at] ?? 0);
      return { milliseconds: Math.max(0, milliseconds), weight: weightOf(moment, distance - least) };
    })
    .sort((one, other) => one.milliseconds - other.milliseconds || one.weight - other.weight);
  const whole = nearest.reduce((sum, { weight }) => sum + weight, 0);
  const [p10 = 0, p50 = 0, p90 = 0] = QUANTILES.map((share) => {
    let sum = 0;
    const found = nearest.find(({ weight }) => {
      sum += weight;
      return sum >= share * whole;
    });
    return (found ?? nearest[nearest.length - 1] ?? { milliseconds: 0 }).milliseconds / MILLISECONDS;
  });
  return { p10, p50, p90 };
}

/**
 * When the next events come.
 *
 * @param models the nearest first; at most {@link MOST_TIMED_MODELS} are looked at
 * @param horizon how many events ahead
 * @returns for each event ahead, nearest first; `undefined` where nothing is known of it
 */
export function whenOf(context: TimedContext, models: readonly TimedModel[], horizon: number): (When | undefined)[] {
  const moments = momentsOf(context, models.slice(0, MOST_TIMED_MODELS));
  return Array.from({ length: horizon }, (_, at) => quantilesOf(moments, at + 1));
}
