/**
 * Runs statements on a Durable Object's SQLite and reads their rows; builds upserts, the only long statements. Every
 * function except {@link Database.stream} reads its cursor to the end, because an open cursor locks its table.
 */

/**
 * A value that can be bound. A number binds as REAL and the column's affinity makes it an integer; a
 * boolean would bind as text.
 */
export type Bound = ArrayBuffer | Uint8Array | string | number | null;

/** The columns of one row, in the order of the statement. */
type Columns = SqlStorageValue[];

/** Writes of this isolate's objects since it started. Written rows are most of a deployment's bill. */
export const billed = {
  /** Rows inserted, changed or deleted, including index entries. */
  rows: 0,
  /** Alarms set; each is billed as a row. */
  alarms: 0,
};

/**
 * Sets the alarm of an object, and counts it. It is committed together with the writes of this turn, and
 * the answer waits for both.
 */
export function setAlarm(storage: DurableObjectStorage, at: number): void {
  billed.alarms++;
  void storage.setAlarm(at);
}

/** Part of SQLite's message about a value or row above its limit. */
const TOO_BIG = "SQLITE_TOOBIG";

/** Whether a statement failed because a row would exceed the maximum size of a row. */
export function isTooBig(error: unknown): boolean {
  return error instanceof Error && error.message.includes(TOO_BIG);
}

/** Maximum bytes of a row, and of a value. */
const MAX_ROW_BYTES = 2_097_152;

/** Maximum number of UTF-8 bytes for a UTF-16 unit. */
export const MAX_UNIT_BYTES = 3;

const encoder = new TextEncoder();

/**
 * Refuses a row above the platform's limit. Some runtimes accept larger ones, which could never
 * be moved to the platform.
 *
 * @param values the values of one row
 * @throws Error for which {@link isTooBig} holds
 */
export function assertRowFits(values: readonly Bound[]): void {
  let most = 0;
  for (const value of values) {
    if (typeof value === "string") most += MAX_UNIT_BYTES * value.length;
    else if (value !== null && typeof value === "object") most += value.byteLength;
  }
  if (most <= MAX_ROW_BYTES) return;
  const bytes = values.reduce<number>((sum, value) => {
    if (typeof value === "string") return sum + encoder.encode(value).length;
    return value !== null && typeof value === "object" ? sum + value.byteLength : sum;
  }, 0);
  if (bytes > MAX_ROW_BYTES) throw new Error(`a row of ${bytes} bytes is too big: ${TOO_BIG}`);
}

/** SQLite over one object's storage. */
export class Database {
  readonly #sql: SqlStorage;
  readonly #beforeWriting: (() => void) | undefined;

  /** @param beforeWriting called before a statement is run that writes; where it throws, nothing is written */
  constructor(sql: SqlStorage, beforeWriting?: () => void) {
    this.#sql = sql;
    this.#beforeWriting = beforeWriting;
  }

  /** Size of the database in bytes, without pages that are free. */
  get size(): number {
    return this.#sql.databaseSize;
  }

  /**
   * Runs a statement that returns no rows. Its values are those of one row.
   *
   * @returns the number of rows and index entries written, which is also added to {@link billed}
   * @throws Error for which {@link isTooBig} holds if they exceed the size of a row
   */
  run(statement: string, ...values: Bound[]): number {
    this.#beforeWriting?.();
    assertRowFits(values);
    const { rowsWritten } = this.#sql.exec(statement, ...values);
    billed.rows += rowsWritten;
    return rowsWritten;
  }

  /** All rows. */
  all<Row extends Columns>(statement: string, ...values: Bound[]): Row[] {
    return Array.from(this.#sql.exec(statement, ...values).raw<Row>());
  }

  /** The first row; `undefined` for none. */
  first<Row extends Columns>(statement: string, ...values: Bound[]): Row | undefined {
    return this.all<Row>(statement, ...values)[0];
  }

  /** The first row by column name; `undefined` for none. */
  firstByName<Row extends object>(statement: string, ...values: Bound[]): Row | undefined {
    return this.#sql.exec(statement, ...values).toArray()[0] as Row | undefined;
  }

  /**
   * Rows one by one, each turned into a record, for results too large to hold twice. The statement runs at once. Read
   * it to the end before writing to the same table.
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

/** An `INSERT` of `rows` rows that replaces rows with the same key. The key is the first of `columns`. */
export function upsert(table: string, columns: readonly string[], rows = 1): string {
  const [key, ...others] = columns;
  const row = `(${columns.map(() => "?").join(", ")})`;
  const values = new Array<string>(rows).fill(row).join(", ");
  const updates = others.map((column) => `${column} = excluded.${column}`).join(", ");
  return `INSERT INTO ${table} (${columns.join(", ")}) VALUES ${values} ON CONFLICT (${key}) DO UPDATE SET ${updates}`;
}
