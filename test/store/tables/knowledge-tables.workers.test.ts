/** Models, symbols and vectors, over SQLite. */

import { describe, expect, test } from "vitest";
import { RestoreStore } from "../../../src/store/restore-store";
import { modelCount, onFreshStore, vectorCount } from "../../support/store/in-object";
import {
  HARD_NUMBERS,
  HARD_TEXTS,
  memoryChange,
  model,
  nameOf,
  plainMemoryState,
  symbol,
  vector,
} from "../../support/store/rows";

describe("vectors", () => {
  test("are learned in order, and found by name and page", async () => {
    const read = await onFreshStore((store) => {
      const before = vectorCount(store);
      for (const id of [1, 2, 3]) store.record({ kind: "vector-learned", vector: vector(id) });
      return {
        counts: [before, vectorCount(store)],
        all: Array.from(store.knowledge.vectors()),
        found: store.knowledge.vectorByName(nameOf(498)),
        unknown: [
          store.knowledge.vectorByName(nameOf(1)),
          store.knowledge.vectorByName("no hash"),
          store.knowledge.vectorByName(nameOf(498).toUpperCase()),
        ],
        page: store.knowledge.vectorsAfter(nameOf(497), 1),
        first: store.knowledge.vectorsAfter("", 2),
      };
    });
    expect(read).toStrictEqual({
      counts: [0, 3],
      all: [vector(1), vector(2), vector(3)],
      found: vector(2),
      unknown: [undefined, undefined, undefined],
      page: [vector(2)],
      first: [vector(3), vector(2)],
    });
  });

  test("that are views of a larger buffer are stored without the rest", async () => {
    const view = Float64Array.of(9, 1, 2, 9).subarray(1, 3);
    const read = await onFreshStore((store) => {
      store.record({ kind: "vector-learned", vector: vector(1, { components: view }) });
      return store.knowledge.vectorByName(nameOf(499))?.components;
    });
    expect(read).toStrictEqual(Float64Array.of(1, 2));
  });
});

describe("symbols", () => {
  test("of any number are put at once, by id", async () => {
    const symbols = Array.from({ length: 61 }, (_, id) => symbol(id, { name: HARD_TEXTS[id] ?? `s${id}` }));
    const read = await onFreshStore((store) => {
      store.record({ kind: "symbols-added", symbols: [...symbols].reverse() });
      return Array.from(store.knowledge.symbols());
    });
    expect(read).toStrictEqual(symbols);
  });

  test("are removed, and their ids used again", async () => {
    const again = symbol(1, { name: "another" });
    const read = await onFreshStore((store) => {
      store.record({ kind: "symbols-added", symbols: [symbol(0), symbol(1), symbol(2)] });
      store.record({ kind: "symbols-removed", ids: [1, 2] });
      store.record({ kind: "symbols-added", symbols: [again] });
      return Array.from(store.knowledge.symbols());
    });
    expect(read).toStrictEqual([symbol(0), again]);
  });
});

describe("models", () => {
  test("come back bit for bit, by name and by id", async () => {
    const rich = model(2, {
      emotives: [
        { name: "joy", values: HARD_NUMBERS },
        { name: "", values: [] },
        { name: "\0", values: [-1] },
      ],
      metadata: ['{"b":1,"a":2}', "{}", '{"text":"\u{1F600}"}'],
    });
    const read = await onFreshStore((store) => {
      const before = modelCount(store);
      for (const each of [model(1), rich, model(3)]) store.record({ kind: "model-put", model: each });
      return {
        counts: [before, modelCount(store)],
        found: store.knowledge.modelByName(rich.name),
        unknown: [store.knowledge.modelByName(nameOf(1)), store.knowledge.modelByName("' OR 1 = 1 --")],
        byId: store.knowledge.modelsById([3, 2, 3]),
        names: store.knowledge.modelNames([2, 1]),
        none: [store.knowledge.modelsById([]), store.knowledge.modelNames([])],
        corpus: Array.from(store.knowledge.corpus()),
      };
    });
    const matchable = ({ id, frequency, symbols, lengths }: ReturnType<typeof model>) => ({
      id,
      frequency,
      symbols,
      lengths,
    });
    expect(read).toStrictEqual({
      counts: [0, 3],
      found: rich,
      unknown: [undefined, undefined],
      byId: [model(3), rich, model(3)],
      names: [nameOf(998), nameOf(999)],
      none: [[], []],
      corpus: [matchable(model(1)), matchable(rich), matchable(model(3))],
    });
  });

  test("that do not exist are a defect when read by id", async () => {
    const asked = onFreshStore((store) => {
      store.record({ kind: "model-put", model: model(1) });
      store.knowledge.modelsById([1, 5, 6]);
    });
    await expect(asked).rejects.toThrow("2 of 3 model ids are not stored");
  });

  test("are renewed, replaced and removed", async () => {
    const emotives = [{ name: "joy", values: [1, 2] }];
    const renamed = model(2, {
      name: nameOf(1),
      symbols: Uint32Array.of(5, 6),
      lengths: Uint32Array.of(2),
      metadata: ["{}"],
    });
    const read = await onFreshStore((store) => {
      for (const id of [1, 2, 3]) store.record({ kind: "model-put", model: model(id) });
      store.record({ kind: "model-renewed", id: 1, frequency: 40, emotives, learnedAt: 1_800_000_000 });
      store.record({ kind: "model-put", model: renamed });
      store.record({ kind: "model-removed", id: 3 });
      return {
        count: modelCount(store),
        all: store.knowledge.modelsAfter("", 10),
        gone: store.knowledge.modelByName(nameOf(998)),
      };
    });
    const renewed = model(1, { frequency: 40, emotives, learnedAt: 1_800_000_000 });
    expect(read).toStrictEqual({ count: 2, all: [renamed, renewed], gone: undefined });
  });

  test.each(["no name", nameOf(1).slice(1), "A".repeat(40)])("have no page after %s", async (after) => {
    const asked = (read: "modelsAfter" | "vectorsAfter") =>
      onFreshStore((store) => {
        expect(() => store.knowledge[read](after, 1)).toThrow(`the page's start "${after}" is not the name of a row`);
      });
    await asked("modelsAfter");
    await asked("vectorsAfter");
  });

  test("are paged by name, which is the order of the hex text", async () => {
    const names = ["ff", "0a", "10", "a0", "9f"].map((start) => start.padEnd(40, "0"));
    const pages = await onFreshStore((store) => {
      for (const [at, name] of names.entries()) store.record({ kind: "model-put", model: model(at + 1, { name }) });
      const first = store.knowledge.modelsAfter("", 2).map(({ name }) => name);
      const second = store.knowledge.modelsAfter(first[1] ?? "", 2).map(({ name }) => name);
      return [...first, ...second, ...store.knowledge.modelsAfter(second[1] ?? "", 2).map(({ name }) => name)];
    });
    expect(pages).toStrictEqual([...names].sort());
  });
});

