/** The table `learn_scores`: how unusual learned sequences were, in blocks. */

import type { ScoreBlock } from "../../processor/ports/store";
import { type Database, upsert } from "../database/database";

const PUT = upsert("learn_scores", ["place", "scores"]);

/** Reads and writes the blocks. */
export class ScoreTable {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Inserts or replaces a block. */
  put({ place, scores }: ScoreBlock): void {
    this.#database.run(PUT, place, JSON.stringify(scores));
  }

  /** Deletes all blocks. */
  clear(): void {
    this.#database.run("DELETE FROM learn_scores");
  }

  /** All blocks, by their places. */
  read(): ScoreBlock[] {
    const rows = this.#database.all<[number, string]>("SELECT place, scores FROM learn_scores ORDER BY place");
    return rows.map(([place, scores]) => ({ place, scores: JSON.parse(scores) }));
  }
}
