/**
 * The table `memories`: the stored contents of each memory of a processor, its own and its sessions'. One record of
 * a memory writes one row.
 */

import type { KeptThreshold, RunningIncident } from "../../processor/ports/incident";
import type { MemoryArrivals, WatchedMemories, WatchedMemory } from "../../processor/ports/silence";
import {
  type Change,
  type MemoryNumbers,
  neededFrom,
  type ObservedRow,
  type Sender,
  type SessionRow,
  type SourceNumber,
  type StoredMemory,
  type VectorRow,
} from "../../processor/ports/store";
import { type Bound, type Database, MAX_UNIT_BYTES } from "../database/database";
import type { MemoryLog } from "../logs/memory-log";
import {
  arrivalsFrom,
  COLLECTED_MARK,
  collectedFromColumn,
  eventToText,
  type StateColumns,
  stateToColumns,
  THRESHOLDS_MARK,
  thresholdsFromColumn,
  waitingToBytes,
  withKept,
} from "../rows/memory-rows";
import { DiscardedTables, within } from "./discarded-tables";
import { beginningOf, MemoryReader } from "./memory-reader";

/** A change of one memory. */
type MemoryChange = Extract<Change, { kind: "memory" }>;

/**
 * Maximum size of state, events and vectors in a row, in UTF-16 units and bytes, if the UTF-8 size of the texts was not
 * counted. A larger item gets a row of its own.
 */
const MAX_IN_A_ROW = 524_288;

/**
 * The same in bytes, if the UTF-8 size was counted. The platform's limit of a row is 2,097,152 bytes with its other
 * columns.
 */
const MAX_ROW_BYTES = 2_000_000;

/** Bytes of a waiting vector without its components. */
const VECTOR_HEAD_BYTES = 32;

const encoder = new TextEncoder();

/**
 * Maximum number of free rows kept for later records. Further ones are deleted, because a start would have to read them
 * all.
 */
const MAX_FREE = 128;

/**
 * Maximum heap bytes of the logs. Beyond it, those of the least recently used memories are dropped,
 * and read again when needed.
 */
const MAX_LOG_BYTES = 1_048_576;

/** Maximum heap bytes of the numbers of sources in the logs. The numbers of 10,000 sources take half of it. */
const MAX_SOURCE_BYTES = 4_194_304;

