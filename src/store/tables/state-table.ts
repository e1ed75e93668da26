/**
 * The tables `state` and `genes`: the processor's small row that changes with most verbs, and its configuration. Writes only the columns
 * of the row that changed since the last write: binding all of them would cost an observation more than the write itself.
 */

import type { GeneSetting, Percept, State } from "../../processor/ports/store";
import { type Bound, type Database, upsert } from "../database/database";
import {
  emotivesFromColumn,
  emotivesToColumn,
  settingFromColumn,
  settingToColumn,
  textsFromColumn,
  textsToColumn,
  vectorsFromColumn,
  vectorsToColumn,
} from "../rows/columns";

/** A row of `state` by column, without its key and the last observation. */
interface StateColumns {
  time: number;
  observe_calls: number;
  predict: number;
  autolearn: number;
  sleeping: number;
  target: string;
  last_learned: string;
  vector_dimensionality: number;
  emotives: string;
  pending_emotives: string;
  memory_start: number;
  memory_end: number;
  ensemble_start: number;
  ensemble_end: number;
  total_model_frequencies: number;
  total_member_frequencies: number;
  total_symbol_frequencies: number;
  next_model_id: number;
  revision: number;
}

/** The columns of `state` that hold the last observation; all NULL when there is none. */
interface PerceptColumns {
  percept_strings: string;
  percept_vectors: ArrayBuffer;
  percept_emotives: string;
  percept_metadata: string;
  percept_unique_id: string;
  percept_command: string;
  percept_path: string;
  percept_symbols: string;
}

/** A row of `genes`. */
type GeneColumns = [name: string, value: string];

/** How each column of `state` is filled, in the order of the statement. */
const STATE: { [Column in keyof StateColumns]: (state: State) => Bound } = {
  time: (state) => state.time,
  observe_calls: (state) => state.observeCalls,
  predict: (state) => Number(state.predict),
  autolearn: (state) => Number(state.autolearn),
  sleeping: (state) => Number(state.sleeping),
  target: (state) => state.target,
  last_learned: (state) => state.lastLearned,
  vector_dimensionality: (state) => state.vectorDimensionality,
  emotives: (state) => emotivesToColumn(state.emotives),
  pending_emotives: (state) => emotivesToColumn(state.pendingEmotives),
  memory_start: (state) => state.memoryStart,
  memory_end: (state) => state.memoryEnd,
  ensemble_start: (state) => state.ensembleStart,
  ensemble_end: (state) => state.ensembleEnd,
  total_model_frequencies: (state) => state.totals.modelFrequencies,
  total_member_frequencies: (state) => state.totals.memberFrequencies,
  total_symbol_frequencies: (state) => state.totals.symbolFrequencies,
  next_model_id: (state) => state.nextModelId,
  revision: (state) => state.revision,
};

/** How each column of the percept is filled, when there is one. */
const PERCEPT: { [Column in keyof PerceptColumns]: (percept: Percept) => Bound } = {
  percept_strings: ({ gdf }) => textsToColumn(gdf.strings),
  percept_vectors: ({ gdf }) => vectorsToColumn(gdf.vectors),
  percept_emotives: ({ gdf }) => emotivesToColumn(gdf.emotives),
  percept_metadata: ({ gdf }) => gdf.metadataJson,
  percept_unique_id: ({ gdf }) => gdf.uniqueId,
  percept_command: ({ gdf }) => gdf.command,
  percept_path: ({ path }) => textsToColumn(path),
  percept_symbols: ({ symbols }) => textsToColumn(symbols),
};

const FILL_STATE = Object.values(STATE);
const FILL_PERCEPT = Object.values(PERCEPT);
/** Fewer than 32, so that a number holds any set of them as bits. */
const COLUMNS = [...Object.keys(STATE), ...Object.keys(PERCEPT)];
const PUT_STATE = upsert("state", ["row", ...COLUMNS]);
const READ_STATE = `SELECT ${COLUMNS.join(", ")} FROM state`;
const VALUES_OF_NO_PERCEPT: readonly Bound[] = FILL_PERCEPT.map(() => null);
const PUT_GENE = upsert("genes", ["name", "value"]);

/** Reads and writes the state and the genes. */
export class StateTable {
  readonly #database: Database;
  /** The columns of the row as this object last wrote them. */
  #written: readonly Bound[] | undefined;
  /** Statements by the set of columns that they write: bit n is column n of {@link COLUMNS}. */
  readonly #updates = new Map<number, string>();

