/** Storage of a Durable Object as the platform offers it, over a disk of the simulation. */

import { ObjectGone, PlatformError } from "../kernel/world.mjs";

/** How the runtime says that a disk is full. */
const FULL = "database or disk is full: SQLITE_FULL";

/** What a dead object waits for. */
const NEVER = new Promise(() => {});

/** The rows of one statement. */
class Cursor {
  #columns;
  #rows;
  #at = 0;

  constructor({ columns, rows, written }) {
    this.#columns = columns;
    this.#rows = rows;
    this.rowsWritten = written;
    this.rowsRead = rows.length;
    this.columnNames = columns;
  }

  #named(row) {
    return Object.fromEntries(this.#columns.map((name, at) => [name, row[at]]));
  }

  next() {
    const row = this.#rows[this.#at++];
    return row === undefined ? { done: true, value: undefined } : { done: false, value: this.#named(row) };
  }

  [Symbol.iterator]() {
    return this;
  }

  toArray() {
    return [...this];
  }

  one() {
    const rows = this.toArray();
    if (rows.length !== 1) throw new Error(`Expected exactly one result from SQL query, but got ${rows.length}`);
    return rows[0];
  }

  raw() {
    return this.#rows[Symbol.iterator]();
  }
}

/** What `ctx.storage` is to one life of an object. */
export class ObjectStorage {
  #world;
  #life;
  sql;

  constructor(world, life) {
    this.#world = world;
    this.#life = life;
    const storage = this;
    this.sql = {
      exec: (text, ...values) => storage.#exec(text, values),
      get databaseSize() {
        return storage.#disk.bytes;
      },
    };
  }

  get #disk() {
    return this.#life.node.disk;
  }

  #exec(text, values) {
    const world = this.#world;
    const life = this.#life;
    world.deadlyPoint("statement", life);
    this.#assertAlive();
    if (!this.#disk.isRead(text)) {
      if (world.point("write")?.kind === "full") {
        world.break(life.node, new PlatformError(FULL));
        throw new PlatformError(FULL);
      }
      world.touch(life.node);
    }
    return new Cursor(this.#disk.run(text, values));
  }

  /** Nothing that a dead object does has an effect. */
  #assertAlive() {
    if (!this.#life.isAlive) throw new ObjectGone();
  }

  transactionSync(work) {
    this.#assertAlive();
    this.#disk.save();
    let keeps = false;
    try {
      const result = work();
      keeps = true;
      return result;
    } finally {
      if (this.#life.isAlive) this.#disk.release(keeps);
    }
  }

  /** Nothing else runs in the object until it is over; nothing of it is durable before. */
  transaction(work) {
    const world = this.#world;
    const life = this.#life;
    this.#assertAlive();
    return world
      .block(life, () => this.#transaction(work))
      .then(({ error, result }) => {
        if (error !== undefined) throw error;
        return result;
      });
  }

  async #transaction(work) {
    const { node } = this.#life;
    this.#assertAlive();
    this.#disk.save();
    node.transactions++;
    let outcome;
    try {
      outcome = { result: await work() };
    } catch (error) {
      outcome = { error };
    }
    if (!this.#life.isAlive) return NEVER;
    node.transactions--;
    this.#disk.release(outcome.error === undefined);
    this.#world.touch(node);
    return outcome;
  }

  async getAlarm() {
    if (!this.#life.isAlive) return NEVER;
    return this.#disk.alarm;
  }

  async setAlarm(at) {
    if (!this.#life.isAlive) return NEVER;
    this.#world.touch(this.#life.node);
    this.#disk.setAlarm(Number(at));
    return undefined;
  }

  async deleteAlarm() {
    if (!this.#life.isAlive) return NEVER;
    this.#world.touch(this.#life.node);
    this.#disk.setAlarm(null);
    return undefined;
  }

  async deleteAll() {
    if (!this.#life.isAlive) return NEVER;
    this.#world.touch(this.#life.node);
    this.#disk.deleteAll();
    return undefined;
  }

  async put(key, value) {
    this.#exec("CREATE TABLE IF NOT EXISTS _cf_KV (key TEXT PRIMARY KEY, value TEXT)", []);
    this.#exec("INSERT OR REPLACE INTO _cf_KV VALUES (?, ?)", [key, JSON.stringify(value)]);
  }

  /** Resolves when all is durable. */
  sync() {
    const { node } = this.#life;
    const context = this.#world.current;
    return new Promise((resolve) => {
      this.#world.whenDurable(node, () => this.#world.later(0, context, resolve));
    });
  }
}