/** The statements of one table. @param table its name */
function statementsOf(table: string) {
  // SQLite knows the size of a column without reading it.
  const size = "sum(octet_length(state))";
  /** The newest row of each session. With max(), SQLite takes the other columns from the row that has the maximum. */
  const newest = `SELECT session, max(number), changed_at, state FROM ${table} WHERE session > ? GROUP BY session`;
  return {
    put:
      `INSERT INTO ${table} ` +
      "(session, slot, number, changed_at, state, percept_metadata, percept_vectors, events, waiting) " +
      "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (session, slot) DO UPDATE SET number = excluded.number, " +
      "changed_at = excluded.changed_at, state = excluded.state, percept_metadata = excluded.percept_metadata, " +
      "percept_vectors = excluded.percept_vectors, events = excluded.events, waiting = excluded.waiting",
    putState:
      `UPDATE ${table} SET changed_at = ?, state = ?, percept_metadata = ?, percept_vectors = ? ` +
      "WHERE session = ? AND slot = ?",
    has: `SELECT 1 FROM ${table} WHERE session = ? LIMIT 1`,
    count: `SELECT count(DISTINCT session) FROM ${table} WHERE session > ''`,
    end: `DELETE FROM ${table} WHERE session = ?`,
    empty: {
      events: `UPDATE ${table} SET events = NULL WHERE session = ? AND slot = ?`,
      vectors: `UPDATE ${table} SET waiting = NULL WHERE session = ? AND slot = ?`,
      state:
        `UPDATE ${table} SET state = ?, percept_metadata = NULL, percept_vectors = NULL ` +
        "WHERE session = ? AND slot = ?",
    },
    deleteSlots: `DELETE FROM ${table} WHERE session = ? AND slot IN (SELECT value FROM json_each(?))`,
    names: `SELECT DISTINCT session FROM ${table} WHERE session > ? ORDER BY session LIMIT ?`,
    listSizes: `SELECT ${size} FROM ${table} WHERE session > ? GROUP BY session ORDER BY session LIMIT ?`,
    // A scan: to seek a row, SQLite reads large rows beside it whole, which takes ten times as long as to read its
    // state.
    list: `SELECT session, changed_at, ${LISTED} FROM (${newest} ORDER BY session LIMIT ?)`,
    listSize:
      `SELECT sum(size) FROM (SELECT ${size} AS size FROM ${table} WHERE session > ? ` +
      "GROUP BY session ORDER BY session LIMIT ?)",
    // All in one row: to hand over a row takes longer than to read one of this size.
    observed:
      `SELECT json_group_array(json_array(session, changed_at, ${LAST_OBSERVED})) ` +
      `FROM (${newest} ORDER BY session LIMIT ?)`,
    row:
      `SELECT session, changed_at, ${LISTED} ` +
      `FROM (SELECT session, changed_at, state FROM ${table} WHERE session = ? ORDER BY number DESC LIMIT 1)`,
    arrivalSizes:
      `SELECT sum(octet_length(state)) FROM ${table} WHERE session >= ?1 AND session != ?2 ` +
      `GROUP BY session ORDER BY session LIMIT ?3`,
    arrivals:
      `SELECT session, changed_at, ${ARRIVALS} FROM (SELECT session, ` +
      `max(number), changed_at, state FROM ${table} WHERE session >= ?1 AND session != ?2 GROUP BY session ` +
      "ORDER BY session LIMIT ?3)",
    // The names are few beside all memories, so each is sought.
    watchedSizes:
      `SELECT (SELECT coalesce(sum(octet_length(state)), 0) FROM ${table} WHERE session = asked.value) ` +
      "FROM json_each(?) AS asked ORDER BY asked.key",
    watched:
      `SELECT session, changed_at, ${WATCHED} FROM json_each(?) AS asked CROSS JOIN ${table} ` +
      `ON session = asked.value AND number = (SELECT max(number) FROM ${table} WHERE session = asked.value)`,
    unchanged: `SELECT session FROM (${newest}) WHERE changed_at <= ? ORDER BY changed_at, session LIMIT ?`,
    oldest: `SELECT min(changed_at) FROM (${newest})`,
    collected:
      "SELECT session, json_extract(state, '$.collected') " +
      `FROM (SELECT session, max(number), state FROM ${table} GROUP BY session) ` +
      `WHERE instr(state, '${COLLECTED_MARK}') > 0`,
    thresholds:
      `SELECT json_extract(state, '$.thresholds') FROM ${table} ` + `WHERE instr(state, '${THRESHOLDS_MARK}') > 0`,
    latest: `SELECT max(changed_at) FROM ${table} WHERE session > ''`,
    redate: `UPDATE ${table} SET changed_at = ?1 WHERE session > '' AND changed_at > ?1`,
  };
}

/** SQL for the members that the list of sessions shows, from the columns of a row. */
const LISTED = `json_extract(${beginningOf("sources")}, '$.time', '$.symbols', '$.memory', '$.last_observed')`;

/** What stands before the second of the last observation in a state: not inside a string, which escapes the marks. */
const OBSERVED_MARK = ',"last_observed":';

/** Characters of a number, with the longest fraction. */
const NUMBER_LENGTH = 24;

/**
 * SQL for the text that begins with the second of the last observation, from the columns of a row; it begins with
 * `null` if there was none. Takes a third of the time of JSON functions.
 */
const LAST_OBSERVED =
  `CASE instr(state, '${OBSERVED_MARK}') WHEN 0 THEN NULL ` +
  `ELSE substr(state, instr(state, '${OBSERVED_MARK}') + ${OBSERVED_MARK.length}, ${NUMBER_LENGTH}) END`;

/** SQL for when a memory observed, from the columns of a row. */
const ARRIVALS = `json_extract(${beginningOf("sources")}, '$.arrivals', '$.last_observed')`;

/** The same, and how often. */
const WATCHED = `json_extract(${beginningOf("sources")}, '$.arrivals', '$.last_observed', '$.time')`;

/** SQL for when a memory last observed, epoch milliseconds, from the columns of its newest row. */
export const LAST_ARRIVAL =
  `coalesce(json_extract(${beginningOf("sources")}, '$.arrivals[0]'), ` +
  `1000 * json_extract(${beginningOf("sources")}, '$.last_observed'))`;

/** Bytes of states read at a time to find out when memories observed; a single state may be larger. */
const READ_AT_ONCE = 4_194_304;

