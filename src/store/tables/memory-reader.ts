/** Reads memories from the table `memories`: only the needed parts, and at most as much as an isolate can hold. */

import { Fault } from "../../processor/ports/fault";
import type { RunningIncident } from "../../processor/ports/incident";
import {
  type EventRow,
  MAX_READ_BYTES,
  type MemoryState,
  neededFrom,
  type StoredMemory,
  type VectorRow,
} from "../../processor/ports/store";
import type { Database } from "../database/database";
import { MemoryLog } from "../logs/memory-log";
import { eventsFromColumn, keptFrom, stateFromColumns, waitingFromColumn } from "../rows/memory-rows";

/** Bytes of rows read at a time; a single row may be larger. */
const READ_AT_ONCE = 1_048_576;

/**
 * The members of a state before the given one, as JSON, because the last observation at its end can be 2 MB. The
 * searched text cannot occur inside a string, where its quotation marks would be escaped.
 */
export function beginningOf(member: "percept" | "sources"): string {
  const mark = `',"${member}":'`;
  return (
    `CASE instr(state, ${mark}) WHEN 0 THEN nullif(state, '') ` +
    `ELSE substr(state, 1, instr(state, ${mark}) - 1) || '}' END`
  );
}

/** The statements of one table. @param table its name */
function statementsOf(table: string) {
  const kept = "json_extract(nullif(state, ''), '$.kept')";
  // SQLite knows the size of a column without reading it.
  const bytes =
    "coalesce(octet_length(events), 0), coalesce(octet_length(waiting), 0), " +
    "octet_length(state) + coalesce(octet_length(percept_metadata), 0) + coalesce(octet_length(percept_vectors), 0)";
  return {
    sizes: `SELECT slot, number, ${bytes}, ${kept} FROM ${table} WHERE session = ? ORDER BY number`,
    head: `SELECT changed_at, state, percept_metadata, percept_vectors FROM ${table} WHERE session = ? AND slot = ?`,
    events: `SELECT slot, events FROM ${table} WHERE session = ? AND slot IN (SELECT value FROM json_each(?))`,
    waiting: `SELECT slot, waiting FROM ${table} WHERE session = ? AND slot IN (SELECT value FROM json_each(?))`,
    // Most sessions have one row.
    alone:
      `SELECT slot, number, ${bytes}, ${kept}, changed_at, state, percept_metadata, percept_vectors, events, waiting ` +
      `FROM ${table} WHERE session = ?1 AND NOT EXISTS (SELECT 1 FROM ${table} WHERE session = ?1 LIMIT 1 OFFSET 1)`,
    running:
      `SELECT json_extract(${beginningOf("percept")}, '$.running') FROM ${table} WHERE session = ? ` +
      "ORDER BY number DESC LIMIT 1",
    time:
      `SELECT json_extract(${beginningOf("sources")}, '$.time') FROM ${table} WHERE session = ? ` +
      "ORDER BY number DESC LIMIT 1",
  };
}

/** The sizes of a row. */
type RowSize = [slot: number, number: number, events: number, waiting: number, state: number, kept: string | null];

/** The columns of the head that hold the state. */
type HeadColumns = [changedAt: number, state: string, metadata: string | null, vectors: ArrayBuffer | null];

/** The contents of a row. */
type RowContents = [events: string | null, waiting: ArrayBuffer | null];

/** The rows of one memory with their needed contents; without contents if these are too large to read. */
interface StoredRows {
  readonly rows: readonly RowSize[];
  readonly state: MemoryState;
  readonly contents: StoredContents | undefined;
}

/** A memory and the log of its rows. */
interface Read {
  /** `undefined` if nothing was stored. */
  readonly memory: StoredMemory | undefined;
  readonly log: MemoryLog;
}

/** Reads the memories of one table. */
export class MemoryReader {
  readonly #database: Database;
  readonly #statements: ReturnType<typeof statementsOf>;

  /** @param table its name */
  constructor(database: Database, table: string) {
    this.#database = database;
    this.#statements = statementsOf(table);
  }

