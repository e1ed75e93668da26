/** Lists of models, symbols and vectors, compared with all rows sorted and filtered in the obvious way, and paged while others learn. */

import { describe, expect, test } from "vitest";
import type { ListPlace } from "../../../../src/gen/plain";
import type { Processor } from "../../../../src/processor/processor";
import type { PageAsked } from "../../../../src/processor/verbs/knowledge/list-page";
import { compareCodePoints } from "../../../../src/text/code-points";
import { openProcessor } from "../../../support/open-processor";
import { Clocked } from "../../../support/processor/clocked";
import { pagesOf } from "../../../support/processor/knowledge-form";
import { Random } from "../../../support/random";

const SEEDS = [1, 2, 3];

const ALPHABET = ["a", "b", "c", "temp=1", "temp=2", "\u{1f375}", "\u{ff5e}", ""];

/** A processor that has learned at random, at different moments. */
function learned(random: Random, models: number): Processor {
  const clocked = new Clocked();
  for (let at = 0; at < models; at++) {
    // Backward too, as clocks may run.
    clocked.pass(random.below(7) - 3);
    add(clocked.processor, random);
  }
  return clocked.processor;
}

function add(processor: Processor, random: Random): string {
  const events = Array.from({ length: 1 + random.below(3) }, () => ({
    symbols: Array.from({ length: 1 + random.below(2) }, () => random.pick(ALPHABET)),
  }));
  const components = [random.below(9), random.below(9)];
  return processor.knowledge.addModel({
    sequence: { events },
    frequency: 1 + random.below(4),
    ...(random.below(3) === 0 && { vector: { components } }),
  }).name;
}

/** A row as the oracle sees it. */
interface Row {
  name: string;
  key: number | string;
  /** Of equals, the least comes first. */
  tie: number;
}

/** All names in the order asked for, sorted by a plain sort. */
function sorted(rows: readonly Row[], { descending }: { descending: boolean }): string[] {
  const compare = ({ key }: Row, other: Row) =>
    typeof key === "string" ? compareCodePoints(key, String(other.key)) : key - Number(other.key);
  const ordered = [...rows].sort((a, b) => compare(a, b) || a.tie - b.tie);
  return (descending ? ordered.reverse() : ordered).map(({ name }) => name);
}

interface Listed {
  names: string[];
  place: ListPlace | undefined;
}

type Read = (page: PageAsked) => Listed;

/** Reads all pages forward, then all backward, and checks where each says it is. */
function walk(read: Read, asked: Omit<PageAsked, "cursor">): string[] {
  const forward: Listed[] = [];
  for (let cursor = ""; ; ) {
    const page = read({ ...asked, cursor });
    expect(page.place?.first).toBe(forward.flatMap(({ names }) => names).length);
    forward.push(page);
    if (page.place?.next === "") break;
    cursor = page.place?.next ?? "";
  }
  const all = forward.flatMap(({ names }) => names);
  for (const { place } of forward) expect(place?.total).toBe(all.length);
  let back: string[] = [];
  let at = forward.at(-1);
  while (at !== undefined) {
    back = [...at.names, ...back];
    const { previous = "" } = at.place ?? {};
    at = previous === "" ? undefined : read({ ...asked, cursor: previous });
  }
  expect(back).toEqual(all);
  return all;
}

const LIMITS = [1, 3, 500];

