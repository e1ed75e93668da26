/** Which models are forgotten, compared with a slow count of all of them, and that nothing of them is left. */

import { describe, expect, test } from "vitest";
import { Fault } from "../../../../src/processor/ports/fault";
import type { Processor } from "../../../../src/processor/processor";
import { MemoryStore } from "../../../support/memory-store";
import { openProcessor } from "../../../support/open-processor";
import { gdfOf, geneChangesOf } from "../../../support/processor/calls";
import { pagesOf } from "../../../support/processor/knowledge-form";
import { RandomLife } from "../../../support/processor/random-life";
import { recount } from "../../../support/processor/readings";
import { Random } from "../../../support/random";

interface Known {
  name: string;
  frequency: number;
  order: number;
}

/** All models, those first that are to be forgotten first. */
function ranked(processor: Processor): Known[] {
  const models = pagesOf(processor, "models", true).flatMap((page) => page.models);
  const known = models.map(({ name, frequency, order = 0 }) => ({ name, frequency, order }));
  return known.sort((a, b) => a.frequency - b.frequency || a.order - b.order);
}

function namesOf(processor: Processor): string[] {
  return ranked(processor).map(({ name }) => name);
}

function add(processor: Processor, event: string[], frequency = 1): string {
  return processor.knowledge.addModel({ sequence: { events: [{ symbols: event }] }, frequency }).name;
}

function limit(processor: Processor, genes: Record<string, number | string>): void {
  expect(processor.genes.change(geneChangesOf(genes)).refusal).toBe("");
}

function expectCountersRight(processor: Processor): void {
  const pages = pagesOf(processor, "symbols");
  const counted = recount(processor);
  expect(new Set(pages.flatMap(({ symbols }) => symbols))).toEqual(new Set(counted.symbols));
  expect(pages[0]?.totals).toEqual(counted.totals);
  expect(processor.inspection.getUsage()).toMatchObject({
    models: namesOf(processor).length,
    symbols: counted.symbols.length,
  });
}

/** A random life of a verb or two; refused ones change nothing. */
function live(life: RandomLife, processor: Processor, store: MemoryStore): Processor {
  try {
    store.transaction(() => life.live(processor));
    return processor;
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    return openProcessor(store);
  }
}

const SEEDS = [1, 2, 3, 4];

describe("the gene max_models", () => {
  test.each(SEEDS)("forgets the least frequent and oldest others, life %i", (seed) => {
    const random = new Random(seed);
    const life = new RandomLife(random);
    const store = new MemoryStore();
    let processor = openProcessor(store);
    let forgotten = 0;
    for (let step = 0; step < 300; step++) {
      processor = live(life, processor, store);
      if (random.below(20) === 0) processor = openProcessor(store);
      const most = 1 + random.below(8);
      limit(processor, { max_models: most });
      const before = ranked(processor);
      const name = add(processor, [random.pick(["a", "b", "c"]), `n${random.below(30)}`].sort(), 1 + random.below(3));
      const others = before.filter((model) => model.name !== name);
      const excess = Math.max(0, others.length + 1 - most);
      const left = others.slice(excess).map((model) => model.name);
      expect(new Set(namesOf(processor))).toEqual(new Set([...left, name]));
      forgotten += excess;
      expectCountersRight(processor);
    }
    expect(forgotten).toBeGreaterThan(100);
  });

  test("forgets at most 100 models at a time, so that a lower limit is reached step by step", () => {
    const processor = openProcessor();
    for (let at = 0; at < 350; at++) add(processor, [`s${at}`, "x"]);
    limit(processor, { max_models: 10 });
    const left = Array.from({ length: 5 }, (_, at) => {
      add(processor, [`t${at}`, "x"]);
      return namesOf(processor).length;
    });
    expect(left).toEqual([251, 152, 53, 10, 10]);
    expect(namesOf(processor)).toContain(add(processor, ["t4", "x"]));
    expectCountersRight(processor);
  });

  test("spares the model that was just learned, whatever its frequency", () => {
    const processor = openProcessor();
    const old = [1, 2, 3].map((at) => add(processor, [`s${at}`, "x"], 5));
    limit(processor, { max_models: 2 });
    const fresh = add(processor, ["new", "x"]);
    expect(namesOf(processor)).toEqual([fresh, old[2]]);
    limit(processor, { max_models: 1 });
    expect(add(processor, ["new", "x"])).toBe(fresh);
    expect(namesOf(processor)).toEqual([fresh]);
  });

  test("counts for learning and autolearning, not for changes and loads", () => {
    const processor = openProcessor();
    limit(processor, { max_models: 1, max_sequence_length: 2 });
    for (const symbols of [
      ["a", "b"],
      ["c", "d"],
    ]) {
      for (const strings of symbols) processor.memory.observe(gdfOf({ strings: [strings] }), []);
      processor.memory.learn();
    }
    expect(namesOf(processor)).toHaveLength(1);
    processor.modes.setAutolearning(true);
    for (const strings of ["e", "f"]) processor.memory.observe(gdfOf({ strings: [strings] }), []);
    expect(namesOf(processor)).toHaveLength(1);
    limit(processor, { max_models: 0 });
    add(processor, ["g", "h"]);
    limit(processor, { max_models: 1 });
    const [name = ""] = namesOf(processor);
    processor.knowledge.updateModel({ name, frequency: 7 });
    expect(namesOf(processor)).toHaveLength(2);
  });

  test("in a sequence forgets symbols as one call after the other does", () => {
    const [once, singly] = [openProcessor(), openProcessor()];
    for (const processor of [once, singly]) {
      limit(processor, { max_models: 2, max_sequence_length: 2, prediction_threshold: 0.4 });
      processor.modes.setAutolearning(true);
    }
    const sequence = Array.from({ length: 40 }, (_, at) => gdfOf({ strings: [`s${(at * 7) % 11}`] }));
    const { observed } = once.memory.observeSequence({ sequence, learn: false, clear: false });
    const alone = sequence.map((gdf) => singly.memory.observe(gdf, []).observed);
    const told = (list: typeof observed) =>
      list.map(({ autoLearnedModel, predictionMade }) => [autoLearnedModel, predictionMade]);
    expect(told(observed)).toEqual(told(alone));
    expect(pagesOf(once, "symbols")[0]?.symbols).toEqual(pagesOf(singly, "symbols")[0]?.symbols);
  });

  test("leaves no heap that grows with what comes and goes", () => {
    const processor = openProcessor();
    limit(processor, { max_models: 50 });
    const bytes: number[] = [];
    for (let at = 0; at < 6000; at++) {
      const name = add(processor, [`s${at % 100}`, "x"], 1 + (at % 3));
      processor.knowledge.updateModel({ name, frequency: 1 });
      if (at % 1000 === 999) bytes.push(processor.heapBytes);
    }
    expect(Math.max(...bytes)).toBeLessThan(400_000);
    expectCountersRight(processor);
  });
});

