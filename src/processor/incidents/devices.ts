/** The memories of a processor at a glance, those that need a look first. Reads the store only: opens no processor. */

import { compareCodePoints } from "../../text/code-points";
import type { Device, DevicesAsked, MemoryIncidents } from "../ports/incident";
import type { Reader, SessionRow } from "../ports/store";

/** Sessions read at a time. */
const BATCH = 1_000;

/** Whether a memory is gone since its last change, epoch milliseconds. */
type IsOver = (changedAt: number) => boolean;

/** The part of a store that is read. */
type Source = Pick<Reader, "incidentsByMemory" | "sessionRow" | "sessionsAfter">;

/**
 * The memories that have observed: those with open incidents first, then by last surprise, the latest first, then by name.
 *
 * @param isOver of sessions
 */
export function devicesOf(store: Source, { limit, sessions }: DevicesAsked, isOver: IsOver): Device[] {
  const counted = store.incidentsByMemory().filter(({ session }) => isWanted(session, sessions));
  counted.sort(compareIncidents);
  const known = new Map(counted.map((one) => [one.session, one]));
  const devices: Device[] = [];
  const add = (row: SessionRow | undefined) => {
    if (row?.lastObserved === undefined || (row.name !== "" && isOver(row.changedAt))) return;
    const { bits, open, time } = known.get(row.name) ?? { open: 0 };
    const lastSurprise = bits === undefined || time === undefined ? undefined : { bits, time };
    devices.push({ session: row.name, incidents: open, lastObserved: row.lastObserved, lastSurprise, silent: false });
  };
  for (const { session } of counted) {
    if (devices.length >= limit) return devices;
    add(store.sessionRow(session));
  }
  for (const row of named(store, sessions)) {
    if (devices.length >= limit) return devices;
    if (!known.has(row.name)) add(row);
  }
  return devices;
}

function compareIncidents(one: MemoryIncidents, other: MemoryIncidents): number {
  return (
    Number(other.open > 0) - Number(one.open > 0) ||
    other.time - one.time ||
    compareCodePoints(one.session, other.session)
  );
}

function isWanted(session: string, sessions: readonly string[]): boolean {
  if (sessions.length === 0) return true;
  return session !== "" && sessions.some((each) => matches(session, each));
}

function matches(session: string, wanted: string): boolean {
  return wanted.endsWith("*") ? session.startsWith(wanted.slice(0, -1)) : session === wanted;
}

/** The wanted memories, each once, by name; the processor's own first. */
function* named(store: Source, sessions: readonly string[]): Iterable<SessionRow> {
  if (sessions.length === 0) {
    const own = store.sessionRow("");
    if (own !== undefined) yield own;
    yield* beginningWith(store, "");
    return;
  }
  const given = new Set<string>();
  for (const wanted of [...sessions].sort(compareCodePoints)) {
    for (const row of matching(store, wanted)) {
      if (given.has(row.name)) continue;
      given.add(row.name);
      yield row;
    }
  }
}

/** The sessions of one name, or whose names begin as it says. */
function* matching(store: Source, wanted: string): Iterable<SessionRow> {
  const isBeginning = wanted.endsWith("*");
  const name = isBeginning ? wanted.slice(0, -1) : wanted;
  const exact = name === "" ? undefined : store.sessionRow(name);
  if (exact !== undefined) yield exact;
  if (isBeginning) yield* beginningWith(store, name);
}

function* beginningWith(store: Source, beginning: string): Iterable<SessionRow> {
  for (let after = beginning; ; ) {
    const batch = store.sessionsAfter(after, BATCH);
    for (const row of batch) {
      if (!row.name.startsWith(beginning)) return;
      yield row;
    }
    const last = batch.at(-1);
    if (last === undefined || batch.length < BATCH) return;
    after = last.name;
  }
}
