/** The packed copy of the models, over SQLite: whatever happens to models or chunks, it agrees with the rows. */

import { afterEach, describe, expect, test, vi } from "vitest";
import type { MatchableModel } from "../../../src/processor/ports/matcher";
import type { ModelRow } from "../../../src/processor/ports/store";
import { modelsOf } from "../../../src/store/rows/model-batch";
import { SqliteStore } from "../../../src/store/store";
import { Random } from "../../support/random";
import { onFreshStore } from "../../support/store/in-object";
import { nameOf, model as rowOf } from "../../support/store/rows";

/** Models that make one chunk, and changes after which it is packed again. */
const CHUNK = 4096;
const CHANGES = 1024;

/** A model among more than the usual rows have names for. */
function model(id: number, change: Partial<ModelRow> = {}): ModelRow {
  return rowOf(id, { name: nameOf(id), ...change });
}

/** What a start would read, as a plain list. */
function corpusOf({ sql }: DurableObjectStorage): MatchableModel[] {
  const batches = Array.from(new SqliteStore(sql).knowledge.corpusBatches(), modelsOf);
  expect(Array.from(new SqliteStore(sql).knowledge.corpus())).toStrictEqual(batches.flat());
  return batches.flat();
}

function rowsOf({ sql }: DurableObjectStorage): MatchableModel[] {
  const rows = sql.exec("SELECT id, frequency, symbols, lengths FROM models ORDER BY id").raw();
  return Array.from(rows, ([id, frequency, symbols, lengths]) => ({
    id: id as number,
    frequency: frequency as number,
    symbols: new Uint32Array(symbols as ArrayBuffer),
    lengths: new Uint32Array(lengths as ArrayBuffer),
  }));
}

function countOf({ sql }: DurableObjectStorage, table: string): number {
  return sql.exec<{ count: number }>(`SELECT count(*) AS count FROM ${table}`).one().count;
}

function learn(store: SqliteStore, from: number, to: number): void {
  for (let id = from; id <= to; id++) store.record({ kind: "model-put", model: model(id) });
}

afterEach(() => vi.restoreAllMocks());

