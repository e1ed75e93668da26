/**
 * When the next events come: quantiles of the seconds from the newest event to those ahead of it. They are taken from
 * the nearest moments in the nearest models: moments with similar events and pauses before them, at a similar hour of
 * the day and of the week, and not long ago. docs/time.md has the exact rule.
 */

import type { ForecastWhen } from "../../gen/plain";
import { MS_PER_SECOND } from "../../text/clock";
import type { TimedModel } from "../knowledge/timed-models";
import type { Sequence } from "../ports/matcher";
import { log2 } from "./logarithms";

/** The events that a query is about, oldest first, and the times at which they happened, where known. */
export interface TimedContext extends Sequence {
  /** Epoch milliseconds; `undefined` if unknown. */
  readonly times: readonly (number | undefined)[];
}

/** Maximum number of models read, nearest first. */
export const MAX_TIMED_MODELS = 256;

/** Maximum number of moments compared with the newest event; those of nearer models come first. */
const MAX_MOMENTS = 8_192;

/** Number of nearest moments that count; ties with the last of them count too. */
const COUNTED_MOMENTS = 50;

/**
 * Distance of a moment whose event shares no symbol with the newest one; and of one whose event before shares none with
 * the event before.
 */
const SYMBOLS_APART = [4, 1.5] as const;

/** Distance for a pause that is twice or half as long: the pause before the newest event, and the one before that. */
const PAUSE_APART = [0.25, 0.05] as const;

/** Cap on the doublings of a pause's distance. A pause known on one side only is as far as this. */
const MAX_DOUBLINGS = 8;

/** Maximum distance by the hour of the day, and by the hour of the week. */
const DAY_HOUR_APART = 0.15;
const WEEK_HOUR_APART = 0.03;

/** Distance for each doubling of the days between the two: processes drift over months. */
const AGE_APART = 0.3;

/** The rate at which a moment's weight decays with its distance beyond the nearest one. */
const DECAY = 0.5;

const QUANTILES = [0.1, 0.5, 0.9] as const;

const HOUR = 3_600 * MS_PER_SECOND;
const DAY_HOURS = 24;
const WEEK_HOURS = 7 * DAY_HOURS;
const DAY = DAY_HOURS * HOUR;

/** Models are read 16 at a time: if models have many runs, a few of them yield all the moments. */
const MODELS_AT_ONCE = 16;

/** The timing of the newest event, for comparison. */
interface Timing {
  /** Epoch milliseconds. */
  readonly time: number;
  /** The hour of the week, with a fraction. */
  readonly hour: number;
  /** {@link pauseOf} the pauses before it and before the previous event; `undefined` if unknown. */
  readonly pauses: readonly (number | undefined)[];
}

/** The newest event, in the form in which models are compared with it. */
interface Newest {
  /** The distinct symbols of the newest events, newest first. */
  readonly events: readonly (readonly number[])[];
  /** `undefined` if its time is unknown. */
  readonly timing: Timing | undefined;
}

/** The moments compared with the newest event: events of models in one of their runs, in the order of the models. */
interface Moments {
  readonly models: TimedModel[];
  /** For each: the index of its time in its model's times, and its place in the model. */
  readonly places: number[];
  readonly events: number[];
  readonly distances: number[];
}

/** A pause on the scale of comparison. @param milliseconds negative if time went backwards */
function pauseOf(milliseconds: number): number {
  return log2(1 + Math.max(0, milliseconds) / MS_PER_SECOND);
}

/** For each time of a model, the pause before it; meaningless for the first event of a run. */
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
  // As exact as the remainder operator, and several times as fast.
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

/** The distance on a circle. @param one 0 or more and less than a week, as the other */
function around(one: number, other: number, whole: number): number {
  let apart = Math.abs(one - other);
  // As exact as the remainder operator, and faster.
  while (apart >= whole) apart -= whole;
  return Math.min(apart, whole - apart);
}

