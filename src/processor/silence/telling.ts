/**
 * Reports memories that have gone silent: checks them in the store, queues the notices of alerts, and stores that they
 * were reported. Needs no open processor.
 */

import { MS_PER_SECOND } from "../../text/clock";
import type { SilenceNotice } from "../ports/alert";
import type { SilenceOf, StoredSilence, WatchedMemory } from "../ports/silence";
import type { Reader, Store } from "../ports/store";
import { lastArrival } from "./arrivals";
import { countsFromFuture, type DueSilence, dueSilences, nextSilence, type SilenceRules } from "./rules";

/** A memory, and when to check it again. */
export interface NextLook {
  /** Empty for the processor's own memory. */
  readonly session: string;
  /** Epoch milliseconds; `undefined` for not until it has observed. */
  readonly at: number | undefined;
}

/** The inputs of a check. */
export interface Looking {
  readonly rules: SilenceRules;
  /** Epoch milliseconds. */
  readonly now: number;
  /** Whether a session that last changed at this time, epoch milliseconds, has expired. */
  isOver(changedAt: number): boolean;
}

/** The part of a store that is read. */
type Source = Pick<Reader, "memories" | "silences">;

/** When to check some memories. */
export interface NextLooks {
  /** Those that may be reported at some time. */
  readonly looks: readonly { readonly session: string; readonly at: number }[];
  /** The last memory read; `undefined` if all were. */
  readonly last: string | undefined;
}

/**
 * When to check memories for silence.
 *
 * @param after those whose names follow it, in the order of UTF-8 bytes; `undefined` to start with the processor's own
 * @param limit maximum number of memories read
 */
export function nextLooks(
  store: Source,
  { rules, now, isOver }: Looking,
  after: string | undefined,
  limit: number,
): NextLooks {
  const memories = store.memories.arrivals(after, limit);
  const last = memories.at(-1)?.session;
  const silences = last === undefined ? new Map<string, StoredSilence>() : store.silences.range(after, last);
  const looks = memories.flatMap(({ arrivals, changedAt, session }) => {
    if (session !== "" && isOver(changedAt)) return [];
    const stored = silences.get(session);
    const next = nextSilence(rules, arrivals, now, stored);
    if (next === undefined) return [];
    return [{ session, at: countsFromFuture(arrivals, stored, now) ? now : next }];
  });
  return { looks, last };
}

/** What a check has found, to be recorded together. */
interface Telling {
  readonly silences: SilenceOf[];
  readonly notices: SilenceNotice[];
}

/**
 * Reports memories that have been silent for long enough. The caller holds the transaction.
 *
 * @param born the start of a silence that would otherwise start in the future, epoch milliseconds
 * @returns when to check each of them again: now, if it was left out because all are more than one read
 */
export function tellSilences(
  store: Pick<Store, "memories" | "record" | "silences">,
  sessions: readonly string[],
  looking: Looking,
  born: number,
): NextLook[] {
  const { memories, read } = store.memories.watched(sessions);
  const asked = sessions.slice(0, read);
  const stored = store.silences.of(asked);
  const telling: Telling = { silences: [], notices: [] };
  const looks = asked.map((session) => {
    const memory = memories.get(session);
    const isGone = memory === undefined || (session !== "" && looking.isOver(memory.changedAt));
    return { session, at: isGone ? undefined : look(memory, stored.get(session), { ...looking, born }, telling) };
  });
  if (telling.silences.length > 0) store.record({ kind: "silences-told", ...telling });
  return [...looks, ...sessions.slice(read).map((session) => ({ session, at: looking.now }))];
}

/** Checks one memory. @param found what was reported of it @returns when to check it again */
function look(
  { arrivals, session, time }: WatchedMemory,
  found: StoredSilence | undefined,
  { rules, now, born }: Looking & { readonly born: number },
  { silences, notices }: Telling,
): number | undefined {
  const arrival = lastArrival(arrivals);
  if (arrival === undefined) return undefined;
  const known: StoredSilence = found?.arrival === arrival ? found : { arrival, since: undefined, told: [] };
  const isMended = countsFromFuture(arrivals, known, now);
  const since = isMended ? Math.min(born, now) : known.since;
  const due = dueSilences(rules, arrivals, now, { ...known, since }).filter(({ at }) => at <= now);
  for (const one of due) {
    if (one.alert.delivers) notices.push(noticeOf(one, { session, interval: time, arrival, now }));
  }
  if (!isMended && due.length === 0) return nextSilence(rules, arrivals, now, known);
  const numbers = [...known.told, ...due.map(({ alert }) => alert.number)];
  const silence: StoredSilence = { arrival, since, told: numbers.filter((number) => isKnown(rules, number)) };
  silences.push({ session, silence });
  return nextSilence(rules, arrivals, now, silence);
}

/** A notice about a silent memory. */
function noticeOf(
  { alert, afterMs }: DueSilence,
  { session, interval, arrival, now }: Pick<SilenceNotice, "session" | "interval"> & { arrival: number; now: number },
): SilenceNotice {
  return {
    alert: alert.name,
    webhookId: `msg_${crypto.randomUUID().replaceAll("-", "")}`,
    told: {
      kind: "silent",
      silence: { after: afterMs / MS_PER_SECOND, last_observed: Math.floor(arrival / MS_PER_SECOND) },
    },
    session,
    interval,
    happenedAt: now,
  };
}

function isKnown({ alerts }: SilenceRules, number: number): boolean {
  return alerts.some((alert) => alert.number === number);
}