/**
 * The same for the list of sessions, for which others wait. SQLite reads them one by one, and all of them take some
 * 20 ms. Each read begins with a lookup that takes as long, so with fewer at a time the list would take longer.
 */
const LISTED_AT_ONCE = 16_777_216;

/** A text that cannot be a session's name. */
export const NO_NAME = "\n";

/** The members of the state that the list of sessions shows. */
type Listed = [time: number, symbols: number, memory: [number, number], lastObserved: number | null];

/** When a session changed and last observed: a text that begins with the second. */
type Observed = [name: string, changedAt: number, begin: string | null];

/** When a memory observed: its arrivals and the second of the last one, and perhaps how often, as JSON. */
type ArrivalColumns = [session: string, changedAt: number, extracted: string];

/** The columns of a row without a state. */
const NO_STATE: StateColumns = { state: "", metadata: null, vectors: null };

/** An empty state, for a row that holds only numbers of sources. */
const EMPTY_STATE = "{}";

/** Reads and writes memories. */
export class MemoryTable {
  readonly #database: Database;
  readonly #table: string;
  readonly #statements: ReturnType<typeof statementsOf>;
  readonly #reader: MemoryReader;
  readonly #discarded: DiscardedTables;
  /** Least recently used first. */
  readonly #logs = new Map<string, MemoryLog>();
  #logBytes = 0;
  #sourceBytes = 0;
  /** Numbers of sources to be written with the next record of their memory. */
  readonly #sources = new Map<string, SourceNumber[]>();
  /** Counted on first use. */
  #sessions: number | undefined;

  /** @param prefix the beginning of the table's name; empty for the live one */
  constructor(database: Database, prefix = "") {
    this.#database = database;
    this.#table = `${prefix}memories`;
    this.#statements = statementsOf(this.#table);
    this.#reader = new MemoryReader(database, this.#table);
    this.#discarded = new DiscardedTables(database);
  }

  /** Whether anything of a memory is stored. */
  has(session: string): boolean {
    return this.#database.first(this.#statements.has, session) !== undefined;
  }

  /** Approximate heap bytes of the table. */
  get heapBytes(): number {
    return this.#logBytes + this.#sourceBytes;
  }

  /** Notes the number of the most recently used source, which the next {@link put} of its memory writes. */
  putSource(session: string, source: SourceNumber): void {
    const waiting = this.#sources.get(session);
    if (waiting === undefined) this.#sources.set(session, [source]);
    else waiting.push(source);
  }

  /** The kept number of a source; 0 if there is none. */
  source(session: string, sender: Sender, source: string): number {
    const waiting = this.#sources.get(session)?.findLast((one) => one.sender === sender && one.source === source);
    return waiting?.number ?? this.#look(session).sources.numberOf(sender, source);
  }

  /** The kept numbers of all sources of a memory, least recently used first. */
  sources(session: string): SourceNumber[] {
    return this.#look(session).sources.list();
  }

