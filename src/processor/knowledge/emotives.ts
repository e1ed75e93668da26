/** Emotives: observing sums them, models keep as many values as the gene persistence says, predictions show the mean. */

import { excerpt } from "../../text/excerpt";
import { Fault } from "../ports/fault";
import type { Emotive } from "../ports/gdf";
import type { EmotiveValues } from "../ports/store";

/**
 * Adds observed emotives to sums, per name; neither argument changes.
 * @throws Fault `invalid` when a sum leaves the range of doubles
 */
export function addEmotives(sums: readonly Emotive[], observed: readonly Emotive[]): Emotive[] {
  if (observed.length === 0) return [...sums];
  const byName = new Map(sums.map(({ name, value }) => [name, value]));
  for (const { name, value } of observed) {
    const sum = (byName.get(name) ?? 0) + value;
    if (!Number.isFinite(sum)) {
      throw new Fault(
        "invalid",
        `the sum of emotive ${excerpt(name)} since the last learn must stay finite, got ${value} on top of ${byName.get(name)}`,
      );
    }
    byName.set(name, sum);
  }
  return Array.from(byName, ([name, value]) => ({ name, value }));
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

/** Appends values per name and keeps the last `persistence` of every emotive, also of those that nothing is appended to. */
export function mergeValues(
  kept: readonly EmotiveValues[],
  added: readonly EmotiveValues[],
  persistence: number,
): EmotiveValues[] {
  return appendValues(lastValues(kept, persistence), added, persistence);
}

/** The sums since the last learn, as values to append. */
export function sumsAsValues(sums: readonly Emotive[]): EmotiveValues[] {
  return sums.map(({ name, value }) => ({ name, values: [value] }));
}

function mean(values: readonly number[]): number {
  const sum = values.reduce((total, value) => total + value, 0);
  if (Number.isFinite(sum)) return sum / values.length;
  // The sum of huge values overflows where their mean does not.
  return values.reduce((total, value) => total + value / values.length, 0);
}

/** The mean of the kept values by name; leaves out emotives without values. */
export function meanEmotives(kept: readonly EmotiveValues[]): Emotive[] {
  return kept.filter(({ values }) => values.length > 0).map(({ name, values }) => ({ name, value: mean(values) }));
}
