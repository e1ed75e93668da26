/**
 * The memories of a processor at a glance, those that need attention first. Reads only the store, without opening a
 * processor.
 */

import type { Device } from "../../gen/plain";
import { compareCodePoints } from "../../text/code-points";
import type { DevicesAsked, MemoryIncidents } from "../ports/incident";
import type { ObservedRow, Reader } from "../ports/store";
import { isSilent, type SilenceRules } from "../silence/rules";

/** Sessions read at a time, in order: fewer where much is stored of them. */
const SESSIONS_PER_READ = 250;

/** Sessions looked up one by one at a time: a lookup takes up to ten times as long as a session of a batch. */
const LOOKUPS_PER_PART = 16;

/** Reported silences compared at a time with the last arrival of their memory. */
const SILENCES_PER_READ = 64;

/** Whether a memory has expired since its last change, in epoch milliseconds. */
type IsOver = (changedAt: number) => boolean;

/** Context that is not in the store. */
interface Surroundings {
  /** For sessions. */
  readonly isOver: IsOver;
  /** The alerts for silence; `undefined` for none. */
  readonly rules: SilenceRules | undefined;
}

/** The part of a store that is read. */
type Source = Pick<Reader, "incidents" | "memories" | "silences">;

/**
 * The memories that have observed, sorted: first those with open incidents, then silent ones, then by latest surprise,
 * newest first, then by name. Computed in parts; between them, other requests may run and memories may change.
 */
export function* devicesInParts(
  store: Source,
  { limit, sessions }: DevicesAsked,
  { isOver, rules }: Surroundings,
): Generator<void, Device[], void> {
  const counted = store.incidents.byMemory().filter(({ session }) => isWanted(session, sessions));
  const silent = rules === undefined ? new Set<string>() : yield* silentSessions(store, rules, sessions);
  counted.sort(
    (one, other) =>
      Number(other.open > 0) - Number(one.open > 0) ||
      Number(silent.has(other.session)) - Number(silent.has(one.session)) ||
      compareIncidents(one, other),
  );
  const known = new Map(counted.map((one) => [one.session, one]));
  const devices: Device[] = [];
  const add = (row: ObservedRow | undefined) => {
    if (row?.lastObserved === undefined || (row.name !== "" && isOver(row.changedAt))) return;
    const { bits, open, time } = known.get(row.name) ?? { open: 0 };
    const lastSurprise = bits === undefined || time === undefined ? undefined : { bits, time };
    const isSilentNow = silent.has(row.name);
    devices.push({
      session: row.name,
      incidents: open,
      lastObserved: row.lastObserved,
      lastSurprise,
      silent: isSilentNow,
    });
  };
  const isFirst = ({ open, session }: MemoryIncidents) => open > 0 || silent.has(session);
  const first = counted.filter(isFirst).map(({ session }) => session);
  const quiet = [...silent].filter((session) => !known.has(session));
  const later = counted.filter((one) => !isFirst(one)).map(({ session }) => session);
  for (const [at, session] of [...first, ...quiet, ...later].entries()) {
    if (devices.length >= limit) return devices;
    add(store.memories.row(session));
    if (at % LOOKUPS_PER_PART === LOOKUPS_PER_PART - 1) yield;
  }
  for (const row of named(store, sessions)) {
    if (devices.length >= limit) return devices;
    if (row === undefined) yield;
    else if (!known.has(row.name) && !silent.has(row.name)) add(row);
  }
  return devices;
}

/** {@link devicesInParts} in one go. */
export function devicesOf(store: Source, asked: DevicesAsked, around: Surroundings): Device[] {
  const parts = devicesInParts(store, asked, around);
  for (;;) {
    const { done, value } = parts.next();
    if (done) return value;
  }
}

function compareIncidents(one: MemoryIncidents, other: MemoryIncidents): number {
  return other.time - one.time || compareCodePoints(one.session, other.session);
}

/** The requested memories that an alert reports as silent, by name. */
function* silentSessions(
  store: Pick<Source, "silences">,
  rules: SilenceRules,
  wanted: readonly string[],
): Generator<void, Set<string>, void> {
  const silent = new Set<string>();
  for (let after: string | undefined; ; ) {
    const { silences, last } = store.silences.lasting(after, SILENCES_PER_READ);
    if (last === undefined) return silent;
    for (const { session, silence } of silences) {
      if (isSilent(rules, silence) && isWanted(session, wanted)) silent.add(session);
    }
    yield;
    after = last;
  }
}

function isWanted(session: string, sessions: readonly string[]): boolean {
  if (sessions.length === 0) return true;
  return session !== "" && sessions.some((each) => matches(session, each));
}

function matches(session: string, wanted: string): boolean {
  return wanted.endsWith("*") ? session.startsWith(wanted.slice(0, -1)) : session === wanted;
}

/** The requested memories, each once, by name, the processor's own first; `undefined` marks the end of a part. */
function* named(store: Source, sessions: readonly string[]): Iterable<ObservedRow | undefined> {
  if (sessions.length === 0) {
    const own = store.memories.row("");
    if (own !== undefined) yield own;
    yield* beginningWith(store, "");
    return;
  }
  const given = new Set<string>();
  for (const wanted of [...sessions].sort(compareCodePoints)) {
    for (const row of matching(store, wanted)) {
      if (row !== undefined && given.has(row.name)) continue;
      if (row !== undefined) given.add(row.name);
      yield row;
    }
  }
}

/** The sessions with the requested name or prefix. */
function* matching(store: Source, wanted: string): Iterable<ObservedRow | undefined> {
  const isBeginning = wanted.endsWith("*");
  const name = isBeginning ? wanted.slice(0, -1) : wanted;
  const exact = name === "" ? undefined : store.memories.row(name);
  if (exact !== undefined) yield exact;
  yield undefined;
  if (isBeginning) yield* beginningWith(store, name);
}

function* beginningWith(store: Source, beginning: string): Iterable<ObservedRow | undefined> {
  for (let after = beginning; ; ) {
    const batch = store.memories.observed(after, SESSIONS_PER_READ);
    for (const row of batch) {
      if (!row.name.startsWith(beginning)) return;
      yield row;
    }
    const last = batch.at(-1);
    if (last === undefined) return;
    after = last.name;
    yield undefined;
  }
}
