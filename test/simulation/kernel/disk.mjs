/**
 * The disk of one object: a SQLite database in memory, with the object's alarm. What is written stays in one
 * transaction until it is flushed; a crash takes back all that was not.
 */

import initSqlJs from "sql.js";

const SQL = await initSqlJs();

/** Statements that read. */
const READS = /^(?:\s|--[^\n]*\n)*(?:SELECT|EXPLAIN|PRAGMA|VALUES)\b/i;
const READS_WITH = /^(?:\s|--[^\n]*\n)*WITH\b(?![\s\S]*\b(?:INSERT|UPDATE|DELETE)\b)/i;

/** More than one statement. */
const MANY = /;\s*\S/;

/** A statement that has come before. */
class Known {
  constructor(text, statement) {
    this.statement = statement;
    this.reads = READS.test(text) || READS_WITH.test(text);
    this.columns = undefined;
  }
}

/** What the platform binds and returns: buffers, and numbers as doubles. */
const bound = (value) => (value instanceof ArrayBuffer ? new Uint8Array(value) : value);
const read = (value) => (value instanceof Uint8Array ? value.buffer : value);

/** The database of one object. */
export class Disk {
  #database;
  /** By their text. */
  #known = new Map();
  /** Whether a transaction is open, that is, whether something is not flushed. */
  #isOpen = false;
  /** The transactions inside it that were begun, and how many of them SQLite knows of. */
  #depth = 0;
  #begun = 0;
  #alarms = [];
  /** When the alarm rings, epoch milliseconds; null for never. As it is now, and as a crash leaves it. */
  alarm = null;
  durableAlarm = null;
  #wroteAlarm = false;
  /** When the alarm that is ringing should have rung: a crash leaves it, because it has not been answered. */
  #ringing = null;

  /** @param {{ bytes: Uint8Array, alarm: number | null }} [image] what is on it: see {@link image}; nothing when absent */
  constructor(image) {
    this.#database = new SQL.Database(image?.bytes);
    this.alarm = image?.alarm ?? null;
    this.durableAlarm = this.alarm;
    // In memory nothing is lost by it, and each commit is a tenth of the work.
    for (const pragma of ["journal_mode = MEMORY", "synchronous = OFF", "locking_mode = EXCLUSIVE"]) {
      this.#database.run(`PRAGMA ${pragma}`);
    }
  }

  /** Whether a crash would take something back. */
  get isDirty() {
    return this.#isOpen || this.#wroteAlarm;
  }

  setAlarm(at) {
    this.alarm = at;
    this.#wroteAlarm = true;
  }

  /** The alarm rings: it is gone for the object, and comes back after a crash. */
  ring() {
    this.#ringing = this.alarm;
    this.alarm = null;
  }

  /** The alarm that rang was answered, or was not. */
  answered(isDone) {
    if (!isDone) this.alarm ??= this.#ringing;
    this.#ringing = null;
    this.#wroteAlarm = true;
  }

  /** Whether a statement only reads. */
  isRead(text) {
    return this.#knownOf(text)?.reads === true;
  }

  /**
   * Runs one statement, or several without values.
   *
   * @returns {{ columns: string[], rows: unknown[][], written: number }}
   */
  run(text, values) {
    const known = this.#knownOf(text);
    if (known === undefined) {
      if (values.length > 0) throw new Error(`several statements, and values for them: ${text}`);
      this.#begin();
      this.#database.run(text);
      return { columns: [], rows: [], written: this.#database.getRowsModified() };
    }
    if (!known.reads) this.#begin();
    const { statement } = known;
    try {
      if (values.length > 0) statement.bind(values.map(bound));
      const rows = [];
      while (statement.step()) rows.push(statement.get().map(read));
      known.columns ??= statement.getColumnNames();
      return { columns: known.columns, rows, written: known.reads ? 0 : this.#database.getRowsModified() };
    } finally {
      statement.reset();
    }
  }

  get bytes() {
    const [[pages]] = this.run("PRAGMA page_count", []).rows;
    return pages * 4096;
  }

  /** Begins a transaction inside the others. */
  save() {
    this.#depth++;
    this.#alarms.push(this.alarm);
  }

  /** Ends the innermost one. @param keeps whether what it did stays */
  release(keeps) {
    const before = this.#alarms.pop();
    if (!keeps) this.alarm = before;
    if (this.#begun === this.#depth) {
      const name = `s${this.#depth}`;
      if (!keeps) this.#statement(`ROLLBACK TO ${name}`);
      this.#statement(`RELEASE ${name}`);
      this.#begun--;
    }
    this.#depth--;
  }

  /** Makes all that was written durable. */
  flush() {
    if (this.#isOpen) this.#statement("COMMIT");
    this.#isOpen = false;
    this.#wroteAlarm = false;
    this.durableAlarm = this.alarm ?? this.#ringing;
  }

  /** Takes back all that was not flushed. */
  crash() {
    if (this.#isOpen) this.#statement("ROLLBACK");
    this.#isOpen = false;
    this.#wroteAlarm = false;
    this.#depth = 0;
    this.#begun = 0;
    this.#alarms = [];
    this.#ringing = null;
    this.alarm = this.durableAlarm;
  }

  /** Deletes every table and the alarm, in the transaction that is open. */
  deleteAll() {
    const tables = this.run(
      "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'",
      [],
    ).rows;
    for (const [name] of tables) this.run(`DROP TABLE ${name}`, []);
    this.setAlarm(null);
  }

  /** What is on it, as a new one may have it from the beginning. Ends all that is not durable. */
  image() {
    this.crash();
    this.#known.clear();
    return { bytes: this.#database.export(), alarm: this.durableAlarm };
  }

  /** Gives its memory back. */
  close() {
    this.#database.close();
  }

  #begin() {
    if (!this.#isOpen) {
      this.#statement("BEGIN");
      this.#isOpen = true;
    }
    while (this.#begun < this.#depth) this.#statement(`SAVEPOINT s${++this.#begun}`);
  }

  #statement(text) {
    const { statement } = this.#knownOf(text);
    statement.step();
    statement.reset();
  }

  /** `undefined` for several statements. */
  #knownOf(text) {
    let known = this.#known.get(text);
    if (known === undefined && !MANY.test(text)) {
      known = new Known(text, this.#database.prepare(text));
      this.#known.set(text, known);
    }
    return known;
  }
}