describe("a list of models", () => {
  const SEARCHES = [
    { name: "", symbols: [], patterns: [] },
    { name: "", symbols: ["a", "temp=1"], patterns: [] },
    { name: "", symbols: [""], patterns: ["temp=.*"] },
    { name: "", symbols: [], patterns: ["[ab]", "temp=\\d"] },
    { name: "", symbols: ["unknown"], patterns: [] },
    { name: "", symbols: ["a"], patterns: ["nothing"] },
    { name: "7", symbols: [], patterns: [] },
    { name: "a", symbols: ["b"], patterns: [] },
  ];

  test.each(SEEDS)("has exactly the models that pass, in order, over any pages, knowledge %i", (seed) => {
    const random = new Random(seed);
    const processor = learned(random, 60);
    const models = pagesOf(processor, "models", true).flatMap((page) => page.models);
    expect(models.length).toBeGreaterThan(30);
    expect(new Set(models.map(({ learnedAt }) => learnedAt)).size).toBeGreaterThan(5);
    for (const search of SEARCHES) {
      const passing = models.filter(({ name, sequence }) => {
        const symbols = sequence.flatMap((event) => event.symbols);
        const matches = (pattern: string) => symbols.some((symbol) => new RegExp(`^(?:${pattern})$`, "u").test(symbol));
        return (
          name.startsWith(search.name) &&
          search.symbols.every((symbol) => symbols.includes(symbol)) &&
          search.patterns.every(matches)
        );
      });
      for (const sort of ["order", "learned_at", "frequency", "length", "name"] as const) {
        const rows = passing.map(({ name, frequency, order = 0, learnedAt = -1, sequence }) => {
          const length = sequence.flatMap(({ symbols }) => symbols).length;
          return { name, key: { order, learned_at: learnedAt, frequency, length, name }[sort], tie: order };
        });
        for (const descending of [true, false]) {
          const limit = random.pick(LIMITS);
          const read: Read = (page) => {
            const listed = processor.knowledge.listModels({ ...search, page });
            expect(listed.models.length).toBeLessThanOrEqual(limit);
            for (const model of listed.models) {
              const { emotives, metadataJson, ...same } = models.find(({ name }) => name === model.name) ?? model;
              expect(model).toEqual({ ...same, emotives: [], metadataJson: [] });
            }
            return { names: listed.models.map(({ name }) => name), place: listed.place };
          };
          expect(walk(read, { sort, descending, limit })).toEqual(sorted(rows, { descending }));
        }
      }
    }
  });

  test("begins a page where the one before ended, whatever was learned and forgotten between", () => {
    const random = new Random(9);
    const processor = learned(random, 40);
    const before = pagesOf(processor, "models", true).flatMap((page) => page.models.map(({ name }) => name));
    const seen: string[] = [];
    const gone = new Set<string>();
    for (let cursor = ""; ; ) {
      const page = { sort: "name", descending: false, cursor, limit: 4 };
      const { models, place } = processor.knowledge.listModels({ name: "", symbols: [], patterns: [], page });
      seen.push(...models.map(({ name }) => name));
      if (place.next === "") break;
      cursor = place.next;
      add(processor, random);
      // The last row of the page is the one at which the next page begins.
      const last = models.at(-1)?.name ?? "";
      processor.knowledge.deleteModel(last);
      gone.add(last);
    }
    expect(new Set(seen).size).toBe(seen.length);
    expect(before.filter((name) => !seen.includes(name))).toEqual([]);
    expect(gone.size).toBeGreaterThan(5);
  });

  test("ends a page early when its models are long, forward and backward", () => {
    const processor = openProcessor();
    const long = (first: string) => [first, ...Array.from({ length: 30_000 }, () => "a symbol")];
    for (const first of ["a", "b", "c", "d", "e"]) {
      processor.knowledge.addModel({ sequence: { events: [{ symbols: long(first) }] } });
    }
    const read: Read = (page) => {
      const { models, place } = processor.knowledge.listModels({ name: "", symbols: [], patterns: [], page });
      expect(models.length).toBe(1);
      return { names: models.map(({ name }) => name), place };
    };
    expect(walk(read, { sort: "order", descending: true, limit: 50 }).length).toBe(5);
  });
});

describe("a list of symbols", () => {
  test.each(SEEDS)("has exactly the symbols that pass, in order, over any pages, knowledge %i", (seed) => {
    const random = new Random(seed);
    const processor = learned(random, 20);
    const symbols = pagesOf(processor, "symbols").flatMap((page) => page.symbols);
    const first = processor.knowledge.listSymbols({ name: "", patterns: [] }).symbols;
    expect(new Set(first)).toEqual(new Set(symbols));
    // The order of equals is that in which they became known; nothing was forgotten, so it is the one of the store.
    const tie = new Map([...orderOfSymbols(processor)].map((name, at) => [name, at]));
    for (const search of [
      { name: "", patterns: [] },
      { name: "temp", patterns: [] },
      { name: "", patterns: ["temp=1|."] },
      { name: "z", patterns: [] },
    ]) {
      const passing = symbols.filter(
        ({ name }) =>
          name.startsWith(search.name) &&
          search.patterns.every((pattern) => new RegExp(`^(?:${pattern})$`, "u").test(name)),
      );
      for (const sort of ["frequency", "model_member_frequency", "name"] as const) {
        const rows = passing.map(({ name, frequency, modelMemberFrequency }) => {
          const key = { name, frequency, model_member_frequency: modelMemberFrequency }[sort];
          return { name, key, tie: tie.get(name) ?? -1 };
        });
        for (const descending of [true, false]) {
          const read: Read = (page) => {
            const listed = processor.knowledge.listSymbols({ ...search, page });
            return { names: listed.symbols.map(({ name }) => name), place: listed.place };
          };
          const asked = { sort, descending, limit: random.pick(LIMITS) };
          expect(walk(read, asked)).toEqual(sorted(rows, { descending }));
        }
      }
    }
  });

  test("pages through symbols that are too long for a cursor", () => {
    const processor = openProcessor();
    const names = ["\u{1f375}", "x"].flatMap((end) => ["1", "2", "3"].map((last) => "y".repeat(999) + end + last));
    processor.knowledge.addModel({ sequence: { events: [{ symbols: names }] } });
    const read: Read = (page) => {
      const { symbols, place } = processor.knowledge.listSymbols({ name: "", patterns: [], page });
      expect(place.next.isWellFormed() && place.next.length < 1_100).toBe(true);
      return { names: symbols.map(({ name }) => name), place };
    };
    expect(new Set(walk(read, { sort: "name", descending: false, limit: 1 }))).toEqual(new Set(names));
  });
});