/** The distance of a run's event by its time. @param place index of its time @param at its place in the model */
function timingApart({ time, hour, pauses }: Timing, model: TimedModel, place: number, at: number): number {
  const other = model.times[place] ?? 0;
  const otherHour = weekHourOf(other);
  let distance = DAY_HOUR_APART * around(hour, otherHour, DAY_HOURS);
  distance += WEEK_HOUR_APART * around(hour, otherHour, WEEK_HOURS);
  distance += AGE_APART * log2(1 + Math.abs(time - other) / DAY);
  const theirs = pausesOf(model);
  for (let back = 0; back < PAUSE_APART.length; back++) {
    const mine = pauses[back];
    // Pauses before the first event of a run are unknown.
    const isKnown = back < at;
    if (mine === undefined && !isKnown) continue;
    const doublings = mine === undefined || !isKnown ? MAX_DOUBLINGS : Math.abs(mine - (theirs[place - back] ?? 0));
    distance += (PAUSE_APART[back] ?? 0) * Math.min(MAX_DOUBLINGS, doublings);
  }
  return distance;
}

/** The fraction of an event's symbols that an event of a model holds. */
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

/** The distance of a model's event by symbols; `undefined` if it shares none with the newest event. */
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

/** Adds the moments of a model, up to the maximum number. */
function addMoments(moments: Moments, { events, timing }: Newest, model: TimedModel): void {
  for (let at = 0; at < model.events - 1; at++) {
    const apart = symbolsApart(events, model, at);
    if (apart === undefined) continue;
    for (let place = at; place < model.times.length; place += model.events) {
      if (moments.distances.length === MAX_MOMENTS) return;
      moments.models.push(model);
      moments.places.push(place);
      moments.events.push(at);
      moments.distances.push(timing === undefined ? apart : apart + timingApart(timing, model, place, at));
    }
  }
}

/** The moments to compare. @param modelsOf as in {@link whenOf} */
function momentsOf(
  context: TimedContext,
  ids: readonly number[],
  modelsOf: (ids: readonly number[]) => readonly TimedModel[],
): Moments {
  const newest = newestOf(context);
  const moments: Moments = { models: [], places: [], events: [], distances: [] };
  for (let from = 0; from < ids.length && moments.distances.length < MAX_MOMENTS; from += MODELS_AT_ONCE) {
    for (const model of modelsOf(ids.slice(from, from + MODELS_AT_ONCE))) addMoments(moments, newest, model);
  }
  return moments;
}

/** The weight of a moment. @param beyond its distance minus that of the nearest moment */
function weightOf({ frequency, times, events }: TimedModel, beyond: number): number {
  const decayed = DECAY * beyond;
  return frequency / (times.length / events) / (1 + decayed + (decayed * decayed) / 2);
}

/** The smallest distances among some moments, ascending, at most {@link COUNTED_MOMENTS}. */
function nearestOf(distances: readonly number[], having: readonly number[]): number[] {
  const nearest: number[] = [];
  for (const moment of having) {
    const distance = distances[moment] ?? 0;
    if (nearest.length === COUNTED_MOMENTS) {
      if (distance >= (nearest[COUNTED_MOMENTS - 1] ?? 0)) continue;
      nearest.pop();
    }
    let at = nearest.length;
    while (at > 0 && (nearest[at - 1] ?? 0) > distance) at--;
    nearest.splice(at, 0, distance);
  }
  return nearest;
}

/** Quantiles of the times to the event `ahead` of the moments; `undefined` if none of them has one. */
function quantilesOf({ models, places, events, distances }: Moments, ahead: number): ForecastWhen | undefined {
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

/** The first time at which the cumulative weight reaches a sum, in seconds. @param counted not empty, in order */
function quantileOf(counted: readonly { milliseconds: number; weight: number }[], reached: number): number {
  let sum = 0;
  for (const { milliseconds, weight } of counted) {
    sum += weight;
    if (sum >= reached) return milliseconds / MS_PER_SECOND;
  }
  return (counted.at(-1)?.milliseconds ?? 0) / MS_PER_SECOND;
}

/**
 * When the next events come.
 *
 * @param ids of models, the nearest first; at most {@link MAX_TIMED_MODELS} are read
 * @param modelsOf returns those of the given models that keep times, in their order
 * @param horizon number of events ahead
 * @returns for each event ahead, nearest first; `undefined` if nothing is known of it
 */
export function whenOf(
  context: TimedContext,
  ids: readonly number[],
  modelsOf: (ids: readonly number[]) => readonly TimedModel[],
  horizon: number,
): (ForecastWhen | undefined)[] {
  const moments = momentsOf(context, ids.slice(0, MAX_TIMED_MODELS), modelsOf);
  return Array.from({ length: horizon }, (_, at) => quantilesOf(moments, at + 1));
}
