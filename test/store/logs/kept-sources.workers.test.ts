/** The numbers of sources in the rows of a memory: against a plain map, through reopening, and how many rows they take. */

import { expect, test } from "vitest";
import { KEPT_SOURCES, type Sender } from "../../../src/processor/ports/store";
import { billed } from "../../../src/store/database/database";
import { SqliteStore } from "../../../src/store/store";
import { Random } from "../../support/random";
import { onFreshStore } from "../../support/store/in-object";
import { event, memoryChange, plainMemoryState } from "../../support/store/rows";

/** A memory that hears sources: each time, one number and one event, in one record. */
class Hearing {
  store: SqliteStore;
  readonly #sql: SqlStorage;
  readonly #session: string;
  /** By sender and source, heard longest ago first: what must be kept. */
  readonly expected = new Map<string, number>();
  #events = 0;
  #start = 0;
  #number = 0;
  /** The numbers of rows that one record wrote, each once. */
  readonly rows = new Set<number>();

  constructor(store: SqliteStore, sql: SqlStorage, session = "") {
    this.store = store;
    this.#sql = sql;
    this.#session = session;
  }

  /** @param size how many characters the event has @param keeps how many events the memory keeps */
  hear(source: string, { sender = "client" as Sender, size = 10, keeps = 50, clean = false } = {}): void {
    const before = billed.rows;
    const number = ++this.#number;
    this.store.record({ kind: "source-kept", session: this.#session, sender, source, number });
    const position = this.#events++;
    this.#start = clean ? position + 1 : Math.max(this.#start, position - keeps);
    const memoryStart = this.#start;
    const state = plainMemoryState({ memoryStart, memoryEnd: position + 1, time: position });
    const events = [event(position, { symbols: ["x".repeat(size)] })];
    this.store.record(memoryChange(this.#session, state, { events, clean }));
    if (!clean) this.rows.add(billed.rows - before);
    this.expected.delete(`${sender} ${source}`);
    this.expected.set(`${sender} ${source}`, number);
  }

  numberOf(sender: Sender, source: string): number {
    return this.store.keptSource(this.#session, sender, source);
  }

  reopen(): void {
    this.store = new SqliteStore(this.#sql);
  }

  /** What is kept, in the order of hearing. */
  kept(): [string, number][] {
    return this.store
      .keptSources(this.#session)
      .map(({ sender, source, number }) => [`${sender} ${source}`, number] as [string, number]);
  }

  rowCount(): number {
    return this.#sql.exec<{ n: number }>("SELECT count(*) AS n FROM memories WHERE session = ?", this.#session).one().n;
  }
}

const name = (at: number) => `device-${at}`;

/** A random life of a memory. @returns where it differs from a plain map */
function differencesOf(hearing: Hearing, random: Random): unknown[] {
  const differences: unknown[] = [];
  const sources = 1 + random.below(400);
  for (let at = 0; at < 1500; at++) {
    // Some are heard all the time, others hardly ever.
    const source = Math.floor(sources * random.fraction() ** 2);
    const sender = random.below(10) === 0 ? "processor" : "client";
    const size = random.below(50) === 0 ? 3000 : 10;
    hearing.hear(name(source), { sender, size, keeps: random.below(300), clean: random.below(400) === 0 });
    if (random.below(200) === 0) hearing.reopen();
    const asked = name(random.below(sources));
    const number = hearing.numberOf(sender, asked);
    if (number !== (hearing.expected.get(`${sender} ${asked}`) ?? 0)) differences.push([at, asked, number]);
  }
  const expected = JSON.stringify([...hearing.expected]);
  if (JSON.stringify(hearing.kept()) !== expected) differences.push("all");
  hearing.reopen();
  if (JSON.stringify(hearing.kept()) !== expected) differences.push("all, reopened");
  return differences;
}

test("are those of a plain map, in one row a record, in any order of sources", async () => {
  const found = await onFreshStore((store, { sql }) =>
    Array.from({ length: 12 }, (_, seed) => {
      const hearing = new Hearing(store, sql, seed === 0 ? "" : `session ${seed}`);
      return { differences: differencesOf(hearing, new Random(seed)), rows: [...hearing.rows] };
    }),
  );
  expect(found).toEqual(Array.from(found, () => ({ differences: [], rows: [1] })));
});

test.each([
  ["in turn", (at: number) => at % KEPT_SOURCES],
  [
    "in turn and back",
    (at: number) =>
      at % (2 * KEPT_SOURCES) < KEPT_SOURCES ? at % KEPT_SOURCES : KEPT_SOURCES - 1 - (at % KEPT_SOURCES),
  ],
  ["by chance", (at: number) => Math.imul(at, 2_654_435_761) >>> 0],
])("of 10,000 sources that are heard %s take one row a record, and few rows in all", async (_, order) => {
  const found = await onFreshStore((store, { sql }) => {
    const hearing = new Hearing(store, sql);
    for (let at = 0; at < 4 * KEPT_SOURCES; at++) hearing.hear(name(order(at) % KEPT_SOURCES));
    const rowCount = hearing.rowCount();
    const before = JSON.stringify(hearing.kept());
    hearing.reopen();
    return {
      rows: [...hearing.rows],
      rowCount,
      same: before === JSON.stringify([...hearing.expected]),
      again: JSON.stringify(hearing.kept()) === before,
    };
  });
  expect(found).toMatchObject({ rows: [1], same: true, again: true });
  // Twice as many as would have to, the head, those left free.
  expect(found.rowCount).toBeLessThan(2 * Math.ceil(KEPT_SOURCES / 32) + 130);
});

test("beyond 10,000 those heard longest ago are forgotten, for clients and processors apart, also by a store that is opened anew", async () => {
  const found = await onFreshStore((store, { sql }) => {
    const hearing = new Hearing(store, sql);
    hearing.hear("first", { sender: "processor" });
    for (let at = 0; at < KEPT_SOURCES + 100; at++) hearing.hear(name(at));
    const ask = () => [
      hearing.store.keptSource("", "processor", "first"),
      hearing.store.keptSource("", "client", name(99)),
      hearing.store.keptSource("", "client", name(100)),
      hearing.store.keptSources("").length,
    ];
    const before = ask();
    hearing.reopen();
    return [before, ask()];
  });
  expect(found).toEqual([
    [1, 0, 102, KEPT_SOURCES + 1],
    [1, 0, 102, KEPT_SOURCES + 1],
  ]);
});

test("leave nothing that was observed on the disk after a cleaning", async () => {
  const texts = await onFreshStore((store, { sql }) => {
    const hearing = new Hearing(store, sql);
    for (let at = 0; at < 500; at++) hearing.hear(name(at), { size: 40 });
    hearing.hear("last", { clean: true });
    return sql.exec<{ n: number }>("SELECT count(*) AS n FROM memories WHERE events IS NOT NULL").one().n;
  });
  expect(texts).toBe(1);
});