  /** Number of observations of a memory while awake, without reading the memory; `undefined` if nothing was stored. */
  time(session: string): number | undefined {
    return this.#database.first<[number]>(this.#statements.time, session)?.[0];
  }

  /** The running incidents of a memory, without reading the memory. */
  running(session: string): readonly RunningIncident[] {
    const text = this.#database.first<[string | null]>(this.#statements.running, session)?.[0] ?? null;
    return text === null ? [] : (JSON.parse(text) as RunningIncident[]);
  }

  /** Reads a memory. @throws Fault `damaged` if its rows do not add up to its state */
  read(session: string): Read {
    const log = new MemoryLog();
    const stored = this.#alone(session) ?? this.#several(session);
    if (stored === undefined) return { memory: undefined, log };
    const { rows, state, contents } = stored;
    const memory: Remembered = { events: [], waiting: [] };
    for (const [slot, number, events, vectors, state, kept] of rows) {
      log.restore(slot, number, keptFrom(kept), { events, vectors, state });
      addStored(log, memory, contents, slot);
    }
    log.sources.restored();
    if (contents === undefined) {
      log.restoredUnread(state.memoryEnd, state.waitingEnd);
      return { memory: { state, events: [], waiting: [], unreadBytes: bytesOf(rows) }, log };
    }
    log.drop(neededFrom(state), state.waitingStart);
    return { memory: { state, ...neededOf(session, state, memory) }, log };
  }

  /** A memory with exactly one row; `undefined` otherwise. */
  #alone(session: string): StoredRows | undefined {
    const row = this.#database.first<[...RowSize, ...HeadColumns, ...RowContents]>(this.#statements.alone, session);
    if (row === undefined) return undefined;
    const [
      slot,
      number,
      eventBytes,
      vectorBytes,
      stateBytes,
      kept,
      changedAt,
      state,
      metadata,
      vectors,
      events,
      waiting,
    ] = row;
    const contents: StoredContents = { events: new Map(), waiting: new Map() };
    if (events !== null) contents.events.set(slot, eventsFromColumn(events));
    if (waiting !== null) contents.waiting.set(slot, waitingFromColumn(waiting));
    return {
      rows: [[slot, number, eventBytes, vectorBytes, stateBytes, kept]],
      state: stateFromColumns({ state, metadata, vectors }, changedAt),
      contents,
    };
  }

  #several(session: string): StoredRows | undefined {
    const rows = this.#database.all<RowSize>(this.#statements.sizes, session);
    const newest = rows.at(-1);
    const head = newest && this.#database.first<HeadColumns>(this.#statements.head, session, newest[0]);
    if (head === undefined) return undefined;
    const [changedAt, text, metadata, vectors] = head;
    const state = stateFromColumns({ state: text, metadata, vectors }, changedAt);
    return { rows, state, contents: this.#contents(session, rows, state) };
  }

  /** The needed contents of the rows; `undefined` if they exceed {@link MAX_READ_BYTES}. */
  #contents(session: string, rows: readonly RowSize[], state: MemoryState): StoredContents | undefined {
    const events = this.#column(session, MAX_READ_BYTES, {
      statement: this.#statements.events,
      sizes: rows.map(([slot, , bytes]) => [slot, bytes]),
      from: neededFrom(state),
      to: state.memoryEnd,
      decode: eventsFromColumn,
      at: ({ event }) => event.position,
    });
    const waiting = this.#column(session, events.left, {
      statement: this.#statements.waiting,
      sizes: rows.map(([slot, , , bytes]) => [slot, bytes]),
      from: state.waitingStart,
      to: state.waitingEnd,
      decode: waitingFromColumn,
      at: ({ vector }) => vector.id,
    });
    return waiting.left < 0 ? undefined : { events: events.held, waiting: waiting.held };
  }

  /**
   * Reads a column of rows, newest rows first, stopping when the rest is not needed.
   *
   * @param most maximum number of bytes to read
   * @returns the contents by slot, and the number of bytes still allowed: negative if there were more
   */
  #column<Raw extends SqlStorageValue, Held>(session: string, most: number, column: Column<Raw, Held>) {
    const { statement, from, to, decode, at } = column;
    const held = new Map<number, Held[]>();
    const sizes = column.sizes.filter(([, bytes]) => bytes > 0);
    let left = most;
    for (let first = to; left >= 0 && sizes.length > 0 && first > from; ) {
      const batch = takeNewest(sizes);
      left -= batch.reduce((sum, [, bytes]) => sum + bytes, 0);
      const slots = JSON.stringify(left < 0 ? [] : batch.map(([slot]) => slot));
      for (const [slot, raw] of this.#database.all<[number, Raw]>(statement, session, slots)) {
        const values = decode(raw);
        held.set(slot, values);
        first = Math.min(first, ...values.slice(0, 1).map(at));
      }
    }
    return { held, left };
  }
}

