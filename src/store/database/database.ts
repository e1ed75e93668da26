/**
 * A thin hand on a Durable Object's SQLite: runs a statement, reads rows, builds the one kind of statement that is long. Every
 * cursor is drained before its function returns, but for {@link Database.stream}: an open cursor locks its table.
 */

/** A value that can be bound. Numbers bind as REAL and are mended by the column's affinity; booleans would bind as text. */
export type Bound = ArrayBuffer | Uint8Array | string | number | null;

/** The columns of one row, in the order of the statement. */
export type Columns = SqlStorageValue[];

/** SQLite over one object's storage. */
export class Database {
  readonly #sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  /** Runs a statement that returns no rows. */
  run(statement: string, ...values: Bound[]): void {
    this.#sql.exec(statement, ...values);
  }

  /** All rows. */
  all<Row extends Columns>(statement: string, ...values: Bound[]): Row[] {
    return Array.from(this.#sql.exec(statement, ...values).raw<Row>());
  }

  /** The first row, `undefined` when there is none. */
  first<Row extends Columns>(statement: string, ...values: Bound[]): Row | undefined {
    return this.all<Row>(statement, ...values)[0];
  }

  /** The first row by column name, `undefined` when there is none. */
  firstByName<Row extends object>(statement: string, ...values: Bound[]): Row | undefined {
    return this.#sql.exec(statement, ...values).toArray()[0] as Row | undefined;
  }

  /**
   * Rows one by one, each through `record`, for what is too big to hold twice. The statement runs at once. The caller reads to
   * the end before it writes to the same table.
   */
  stream<Row extends Columns, Record>(
    record: (row: Row) => Record,
    statement: string,
    ...values: Bound[]
  ): Iterable<Record> {
    const rows = this.#sql.exec(statement, ...values).raw<Row>();
    return (function* () {
      for (const row of rows) yield record(row);
    })();
  }
}

/** `INSERT` of `rows` rows that replaces the row with the same key, which is the first of `columns`. */
export function upsert(table: string, columns: readonly string[], rows = 1): string {
  const [key, ...others] = columns;
  const row = `(${columns.map(() => "?").join(", ")})`;
  const values = new Array<string>(rows).fill(row).join(", ");
  const updates = others.map((column) => `${column} = excluded.${column}`).join(", ");
  return `INSERT INTO ${table} (${columns.join(", ")}) VALUES ${values} ON CONFLICT (${key}) DO UPDATE SET ${updates}`;
}