  /**
   * Writes a change of a memory.
   *
   * @param transaction runs the statements if there are several; absent if the caller is in a transaction
   */
  put(
    { session, state, events, waiting, clean }: MemoryChange,
    transaction = (statements: () => void): void => statements(),
  ): void {
    const log = this.#use(session);
    if (log.isNew && session !== "" && this.#sessions !== undefined) this.#sessions++;
    const columns = stateToColumns(state);
    log.drop(neededFrom(state), state.waitingStart);
    const sources = this.#sources.get(session) ?? [];
    this.#sources.delete(session);
    if (log.isUnread) {
      this.#putState(session, log, state.changedAt, columns, sources);
      return;
    }
    if (sources.length > 0 && log.sources.isFull) log.leave();
    else if (log.isNew || log.isFull) log.advance();
    for (const source of sources) log.sources.put(source);
    const added = { events: events.map((event) => ({ at: event.position, text: eventToText(event) })), waiting };
    const size = sizeOf(columns);
    const write = () => {
      addTo(log, added, size, (more) => this.#makeRoom(session, log, state.changedAt, more));
      columns.state = withKept(columns.state, log.headSources());
      this.#write(session, log, state.changedAt, columns);
      if (clean) this.#cleanSources(session, log, state.changedAt);
      this.#deleteFree(session, log.giveUpFree(clean ? 0 : MAX_FREE));
      this.#emptyStale(session, log);
    };
    const most = mostWith(log, added, size);
    // A single statement is a transaction by itself.
    if (!clean && most <= MAX_IN_A_ROW && log.isSettled(most, MAX_FREE)) write();
    else transaction(write);
    this.#keep(session, log);
  }

  /** As {@link MemoryReader.time}; 0 if nothing was stored. */
  time(session: string): number {
    return this.#reader.time(session) ?? 0;
  }

  /** What a memory, and deleted ones of its name, know of incidents that have not ended. */
  running(session: string): readonly RunningIncident[] {
    return [...this.#reader.running(session), ...this.runningEnded(session)];
  }

  /** Whether deleting all sessions leaves what they know of incidents in place, to be ended later. */
  get endsLater(): boolean {
    return this.#discarded.isLarge(this.#table);
  }

  /** What deleted memories of a name know of incidents that have not ended. */
  runningEnded(session: string): readonly RunningIncident[] {
    if (session === "") return [];
    return this.#discarded.ended().flatMap((table) => new MemoryReader(this.#database, table).running(session));
  }

  /** Deletes a session. */
  end(session: string): void {
    this.#forget(session);
    this.#sources.delete(session);
    const rows = this.#database.run(this.#statements.end, session);
    if (rows > 0 && this.#sessions !== undefined) this.#sessions--;
  }

  /** Deletes all sessions. Incidents may last in them. */
  endAll(): void {
    for (const session of [...this.#logs.keys(), ...this.#sources.keys()]) {
      if (session === "") continue;
      this.#forget(session);
      this.#sources.delete(session);
    }
    this.#sessions = 0;
    this.#discarded.empty(this.#table, { kept: "session = ''", mayLast: true });
  }

  /**
   * Reads a memory; `undefined` if nothing was stored.
   *
   * @throws Fault `damaged` when its rows do not add up to its state
   */
  read(session: string): StoredMemory | undefined {
    this.#forget(session);
    const { memory, log } = this.#reader.read(session);
    if (memory !== undefined) this.#keep(session, log);
    return memory;
  }

  /** The names of at most `limit` sessions after a name, in order. Reads nothing else. */
  names(after: string, limit: number): string[] {
    return this.#database.all<[string]>(this.#statements.names, after, limit).map(([session]) => session);
  }

  /**
   * At most `limit` sessions after a name, by name: fewer when their states take more than {@link LISTED_AT_ONCE}, and
   * none only when there are none.
   */
  list(after: string, limit: number): SessionRow[] {
    const count = this.#listable(after, limit);
    return this.#database.all<[string, number, string]>(this.#statements.list, after, count).map(sessionRowOf);
  }

  /** The same sessions, with when they last observed only, which takes half of the time. */
  observed(after: string, limit: number): ObservedRow[] {
    const [list = "[]"] =
      this.#database.first<[string]>(this.#statements.observed, after, this.#listable(after, limit)) ?? [];
    return (JSON.parse(list) as Observed[]).map(([name, changedAt, begin]) => {
      const lastObserved = Number.parseFloat(begin ?? "");
      return { name, changedAt, lastObserved: Number.isNaN(lastObserved) ? undefined : lastObserved };
    });
  }

  /** How many sessions after a name, and at most how many, may be listed at a time. */
  #listable(after: string, limit: number): number {
    const [size] = this.#database.first<[number | null]>(this.#statements.listSize, after, limit) ?? [];
    if ((size ?? 0) <= LISTED_AT_ONCE) return limit;
    return within(this.#database.all<[number]>(this.#statements.listSizes, after, limit), LISTED_AT_ONCE);
  }

  /** One memory as listed among the sessions; `undefined` if nothing was stored. */
  row(session: string): SessionRow | undefined {
    const row = this.#database.first<[string, number, string]>(this.#statements.row, session);
    return row && sessionRowOf(row);
  }

  /**
   * When memories observed, by name: fewer than `limit` if their states exceed {@link READ_AT_ONCE}, and none at the
   * end.
   *
   * @param after only names after this; `undefined` to start with the processor's own memory
   */
  arrivals(after: string | undefined, limit: number): MemoryArrivals[] {
    const from = [after ?? "", after ?? NO_NAME];
    const sizes = this.#database.all<[number]>(this.#statements.arrivalSizes, ...from, limit);
    const count = within(sizes, READ_AT_ONCE);
    return this.#database.all<ArrivalColumns>(this.#statements.arrivals, ...from, count).map(arrivalsOf);
  }

  /**
   * When memories observed, and how often: of as many of them, from the first on, as {@link READ_AT_ONCE} allows. The
   * names fit into a value.
   */
  watched(sessions: readonly string[]): WatchedMemories {
    const sizes = this.#database.all<[number]>(this.#statements.watchedSizes, JSON.stringify(sessions));
    const read = within(sizes, READ_AT_ONCE);
    const asked = JSON.stringify(sessions.slice(0, read));
    const rows = this.#database.all<ArrivalColumns>(this.#statements.watched, asked);
    return { read, memories: new Map(rows.map((row) => [row[0], watchedOf(row)])) };
  }

  /** Number of sessions. */
  sessionCount(): number {
    this.#sessions ??= this.#database.first<[number]>(this.#statements.count)?.[0];
    return this.#sessions ?? 0;
  }

  /** At most `limit` sessions that last changed at `before` or earlier, oldest change first. */
  unchangedSince(before: number, limit: number): string[] {
    return this.#database.all<[string]>(this.#statements.unchanged, "", before, limit).map(([session]) => session);
  }

  /** The oldest last change of a session; `undefined` if there are none. */
  oldestChange(): number | undefined {
    return this.#database.first<[number | null]>(this.#statements.oldest, "")?.[0] ?? undefined;
  }

  /** The newest change of a session; `undefined` if there are none. */
  newestChange(): number | undefined {
    return this.#database.first<[number | null]>(this.#statements.latest)?.[0] ?? undefined;
  }

  /** The collected numbers of all memories that hold any. */
  collectedNumbers(): MemoryNumbers[] {
    const rows = this.#database.all<[string, string | null]>(this.#statements.collected);
    return rows.flatMap(([session, column]) =>
      column === null ? [] : [{ session, collected: collectedFromColumn(column) }],
    );
  }

  /** The thresholds in the states of all memories: an alert may have several, of different times. */
  thresholds(): KeptThreshold[] {
    return this.#database
      .all<[string]>(this.#statements.thresholds)
      .flatMap(([column]) => thresholdsFromColumn(column));
  }

  /** Sets the last change of sessions to `at` if it is later. */
  redate(at: number): void {
    this.#database.run(this.#statements.redate, at);
  }

  /** Writes only the state: the rest of the head was not read, and stays as it is. */
  #putState(
    session: string,
    log: MemoryLog,
    changedAt: number,
    { state, metadata, vectors }: StateColumns,
    sources: readonly SourceNumber[],
  ): void {
    for (const source of sources) log.sources.put(source);
    const text = withKept(state, log.headSources());
    this.#database.run(this.#statements.putState, changedAt, text, metadata, vectors, session, log.slot);
    this.#keep(session, log);
  }

  /** If the head has no room for `size` more, writes it without a state and starts a new head. */
  #makeRoom(session: string, log: MemoryLog, changedAt: number, size: number): void {
    if (log.size === 0 || log.size + size <= MAX_IN_A_ROW) return;
    this.#write(session, log, changedAt, NO_STATE);
    log.advance();
  }

  #write(session: string, log: MemoryLog, changedAt: number, { state, metadata, vectors }: StateColumns): void {
    const held: Bound[] = [log.eventsColumn(), log.vectorsColumn()];
    this.#database.run(
      this.#statements.put,
      session,
      log.slot,
      log.number,
      changedAt,
      state,
      metadata,
      vectors,
      ...held,
    );
    log.wroteHead(sizeOf({ state, metadata, vectors }));
  }

  /** Clears all but the numbers of sources in rows that are needed only for these. */
  #cleanSources(session: string, log: MemoryLog, changedAt: number): void {
    for (const { slot, number, kept } of log.sourcesRows()) {
      const state = withKept(EMPTY_STATE, kept);
      this.#database.run(this.#statements.put, session, slot, number, changedAt, state, null, null, null, null);
    }
  }

  #emptyStale(session: string, log: MemoryLog): void {
    for (const { slot, part, kept } of log.takeStale()) {
      const values = part === "state" ? [withKept(EMPTY_STATE, kept)] : [];
      this.#database.run(this.#statements.empty[part], ...values, session, slot);
    }
  }

