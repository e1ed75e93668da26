/**
 * The tables `state` and `genes`: what all memories share, and the configuration. Writes only what
 * changed since the last write.
 */

import type { GeneSetting, State } from "../../processor/ports/store";
import { type Bound, type Database, upsert } from "../database/database";
import { settingFromColumn, settingToColumn } from "../rows/columns";

/** A row of `state` without its key. */
interface StateColumns {
  predict: number;
  autolearn: number;
  sleeping: number;
  vector_dimensionality: number;
  total_model_frequencies: number;
  total_member_frequencies: number;
  total_symbol_frequencies: number;
  next_model_id: number;
  revision: number;
  forecast_record: string;
  scored_learns: number;
  latest_scores: string;
  awake_since: number;
}

/** A row of `genes`. */
type GeneColumns = [name: string, value: string];

/** The value of each column of `state`, in the order of the statement. */
const STATE: { [Column in keyof StateColumns]: (state: State) => number | string } = {
  predict: (state) => Number(state.predict),
  autolearn: (state) => Number(state.autolearn),
  sleeping: (state) => Number(state.sleeping),
  vector_dimensionality: (state) => state.vectorDimensionality,
  total_model_frequencies: (state) => state.totals.modelFrequencies,
  total_member_frequencies: (state) => state.totals.memberFrequencies,
  total_symbol_frequencies: (state) => state.totals.symbolFrequencies,
  next_model_id: (state) => state.nextModelId,
  revision: (state) => state.revision,
  forecast_record: ({ forecastRecord }) => recordText(forecastRecord),
  scored_learns: (state) => state.learnScores.count,
  latest_scores: (state) => JSON.stringify(state.learnScores.latest),
  awake_since: (state) => state.awakeSince,
};

/**
 * The texts of forecast records, cached because a record has hundreds of numbers and most changes of the state do not
 * affect it.
 */
const recordTexts = new WeakMap<State["forecastRecord"], string>();

function recordText(record: State["forecastRecord"]): string {
  let text = recordTexts.get(record);
  if (text === undefined) {
    text = JSON.stringify(record);
    recordTexts.set(record, text);
  }
  return text;
}

const FILL = Object.values(STATE);
/** Fewer than 32, so that the bits of a number can hold any set of them. */
const COLUMNS = Object.keys(STATE);
const PUT_STATE = upsert("state", ["row", ...COLUMNS]);
const READ_STATE = `SELECT ${COLUMNS.join(", ")} FROM state`;
const PUT_GENE = upsert("genes", ["name", "value"]);

/** Reads and writes the state and the genes. */
export class StateTable {
  readonly #database: Database;
  /** The stored columns of the row; `undefined` before the first read or write. */
  #written: readonly (number | string)[] | undefined;
  /** Statements by the set of columns that they write: bit n is column n of {@link COLUMNS}. */
  readonly #updates = new Map<number, string>();

  constructor(database: Database) {
    this.#database = database;
  }

  /** Replaces the state. */
  put(state: State): void {
    const values = FILL.map((fill) => fill(state));
    if (this.#written === undefined) this.#database.run(PUT_STATE, 0, ...values);
    else this.#update(this.#written, values);
    this.#written = values;
  }

  /** The state; `undefined` if none was stored. */
  read(): State | undefined {
    const row = this.#database.firstByName<StateColumns>(READ_STATE);
    if (row === undefined) return undefined;
    const state = stateOf(row);
    this.#written = FILL.map((fill) => fill(state));
    return state;
  }

  /** Replaces all genes. */
  putGenes(genes: Readonly<Record<string, GeneSetting>>): void {
    this.#database.run("DELETE FROM genes");
    for (const [name, setting] of Object.entries(genes)) this.#database.run(PUT_GENE, name, settingToColumn(setting));
  }

  /** All stored genes. */
  readGenes(): Record<string, GeneSetting> {
    const rows = this.#database.all<GeneColumns>("SELECT name, value FROM genes ORDER BY name");
    return Object.fromEntries(rows.map(([name, value]) => [name, settingFromColumn(value)]));
  }

  #update(before: readonly (number | string)[], values: readonly (number | string)[]): void {
    let columns = 0;
    const changed: Bound[] = [];
    for (const [at, value] of values.entries()) {
      if (value === before[at]) continue;
      columns |= 1 << at;
      changed.push(value);
    }
    if (columns !== 0) this.#database.run(this.#updateOf(columns), ...changed);
  }

  /**
   * The statement for a set of columns. The text for a set is always the same, so that the runtime finds the prepared
   * statement.
   */
  #updateOf(columns: number): string {
    const known = this.#updates.get(columns);
    if (known !== undefined) return known;
    const settings = COLUMNS.filter((_, at) => (columns & (1 << at)) !== 0).map((column) => `${column} = ?`);
    const statement = `UPDATE state SET ${settings.join(", ")} WHERE row = 0`;
    this.#updates.set(columns, statement);
    return statement;
  }
}

function stateOf(row: StateColumns): State {
  return {
    predict: row.predict === 1,
    autolearn: row.autolearn === 1,
    sleeping: row.sleeping === 1,
    awakeSince: row.awake_since,
    vectorDimensionality: row.vector_dimensionality,
    totals: {
      modelFrequencies: row.total_model_frequencies,
      memberFrequencies: row.total_member_frequencies,
      symbolFrequencies: row.total_symbol_frequencies,
    },
    nextModelId: row.next_model_id,
    revision: row.revision,
    forecastRecord: JSON.parse(row.forecast_record),
    learnScores: { count: row.scored_learns, latest: JSON.parse(row.latest_scores) },
  };
}
