/** The table `staging`: the counts of the load in progress. The staged rows have tables of their own. */

import type { Staging } from "../../processor/ports/store";
import { type Bound, type Database, upsert } from "../database/database";

/** A row of `staging` without its key. */
interface StagingColumns {
  load_id: string;
  total_model_frequencies: number;
  total_member_frequencies: number;
  total_symbol_frequencies: number;
  models: number;
  vectors: number;
  dimensionality: number;
}

/** The value of each column of `staging`, in the order of the statement. */
const STAGING: { [Column in keyof StagingColumns]: (staging: Staging) => Bound } = {
  load_id: ({ loadId }) => loadId,
  total_model_frequencies: ({ totals }) => totals.modelFrequencies,
  total_member_frequencies: ({ totals }) => totals.memberFrequencies,
  total_symbol_frequencies: ({ totals }) => totals.symbolFrequencies,
  models: ({ models }) => models,
  vectors: ({ vectors }) => vectors,
  dimensionality: ({ dimensionality }) => dimensionality,
};

const COLUMNS = Object.keys(STAGING);
const FILL = Object.values(STAGING);
const PUT = upsert("staging", ["row", ...COLUMNS]);
const READ = `SELECT ${COLUMNS.join(", ")} FROM staging`;

/** Reads and writes the counts. */
export class StagingTable {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Replaces the row. */
  put(staging: Staging): void {
    this.#database.run(PUT, 0, ...FILL.map((fill) => fill(staging)));
  }

  drop(): void {
    this.#database.run("DELETE FROM staging");
  }

  /** The load in progress; `undefined` for none. */
  read(): Staging | undefined {
    const row = this.#database.firstByName<StagingColumns>(READ);
    if (row === undefined) return undefined;
    return {
      loadId: row.load_id,
      totals: {
        modelFrequencies: row.total_model_frequencies,
        memberFrequencies: row.total_member_frequencies,
        symbolFrequencies: row.total_symbol_frequencies,
      },
      models: row.models,
      vectors: row.vectors,
      dimensionality: row.dimensionality,
    };
  }
}
