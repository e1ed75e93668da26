/** The alerts of silence: when a memory is due, and for which of them. */

import { isFuture, MS_PER_SECOND } from "../../text/clock";
import type { AlertCondition } from "../ports/alert";
import type { Arrivals, StoredSilence } from "../ports/silence";
import { expectedPause, lastArrival } from "./arrivals";

/** An alert of silence. */
export interface SilenceRule {
  readonly name: string;
  /** Memories refer to it by this number. */
  readonly number: number;
  readonly delivers: boolean;
  /** Milliseconds of silence; `undefined` for what the memory's gaps suggest. */
  readonly afterMs: number | undefined;
}

/** The alerts of silence of an awake processor. */
export interface SilenceRules {
  /** One or more. */
  readonly alerts: readonly SilenceRule[];
  /** When the processor last woke, epoch milliseconds: asleep, it observes nothing. 0 if it has never slept. */
  readonly awakeSince: number;
}

/** The inputs of the rules. */
interface Source {
  readonly alerts: readonly { name: string; number: number; when: AlertCondition; delivers: boolean }[];
  readonly sleeping: boolean;
  readonly awakeSince: number;
}

/** Since when a processor counts as awake, epoch milliseconds; always, if it woke before the clock was set back. */
export function awakeFrom(awakeSince: number, now: number): number {
  return isFuture(awakeSince, now) ? 0 : awakeSince;
}

/** The rules of a processor; `undefined` if it has no alert of silence, or sleeps. */
export function silenceRules({ alerts, sleeping, awakeSince }: Source): SilenceRules | undefined {
  if (sleeping) return undefined;
  const rules = alerts.flatMap(({ name, number, when, delivers }) => {
    if (when.kind !== "silent") return [];
    const { after } = when;
    return [{ name, number, delivers, afterMs: after === "expected" ? undefined : after * MS_PER_SECOND }];
  });
  return rules.length === 0 ? undefined : { alerts: rules, awakeSince };
}

/** When an alert reports a memory, if it stays silent. */
export interface DueSilence {
  readonly alert: SilenceRule;
  /** Epoch milliseconds. */
  readonly at: number;
  /** The length of the silence then, in milliseconds. */
  readonly afterMs: number;
}

/**
 * What is yet to be reported of a memory if it stays silent, in any order.
 *
 * @param now epoch milliseconds
 * @param stored what was reported of it so far; ignored if it is about an earlier arrival
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

/** When the first of {@link dueSilences} is reported, epoch milliseconds; `undefined` for never. */
export function nextSilence(
  rules: SilenceRules,
  arrivals: Arrivals,
  now: number,
  stored?: StoredSilence,
): number | undefined {
  const times = dueSilences(rules, arrivals, now, stored).map(({ at }) => at);
  return times.length === 0 ? undefined : Math.min(...times);
}

/** Whether the silence of a memory starts in the future, because the clock was set back since. */
export function countsFromFuture(arrivals: Arrivals, stored: StoredSilence | undefined, now: number): boolean {
  const last = lastArrival(arrivals);
  if (last === undefined) return false;
  const since = stored?.arrival === last ? stored.since : undefined;
  return isFuture(since ?? last, now);
}

/** Whether an alert reports a memory as silent. */
export function isSilent(rules: SilenceRules, { told }: StoredSilence): boolean {
  return rules.alerts.some(({ number }) => told.includes(number));
}
