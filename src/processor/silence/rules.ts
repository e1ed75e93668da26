/** The alerts of silence: when the time of a memory is up, and for which of them. */

import { isFuture } from "../../text/clock";
import type { AlertCondition } from "../ports/alert";
import type { Arrivals, StoredSilence } from "../ports/silence";
import { expectedPause, lastArrival } from "./arrivals";

const MS_PER_SECOND = 1_000;

/** An alert of silence. */
export interface SilenceRule {
  readonly name: string;
  /** By which memories refer to it. */
  readonly number: number;
  readonly delivers: boolean;
  /** Milliseconds of silence; `undefined` for what the gaps of a memory let expect. */
  readonly afterMs: number | undefined;
}

/** The alerts of silence of a processor that is awake. */
export interface SilenceRules {
  /** One or more. */
  readonly alerts: readonly SilenceRule[];
  /** When the processor has last woken, epoch milliseconds: asleep it observes nothing. 0 if it has never slept. */
  readonly awakeSince: number;
}

/** What rules are made of. */
interface Source {
  readonly alerts: readonly { name: string; number: number; when: AlertCondition; delivers: boolean }[];
  readonly sleeping: boolean;
  readonly awakeSince: number;
}

/** From when a processor counts as awake, epoch milliseconds: always, if it woke before the clock was set back. */
export function awakeFrom(awakeSince: number, now: number): number {
  return isFuture(awakeSince, now) ? 0 : awakeSince;
}

/** The rules of a processor; `undefined` where nothing is told: it has no alert of silence, or sleeps. */
export function silenceRules({ alerts, sleeping, awakeSince }: Source): SilenceRules | undefined {
  if (sleeping) return undefined;
  const rules = alerts.flatMap(({ name, number, when, delivers }) => {
    if (when.kind !== "silent") return [];
    const { after } = when;
    return [{ name, number, delivers, afterMs: after === "expected" ? undefined : after * MS_PER_SECOND }];
  });
  return rules.length === 0 ? undefined : { alerts: rules, awakeSince };
}

/** When an alert reports a memory, if that stays silent. */
export interface DueSilence {
  readonly alert: SilenceRule;
  /** Epoch milliseconds. */
  readonly at: number;
  /** How long the silence is then, in milliseconds. */
  readonly afterMs: number;
}

/**
 * What has yet to be told of a memory if it stays silent, in any order.
 *
 * @param now epoch milliseconds
 * @param stored what was told of it so far; nothing when absent, or when it is about an earlier arrival
 */
export function dueSilences(
  { alerts, awakeSince }: SilenceRules,
  arrivals: Arrivals,
  now: number,
  stored?: StoredSilence,
): DueSilence[] {
  const last = lastArrival(arrivals);
  if (last === undefined) return [];
  const known = stored?.arrival === last ? stored : undefined;
  const from = Math.max(known?.since ?? last, awakeFrom(awakeSince, now));
  return alerts.flatMap((alert) => {
    const afterMs = alert.afterMs ?? expectedPause(arrivals);
    if (afterMs === undefined || known?.told.includes(alert.number)) return [];
    return [{ alert, at: from + afterMs, afterMs }];
  });
}

/** When the first of {@link dueSilences} is told, epoch milliseconds; `undefined` for never. */
export function nextSilence(
  rules: SilenceRules,
  arrivals: Arrivals,
  now: number,
  stored?: StoredSilence,
): number | undefined {
  const times = dueSilences(rules, arrivals, now, stored).map(({ at }) => at);
  return times.length === 0 ? undefined : Math.min(...times);
}

/** Whether the silence of a memory counts from a time that has yet to come, because the clock was set back since. */
export function countsFromFuture(arrivals: Arrivals, stored: StoredSilence | undefined, now: number): boolean {
  const last = lastArrival(arrivals);
  if (last === undefined) return false;
  const since = stored?.arrival === last ? stored.since : undefined;
  return isFuture(since ?? last, now);
}

/** Whether an alert says that a memory is silent. */
export function isSilent(rules: SilenceRules, { told }: StoredSilence): boolean {
  return rules.alerts.some(({ number }) => told.includes(number));
}
