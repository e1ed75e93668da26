/** The table `memories`: what each memory of a processor keeps, its own and those of its sessions. One record of a memory writes one row. */

import { Fault } from "../../processor/ports/fault";
import { type Change, neededFrom, type SessionRow, type StoredMemory } from "../../processor/ports/store";
import type { Bound, Database } from "../database/database";
import {
  eventsFromColumn,
  eventToText,
  type StateColumns,
  stateFromColumns,
  stateToColumns,
  waitingFromColumn,
  waitingToBytes,
} from "../rows/memory-rows";
import { MemoryLog } from "./memory-log";

/** A change of one memory. */
type MemoryChange = Extract<Change, { kind: "memory" }>;

/** The most that a row takes of state, events and vectors, in UTF-16 units and bytes. One thing that is larger gets a row of its own. */
const MOST_IN_A_ROW = 524_288;

/** So many free rows of a memory are left for later records. More are deleted: a start would have to read them all. */
const MOST_FREE = 128;

/** How many bytes of heap the logs may take. Those of the memories used least recently are dropped, and read again when needed. */
const MOST_LOG_BYTES = 1_048_576;

/** The statements of one table. @param table its name */
function statementsOf(table: string) {
  /** The newest row of each session. Where max() is used, SQLite takes the other columns from the row that has the maximum. */
  const newest = `SELECT session, max(number), changed_at, state FROM ${table} WHERE session > ? GROUP BY session`;
  return {
    put:
      `INSERT INTO ${table} (session, slot, number, changed_at, state, percept_metadata, percept_vectors, events, waiting) ` +
      "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (session, slot) DO UPDATE SET number = excluded.number, " +
      "changed_at = excluded.changed_at, state = excluded.state, percept_metadata = excluded.percept_metadata, " +
      "percept_vectors = excluded.percept_vectors, events = excluded.events, waiting = excluded.waiting",
    read: `SELECT slot, number, changed_at, state, percept_metadata, percept_vectors, events, waiting FROM ${table} WHERE session = ? ORDER BY number`,
    has: `SELECT 1 FROM ${table} WHERE session = ? LIMIT 1`,
    count: `SELECT count(DISTINCT session) FROM ${table} WHERE session > ''`,
    end: `DELETE FROM ${table} WHERE session = ?`,
    endAll: `DELETE FROM ${table} WHERE session > ''`,
    deleteSlots: `DELETE FROM ${table} WHERE session = ? AND slot IN (SELECT value FROM json_each(?))`,
    list:
      "SELECT session, changed_at, json_extract(state, '$.time', '$.symbols', '$.memory', '$.last_observed') " +
      `FROM (${newest} ORDER BY session LIMIT ?)`,
    unchanged: `SELECT session FROM (${newest}) WHERE changed_at <= ? ORDER BY changed_at, session LIMIT ?`,
    oldest: `SELECT min(changed_at) FROM (${newest})`,
  };
}

type RowColumns = [
  slot: number,
  number: number,
  changedAt: number,
  state: string,
  metadata: string | null,
  vectors: ArrayBuffer | null,
  events: string | null,
  waiting: ArrayBuffer | null,
];

/** The members of the state that the list of sessions shows. */
type Listed = [time: number, symbols: number, memory: [number, number], lastObserved: number | null];

/** The columns of a row that holds no state. */
const NO_STATE: StateColumns = { state: "", metadata: null, vectors: null };

/** Reads and writes memories. */
export class MemoryTable {
  readonly #database: Database;
  readonly #statements: ReturnType<typeof statementsOf>;
  /** Those used last come last. */
  readonly #logs = new Map<string, MemoryLog>();
  #logBytes = 0;
  /** Counted when it is first asked for. */
  #sessions: number | undefined;

  /** @param prefix the beginning of the table's name; empty for the live one */
  constructor(database: Database, prefix = "") {
    this.#database = database;
    this.#statements = statementsOf(`${prefix}memories`);
  }

  /** Whether anything of a memory was put. */
  has(session: string): boolean {
    return this.#database.first(this.#statements.has, session) !== undefined;
  }

  /** About how many bytes of heap the table holds. */
  get heapBytes(): number {
    return this.#logBytes;
  }

