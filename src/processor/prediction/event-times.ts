/**
 * When the next events come: quantiles of the seconds from the newest event to those ahead of it. They are those of the
 * nearest moments in the nearest models: moments at which as much had happened, after pauses as long, at this hour of
 * the day and of the week, and not long ago. docs/time.md says it exactly.
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

/** The same each time the days between the two double: what a process takes changes over the months. */
const AGE_APART = 0.3;

/** How fast a moment loses weight with its distance beyond the nearest one. */
const DECAY = 0.5;

const QUANTILES = [0.1, 0.5, 0.9] as const;

const MILLISECONDS = 1_000;
const HOUR = 3_600 * MILLISECONDS;
const DAY_HOURS = 24;
const WEEK_HOURS = 7 * DAY_HOURS;
const DAY = DAY_HOURS * HOUR;

/** Models are read 16 at a time: where models have many runs, a few of them have all moments. */
const MODELS_AT_ONCE = 16;

/** What is compared of the time of the newest event. */
interface Timing {
  /** Epoch milliseconds. */
  readonly time: number;
  /** The hour of the week, with a fraction. */
  readonly hour: number;
  /** {@link pauseOf} the pauses before it and before the event before it; `undefined` where they are not known. */
  readonly pauses: readonly (number | undefined)[];
}

/** The newest event, as models are compared with it. */
interface Newest {
  /** The different symbols of the newest events, newest first. */
  readonly events: readonly (readonly number[])[];
  /** `undefined` where its time is not known. */
  readonly timing: Timing | undefined;
}

/** Events of models in one of their runs, to which the newest event is compared, in the order of the models. */
interface Moments {
  readonly models: TimedModel[];
  /** Of each, where its time is in those of its model, and its place in the model. */
  readonly places: number[];
  readonly events: number[];
  readonly distances: number[];
}

/** A pause as it is compared. @param milliseconds negative where time went backwards */
function pauseOf(milliseconds: number): number {
  return log2(1 + Math.max(0, milliseconds) / MILLISECONDS);
}

/** By time of a model the pause before it; before the first event of a run it means nothing. */
function pausesOf(model: TimedModel): Float64Array {
  if (model.pauses === undefined) {
    const { times } = model;
    model.pauses = new Float64Array(times.length);
    for (let at = 1; at < times.length; at++) model.pauses[at] = pauseOf((times[at] ?? 0) - (times[at - 1] ?? 0));
  }
  return model.pauses;
}

/** The hour of the week, with a fraction. @param time epoch milliseconds, 0 or more */
function weekHourOf(time: number): number {
  const hours = time / HOUR;
  // Exact, as the rest of a division is, and several times as fast.
  const rest = hours - WEEK_HOURS * Math.floor(hours / WEEK_HOURS);
  if (rest < 0) return rest + WEEK_HOURS;
  return rest < WEEK_HOURS ? rest : rest - WEEK_HOURS;
}

function newestOf({ symbols, lengths, times }: TimedContext): Newest {
  const events: number[][] = [];
  let end = symbols.length;
  for (let at = lengths.length - 1; at >= 0 && events.length < SYMBOLS_APART.length; at--) {
    const length = lengths[at] ?? 0;
    events.push([...new Set(symbols.subarray(end - length, end))]);
    end -= length;
  }
  const timeAt = (back: number) => times[times.length - 1 - back];
  const newest = timeAt(0);
  if (newest === undefined) return { events, timing: undefined };
  const pauses = PAUSE_APART.map((_, back) => {
    const [from, to] = [timeAt(back + 1), timeAt(back)];
    return from === undefined || to === undefined ? undefined : pauseOf(to - from);
  });
  return { events, timing: { time: newest, hour: weekHourOf(newest), pauses } };
}

/** The distance on a circle. @param one 0 or more, as the other, and less than a week */
function around(one: number, other: number, whole: number): number {
  let apart = Math.abs(one - other);
  // Exact, as the rest of a division is, and faster.
  while (apart >= whole) apart -= whole;
  return Math.min(apart, whole - apart);
}

/** How far the event of a run is by its time. @param place where its time is @param at its place in the model */
function timingApart({ time, hour, pauses }: Timing, model: TimedModel, place: number, at: number): number {
  const other = model.times[place] ?? 0;
  const otherHour = weekHourOf(other);
  let distance = DAY_HOUR_APART * around(hour, otherHour, DAY_HOURS);
  distance += WEEK_HOUR_APART * around(hour, otherHour, WEEK_HOURS);
  distance += AGE_APART * log2(1 + Math.abs(time - other) / DAY);
  const theirs = pausesOf(model);
  for (let back = 0; back < PAUSE_APART.length; back++) {
    const mine = pauses[back];
    // Before its first event nothing is known.
    const isKnown = back < at;
    if (mine === undefined && !isKnown) continue;
    const doublings = mine === undefined || !isKnown ? MOST_DOUBLINGS : Math.abs(mine - (theirs[place - back] ?? 0));
    distance += (PAUSE_APART[back] ?? 0) * Math.min(MOST_DOUBLINGS, doublings);
  }
  return distance;
}

/** The share of an event's symbols that an event of a model holds. */
function shareOf(event: readonly number[] | undefined, { symbols, starts }: TimedModel, at: number): number {
  if (event === undefined || at < 0) return 0;
  let shared = 0;
  const [from, to] = [starts[at] ?? 0, starts[at + 1] ?? 0];
  for (const symbol of event) {
    for (let place = from; place < to; place++) {
      if (symbols[place] !== symbol) continue;
      shared++;
      break;
    }
  }
  return shared / event.length;
}

