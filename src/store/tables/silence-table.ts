/** The table `silences`: what alerts have reported of memories that have stopped observing. */

import type { LastingSilences, SilenceOf, StoredSilence } from "../../processor/ports/silence";
import { type Database, upsert } from "../database/database";
import { DiscardedTables } from "./discarded-tables";
import { LAST_ARRIVAL, NO_NAME } from "./memory-table";

type Columns = [session: string, arrival: number, since: number | null, told: string];

/** The same, and whether the memory has not observed since. */
type LastingColumns = [...Columns, isLasting: number | null];

/** The statements of one table. @param prefix the beginning of its name */
function statementsOf(prefix: string) {
  const [table, memories] = [`${prefix}silences`, `${prefix}memories`];
  const columns = `SELECT session, arrival, since, told FROM ${table}`;
  return {
    put: upsert(table, ["session", "arrival", "since", "told"]),
    // The condition keeps SQLite from reading ON CONFLICT as the beginning of a join.
    putAll:
      `INSERT INTO ${table} (session, arrival, since, told) ` +
      "SELECT value ->> 0, value ->> 1, value ->> 2, value ->> 3 FROM json_each(?) WHERE true ON CONFLICT (session) " +
      "DO UPDATE SET arrival = excluded.arrival, since = excluded.since, told = excluded.told",
    read: `${columns} WHERE session = ?`,
    of: `${columns} WHERE session IN (SELECT value FROM json_each(?))`,
    range: `${columns} WHERE session >= ? AND session <= ?`,
    lasting:
      "SELECT session, arrival, since, told, arrival = " +
      `(SELECT ${LAST_ARRIVAL} FROM ${memories} WHERE session = silence.session ORDER BY number DESC LIMIT 1) ` +
      `FROM ${table} AS silence WHERE session >= ?1 AND session != ?2 ORDER BY session LIMIT ?3`,
    end: `DELETE FROM ${table} WHERE session = ?`,
  };
}

/** Reads and writes silences. The caller holds the transaction. */
export class SilenceTable {
  readonly #database: Database;
  readonly #table: string;
  readonly #statements: ReturnType<typeof statementsOf>;

  /** @param prefix the beginning of the table's name; empty for the live one */
  constructor(database: Database, prefix = "") {
    this.#database = database;
    this.#table = `${prefix}silences`;
    this.#statements = statementsOf(prefix);
  }

  /** Writes what was reported of a memory. */
  put(session: string, { arrival, since, told }: StoredSilence): void {
    this.#database.run(this.#statements.put, session, arrival, since ?? null, JSON.stringify(told));
  }

  /** The same for many memories, whose names fit into a value. */
  putAll(all: readonly SilenceOf[]): void {
    const rows = all.map(({ session, silence: { arrival, since, told } }) => [
      session,
      arrival,
      since ?? null,
      JSON.stringify(told),
    ]);
    this.#database.run(this.#statements.putAll, JSON.stringify(rows));
  }

  /** What was reported of some memories, by name. The names fit into a value. */
  of(sessions: readonly string[]): Map<string, StoredSilence> {
    return byName(this.#database.all<Columns>(this.#statements.of, JSON.stringify(sessions)));
  }

  /** What was reported of a memory; `undefined` for nothing. */
  read(session: string): StoredSilence | undefined {
    const row = this.#database.first<Columns>(this.#statements.read, session);
    return row && silenceOf(row);
  }

  /** {@link read} for all names from one to another, by name. @param first `undefined` for the first of all */
  range(first: string | undefined, last: string): Map<string, StoredSilence> {
    return byName(this.#database.all<Columns>(this.#statements.range, first ?? "", last));
  }

  /**
   * What was reported of memories that have not observed since, by name. Compares at most `limit` memories.
   *
   * @param after only names after this; `undefined` to start with the processor's own memory
   */
  lasting(after: string | undefined, limit: number): LastingSilences {
    const rows = this.#database.all<LastingColumns>(this.#statements.lasting, after ?? "", after ?? NO_NAME, limit);
    const silences = rows.flatMap(([session, arrival, since, told, isLasting]) =>
      isLasting === 1 ? [{ session, silence: silenceOf([session, arrival, since, told]) }] : [],
    );
    return { silences, last: rows.at(-1)?.[0] };
  }

  /** Forgets what was reported of a memory. */
  end(session: string): void {
    this.#database.run(this.#statements.end, session);
  }

  /** Forgets what was reported of sessions. */
  endAll(): void {
    new DiscardedTables(this.#database).empty(this.#table, { kept: "session = ''" });
  }
}

function byName(rows: readonly Columns[]): Map<string, StoredSilence> {
  return new Map(rows.map((row) => [row[0], silenceOf(row)]));
}

function silenceOf([, arrival, since, told]: Columns): StoredSilence {
  return { arrival, since: since ?? undefined, told: JSON.parse(told) as number[] };
}