  /** Writes a change of a memory. */
  put({ session, state, events, waiting, clean }: MemoryChange): void {
    const log = this.#use(session);
    if (log.isNew && session !== "" && this.#sessions !== undefined) this.#sessions++;
    const columns = stateToColumns(state);
    log.drop(neededFrom(state), state.waitingStart);
    if (log.isNew || log.isFull) log.advance();
    for (const event of events) {
      const text = eventToText(event);
      this.#makeRoom(session, log, state.changedAt, text.length);
      log.addEvent(event.position, text);
    }
    for (const vector of waiting) {
      const bytes = waitingToBytes(vector);
      this.#makeRoom(session, log, state.changedAt, bytes.byteLength);
      log.addVector(vector.id, bytes);
    }
    this.#makeRoom(session, log, state.changedAt, sizeOf(columns));
    this.#write(session, log, state.changedAt, columns);
    this.#deleteFree(session, log.giveUpFree(clean ? 0 : MOST_FREE));
    this.#keep(session, log);
  }

  /** Deletes a session. */
  end(session: string): void {
    this.#forget(session);
    const rows = this.#database.run(this.#statements.end, session);
    if (rows > 0 && this.#sessions !== undefined) this.#sessions--;
  }

  /** Deletes all sessions. */
  endAll(): void {
    for (const session of [...this.#logs.keys()]) if (session !== "") this.#forget(session);
    this.#sessions = 0;
    this.#database.run(this.#statements.endAll);
  }

  /** Reads a memory; `undefined` when nothing was put. @throws Fault `damaged` when its rows do not add up to its state */
  read(session: string): StoredMemory | undefined {
    this.#forget(session);
    const { memory, log } = this.#readRows(session);
    if (memory !== undefined) this.#keep(session, log);
    return memory;
  }

  /** At most `limit` sessions after a name, by name. */
  list(after: string, limit: number): SessionRow[] {
    const rows = this.#database.all<[string, number, string]>(this.#statements.list, after, limit);
    return rows.map(([name, changedAt, listed]) => {
      const [time, symbols, [start, end], lastObserved] = JSON.parse(listed) as Listed;
      return { name, events: end - start, symbols, time, lastObserved: lastObserved ?? undefined, changedAt };
    });
  }

  /** How many sessions there are. */
  sessionCount(): number {
    this.#sessions ??= this.#database.first<[number]>(this.#statements.count)?.[0];
    return this.#sessions ?? 0;
  }

  /** At most `limit` sessions that changed at `before` or earlier, those unchanged longest first. */
  unchangedSince(before: number, limit: number): string[] {
    return this.#database.all<[string]>(this.#statements.unchanged, "", before, limit).map(([session]) => session);
  }

  /** When the session that is unchanged longest changed; `undefined` when there is none. */
  oldestChange(): number | undefined {
    return this.#database.first<[number | null]>(this.#statements.oldest, "")?.[0] ?? undefined;
  }

  /** When the head has no room for `size` more, writes it without a state and takes another head. */
  #makeRoom(session: string, log: MemoryLog, changedAt: number, size: number): void {
    if (log.size === 0 || log.size + size <= MOST_IN_A_ROW) return;
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
  }

  #deleteFree(session: string, slots: readonly number[]): void {
    if (slots.length === 0) return;
    this.#database.run(this.#statements.deleteSlots, session, JSON.stringify(slots));
  }

  #readRows(session: string): { memory: StoredMemory | undefined; log: MemoryLog } {
    const log = new MemoryLog();
    const memory: Pick<StoredMemory, "events" | "waiting"> = { events: [], waiting: [] };
    let newest: RowColumns | undefined;
    for (const row of this.#database.all<RowColumns>(this.#statements.read, session)) {
      const [slot, number, , , , , events, waiting] = row;
      newest = row;
      log.restore(slot, number);
      for (const { event, text } of events === null ? [] : eventsFromColumn(events)) {
        memory.events.push(event);
        log.addEvent(event.position, text);
      }
      for (const { vector, bytes } of waiting === null ? [] : waitingFromColumn(waiting)) {
        memory.waiting.push(vector);
        log.addVector(vector.id, bytes);
      }
    }
    if (newest === undefined) return { memory: undefined, log };
    const [, , changedAt, text, metadata, perceptVectors] = newest;
    const state = stateFromColumns({ state: text, metadata, vectors: perceptVectors }, changedAt);
    const needed = neededFrom(state);
    log.drop(needed, state.waitingStart);
    const events = memory.events.filter(({ position }) => position >= needed);
    const waiting = memory.waiting.filter(({ id }) => id >= state.waitingStart);
    if (events.length !== state.memoryEnd - needed)
      throw damage(session, "events", events.length, state.memoryEnd - needed);
    const vectors = state.waitingEnd - state.waitingStart;
    if (waiting.length !== vectors) throw damage(session, "waiting vectors", waiting.length, vectors);
    return { memory: { state, events, waiting }, log };
  }

  /** The log of a memory, taken out of the logs that are kept. */
  #use(session: string): MemoryLog {
    const known = this.#logs.get(session);
    this.#forget(session);
    return known ?? this.#readRows(session).log;
  }

  /** Keeps a log as the one used last. */
  #keep(session: string, log: MemoryLog): void {
    this.#logs.set(session, log);
    this.#logBytes += log.heapBytes;
    for (const [other] of this.#logs) {
      if (this.#logBytes <= MOST_LOG_BYTES || other === session) return;
      this.#forget(other);
    }
  }

  #forget(session: string): void {
    const log = this.#logs.get(session);
    if (log === undefined) return;
    this.#logs.delete(session);
    this.#logBytes -= log.heapBytes;
  }
}

function sizeOf({ state, metadata, vectors }: StateColumns): number {
  return state.length + (metadata?.length ?? 0) + (vectors?.byteLength ?? 0);
}

/** The refusal of a memory whose rows do not add up to its state. */
function damage(session: string, what: string, stored: number, expected: number): Fault {
  // Without its name, which users chose: the message is logged.
  const memory = session === "" ? "working memory" : "the memory of a session";
  return new Fault(
    "damaged",
    `this processor's storage is damaged: ${memory} has ${stored} ${what}, its state ${expected}; docs/damage.md says how to restore it`,
  );
}