/** A column of a memory's rows. The values between two positions are needed. */
interface Column<Raw, Held> {
  /** Selects the column and the slot. */
  readonly statement: string;
  /** Oldest first. */
  readonly sizes: Size[];
  readonly from: number;
  readonly to: number;
  decode(raw: Raw): Held[];
  at(value: Held): number;
}

/** A row's slot, and the bytes of one of its columns. */
type Size = readonly [slot: number, bytes: number];

/** The contents of a memory. */
type Remembered = Pick<StoredMemory, "events" | "waiting">;

/** The decoded contents of rows, by slot. */
interface StoredContents {
  readonly events: Map<number, ReturnType<typeof eventsFromColumn>>;
  readonly waiting: Map<number, ReturnType<typeof waitingFromColumn>>;
}

/** Removes and returns the newest rows that fit into {@link READ_AT_ONCE}, at least one. @param sizes oldest first */
function takeNewest(sizes: Size[]): Size[] {
  let from = sizes.length - 1;
  for (let bytes = sizes[from]?.[1] ?? 0; from > 0; from--) {
    bytes += sizes[from - 1]?.[1] ?? 0;
    if (bytes > READ_AT_ONCE) break;
  }
  return sizes.splice(Math.max(0, from));
}

function bytesOf(rows: readonly RowSize[]): number {
  return rows.reduce((sum, [, , events, waiting]) => sum + events + waiting, 0);
}

/** Adds the contents of a row to the head of a log and to a memory. */
function addStored(log: MemoryLog, memory: Remembered, contents: StoredContents | undefined, slot: number): void {
  for (const { event, text } of contents?.events.get(slot) ?? []) {
    memory.events.push(event);
    log.addEvent(event.position, text);
  }
  for (const { vector, bytes } of contents?.waiting.get(slot) ?? []) {
    memory.waiting.push(vector);
    log.addVector(vector.id, bytes);
  }
}

/** The events and vectors that a state needs. @throws Fault `damaged` when some are missing */
function neededOf(
  session: string,
  state: MemoryState,
  stored: Remembered,
): { events: EventRow[]; waiting: VectorRow[] } {
  const needed = neededFrom(state);
  const events = stored.events.filter(({ position }) => position >= needed);
  const waiting = stored.waiting.filter(({ id }) => id >= state.waitingStart);
  if (events.length !== state.memoryEnd - needed)
    throw damage(session, "events", events.length, state.memoryEnd - needed);
  const vectors = state.waitingEnd - state.waitingStart;
  if (waiting.length !== vectors) throw damage(session, "waiting vectors", waiting.length, vectors);
  return { events, waiting };
}

/** The refusal of a memory whose rows do not add up to its state. */
function damage(session: string, what: string, stored: number, expected: number): Fault {
  // Leave out the session's name, which users choose: the message is logged.
  const memory = session === "" ? "working memory" : "the memory of a session";
  return new Fault(
    "damaged",
    `this processor's storage is damaged: ${memory} has ${stored} ${what}, its state ${expected}; ` +
      "docs/damage.md says how to restore it",
  );
}