/** The symbols in the order in which they became known. */
function orderOfSymbols(processor: Processor): Iterable<string> {
  const models = pagesOf(processor, "models", true).flatMap((page) => page.models);
  models.sort(({ order = 0 }, other) => order - (other.order ?? 0));
  return new Set(models.flatMap(({ sequence }) => sequence.flatMap(({ symbols }) => symbols)));
}

describe("a list of vectors", () => {
  test.each(SEEDS)("has exactly the vectors that pass, in order, over any pages, knowledge %i", (seed) => {
    const random = new Random(seed);
    const processor = learned(random, 60);
    const vectors = pagesOf(processor, "vectors", true).flatMap((page) => page.vectors);
    // Some are symbols of models too.
    for (const { name } of vectors.slice(0, 5)) {
      const symbols = [`VECTOR|${name}`];
      processor.knowledge.addModel({ sequence: { events: [{ symbols }] }, frequency: 1 + random.below(2) });
    }
    for (const start of ["", "3", "ab"]) {
      const passing = vectors.filter(({ name }) => name.startsWith(start));
      for (const sort of ["order", "frequency", "name"] as const) {
        const rows = passing.map(({ name, order = 0 }) => {
          const { frequency = 0 } = processor.knowledge.getSymbol(`VECTOR|${name}`).symbol ?? {};
          return { name, key: { order, frequency, name }[sort], tie: order };
        });
        for (const descending of [true, false]) {
          const read: Read = (page) => {
            const listed = processor.knowledge.listVectors({ name: start, page });
            for (const { vector } of listed.vectors) {
              const same = vectors.find(({ name }) => name === vector?.name);
              expect(vector).toEqual({ ...same, components: [] });
            }
            return { names: listed.vectors.map(({ vector }) => vector?.name ?? ""), place: listed.place };
          };
          expect(walk(read, { sort, descending, limit: random.pick(LIMITS) })).toEqual(sorted(rows, { descending }));
        }
      }
    }
  });
});

describe("what is asked wrong is named", () => {
  const PAGE = { sort: "", descending: true, cursor: "" };
  test.each([
    [{ ...PAGE, sort: "joy" }, "sort must be one of order, learned_at, frequency, length, name, got"],
    [{ ...PAGE, limit: 0 }, "limit must be a whole number from 1 to 500, got 0"],
    [{ ...PAGE, limit: 501 }, "limit must be a whole number from 1 to 500, got 501"],
    [{ ...PAGE, cursor: "7" }, "cursor must be what an answer gave as next or previous"],
    [{ ...PAGE, cursor: "order:desc:after:1:x" }, "cursor must be what an answer gave as next or previous"],
    [{ ...PAGE, cursor: "order:desc:after:9999999999999999:1" }, "cursor must be what an answer gave"],
    [{ ...PAGE, cursor: "frequency:desc:after:1:1" }, "is of another order"],
    [{ ...PAGE, cursor: "order:asc:after:1:1" }, "is of another order"],
  ])("in a page: %j", (page, sentence) => {
    const processor = openProcessor();
    expect(() => processor.knowledge.listModels({ name: "", symbols: [], patterns: [], page })).toThrow(sentence);
  });

  test("in a search", () => {
    const { knowledge } = openProcessor();
    const sought = { symbols: [], patterns: [] };
    for (const name of ["x", "A", "0".repeat(41)]) {
      expect(() => knowledge.listModels({ ...sought, name })).toThrow("name must be what the name of a model begins");
      expect(() => knowledge.listVectors({ name })).toThrow("name must be what the name of a vector begins");
    }
    expect(() => knowledge.listModels({ ...sought, name: "", patterns: ["("] })).toThrow("(");
    expect(() => knowledge.listSymbols({ name: "\ud800", patterns: [] })).toThrow("name");
    expect(() => knowledge.listSymbols({ name: "", patterns: ["("] })).toThrow("(");
  });
});
