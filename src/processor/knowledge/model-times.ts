/**
 * When the events of a model happened, in its latest learnings: the data of time forecasts. A run is the times of all
 * events of one learning, in whole milliseconds. The runs of a model lie in one array, sorted by the time of their
 * first event, then of the next ones, so that runs merged in any order give the same array.
 */

import { MS_PER_SECOND } from "../../text/clock";
import { isTime } from "../../text/event-time";
import { excerpt } from "../../text/excerpt";
import { Fault } from "../ports/fault";
import type { EventRow } from "../ports/store";

/** Maximum number of times of one model: 16 KB, which each learn of the model writes with its row. */
export const MAX_TIMES = 2_048;

/** Maximum number of runs of one model. */
export const MAX_RUNS = 512;

/** Maximum number of runs of a model; 0 if it has fewer than two events, or too many. */
export function mostRuns(events: number): number {
  return events < 2 ? 0 : Math.min(MAX_RUNS, Math.floor(MAX_TIMES / events));
}

/** The run of some events; `undefined` if their model keeps no times, or one of the times is unknown. */
export function runOf(events: readonly Pick<EventRow, "time">[]): Float64Array | undefined {
  if (mostRuns(events.length) === 0) return undefined;
  const run = new Float64Array(events.length);
  for (const [at, { time }] of events.entries()) {
    if (time === undefined) return undefined;
    run[at] = Math.round(time * MS_PER_SECOND);
  }
  return run;
}

function compareRuns(one: Float64Array, other: Float64Array): number {
  for (let at = 0; at < one.length; at++) {
    const difference = (one[at] ?? 0) - (other[at] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}

/** The runs in an array. @param events how many events the model has */
function runsIn(times: Float64Array | undefined, events: number): Float64Array[] {
  if (times === undefined) return [];
  return Array.from({ length: times.length / events }, (_, at) => times.subarray(at * events, (at + 1) * events));
}

/** Whether the last run of an array comes before a run, or equals it. */
function isInOrder(sorted: Float64Array, run: Float64Array): boolean {
  return compareRuns(sorted.subarray(sorted.length - run.length), run) <= 0;
}

/** Runs in their order, and one more: the latest that a model keeps. */
function withLast(sorted: Float64Array, run: Float64Array, most: number): Float64Array {
  const kept = sorted.subarray(Math.max(0, sorted.length - (most - 1) * run.length));
  const times = new Float64Array(kept.length + run.length);
  times.set(kept);
  times.set(run, kept.length);
  return times;
}

/**
 * The runs of two arrays, merged: as many as a model keeps, the latest.
 *
 * @param one sorted, unless the other is missing
 * @param events how many events the model has
 */
export function mergedTimes(
  one: Float64Array | undefined,
  other: Float64Array | undefined,
  events: number,
): Float64Array | undefined {
  const most = mostRuns(events);
  // A stream learns the same model again and again, each time later.
  if (one !== undefined && other?.length === events && most > 0 && isInOrder(one, other)) {
    return withLast(one, other, most);
  }
  const runs = [...runsIn(one, events), ...runsIn(other, events)].sort(compareRuns).slice(-most);
  if (runs.length === 0 || most === 0) return undefined;
  const times = new Float64Array(runs.length * events);
  for (const [at, run] of runs.entries()) times.set(run, at * events);
  return times;
}

/** The same runs with some events left out. @param isKept whether the event at a place stays */
export function timesWithout(
  times: Float64Array | undefined,
  events: number,
  isKept: (at: number) => boolean,
): Float64Array | undefined {
  const left = Array.from({ length: events }, (_, at) => at).filter(isKept);
  const all = runsIn(times, events).map((run) => Float64Array.from(left, (at) => run[at] ?? 0));
  return all.reduce<Float64Array | undefined>((merged, run) => mergedTimes(merged, run, left.length), undefined);
}

/** When the events of a learning happened, epoch seconds, in order. */
export interface TimedRun {
  times: number[];
}

/** Runs in the form of messages. */
export function runsOf(times: Float64Array | undefined, events: number): TimedRun[] {
  return runsIn(times, events).map((run) => ({ times: Array.from(run, (time) => time / MS_PER_SECOND) }));
}

/**
 * Reads runs from outside.
 *
 * @param model names the model in messages
 * @throws Fault `invalid` naming the wrong run, and what is accepted
 */
export function checkRuns(runs: readonly TimedRun[], events: number, model: string): Float64Array | undefined {
  if (runs.length === 0) return undefined;
  const most = mostRuns(events);
  if (runs.length > most) {
    throw new Fault("invalid", `${model}: times may hold ${most} lists for ${events} events, got ${runs.length}`);
  }
  const checked = new Float64Array(runs.length * events);
  for (const [at, { times }] of runs.entries()) {
    if (times.length !== events) {
      throw new Fault("invalid", `${model}: times[${at}] must hold one time per event, ${events}, got ${times.length}`);
    }
    const wrong = times.findIndex((time) => !isTime(time));
    if (wrong >= 0) {
      throw new Fault(
        "invalid",
        `${model}: times[${at}][${wrong}] must be epoch seconds from 0 to 253402300799, got ${excerpt(times[wrong])}`,
      );
    }
    checked.set(
      times.map((time) => Math.round(time * MS_PER_SECOND)),
      at * events,
    );
  }
  return mergedTimes(checked, undefined, events);
}
