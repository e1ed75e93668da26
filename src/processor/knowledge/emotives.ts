/**
 * Emotives: observations sum them, models keep as many values as the gene persistence says, predictions show their
 * mean.
 */

import type { Emotive } from "../../gen/plain";
import { excerpt } from "../../text/excerpt";
import { Fault } from "../ports/fault";
import type { EmotiveValues } from "../ports/store";

/** Maximum number of names in the sums of emotives. */
const MAX_SUMS = 10_000;

/** Caches the position of each name in recent sums, because each record of a sequence adds to them. */
const places = new WeakMap<readonly Emotive[], Map<string, number>>();

/**
 * Adds observed emotives to sums, per name; neither argument changes.
 * @throws Fault `invalid` when a sum leaves the range of doubles; `too-large` if there are too many names
 */
export function addEmotives(sums: readonly Emotive[], observed: readonly Emotive[]): Emotive[] {
  const added = [...sums];
  if (observed.length === 0) return added;
  const placeOf = places.get(sums) ?? new Map(sums.map(({ name }, at) => [name, at]));
  places.delete(sums);
  for (const { name, value } of observed) {
    const at = placeOf.get(name) ?? added.length;
    added[at] = { name, value: sumOf(name, added[at]?.value, value) };
    placeOf.set(name, at);
  }
  if (added.length > MAX_SUMS && added.length > sums.length) throw tooMany(added.length);
  places.set(added, placeOf);
  return added;
}

/**
 * Refuses observed emotives if adding all of them, list by list, would fail.
 *
 * @throws Fault `invalid` as {@link addEmotives}
 */
export function assertSummable(sums: readonly Emotive[], observed: Iterable<readonly Emotive[]>): void {
  const byName = new Map(sums.map(({ name, value }) => [name, value]));
  for (const emotives of observed) {
    for (const { name, value } of emotives) byName.set(name, sumOf(name, byName.get(name), value));
  }
}

function sumOf(name: string, before: number | undefined, value: number): number {
  const sum = (before ?? 0) + value;
  if (Number.isFinite(sum)) return sum;
  throw new Fault(
    "invalid",
    `the sum of emotive ${excerpt(name)} since the last learn must stay finite, got ${value} on top of ${before}`,
  );
}

function tooMany(names: number): Fault {
  return new Fault(
    "too-large",
    `the emotives that wait to be learned may have ${MAX_SUMS} names, with this record they have ${names}: ` +
      "learn or clear working memory",
  );
}

/** The last `persistence` values of each emotive. */
export function lastValues(kept: readonly EmotiveValues[], persistence: number): EmotiveValues[] {
  return kept.map(({ name, values }) => ({ name, values: values.slice(-persistence) }));
}

/** Appends values per name and keeps the last `persistence` of them; neither argument changes. */
export function appendValues(
  kept: readonly EmotiveValues[],
  added: readonly EmotiveValues[],
  persistence: number,
): EmotiveValues[] {
  const byName = new Map(kept.map(({ name, values }) => [name, values]));
  for (const { name, values } of added) {
    byName.set(name, [...(byName.get(name) ?? []), ...values].slice(-persistence));
  }
  return Array.from(byName, ([name, values]) => ({ name, values }));
}

/** Appends values per name and keeps the last `persistence` of every emotive, including those without new values. */
export function mergeValues(
  kept: readonly EmotiveValues[],
  added: readonly EmotiveValues[],
  persistence: number,
): EmotiveValues[] {
  return appendValues(lastValues(kept, persistence), added, persistence);
}

/** The sums since the last learn, in the form of values to append. */
export function sumsAsValues(sums: readonly Emotive[]): EmotiveValues[] {
  return sums.map(({ name, value }) => ({ name, values: [value] }));
}

function mean(values: readonly number[]): number {
  const sum = values.reduce((total, value) => total + value, 0);
  if (Number.isFinite(sum)) return sum / values.length;
  // Divide first: the sum of huge values can overflow although their mean does not.
  return values.reduce((total, value) => total + value / values.length, 0);
}

/** The mean of the kept values by name; leaves out emotives without values. */
export function meanEmotives(kept: readonly EmotiveValues[]): Emotive[] {
  return kept.filter(({ values }) => values.length > 0).map(({ name, values }) => ({ name, value: mean(values) }));
}