  constructor(database: Database) {
    this.#database = database;
  }

  /** Replaces the state. */
  put(state: State): void {
    const { percept } = state;
    const values = [
      ...FILL_STATE.map((fill) => fill(state)),
      ...(percept === undefined ? VALUES_OF_NO_PERCEPT : FILL_PERCEPT.map((fill) => fill(percept))),
    ];
    if (this.#written === undefined) this.#database.run(PUT_STATE, 0, ...values);
    else this.#update(this.#written, values);
    this.#written = values;
  }

  /** The state; `undefined` when none was put. */
  read(): State | undefined {
    const row = this.#database.firstByName<StateColumns & (PerceptColumns | NoPercept)>(READ_STATE);
    return row === undefined ? undefined : stateOf(row);
  }

  /** Replaces all genes. */
  putGenes(genes: Readonly<Record<string, GeneSetting>>): void {
    this.#database.run("DELETE FROM genes");
    for (const [name, setting] of Object.entries(genes)) this.#database.run(PUT_GENE, name, settingToColumn(setting));
  }

  /** All genes that were put. */
  readGenes(): Record<string, GeneSetting> {
    const rows = this.#database.all<GeneColumns>("SELECT name, value FROM genes ORDER BY name");
    return Object.fromEntries(rows.map(([name, value]) => [name, settingFromColumn(value)]));
  }

  #update(before: readonly Bound[], values: readonly Bound[]): void {
    let columns = 0;
    const changed: Bound[] = [];
    for (let at = 0; at < values.length; at++) {
      const value = values[at] ?? null;
      if (isSame(value, before[at] ?? null)) continue;
      columns |= 1 << at;
      changed.push(value);
    }
    if (columns !== 0) this.#database.run(this.#updateOf(columns), ...changed);
  }

  /** The statement for a set of columns. Always the same text for one set, so that the runtime finds it prepared. */
  #updateOf(columns: number): string {
    const known = this.#updates.get(columns);
    if (known !== undefined) return known;
    const settings = COLUMNS.filter((_, at) => (columns & (1 << at)) !== 0).map((column) => `${column} = ?`);
    const statement = `UPDATE state SET ${settings.join(", ")} WHERE row = 0`;
    this.#updates.set(columns, statement);
    return statement;
  }
}

/** Whether two values of a column are the same. */
function isSame(a: Bound, b: Bound): boolean {
  return a === b || (isEmptyBlob(a) && isEmptyBlob(b));
}

function isEmptyBlob(value: Bound): boolean {
  return value instanceof Uint8Array && value.byteLength === 0;
}

/** The percept's columns of a processor that has no percept. */
type NoPercept = { [Column in keyof PerceptColumns]: null };

function stateOf(row: StateColumns & (PerceptColumns | NoPercept)): State {
  return {
    time: row.time,
    observeCalls: row.observe_calls,
    predict: row.predict === 1,
    autolearn: row.autolearn === 1,
    sleeping: row.sleeping === 1,
    target: row.target,
    lastLearned: row.last_learned,
    vectorDimensionality: row.vector_dimensionality,
    emotives: emotivesFromColumn(row.emotives),
    pendingEmotives: emotivesFromColumn(row.pending_emotives),
    percept: row.percept_strings === null ? undefined : perceptOf(row),
    memoryStart: row.memory_start,
    memoryEnd: row.memory_end,
    ensembleStart: row.ensemble_start,
    ensembleEnd: row.ensemble_end,
    totals: {
      modelFrequencies: row.total_model_frequencies,
      memberFrequencies: row.total_member_frequencies,
      symbolFrequencies: row.total_symbol_frequencies,
    },
    nextModelId: row.next_model_id,
    revision: row.revision,
  };
}

function perceptOf(row: PerceptColumns): Percept {
  return {
    gdf: {
      strings: textsFromColumn(row.percept_strings),
      vectors: vectorsFromColumn(row.percept_vectors),
      emotives: emotivesFromColumn(row.percept_emotives),
      metadataJson: row.percept_metadata,
      uniqueId: row.percept_unique_id,
      command: row.percept_command,
    },
    path: textsFromColumn(row.percept_path),
    symbols: textsFromColumn(row.percept_symbols),
  };
}