test("names and moments of learning are read for all models, in packs", async () => {
  const count = 9_000;
  const names = Array.from({ length: count }, (_, at) =>
    ((at * 7_919) % count).toString(16).padStart(5, "0").padEnd(40, "7"),
  );
  const read = await onFreshStore((store) => {
    const none = [[...store.knowledge.modelNamesFrom("")], [...store.knowledge.modelMoments()]];
    for (const [at, name] of names.entries()) {
      const learnedAt = at % 3 === 0 ? undefined : at;
      store.record({ kind: "model-put", model: model(2 * at + 1, { name, learnedAt }) });
    }
    return {
      none,
      moments: [...store.knowledge.modelMoments()],
      starts: ["", "0", "001a", "001a7", names[5] ?? "", "1"].map(
        (start) => [start, [...store.knowledge.modelNamesFrom(start)]] as const,
      ),
    };
  });
  expect(read.none).toEqual([[], []]);
  expect(read.moments).toEqual(names.map((_, at) => [2 * at + 1, at % 3 === 0 ? undefined : at]));
  const sorted = names.map((name, at) => [2 * at + 1, name] as const).sort((a, b) => (a[1] < b[1] ? -1 : 1));
  for (const [start, found] of read.starts) expect(found).toEqual(sorted.filter(([, name]) => name.startsWith(start)));
});

test("models that keep times are looked for, some at a time, newest first", async () => {
  const read = await onFreshStore((store) => {
    const empty = store.knowledge.timesBelow(100, 3);
    for (const id of [2, 3, 5, 7, 11, 13]) {
      const times = id === 5 ? Float64Array.of(1, 2) : undefined;
      store.record({ kind: "model-put", model: model(id, { name: id.toString(16).padStart(40, "0"), times }) });
    }
    return { empty, parts: [100, 13, 7, 5, 3].map((below) => store.knowledge.timesBelow(below, 3)) };
  });
  expect(read.empty).toEqual({ found: false, next: 0 });
  expect(read.parts).toEqual([
    { found: false, next: 7 },
    { found: true, next: 5 },
    { found: true, next: 2 },
    { found: false, next: 0 },
    { found: false, next: 0 },
  ]);
});

test("names are read for more ids than one value of SQLite can hold as text", async () => {
  const count = 300_000;
  const names = await onFreshStore((store) => {
    const far = { ...model(1), id: 1_234_567 };
    store.record({ kind: "model-put", model: far });
    const read = store.knowledge.modelNames(Array<number>(count).fill(far.id));
    return [read.length, read.at(-1) === far.name];
  });
  expect(names).toEqual([count, true]);
});

describe("clearing knowledge", () => {
  test("leaves memory, waiting vectors and the blacklist", async () => {
    const read = await onFreshStore((store) => {
      store.record({ kind: "model-put", model: model(1) });
      store.record({ kind: "symbols-added", symbols: [symbol(0)] });
      store.record({ kind: "vector-learned", vector: vector(1) });
      store.record(memoryChange("", plainMemoryState({ waitingStart: 2, waitingEnd: 3 }), { waiting: [vector(2)] }));
      store.record({ kind: "blacklist-added", symbols: ["a"] });
      const counts = [modelCount(store), vectorCount(store)];
      store.record({ kind: "knowledge-cleared" });
      const cleared = [
        Array.from(store.knowledge.corpus()),
        Array.from(store.knowledge.symbols()),
        Array.from(store.knowledge.vectors()),
      ];
      return [
        counts,
        [modelCount(store), vectorCount(store)],
        cleared,
        store.memories.read("")?.waiting,
        store.blacklist(),
      ];
    });
    expect(read).toStrictEqual([[1, 1], [0, 0], [[], [], []], [vector(2)], ["a"]]);
  });
});