/** How far an event of a model is by symbols; `undefined` where it shares none with the newest event. */
function symbolsApart(events: Newest["events"], model: TimedModel, at: number): number | undefined {
  const newest = shareOf(events[0], model, at);
  if (newest === 0) return undefined;
  let distance = 0;
  for (let back = 0; back < SYMBOLS_APART.length; back++) {
    const share = back === 0 ? newest : shareOf(events[back], model, at - back);
    distance += (SYMBOLS_APART[back] ?? 0) * (1 - share);
  }
  return distance;
}

/** Adds the moments of a model, while there are not too many. */
function addMoments(moments: Moments, { events, timing }: Newest, model: TimedModel): void {
  for (let at = 0; at < model.events - 1; at++) {
    const apart = symbolsApart(events, model, at);
    if (apart === undefined) continue;
    for (let place = at; place < model.times.length; place += model.events) {
      if (moments.distances.length === MOST_MOMENTS) return;
      moments.models.push(model);
      moments.places.push(place);
      moments.events.push(at);
      moments.distances.push(timing === undefined ? apart : apart + timingApart(timing, model, place, at));
    }
  }
}

/** The moments that are compared. @param modelsOf as {@link whenOf} has it */
function momentsOf(
  context: TimedContext,
  ids: readonly number[],
  modelsOf: (ids: readonly number[]) => readonly TimedModel[],
): Moments {
  const newest = newestOf(context);
  const moments: Moments = { models: [], places: [], events: [], distances: [] };
  for (let from = 0; from < ids.length && moments.distances.length < MOST_MOMENTS; from += MODELS_AT_ONCE) {
    for (const model of modelsOf(ids.slice(from, from + MODELS_AT_ONCE))) addMoments(moments, newest, model);
  }
  return moments;
}

/** The weight of a moment. @param beyond how much farther it is than the nearest one */
function weightOf({ frequency, times, events }: TimedModel, beyond: number): number {
  const far = DECAY * beyond;
  return frequency / (times.length / events) / (1 + far + (far * far) / 2);
}

/** The nearest distances among those of some moments, ascending, at most {@link NEAREST}. */
function nearestOf(distances: readonly number[], having: readonly number[]): number[] {
  const nearest: number[] = [];
  for (const moment of having) {
    const distance = distances[moment] ?? 0;
    if (nearest.length === NEAREST) {
      if (distance >= (nearest[NEAREST - 1] ?? 0)) continue;
      nearest.pop();
    }
    let at = nearest.length;
    while (at > 0 && (nearest[at - 1] ?? 0) > distance) at--;
    nearest.splice(at, 0, distance);
  }
  return nearest;
}

/** Quantiles of the times to the event `ahead` of the moments; `undefined` where none of them has one. */
function quantilesOf({ models, places, events, distances }: Moments, ahead: number): When | undefined {
  const having: number[] = [];
  for (let moment = 0; moment < models.length; moment++) {
    if ((events[moment] ?? 0) + ahead < (models[moment]?.events ?? 0)) having.push(moment);
  }
  if (having.length === 0) return undefined;
  const nearest = nearestOf(distances, having);
  const [least = 0, most = 0] = [nearest[0], nearest[nearest.length - 1]];
  const counted: { milliseconds: number; weight: number }[] = [];
  for (const moment of having) {
    const [distance = 0, place = 0, model] = [distances[moment], places[moment], models[moment]];
    if (distance > most || model === undefined) continue;
    const milliseconds = (model.times[place + ahead] ?? 0) - (model.times[place] ?? 0);
    counted.push({ milliseconds: Math.max(0, milliseconds), weight: weightOf(model, distance - least) });
  }
  counted.sort((one, other) => one.milliseconds - other.milliseconds || one.weight - other.weight);
  const whole = counted.reduce((sum, { weight }) => sum + weight, 0);
  const [p10 = 0, p50 = 0, p90 = 0] = QUANTILES.map((share) => quantileOf(counted, share * whole));
  return { p10, p50, p90 };
}

/** The first time at which weights reach a sum, in seconds. @param counted not empty, in order */
function quantileOf(counted: readonly { milliseconds: number; weight: number }[], reached: number): number {
  let sum = 0;
  for (const { milliseconds, weight } of counted) {
    sum += weight;
    if (sum >= reached) return milliseconds / MILLISECONDS;
  }
  return (counted.at(-1)?.milliseconds ?? 0) / MILLISECONDS;
}

/**
 * When the next events come.
 *
 * @param ids of models, the nearest first; at most {@link MOST_TIMED_MODELS} are looked at
 * @param modelsOf those of some of them that keep times, in their order
 * @param horizon how many events ahead
 * @returns for each event ahead, nearest first; `undefined` where nothing is known of it
 */
export function whenOf(
  context: TimedContext,
  ids: readonly number[],
  modelsOf: (ids: readonly number[]) => readonly TimedModel[],
  horizon: number,
): (When | undefined)[] {
  const moments = momentsOf(context, ids.slice(0, MOST_TIMED_MODELS), modelsOf);
  return Array.from({ length: horizon }, (_, at) => quantilesOf(moments, at + 1));
}