  #deleteFree(session: string, slots: readonly number[]): void {
    if (slots.length === 0) return;
    this.#database.run(this.#statements.deleteSlots, session, JSON.stringify(slots));
  }

  /** Removes the log of a memory from the cache and returns it. */
  #use(session: string): MemoryLog {
    const known = this.#logs.get(session);
    this.#forget(session);
    return known ?? this.#reader.read(session).log;
  }

  /** The log of a memory. */
  #look(session: string): MemoryLog {
    const known = this.#logs.get(session);
    if (known !== undefined) return known;
    const { log } = this.#reader.read(session);
    if (!log.isNew) this.#keep(session, log);
    return log;
  }

  /** Caches a log as the most recently used. */
  #keep(session: string, log: MemoryLog): void {
    this.#logs.set(session, log);
    this.#logBytes += log.heapBytes;
    this.#sourceBytes += log.sources.heapBytes;
    for (const [other] of this.#logs) {
      const fits = this.#logBytes <= MAX_LOG_BYTES && this.#sourceBytes <= MAX_SOURCE_BYTES;
      if (fits || other === session) return;
      this.#forget(other);
    }
  }

  #forget(session: string): void {
    const log = this.#logs.get(session);
    if (log === undefined) return;
    this.#logs.delete(session);
    this.#logBytes -= log.heapBytes;
    this.#sourceBytes -= log.sources.heapBytes;
  }
}