describe("the packed corpus", () => {
  test("begins when there are enough models, and leaves the newest to their rows", async () => {
    const counts = await onFreshStore((store, storage) => {
      learn(store, 1, CHUNK - 1);
      const before = countOf(storage, "chunks");
      learn(store, CHUNK, CHUNK + 10);
      expect(corpusOf(storage)).toStrictEqual(rowsOf(storage));
      return [before, countOf(storage, "chunks")];
    });
    expect(counts).toStrictEqual([0, 1]);
  });

  test("continues counting after an earlier store", async () => {
    const chunks = await onFreshStore((store, storage) => {
      learn(store, 1, CHUNK - 1);
      learn(new SqliteStore(storage.sql), CHUNK, CHUNK);
      return countOf(storage, "chunks");
    });
    expect(chunks).toBe(1);
  });

  test("follows models that are renewed, removed, replaced or inserted between others", async () => {
    await onFreshStore((store, storage) => {
      const random = new Random(5);
      for (let id = 2; id <= 2 * CHUNK + 100; id += 2) learn(store, id, id);
      for (let round = 0; round < 300; round++) {
        const id = 2 * (1 + random.below(CHUNK));
        store.record({ kind: "model-renewed", id, frequency: 2 + round, emotives: [], learnedAt: undefined });
        store.record({ kind: "model-removed", id: 2 * (1 + random.below(CHUNK)) });
        const at = 1 + random.below(2 * CHUNK);
        store.record({
          kind: "model-put",
          model: model(at, { symbols: Uint32Array.of(round, at), lengths: Uint32Array.of(2) }),
        });
      }
      expect(countOf(storage, "changed")).toBeGreaterThan(0);
      expect(corpusOf(storage)).toStrictEqual(rowsOf(storage));
    });
  });

  test("is packed again when much of it has changed, and when all of it is gone", async () => {
    await onFreshStore((store, storage) => {
      learn(store, 1, CHUNK);
      for (let id = 1; id < CHANGES; id++) store.record({ kind: "model-removed", id });
      expect(countOf(storage, "changed")).toBe(CHANGES - 1);
      store.record({ kind: "model-renewed", id: CHANGES, frequency: 9, emotives: [], learnedAt: undefined });
      expect(countOf(storage, "changed")).toBe(0);
      expect(corpusOf(storage)).toStrictEqual(rowsOf(storage));
      for (let id = CHANGES; id <= CHUNK; id++) store.record({ kind: "model-removed", id });
      expect(corpusOf(storage)).toStrictEqual([]);
      learn(store, CHUNK + 1, CHUNK + 5);
      expect(corpusOf(storage)).toStrictEqual(rowsOf(storage));
    });
  });

  test("shrinks when half of a chunk is gone, however few models it has, also after a start", async () => {
    await onFreshStore((store, storage) => {
      learn(store, 1, CHUNK);
      // Packed again when a quarter is gone, and again: 4096, 3072, 2048, 1024, and then when half is gone.
      for (let id = 1; id <= CHUNK - 600; id++) store.record({ kind: "model-removed", id });
      expect(countOf(storage, "changed")).toBe(1024 - 600);
      const again = new SqliteStore(storage.sql);
      expect(Array.from(again.knowledge.corpusBatches(), ({ ids }) => ids.length)).toEqual([600, 0]);
      for (let id = CHUNK - 599; id <= CHUNK - 512; id++) again.record({ kind: "model-removed", id });
      expect(countOf(storage, "changed")).toBe(0);
      for (let id = CHUNK - 511; id < CHUNK; id++) again.record({ kind: "model-removed", id });
      expect([countOf(storage, "chunks"), countOf(storage, "changed")]).toEqual([1, 0]);
      expect(corpusOf(storage)).toStrictEqual(rowsOf(storage));
      again.record({ kind: "model-removed", id: CHUNK });
      expect([countOf(storage, "chunks"), countOf(storage, "changed")]).toEqual([0, 0]);
      learn(again, CHUNK + 1, CHUNK + 3);
      expect(corpusOf(storage)).toStrictEqual(rowsOf(storage));
    });
  });

  test("joins what is left of many chunks, and does not pack a chunk again for models that are only renewed", async () => {
    await onFreshStore((store, storage) => {
      learn(store, 1, 4 * CHUNK);
      expect(countOf(storage, "chunks")).toBe(4);
      for (let id = 1; id <= 4 * CHUNK; id++) if (id % 64 !== 0) store.record({ kind: "model-removed", id });
      expect(countOf(storage, "chunks")).toBe(1);
      expect(corpusOf(storage)).toStrictEqual(rowsOf(storage));
      const before = countOf(storage, "changed");
      for (let id = 64; id <= 4 * CHUNK; id += 64) {
        store.record({ kind: "model-renewed", id, frequency: 9, emotives: [], learnedAt: 1 });
      }
      expect(countOf(storage, "changed")).toBe(before + (4 * CHUNK) / 64);
      expect(corpusOf(storage)).toStrictEqual(rowsOf(storage));
    });
  });

  test("is packed again from the rows when it is damaged, and logs it once", async () => {
    const log = vi.spyOn(console, "error").mockReturnValue();
    await onFreshStore((store, storage) => {
      learn(store, 1, 2 * CHUNK);
      storage.sql.exec("UPDATE chunks SET bytes = zeroblob(length(bytes)) WHERE last = ?", CHUNK);
      expect(corpusOf(storage)).toStrictEqual(rowsOf(storage));
      expect(corpusOf(storage)).toStrictEqual(rowsOf(storage));
    });
    const damaged = `the packed copy of the models 1 to ${CHUNK} is damaged; it is packed again`;
    expect(log.mock.calls.filter(([line]) => String(line).includes("packed copy"))).toStrictEqual([[damaged]]);
  });

  test("leaves a model too large for a chunk to its row", async () => {
    const huge = Uint32Array.from({ length: 300_000 }, (_, at) => 2 ** 30 + at);
    await onFreshStore((store, storage) => {
      learn(store, 1, 2);
      store.record({ kind: "model-put", model: model(3, { symbols: huge, lengths: Uint32Array.of(huge.length) }) });
      learn(store, 4, 5);
      const packed = storage.sql.exec("SELECT last, bytes IS NULL AS without FROM chunks ORDER BY last").toArray();
      expect(packed).toStrictEqual([
        { last: 2, without: 0 },
        { last: 3, without: 1 },
      ]);
      expect(corpusOf(storage)).toStrictEqual(rowsOf(storage));
    });
  });

  test("is cleared with the models, and replaced with the staged ones", async () => {
    await onFreshStore((store, storage) => {
      const totals = { modelFrequencies: 0, memberFrequencies: 0, symbolFrequencies: 0 };
      const staging = { loadId: "a", totals, models: 0, vectors: 0, dimensionality: -1 };
      learn(store, 1, CHUNK);
      const models = Array.from({ length: CHUNK + 1 }, (_, at) => model(at + 1, { frequency: 77 }));
      store.record({ kind: "staging-begun", staging });
      store.record({ kind: "staging-grown", staging, symbols: [], models, vectors: [], isOrdered: false });
      store.record({ kind: "staging-committed" });
      expect(corpusOf(storage)).toStrictEqual(rowsOf(storage));
      expect([countOf(storage, "chunks"), countOf(storage, "staged_chunks")]).toStrictEqual([1, 0]);
      store.record({ kind: "knowledge-cleared" });
      expect(countOf(storage, "chunks")).toBe(0);
      learn(store, 1, 3);
      expect(corpusOf(storage)).toStrictEqual(rowsOf(storage));
    });
  });
});
