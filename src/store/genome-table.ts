/**
 * The tables of an agent: its genome as text, and whether the processors that the genome describes are in service. The text is
 * kept in parts, for a genome of ten thousand nodes is larger than a row may be.
 */

import { Database, upsert } from "./database";
import { isMigrated, type Migration, migrate } from "./migrations";

/** Bytes of a part; a row holds 2 MB at most. */
const PART_BYTES = 1024 * 1024;

const AGENT_MIGRATIONS: readonly Migration[] = [
  {
    number: 1,
    statements: `
      -- The genome: UTF-8 JSON as it was given, cut into parts anywhere.
      CREATE TABLE genome (
        part INTEGER PRIMARY KEY,      -- 0, 1, 2, …
        bytes BLOB NOT NULL
      ) STRICT;

      -- One row once every processor of the genome is in service.
      CREATE TABLE provisioned (
        row INTEGER PRIMARY KEY CHECK (row = 0)
      ) STRICT;
    `,
  },
];

const PUT_PART = upsert("genome", ["part", "bytes"]);

/** Reads and writes an agent's genome. The caller holds the transaction of every write. */
export class GenomeTable {
  readonly #sql: SqlStorage;
  readonly #database: Database;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
    this.#database = new Database(sql);
  }

  /** The genome; `undefined`, and nothing is written, when none was put. */
  read(): string | undefined {
    if (!isMigrated(this.#sql)) return undefined;
    const parts = this.#database.all<[ArrayBuffer]>("SELECT bytes FROM genome ORDER BY part");
    if (parts.length === 0) return undefined;
    const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
    return parts.map(([bytes]) => decoder.decode(bytes, { stream: true })).join("") + decoder.decode();
  }

  /** Replaces the genome; its processors are not yet in service. */
  put(genome: string): void {
    migrate(this.#sql, AGENT_MIGRATIONS);
    this.#database.run("DELETE FROM genome");
    this.#database.run("DELETE FROM provisioned");
    const bytes = new TextEncoder().encode(genome);
    for (let part = 0; part * PART_BYTES < bytes.byteLength; part++) {
      this.#database.run(PUT_PART, part, bytes.subarray(part * PART_BYTES, (part + 1) * PART_BYTES));
    }
  }

  /** Whether every processor of the genome was put into service. */
  isProvisioned(): boolean {
    return isMigrated(this.#sql) && this.#database.first("SELECT 1 FROM provisioned") !== undefined;
  }

  /** Every processor of the genome is in service. */
  markProvisioned(): void {
    this.#database.run("INSERT INTO provisioned (row) VALUES (0) ON CONFLICT (row) DO NOTHING");
  }
}