describe("staged rows with an order", () => {
  const TOTALS = { modelFrequencies: 0, memberFrequencies: 0, symbolFrequencies: 0 };
  const counts = (models: number, vectors: number) => ({
    loadId: "a",
    totals: TOTALS,
    models,
    vectors,
    dimensionality: 3,
  });

  test.each([
    ["when they take the place of the live ones", 0],
    ["before they take the place of the live ones", 1],
  ])("keep the ids of models, count those of vectors, and are packed %s", async (_, chunksBefore) => {
    const read = await onFreshStore((store, { sql }) => {
      // Their names sort against their ids, as the order of a file may.
      const models = Array.from({ length: 5000 }, (_, at) => {
        const name = at.toString(16).padStart(40, "0");
        return model(2 * (5000 - at), { name });
      });
      store.record({ kind: "staging-begun", staging: counts(0, 0) });
      for (let at = 0; at < models.length; at += 1000) {
        const staging = counts(at + 1000, 2);
        const vectors = at === 0 ? [vector(9), vector(4)] : [];
        store.record({
          kind: "staging-grown",
          staging,
          symbols: [],
          models: models.slice(at, at + 1000),
          vectors,
          isOrdered: true,
        });
      }
      const staged = [
        store.staged.presentIds("models", [1, 2, 10_000, 10_001]),
        store.staged.presentIds("vectors", [3, 4]),
        store.staged.lastModelId(),
      ];
      const batch = store.staged.modelsAfterId(9996, 5).map(({ id }) => id);
      const pieces = chunksBefore === 0 ? [] : [1, 2, 3].map(() => new RestoreStore(sql).packModels());
      const chunks = [...sql.exec<{ n: number }>("SELECT count(*) AS n FROM staged_chunks")][0]?.n;
      store.record({ kind: "staging-committed" });
      return {
        pieces,
        staged,
        batch,
        chunks,
        ids: Array.from(store.knowledge.corpus(), ({ id }) => id),
        packed: [...sql.exec<{ last: number }>("SELECT last FROM chunks")].map(({ last }) => last),
        vectors: Array.from(store.knowledge.vectors(), ({ id, name }) => [id, name]),
      };
    });
    expect(read.staged).toEqual([[2, 10_000], [4], 10_000]);
    expect(read.batch).toEqual([9998, 10_000]);
    expect(read.chunks).toBe(chunksBefore);
    expect(read.pieces).toEqual(chunksBefore === 0 ? [] : [true, false, false]);
    expect(read.ids).toEqual(Array.from({ length: 5000 }, (_, at) => 2 * (at + 1)));
    expect(read.packed).toEqual([8192]);
    expect(read.vectors).toEqual([
      [1, vector(4).name],
      [2, vector(9).name],
    ]);
  });
});

test("a model is found by name after everything was cleared, and after a load, however full the filter of names was", async () => {
  // As spread as hashes are: names that begin alike would choose the same bits.
  const named = (id: number) => {
    const digits = (Math.imul(id, 0x9e37_79b1) >>> 0).toString(16).padStart(8, "0");
    return model(id, { name: digits.repeat(5) });
  };
  const found = await onFreshStore((store) => {
    const isFound = (id: number) => store.knowledge.modelByName(named(id).name) !== undefined;
    // The filter is read when names are looked up in vain.
    const lookUpUnknown = () => Array.from({ length: 64 }, (_, at) => isFound(1_000_000 + at)).some(Boolean);
    const unknown = [lookUpUnknown()];
    for (const id of [1, 2, 3]) store.record({ kind: "model-put", model: named(id) });
    unknown.push(lookUpUnknown());
    const learned = [1, 2, 3, 4].map(isFound);
    store.record({ kind: "knowledge-cleared" });
    store.record({ kind: "model-put", model: named(4) });
    unknown.push(lookUpUnknown());
    const cleared = [1, 2, 3, 4].map(isFound);
    const staging = {
      loadId: "a",
      totals: { modelFrequencies: 0, memberFrequencies: 0, symbolFrequencies: 0 },
      models: 2,
      vectors: 0,
      dimensionality: 0,
    };
    const models = [named(5), named(6)];
    store.record({ kind: "staging-begun", staging });
    store.record({ kind: "staging-grown", staging, symbols: [], models, vectors: [], isOrdered: false });
    store.record({ kind: "staging-committed" });
    const loaded = [4, 5, 6].map(isFound);
    return { unknown, learned, cleared, loaded };
  });
  expect(found).toEqual({
    unknown: [false, false, false],
    learned: [true, true, true, false],
    cleared: [false, false, false, true],
    loaded: [false, true, true],
  });
});
