/** A memory that grows, is shortened, and takes turns with another: whether it predicts anything is the oracle's answer at each step. */

import { describe, expect, test } from "vitest";
import type { Kernel } from "../../src/kernel/kernel";
import type { GrowingMemory, Query } from "../../src/processor/ports/matcher";
import { Oracle } from "../oracle/oracle";
import { Corpus, type Shape } from "../support/kernel/corpus";
import { soleKernel } from "../support/kernel/sole-kernel";
import { Random } from "../support/random";

const SHAPES: Record<string, Shape> = {
  "few symbols": { models: 30, symbols: 5, events: 12, eventSymbols: 6, memory: 60, skew: "flat", frequency: 2 },
  "a steep alphabet": { models: 60, symbols: 30, events: 20, eventSymbols: 6, memory: 60, skew: "steep", frequency: 2 },
  "one symbol everywhere": {
    models: 20,
    symbols: 8,
    events: 10,
    eventSymbols: 6,
    memory: 60,
    skew: "one",
    frequency: 2,
  },
  "models of some words": {
    models: 12,
    symbols: 9,
    events: 40,
    eventSymbols: 12,
    memory: 90,
    skew: "flat",
    frequency: 1,
  },
  "models of several words": {
    models: 6,
    symbols: 3,
    events: 70,
    eventSymbols: 12,
    memory: 90,
    skew: "flat",
    frequency: 1,
  },
  "several segments": {
    models: 2_100,
    symbols: 60,
    events: 6,
    eventSymbols: 6,
    memory: 30,
    skew: "flat",
    frequency: 1,
  },
};

let runs = 0;
/** How many questions of all shapes need not be asked. */
let skipped = 0;
/** How many with few steps or at a glance were found out, and how many were not. */
let hurriedRight = 0;
let hurriedUnknown = 0;

/** A memory as a test lets it grow. */
class Growing {
  symbols: number[] = [];
  notes: GrowingMemory;

  /** Whether it loses events at its start, too, now and then all. */
  readonly loses: boolean;

  constructor(loses: boolean) {
    this.loses = loses;
    this.notes = this.#fresh(0);
  }

  add(symbols: Iterable<number>): void {
    for (const symbol of symbols) {
      this.symbols.push(symbol);
      this.notes.added++;
    }
  }

  /** What was found out holds no longer. */
  restart(): void {
    this.notes = this.#fresh(this.notes.added);
  }

  #fresh(added: number): GrowingMemory {
    return { number: ++runs, added, found: 0, noneUntil: 0, noneFrom: 0 };
  }
}

/** One question, as the processor asks it: not when the answer is known to be none. */
function isAny(kernel: Kernel, query: Query, { notes, symbols }: Growing): boolean | undefined {
  if (notes.added < notes.noneUntil && symbols.length >= notes.noneFrom) {
    skipped++;
    return false;
  }
  return kernel.matchesAny(query, notes);
}

/** Now and then, asks with few steps or at a glance first. What is found out then is right, and nothing that is noted misleads later. */
function hurry(kernel: Kernel, query: Query, { notes }: Growing, random: Random): boolean | undefined {
  const kind = random.below(4);
  const answer = kind === 0 ? kernel.matchesAny({ ...query, steps: random.below(20_000) }, notes) : undefined;
  const asked = kind === 1 ? kernel.matchesAny(query, notes, true) : answer;
  if (asked !== undefined) hurriedRight++;
  else if (kind < 2) hurriedUnknown++;
  return asked;
}

function settings(random: Random, query: Query): Partial<Query> {
  const recallThreshold = random.pick([0.1, 0.3, 0.4, 0.5, 0.5, 0.6, 0.7, random.fraction()]);
  if (random.below(4) === 0) return { recallThreshold };
  const usual = {
    sortMetric: "potential",
    thresholdMetric: "potential",
    threshold: 0,
    thresholdAtLeast: true,
  } as const;
  return { ...usual, recallThreshold, target: random.below(4) === 0 ? query.target : undefined };
}

/** The memories of a round, and what is asked about each. */
interface Round {
  corpus: Corpus;
  kernel: Kernel;
  oracle: Oracle;
  asked: readonly { memory: Growing; question: Query }[];
}

function begin(random: Random, shape: Shape, loses: boolean): Round {
  const corpus = new Corpus(random, shape);
  const [kernel, oracle] = [soleKernel(), new Oracle()];
  corpus.fill(kernel);
  corpus.fill(oracle);
  const asked = [new Growing(loses), new Growing(true)].map((memory) => {
    const question = corpus.query();
    return { memory, question: { ...question, ...settings(random, question) } };
  });
  return { corpus, kernel, oracle, asked };
}

