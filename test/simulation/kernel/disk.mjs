/**
 * The disk of one object: a SQLite database in memory, with the object's alarm. What is written stays in one
 * transaction until it is flushed; a crash takes back all that was not.
 *
 * All of these transactions are savepoints of one that is never committed: when a world ends, that one is rolled back,
 * and the database, with the statements prepared for it, is at the disposal of the next world that begins with the same
 * image.
 */

import initSqlJs from "sql.js";

const SQL = await initSqlJs();

/** Statements that read. */
const READS = /^(?:\s|--[^\n]*\n)*(?:SELECT|EXPLAIN|PRAGMA|VALUES)\b/i;
const READS_WITH = /^(?:\s|--[^\n]*\n)*WITH\b(?![\s\S]*\b(?:INSERT|UPDATE|DELETE)\b)/i;

/** More than one statement. */
const MANY = /;\s*\S/;

/** Parameters, and what may have a question mark that is none. */
const PARAMETERS = /'[^']*'|"[^"]*"|--[^\n]*|\?/g;

/**
 * A statement whose parameters SQLite does not compare while it plans: it would plan the statement anew for each value,
 * which takes ten times as long as most statements do. A plus changes no value.
 */
const plannedOnce = (text) => text.replace(PARAMETERS, (part) => (part === "?" ? "+?" : part));

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

/** A database with more prepared statements than this is not kept: some have a text that never comes again. */
const MAX_KNOWN = 1_000;

/** The image of a disk on which nothing is. */
const BLANK = new Uint8Array();

/** The databases that no disk has now, by the bytes that are on them. */
const unused = new WeakMap();

/** A database on which an image is, and beyond it nothing that is committed. */
class Medium {
  #image;
  database;
  /** The statements that have come before, by their text. */
  known = new Map();

  /** @param {Uint8Array} image */
  constructor(image) {
    this.#image = image;
    this.database = new SQL.Database(image);
    // In memory nothing is lost by it, and nothing is written to its file until an image is wanted.
    for (const pragma of [
      "journal_mode = MEMORY",
      "synchronous = OFF",
      "locking_mode = EXCLUSIVE",
      "cache_spill = OFF",
    ])
      this.database.run(`PRAGMA ${pragma}`);
    this.database.run("BEGIN");
  }

  /** @param {Uint8Array} image @returns one on which nothing else is */
  static take(image) {
    return unused.get(image)?.pop() ?? new Medium(image);
  }

  /** Takes back all but the image, for the next disk that begins with it. */
  giveBack() {
    if (this.known.size > MAX_KNOWN) return this.database.close();
    this.database.run("ROLLBACK");
    this.database.run("BEGIN");
    const others = unused.get(this.#image);
    if (others === undefined) unused.set(this.#image, [this]);
    else others.push(this);
  }

  /** Ends it. @returns {Uint8Array} what is on it */
  end() {
    this.database.run("COMMIT");
    const bytes = this.database.export();
    this.database.close();
    return bytes;
  }
}

/** The database of one object. */
export class Disk {
  /** `undefined` when it has ended. */
  #medium;
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
    this.#medium = Medium.take(image?.bytes ?? BLANK);
    this.alarm = image?.alarm ?? null;
    this.durableAlarm = this.alarm;
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
      this.#medium.database.run(text);
      return { columns: [], rows: [], written: this.#medium.database.getRowsModified() };
    }
    if (!known.reads) this.#begin();
    const { statement } = known;
    try {
      if (values.length > 0) statement.bind(values.map(bound));
      const rows = [];
      while (statement.step()) rows.push(statement.get().map(read));
      known.columns ??= statement.getColumnNames();
      return { columns: known.columns, rows, written: known.reads ? 0 : this.#medium.database.getRowsModified() };
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
    if (this.#isOpen) this.#statement("RELEASE unflushed");
    this.#isOpen = false;
    this.#wroteAlarm = false;
    this.durableAlarm = this.alarm ?? this.#ringing;
  }

  /** Takes back all that was not flushed. */
  crash() {
    if (this.#isOpen) {
      this.#statement("ROLLBACK TO unflushed");
      this.#statement("RELEASE unflushed");
    }
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

  /** Ends it. @returns what is durable on it, as a new one may have it from the beginning */
  image() {
    this.crash();
    const bytes = this.#medium.end();
    this.#medium = undefined;
    return { bytes, alarm: this.durableAlarm };
  }

  /** Gives its database back. */
  close() {
    this.#medium?.giveBack();
    this.#medium = undefined;
  }

  #begin() {
    if (!this.#isOpen) {
      this.#statement("SAVEPOINT unflushed");
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
    const { known: all, database } = this.#medium;
    let known = all.get(text);
    if (known === undefined && !MANY.test(text)) {
      known = new Known(text, database.prepare(plannedOnce(text)));
      all.set(text, known);
    }
    return known;
  }
}