function sessionRowOf([name, changedAt, listed]: [string, number, string]): SessionRow {
  const [time, symbols, [start, end], lastObserved] = JSON.parse(listed) as Listed;
  return { name, events: end - start, symbols, time, lastObserved: lastObserved ?? undefined, changedAt };
}

/** The members of a state that show when a memory observed, and perhaps how often. */
type Arrived = [stored: number[] | null, lastObserved: number | null, time?: number];

function arrivalsOf([session, changedAt, extracted]: ArrivalColumns): MemoryArrivals {
  const [stored, lastObserved] = JSON.parse(extracted) as Arrived;
  return { session, arrivals: arrivalsFrom(stored, lastObserved), changedAt };
}

function watchedOf(row: ArrivalColumns): WatchedMemory {
  const [, , time = 0] = JSON.parse(row[2]) as Arrived;
  return { ...arrivalsOf(row), time };
}

/** The items that a change adds to a log. */
interface Added {
  readonly events: readonly { readonly at: number; readonly text: string }[];
  readonly waiting: readonly VectorRow[];
}

/**
 * Upper bound of a row with the items of a change, in UTF-16 units and bytes. @param stateSize the size of the state
 */
function mostWith(log: MemoryLog, { events, waiting }: Added, stateSize: number): number {
  const texts = events.reduce((sum, { text }) => sum + text.length, 0);
  return log.size + texts + vectorBytes(waiting) + stateSize;
}

function vectorBytes(waiting: readonly VectorRow[]): number {
  return waiting.reduce((sum, { components }) => sum + VECTOR_HEAD_BYTES + components.byteLength, 0);
}

/**
 * Adds the items of a change to the head of a log.
 *
 * @param stateSize the size of the state
 * @param makeRoom called with the size of each item that may not fit into the head, before it is added
 */
function addTo(log: MemoryLog, { events, waiting }: Added, stateSize: number, makeRoom: (size: number) => void): void {
  const most = mostWith(log, { events, waiting }, stateSize);
  // Counting bytes takes time, so only large changes do it, to find out whether they fit into one row.
  const fits =
    most <= MAX_IN_A_ROW ||
    (most <= MAX_ROW_BYTES &&
      MAX_UNIT_BYTES * (log.size + stateSize) + vectorBytes(waiting) + utf8Bytes(events) <= MAX_ROW_BYTES);
  for (const { at, text } of events) {
    if (!fits) makeRoom(text.length);
    log.addEvent(at, text);
  }
  for (const vector of waiting) {
    const bytes = waitingToBytes(vector);
    if (!fits) makeRoom(bytes.byteLength);
    log.addVector(vector.id, bytes);
  }
  if (!fits) makeRoom(stateSize);
}

/** The UTF-8 size of events with their separators. */
function utf8Bytes(events: Added["events"]): number {
  return events.reduce((sum, { text }) => sum + encoder.encode(text).length + 1, 0);
}

function sizeOf({ state, metadata, vectors }: StateColumns): number {
  return state.length + (metadata?.length ?? 0) + (vectors?.byteLength ?? 0);
}