/** One step of a round: a memory grows and is asked. @returns the oracle's answer, and whether the kernel's are the same */
function step({ corpus, kernel, oracle, asked }: Round, random: Random): { expected: boolean; isRight: boolean } {
  const { memory, question } = asked[random.below(8) === 0 ? 1 : 0] ?? random.pick(asked);
  grow(memory, corpus, random);
  const memories = asked.map((one) => one.memory);
  if (random.below(25) === 0) change(memories, corpus, [kernel, oracle]);
  const query = { ...question, symbols: Uint32Array.from(memory.symbols) };
  const expected = oracle.predict(query).length > 0;
  const hurried = hurry(kernel, query, memory, random) ?? expected;
  return { expected, isRight: isAny(kernel, query, memory) === expected && hurried === expected };
}

describe.each(Object.entries(SHAPES))("%s", (_, shape) => {
  test("the oracle's answer at each step", () => {
    const random = new Random(5);
    const steps: ReturnType<typeof step>[] = [];
    for (let round = 0; round < (shape.models > 100 ? 1 : 8); round++) {
      const begun = begin(random, shape, round % 2 === 0);
      for (let count = 0; count < 70; count++) steps.push(step(begun, random));
    }
    expect(steps.filter(({ isRight }) => !isRight)).toEqual([]);
    expect(new Set(steps.map(({ expected }) => expected)).size).toBe(2);
  });
});

const QUESTION: Omit<Query, "symbols" | "recallThreshold"> = {
  ...{ target: undefined, maxPredictions: 1, sortMetric: "potential", thresholdMetric: "potential", threshold: 0 },
  ...{ thresholdAtLeast: true, knownSymbols: 3, steps: Number.MAX_SAFE_INTEGER },
  totals: { modelFrequencies: 1, memberFrequencies: 1, symbolFrequencies: 1 },
};

test("a model of several words is found behind others that share as many symbols with memory", () => {
  const random = new Random(8);
  for (let round = 0; round < 40; round++) {
    const symbols = Array.from({ length: 65 + random.below(400) }, () => random.below(3));
    const shuffled = () =>
      symbols.map((symbol) => [random.fraction(), symbol] as const).sort(([one], [other]) => one - other);
    const kernel = soleKernel();
    const models = [symbols, ...Array.from({ length: 6 }, () => shuffled().map(([, symbol]) => symbol))];
    models.forEach((own, at) => {
      kernel.add({
        id: at + 1,
        frequency: 1,
        symbols: Uint32Array.from(own),
        lengths: new Uint32Array(own.length).fill(1),
      });
    });
    for (const symbol of [0, 1, 2]) kernel.setSymbolFrequency(symbol, 1);
    const { notes } = new Growing(false);
    expect(kernel.matchesAny({ ...QUESTION, symbols: Uint32Array.from(symbols), recallThreshold: 1 }, notes)).toBe(
      true,
    );
    expect(notes.found).toBe(1);
  }
});

test("a memory that has become shorter needs fewer matches", () => {
  const kernel = soleKernel();
  const model = Uint32Array.from({ length: 20 }, (_, at) => at);
  kernel.add({ id: 1, frequency: 1, symbols: model, lengths: new Uint32Array(20).fill(1) });
  for (const symbol of model) kernel.setSymbolFrequency(symbol, 1);
  const memory = new Growing(false);
  const ask = () =>
    kernel.matchesAny({ ...QUESTION, symbols: Uint32Array.from(memory.symbols), recallThreshold: 0.5 }, memory.notes);
  memory.add([...model.slice(0, 10), ...new Array<number>(60).fill(0)]);
  expect(ask()).toBe(false);
  memory.symbols = [];
  memory.add(model.slice(0, 18));
  expect(ask()).toBe(true);
});

test("some questions were not asked, and some not answered", () => {
  expect(Math.min(skipped, hurriedRight, hurriedUnknown)).toBeGreaterThan(100);
});

/** Adds an event, and now and then drops events or begins anew. Some events go on as a model does. */
function grow(memory: Growing, corpus: Corpus, random: Random): void {
  if (memory.loses && random.below(30) === 0) memory.symbols = [];
  const drawn = random.pick(corpus.models).symbols;
  const from = random.below(3) === 0 ? random.below(drawn.length) : memory.symbols.length % drawn.length;
  const event = [...drawn].slice(from, from + 1 + random.below(4));
  memory.add(random.below(4) === 0 ? corpus.query().symbols.slice(0, 3) : event);
  if (memory.loses && memory.symbols.length > 40 && random.below(3) === 0)
    memory.symbols.splice(0, 1 + random.below(8));
}

/** One model more, or one less: what was found out of the memories holds no longer. */
function change(memories: readonly Growing[], corpus: Corpus, matchers: readonly (Kernel | Oracle)[]): void {
  const model = corpus.models.length % 2 === 0 ? corpus.models.pop() : undefined;
  const fresh = model === undefined ? corpus.draw() : undefined;
  if (fresh !== undefined) corpus.models.push(fresh);
  for (const matcher of matchers) {
    if (model !== undefined) matcher.remove(model.id);
    if (fresh !== undefined) matcher.add(fresh);
    corpus.count(matcher);
  }
  for (const memory of memories) memory.restart();
}
