/** A slow, obvious twin of the times in forecasts, written from docs/time.md: every moment as an object of its own. */

import type { ForecastWhen } from "../../src/gen/plain";
import { log2 } from "../../src/processor/prediction/logarithms";

/** A model and when its events happened. */
export interface TimedSequence {
  readonly frequency: number;
  readonly events: readonly (readonly number[])[];
  /** The times of all events in each learning, epoch milliseconds. */
  readonly runs: readonly (readonly number[])[];
}

/** The events that a question is about, oldest first; their times may be missing. */
export interface TimedQuestion {
  readonly events: readonly (readonly number[])[];
  readonly times: readonly (number | undefined)[];
}

interface OracleMoment {
  readonly distance: number;
  /** The times of its event and of those after it, each with its event's. */
  readonly after: readonly number[];
  readonly weight: number;
}

const SECOND = 1_000;
const HOUR = 3_600 * SECOND;
const DAY = 24 * HOUR;

function shareOf(event: readonly number[] | undefined, other: readonly number[] | undefined): number {
  if (event === undefined || other === undefined) return 0;
  const symbols = [...new Set(event)];
  return symbols.filter((symbol) => other.includes(symbol)).length / symbols.length;
}

function circle(one: number, other: number, whole: number): number {
  const apart = Math.abs(one - other) % whole;
  return Math.min(apart, whole - apart);
}

/** log2(1 + seconds) of the pause before an event; `undefined` where it is not known. */
function pauseBefore(times: readonly (number | undefined)[], at: number): number | undefined {
  const [from, to] = [times[at - 1], times[at]];
  return from === undefined || to === undefined ? undefined : log2(1 + Math.max(0, to - from) / SECOND);
}

function pausesApart(one: number | undefined, other: number | undefined): number {
  if (one === undefined && other === undefined) return 0;
  return one === undefined || other === undefined ? 8 : Math.min(8, Math.abs(one - other));
}

function symbolsApart({ events }: TimedQuestion, model: TimedSequence, at: number): number {
  const newest = events.length - 1;
  const one = 4 * (1 - shareOf(events[newest], model.events[at]));
  return one + 1.5 * (1 - shareOf(events[newest - 1], model.events[at - 1]));
}

function timesApart({ times }: TimedQuestion, run: readonly number[], at: number): number {
  const newest = times.length - 1;
  const [own, other] = [times[newest], run[at]];
  if (own === undefined || other === undefined) return 0;
  const hourOf = (time: number) => (time / HOUR) % 168;
  let apart = 0.15 * circle(hourOf(own), hourOf(other), 24);
  apart += 0.03 * circle(hourOf(own), hourOf(other), 168);
  apart += 0.3 * log2(1 + Math.abs(own - other) / DAY);
  apart += 0.25 * pausesApart(pauseBefore(times, newest), pauseBefore(run, at));
  return apart + 0.05 * pausesApart(pauseBefore(times, newest - 1), pauseBefore(run, at - 1));
}

/** All moments, by model, then by event, then by run. */
function momentsOf(question: TimedQuestion, models: readonly TimedSequence[]): OracleMoment[] {
  const newest = question.events.at(-1) ?? [];
  return models.flatMap((model) =>
    model.events.slice(0, -1).flatMap((event, at) => {
      if (shareOf(newest, event) === 0) return [];
      return model.runs.map((run) => ({
        distance: symbolsApart(question, model, at) + timesApart(question, run, at),
        after: run.slice(at).map((time) => Math.max(0, time - (run[at] ?? 0))),
        weight: model.frequency / model.runs.length,
      }));
    }),
  );
}

/** ForecastWhen each of the next events comes. @param models the nearest first */
export function oracleWhen(
  question: TimedQuestion,
  models: readonly TimedSequence[],
  horizon: number,
): (ForecastWhen | undefined)[] {
  const all = momentsOf(question, models.slice(0, 256)).slice(0, 8_192);
  return Array.from({ length: horizon }, (_, at) => {
    const having = all.filter(({ after }) => after.length > at + 1);
    if (having.length === 0) return undefined;
    const inOrder = having.map(({ distance }) => distance).sort((one, other) => one - other);
    const [least = 0, most = 0] = [inOrder[0], inOrder[Math.min(50, inOrder.length) - 1]];
    const weighed = having
      .filter(({ distance }) => distance <= most)
      .map(({ after, weight, distance }) => {
        const x = (distance - least) / 2;
        return { time: after[at + 1] ?? 0, weight: weight / (1 + x + (x * x) / 2) };
      })
      .sort((one, other) => one.time - other.time || one.weight - other.weight);
    const sums: number[] = [];
    for (const { weight } of weighed) sums.push((sums.at(-1) ?? 0) + weight);
    const quantile = (share: number) => {
      const found = sums.findIndex((sum) => sum >= share * (sums.at(-1) ?? 0));
      return (weighed.at(found)?.time ?? 0) / SECOND;
    };
    return { p10: quantile(0.1), p50: quantile(0.5), p90: quantile(0.9) };
  });
}
