/**
 * The part of migration 2 that moves working memory: the rows of `state_1`, `events` and `waiting_vectors`
 * become rows of `memories`. It writes the encoding that migration 2 was released with, and so is never edited,
 * not even when `rows/` changes.
 */

import { assertRowFits, type Bound, isTooBig } from "./database";

/** Target size of the events in a row, in bytes; a row has at least one event. The limit of a row is 2 MB. */
const ROW_BYTES = 65_536;

/**
 * What is given up, step by step, if a new row would exceed the limit, since it takes up to some hundred bytes more
 * than the row of migration 1. Losing it is better than a processor that never opens. First the last observation as it
 * came, then all of working memory.
 */
const GIVE_UP = [
  "UPDATE state_1 SET percept_strings = NULL, percept_metadata = NULL, percept_vectors = NULL",
  "UPDATE state_1 SET observe_calls = 0, pending_emotives = '[]', " +
    "memory_start = memory_end, ensemble_start = memory_end, ensemble_end = memory_end; " +
    "DELETE FROM events; DELETE FROM waiting_vectors",
];

const SEPARATOR = "\x1e";
const VECTOR_HEADER_BYTES = 32;
const NAME_OFFSET = 12;

const PUT =
  "INSERT INTO memories (session, slot, number, changed_at, state, percept_metadata, percept_vectors, events, waiting) " +
  "VALUES ('', ?1, ?1, 0, ?2, ?3, ?4, ?5, ?6)";

/** The columns of `state_1` that belong to a memory. */
const STATE =
  "time, observe_calls, target, last_learned, emotives, pending_emotives, memory_start, memory_end, ensemble_start, ensemble_end, " +
  "percept_strings, percept_vectors, percept_emotives, percept_metadata, percept_unique_id, percept_command, percept_path, percept_symbols";

interface StateRow extends Record<string, SqlStorageValue> {
  time: number;
  observe_calls: number;
  target: string;
  last_learned: string;
  emotives: string;
  pending_emotives: string;
  memory_start: number;
  memory_end: number;
  ensemble_start: number;
  ensemble_end: number;
  percept_strings: string | null;
  percept_vectors: ArrayBuffer | null;
  percept_emotives: string | null;
  percept_metadata: string | null;
  percept_unique_id: string | null;
  percept_command: string | null;
  percept_path: string | null;
  percept_symbols: string | null;
}

/**
 * Moves the memory of an object, and drops the tables that held it. Gives up what does not fit
 * into a row, and logs that.
 */
export function moveMemory(sql: SqlStorage): void {
  for (let given = 0; !moveRows(sql, given < GIVE_UP.length); given++) {
    sql.exec(`DELETE FROM memories; ${GIVE_UP[given]}`);
    console.error(`the migration gives up ${given === 0 ? "the last observation" : "working memory"}: it fills a row`);
  }
  for (const table of ["state_1", "events", "waiting_vectors"]) sql.exec(`DROP TABLE ${table}`);
}

/**
 * Writes the new rows.
 *
 * @param mayFail whether to return false, not throw, if a row is too large
 * @returns false when one is: only some are written then
 * @throws Error of SQLite when one is too large and none may be
 */
function moveRows(sql: SqlStorage, mayFail: boolean): boolean {
  const state = sql.exec<StateRow>(`SELECT ${STATE} FROM state_1`).toArray()[0];
  if (state === undefined) return true;
  try {
    const events = moveEvents(sql, state);
    const waiting = moveVectors(sql, events.rows);
    const bytes = state.percept_vectors?.byteLength ? state.percept_vectors : null;
    const text = stateText(state, events.symbols, waiting);
    putRow(sql, waiting.rows, text, state.percept_metadata, bytes, null, null);
    return true;
  } catch (error) {
    if (mayFail && isTooBig(error)) return false;
    throw error;
  }
}

/** Writes one new row. @throws Error for which {@link isTooBig} holds */
function putRow(sql: SqlStorage, ...values: Bound[]): void {
  assertRowFits(values);
  sql.exec(PUT, ...values);
}

/** @returns how many rows were written, and how many symbols working memory has */
function moveEvents(sql: SqlStorage, state: StateRow): { rows: number; symbols: number } {
  const { memory_start, ensemble_start, ensemble_end } = state;
  const needed = ensemble_end > ensemble_start ? Math.min(memory_start, ensemble_start) : memory_start;
  const query = "SELECT position, symbols, metadata FROM events WHERE position >= ? ORDER BY position";
  let row: string[] = [];
  let bytes = 0;
  let rows = 0;
  let count = 0;
  const put = () => {
    if (row.length > 0) putRow(sql, rows++, "", null, null, row.join(SEPARATOR), null);
    row = [];
    bytes = 0;
  };
  for (const [position, symbols, metadata] of sql.exec(query, needed).raw<[number, string, string]>()) {
    const own = symbols.length + metadata.length;
    if (bytes + own > ROW_BYTES) put();
    if (row.length === 0) row.push(String(position));
    row.push(symbols, metadata);
    bytes += own;
    if (position >= memory_start) count += (JSON.parse(symbols) as string[]).length;
  }
  put();
  return { rows, symbols: count };
}

/** @returns how many rows were written, those before included, and the bounds of the ids */
function moveVectors(sql: SqlStorage, before: number): { rows: number; start: number; end: number } {
  const query = "SELECT id, name, components FROM waiting_vectors ORDER BY id";
  let rows = before;
  let [start, end] = [1, 1];
  for (const [id, name, components] of sql.exec(query).raw<[number, ArrayBuffer, ArrayBuffer]>()) {
    const bytes = new Uint8Array(VECTOR_HEADER_BYTES + components.byteLength);
    const view = new DataView(bytes.buffer);
    view.setFloat64(0, id, true);
    view.setUint32(8, components.byteLength / 8, true);
    bytes.set(new Uint8Array(name), NAME_OFFSET);
    bytes.set(new Uint8Array(components), VECTOR_HEADER_BYTES);
    putRow(sql, rows, "", null, null, null, bytes);
    if (rows === before) start = id;
    end = id + 1;
    rows++;
  }
  return { rows, start, end };
}

/** Emotives and lists of texts are JSON already; only single texts are not. */
function stateText(state: StateRow, symbols: number, waiting: { start: number; end: number }): string {
  const { percept_strings: strings, percept_symbols: event } = state;
  const percept =
    strings === null
      ? "null"
      : `{"strings":${strings},"emotives":${state.percept_emotives},"unique_id":${JSON.stringify(state.percept_unique_id)},` +
        `"command":${JSON.stringify(state.percept_command)},"path":${state.percept_path},"symbols":${event === strings ? "null" : event}}`;
  return (
    `{"time":${state.time},"observe_calls":${state.observe_calls},"target":${JSON.stringify(state.target)},` +
    `"last_learned":"${state.last_learned}","emotives":${state.emotives},"pending_emotives":${state.pending_emotives},` +
    `"memory":[${state.memory_start},${state.memory_end}],"ensemble":[${state.ensemble_start},${state.ensemble_end}],` +
    `"symbols":${symbols},"waiting":[${waiting.start},${waiting.end}],"last_observed":null,"sources":[],"percept":${percept}}`
  );
}