describe("forget", () => {
  test.each(SEEDS)("forgets what a slow count says, and a dry run says how many, life %i", (seed) => {
    const random = new Random(seed + 100);
    const processor = openProcessor();
    for (let round = 0; round < 40; round++) {
      for (let at = random.below(60); at > 0; at--) {
        add(processor, [`s${random.below(9)}`, `t${random.below(9)}`], 1 + random.below(4));
      }
      const frequencyBelow = random.below(2) === 0 ? random.below(6) : undefined;
      const keepAtMost = random.below(2) === 0 ? random.below(40) : undefined;
      const before = ranked(processor);
      const frequent = before.filter(({ frequency }) => frequency >= (frequencyBelow ?? 0));
      const left = frequent.slice(Math.max(0, frequent.length - (keepAtMost ?? Number.POSITIVE_INFINITY)));
      const asked = { frequencyBelow, keepAtMost };
      const models = before.length - left.length;
      expect(processor.knowledge.forgetModels({ ...asked, dryRun: true })).toEqual({ models });
      expect(ranked(processor)).toEqual(before);
      expect(processor.knowledge.forgetModels({ ...asked, dryRun: false })).toEqual({ models });
      expect(ranked(processor)).toEqual(left);
      expectCountersRight(processor);
    }
  });

  test("between parts others change what they like: what is learned again stays, what is new stays", () => {
    const processor = openProcessor();
    const names = Array.from({ length: 1200 }, (_, at) => add(processor, [`s${at}`, "x"]));
    const forgetting = processor.knowledge.beginForgetting({ keepAtMost: 100, dryRun: false });
    processor.knowledge.forgetPart(forgetting);
    expect(namesOf(processor)).toHaveLength(700);
    expect(forgetting.isDone).toBe(false);
    add(processor, ["s600", "x"]);
    processor.knowledge.deleteModel(names[601] ?? "");
    const fresh = add(processor, ["new", "x"]);
    while (!forgetting.isDone) processor.knowledge.forgetPart(forgetting);
    expect(new Set(namesOf(processor))).toEqual(new Set([...names.slice(1100), names[600], fresh]));
    expect(forgetting.models).toBe(1098);
    expectCountersRight(processor);
  });

  test.each([
    [{ frequencyBelow: -1 }, "frequency_below must be a whole number from 0 to 9007199254740991, got -1"],
    [{ frequencyBelow: 1.5 }, "frequency_below must be a whole number from 0 to 9007199254740991, got 1.5"],
    [{ keepAtMost: Number.NaN }, "keep_at_most must be a whole number from 0 to 9007199254740991, got NaN"],
    [{ keepAtMost: 2 ** 53 }, "keep_at_most must be a whole number from 0 to 9007199254740991, got 9007199254740992"],
  ])("refuses %j", (asked, reason) => {
    const processor = openProcessor();
    add(processor, ["a", "b"]);
    expect(() => processor.knowledge.forgetModels({ ...asked, dryRun: false })).toThrow(reason);
    expect(namesOf(processor)).toHaveLength(1);
  });
});

test("a model notes when it was learned last, and a change by hand does not count", () => {
  const store = new MemoryStore();
  const processor = openProcessor(store);
  const learnedAt = (name: string) => store.knowledge.modelByName(name)?.learnedAt;
  const begun = Math.floor(Date.now() / 1000);
  const expectNow = (at = 0) => {
    expect(at).toBeGreaterThanOrEqual(begun);
    expect(at).toBeLessThanOrEqual(Math.ceil(Date.now() / 1000));
  };
  const name = add(processor, ["a", "b"]);
  expectNow(learnedAt(name));
  store.record({ kind: "model-renewed", id: 1, frequency: 1, emotives: [], learnedAt: 5 });
  processor.knowledge.updateModel({ name, frequency: 3 });
  expect(learnedAt(name)).toBe(5);
  const renamed = processor.knowledge.updateModel({ name, sequence: { events: [{ symbols: ["c", "d"] }] } }).name;
  expect(learnedAt(renamed)).toBe(5);
  processor.knowledge.removeSymbols({ symbols: ["d"], patterns: [] });
  const [shortened = ""] = namesOf(processor);
  expect(learnedAt(shortened)).toBe(5);
  add(processor, ["c"]);
  expectNow(learnedAt(shortened));
});
