/** The rules of forecasts in the kernel against the oracle that was written from docs/forecast.md: every number, on many shapes of knowledge. */

import { describe, expect, test } from "vitest";
import wasm from "../../build/kernel.wasm";
import { Kernel } from "../../src/kernel/kernel";
import { KernelMemory } from "../../src/kernel/memory";
import {
  ALIKE,
  CONTEXT_EVENTS,
  type ForecastContext,
  RULES,
  type RuleAnswers,
  type RuleTable,
} from "../../src/processor/ports/forecaster";
import type { MatchableModel } from "../../src/processor/ports/matcher";
import { MAX_CORRECTED_FACTORS } from "../../src/processor/prediction/surprise";
import { OracleForecastRules } from "../oracle/forecast";
import { seedsHere } from "../support/engine";
import { LocalParts, LocalSplit } from "../support/kernel/local-parts";
import { soleKernel } from "../support/kernel/sole-kernel";
import { Random } from "../support/random";

/** What a knowledge is like. */
interface Shape {
  name: string;
  models: number;
  vocabulary: number;
  /** The most events of a model, and the most symbols of an event. */
  events: number;
  eventSymbols: number;
  memory: number;
  frequency: number;
}

const SHAPES: readonly Shape[] = [
  { name: "one symbol an event", models: 60, vocabulary: 12, events: 9, eventSymbols: 1, memory: 6, frequency: 3 },
  { name: "repeats", models: 40, vocabulary: 3, events: 30, eventSymbols: 1, memory: 14, frequency: 1 },
  { name: "several symbols an event", models: 60, vocabulary: 9, events: 6, eventSymbols: 4, memory: 4, frequency: 2 },
  { name: "large events", models: 20, vocabulary: 400, events: 3, eventSymbols: 120, memory: 5, frequency: 9 },
  { name: "several segments", models: 2_300, vocabulary: 300, events: 6, eventSymbols: 2, memory: 8, frequency: 2 },
  { name: "great frequencies", models: 30, vocabulary: 8, events: 5, eventSymbols: 1, memory: 3, frequency: 2 ** 20 },
  { name: "more than neighbours", models: 6_000, vocabulary: 6, events: 3, eventSymbols: 2, memory: 3, frequency: 5 },
  {
    name: "more symbols than are named",
    models: 8,
    vocabulary: 40_000,
    events: 9,
    eventSymbols: 900,
    memory: 3,
    frequency: 2,
  },
  { name: "long models", models: 4, vocabulary: 40, events: 1_500, eventSymbols: 1, memory: 10, frequency: 1 },
  { name: "models of one event", models: 30, vocabulary: 12, events: 1, eventSymbols: 3, memory: 3, frequency: 2 },
  { name: "few short models", models: 4, vocabulary: 5, events: 3, eventSymbols: 1, memory: 4, frequency: 2 },
  { name: "all equal models", models: 31, vocabulary: 1, events: 1, eventSymbols: 1, memory: 2, frequency: 1 },
  { name: "symbols once each", models: 20, vocabulary: 2 ** 20, events: 4, eventSymbols: 2, memory: 3, frequency: 1 },
  {
    name: "equals of many frequencies",
    models: 9_000,
    vocabulary: 2,
    events: 2,
    eventSymbols: 1,
    memory: 2,
    frequency: 40,
  },
  {
    name: "equals of one frequency",
    models: 3_000,
    vocabulary: 9,
    events: 3,
    eventSymbols: 2,
    memory: 4,
    frequency: 1,
  },
  {
    name: "many and frequent",
    models: 2_500,
    vocabulary: 5,
    events: 2,
    eventSymbols: 1,
    memory: 3,
    frequency: 2 ** 20,
  },
  // A symbol is held by more models than become neighbours, and by too few to look at all.
  { name: "some of many", models: 9_000, vocabulary: 6, events: 1, eventSymbols: 1, memory: 1, frequency: 3 },
];

/** A kernel and an oracle that hold the same. */
class Pair {
  readonly kernel: Kernel = soleKernel();
  readonly models: MatchableModel[] = [];
  readonly oracle: OracleForecastRules;
  readonly #random: Random;
  readonly #shape: Shape;
  readonly #frequencies = new Map<number, number>();

  constructor(shape: Shape, seed: number) {
    this.#shape = shape;
    this.#random = new Random(seed);
    this.oracle = new OracleForecastRules(
      () => this.models,
      (symbol) => this.frequencyOf(symbol),
    );
    for (let id = 1; id <= shape.models; id++) this.#add(id);
    for (let gone = 0; gone < shape.models / 10; gone++) this.#remove(this.#random.below(this.models.length));
    for (const [symbol, frequency] of this.#frequencies) this.kernel.setSymbolFrequency(symbol, frequency);
  }

  get frequencies(): ReadonlyMap<number, number> {
    return this.#frequencies;
  }

  frequencyOf(symbol: number): number {
    return this.#frequencies.get(symbol) ?? 0;
  }

  /** A question; some symbols are unknown. */
  context(): ForecastContext {
    const { memory, vocabulary } = this.#shape;
    const events = Array.from({ length: 1 + this.#random.below(memory) }, () => this.#event());
    const symbols = Uint32Array.from(events.flat(), (symbol) =>
      this.#random.below(20) === 0 ? 0x8000_0000 + this.#random.below(2) : symbol,
    );
    const target = this.#random.below(3) === 0 ? this.#random.below(vocabulary) : undefined;
    const modelFrequencies = this.models.reduce((sum, { frequency }) => sum + frequency, 0);
    const symbolFrequencies = [...this.#frequencies.values()].reduce((sum, frequency) => sum + frequency, 0);
    const totals = { modelFrequencies, symbolFrequencies, memberFrequencies: 0 };
    const lengths = Uint32Array.from(events, ({ length }) => length);
    return { symbols, lengths, target, totals, record: [], steps: Number.MAX_SAFE_INTEGER };
  }

  /** The id of a model, or 0. */
  excluded(): number {
    return this.#random.below(2) === 0 ? 0 : this.#random.pick(this.models).id;
  }

  #event(): number[] {
    const { eventSymbols, vocabulary } = this.#shape;
    return Array.from({ length: 1 + this.#random.below(eventSymbols) }, () => {
      return Math.min(this.#random.below(vocabulary), this.#random.below(vocabulary));
    });
  }

  #add(id: number): void {
    const events = Array.from({ length: 1 + this.#random.below(this.#shape.events) }, () => this.#event());
    const symbols = Uint32Array.from(events.flat());
    const lengths = Uint32Array.from(events, ({ length }) => length);
    const model = { id, frequency: 1 + this.#random.below(this.#shape.frequency), symbols, lengths };
    this.kernel.add(model);
    this.models.push(model);
    this.#count(model, model.frequency);
  }

  #remove(at: number): void {
    const [model] = this.models.splice(at, 1);
    if (model === undefined) return;
    this.kernel.remove(model.id);
    this.#count(model, -model.frequency);
  }

  #count({ symbols }: MatchableModel, by: number): void {
    for (const symbol of symbols) this.#frequencies.set(symbol, (this.#frequencies.get(symbol) ?? 0) + by);
  }
}

/** How often symbols came together: several lists, some of them with an unknown symbol, and one of an event that a model holds. */
function readTogether({ models }: Pair, seed: number) {
  const random = new Random(seed);
  const { symbols, lengths } = random.pick(models);
  const held = [...new Set(symbols.slice(symbols.length - (lengths.at(-1) ?? 0)))];
  const lists = [held, held.toReversed(), [...held, 0x8000_0000, 1], [0], [...new Set([3, ...held])]];
  return (answers: RuleAnswers) => lists.map((list) => [...answers.together(Uint32Array.from(list))]);
}

/** Everything that rules answer of some events ahead. */
function readAhead(answers: RuleAnswers, first: number, last: number) {
  const { symbols, supportOf, probabilities, counts: read, rests, ...others } = answers.ahead(first, last);
  const counts = [...read];
  const named = [...symbols.slice(1, 20), ...symbols.slice(1).slice(-20)].map((symbol) => answers.strongest(symbol));
  const supports = [...symbols.keys()].slice(1).map(supportOf);
  const tables = { counts, symbols: [...symbols], probabilities: [...probabilities] };
  return { ...others, ...tables, rests: [...rests], supports, named };
}

const LISTS = [
  [1, 1],
  [3, 3],
  [1, 3],
  [10, 10],
  [1, 10],
];

function readAll(answers: RuleAnswers) {
  const { context, models } = answers;
  if (models === 0) return { context, models };
  const nearest = [1, 7, 256, 5_000].map((most) => answers.nearest(most));
  const lists = LISTS.map(([first = 1, last = 1]) => readAhead(answers, first, last));
  return { context, models, nearest, lists };
}

/** What tables say that need not be whole: of crowded ones what the rule alike gives. Each third one is whole. */
function readSpoken(answers: RuleAnswers) {
  if (answers.models === 0) return [];
  return LISTS.map(([first = 1, last = 1], at) => {
    const table = answers.ahead(first, last, { isWhole: at % 3 === 2 });
    const { isCrowded, symbols, supportOf, probabilities, counts: read, rests, alikeAlone: _, ...numbers } = table;
    if (isCrowded) return { isCrowded, rest: rests[ALIKE], symbols: readAlike(answers, table) };
    const supports = [...symbols.keys()].slice(1).map(supportOf);
    const named = [...symbols.slice(1, 20)].map((symbol) => answers.strongest(symbol));
    const others = { ...numbers, counts: [...read], rests: [...rests] };
    return { isCrowded, symbols: [...symbols], given: [...probabilities], named, supports, ...others };
  });
}

/** What the rule alike gives each symbol of a table. */
function alikeOf({ probabilities, alikeAlone }: RuleTable): number[] {
  return [...(alikeAlone ?? probabilities.filter((_, place) => place % RULES === ALIKE))];
}

/** What a table gives each symbol, by symbol, and its other numbers. */
function readGiven(table: RuleTable) {
  const { isCrowded, symbols, probabilities, rests, behind } = table;
  const alike = alikeOf(table);
  const given = [...symbols].map((symbol, at) => {
    const all = isCrowded ? [alike[at]] : [...probabilities.slice(at * RULES, (at + 1) * RULES)];
    return [at === 0 ? -1 : symbol, ...all] as number[];
  });
  given.sort(([one = 0], [other = 0]) => one - other);
  return { isCrowded, given, rests: isCrowded ? rests[ALIKE] : [...rests], behind };
}

/** What the rule alike gives each symbol of a table, and who supports it, by symbol: their order says nothing. */
function readAlike(answers: RuleAnswers, table: RuleTable) {
  const { symbols, supportOf } = table;
  const given = alikeOf(table);
  const read = given.slice(1).map((probability, at) => {
    const symbol = symbols[at + 1] ?? 0;
    return { symbol, probability, support: supportOf(at + 1) };
  });
  read.sort((one, other) => one.symbol - other.symbol);
  return { end: given[0], read, named: read.slice(0, 20).map(({ symbol }) => answers.strongest(symbol)) };
}

describe.each(SHAPES)("$name", (shape) => {
  test.each(seedsHere(1, 2, 3))("the kernel says what the oracle says, seed %d", (seed) => {
    const pair = new Pair(shape, seed);
    for (let count = 0; count < 8; count++) {
      const [context, excluded] = [pair.context(), pair.excluded()];
      // The oracle, which takes long, is asked once, and the kernel for each by itself.
      const reads = [readAll, readSpoken, readTogether(pair, seed * 100 + count)];
      const expected = pair.oracle.ask<unknown[]>(context, excluded, (answers) => reads.map((read) => read(answers)));
      const said = reads.map((read: (answers: RuleAnswers) => unknown) =>
        pair.kernel.forecastRules.ask(context, excluded, read),
      );
      expect(said).toEqual(expected);
    }
  });
});

describe.each(SHAPES)("split, $name", (shape) => {
  test("parts say together what the kernel says", () => {
    const pair = new Pair(shape, 4);
    const splits = [2, 7].map((count) => new LocalSplit(new LocalParts(count, false)));
    for (const split of splits) {
      for (const model of pair.models) split.add(model);
      for (const [symbol, frequency] of pair.frequencies) split.setSymbolFrequency(symbol, frequency);
    }
    for (let count = 0; count < 4; count++) {
      const [context, excluded] = [pair.context(), pair.excluded()];
      const together = readTogether(pair, 400 + count);
      const [said, spoken, counted] = [readAll, readSpoken, together].map((read: (answers: RuleAnswers) => unknown) =>
        pair.kernel.forecastRules.ask(context, excluded, read),
      );
      for (const { forecastRules } of splits) {
        expect(forecastRules.ask(context, excluded, readAll)).toEqual(said);
        expect(forecastRules.ask(context, excluded, readSpoken)).toEqual(spoken);
        expect(forecastRules.ask(context, excluded, together)).toEqual(counted);
        // What gradings are counted by.
        expect(forecastRules.neighbourSteps).toBe(pair.kernel.forecastRules.neighbourSteps);
      }
    }
  });
});

/** A sequence whose events come again, some as they are; with an unknown symbol now and then. */
function sequenceOf({ vocabulary, eventSymbols }: Shape, random: Random): number[][] {
  const events: number[][] = [];
  for (let event = 0; event < 26; event++) {
    const before = events[event - 1 - random.below(4)];
    const own = Array.from({ length: 1 + random.below(eventSymbols) }, () => random.below(vocabulary));
    events.push(before !== undefined && random.below(3) === 0 ? before : own);
    if (random.below(9) === 0) events.push([0x8000_0000]);
  }
  // It fills the context alone, and leaves it with all others that were there.
  events.splice(
    16,
    0,
    Array.from({ length: 300 }, (_, at) => at % vocabulary),
  );
  return events;
}

test.each([
  { name: "several symbols an event", models: 1_300, vocabulary: 12, events: 6, eventSymbols: 3 },
  { name: "one symbol an event", models: 1_100, vocabulary: 9, events: 8, eventSymbols: 1 },
  { name: "more outcomes than few", models: 1_100, vocabulary: 90, events: 5, eventSymbols: 4 },
  { name: "models that are sparse", models: 1_100, vocabulary: 4_000, events: 4, eventSymbols: 3 },
  { name: "large events", models: 30, vocabulary: 400, events: 4, eventSymbols: 120 },
])("forecasts along a sequence say what each says by itself, $name", (given) => {
  const pair = new Pair({ ...given, memory: 3, frequency: 3 }, 8);
  const random = new Random(4);
  const events = sequenceOf({ ...given, memory: 3, frequency: 3 }, random);
  const { forecastRules } = pair.kernel;
  for (const target of [undefined, random.below(given.vocabulary)]) {
    const contexts = events.slice(1).map((next, at) => {
      const before = events.slice(Math.max(0, at - 11), at + 1);
      const symbols = Uint32Array.from(before.flat());
      const lengths = Uint32Array.from(before, ({ length }) => length);
      const wanted = Uint32Array.from(new Set(next.slice(0, 9)));
      return { context: { ...pair.context(), target, symbols, lengths }, wanted };
    });
    const read = (answers: RuleAnswers, wanted: Uint32Array, isAnnounced: boolean) => {
      const wishes = { wanted: isAnnounced ? wanted : undefined, isWhole: false };
      const plain = readGiven(answers.ahead(1, 1, { ...wishes, isSupported: false }));
      const first = [...answers.together(wanted)];
      const few = answers.ahead(1, 1, wishes);
      const said = few.isCrowded ? readAlike(answers, few) : [...few.probabilities];
      const { symbols, probabilities, supportOf } = answers.ahead(1, 1);
      const supports = [...symbols.keys()].slice(1).map(supportOf);
      const table = { symbols: [...symbols], probabilities: [...probabilities], supports };
      const together = [...answers.together(wanted.toReversed())];
      return { models: answers.models, nearest: answers.nearest(50), plain, first, said, table, together };
    };
    const alone = contexts.map(({ context, wanted }) =>
      forecastRules.ask(context, 0, (answers) => read(answers, wanted, false)),
    );
    const along = forecastRules.series(() =>
      contexts.map(({ context, wanted }) => forecastRules.ask(context, 0, (answers) => read(answers, wanted, true))),
    );
    expect(along).toEqual(alone);
    for (const at of [9, 20]) {
      const { context, wanted } = contexts[at] ?? { context: pair.context(), wanted: new Uint32Array() };
      expect(along[at]).toEqual(pair.oracle.ask(context, 0, (answers) => read(answers, wanted, false)));
    }
  }
});

test("along a sequence fewer postings are read", () => {
  const shape = { name: "", models: 1_300, vocabulary: 12, events: 6, eventSymbols: 3, memory: 3, frequency: 3 };
  const pair = new Pair(shape, 8);
  const { forecastRules } = pair.kernel;
  const steps = (end: number) => {
    const context = { ...pair.context(), target: undefined };
    const symbols = Uint32Array.from({ length: 10 }, (_, at) => (end + at) % 12);
    forecastRules.ask({ ...context, symbols, lengths: new Uint32Array(10).fill(1) }, 0, () => undefined);
    return forecastRules.steps;
  };
  const alone = steps(5);
  const along = forecastRules.series(() => [4, 5].map(steps));
  // Of the ten symbols one came, and one left.
  expect(along[1]).toBeLessThan(alone / 3);
});

test("an event that no model holds is one that passed: what came after it before, in order, comes next now", () => {
  const [ORDER, BEHIND] = [0, 1];
  let orders = 0;
  for (const seed of [5, 6, 7]) {
    const pair = new Pair(SHAPES[0] as Shape, seed);
    const ask = (context: ForecastContext, ahead: number) =>
      pair.kernel.forecastRules.ask(context, 0, (answers) => {
        const { symbols, probabilities, longestOrder, behind, speaking, rests } = answers.ahead(ahead, ahead);
        const given = (rule: number) => [...symbols].map((symbol, at) => [symbol, probabilities[at * 4 + rule]]);
        const of = (rule: number) => new Map(given(rule) as [number, number][]);
        return { longestOrder, speaking, behind, rest: rests[ORDER], order: of(ORDER), left: of(BEHIND) };
      });
    for (let count = 0; count < 20; count++) {
      const context = pair.context();
      // All of it still counts when one more event has come.
      if (context.lengths.length > 9) continue;
      const symbols = Uint32Array.of(...context.symbols, 0x8000_0000);
      const after = ask({ ...context, symbols, lengths: Uint32Array.of(...context.lengths, 1) }, 1);
      const [next, later] = [ask(context, 1), ask(context, 2)];
      expect([after.longestOrder, after.rest]).toEqual([later.longestOrder, later.rest]);
      expect(after.order).toEqual(later.order);
      // It is no event that a model shares: the rule behind is as it was.
      expect([after.behind, after.speaking, after.left]).toEqual([next.behind, next.speaking, next.left]);
      orders += Number(after.longestOrder > 0);
    }
  }
  expect(orders).toBeGreaterThan(20);
});

test("a forecast leaves the kernel's other answers as they are, and counts its steps", () => {
  const pair = new Pair({ ...SHAPES[4], models: 500 } as Shape, 9);
  const rules = pair.kernel.forecastRules;
  const context = pair.context();
  const once = rules.ask(context, 0, readAll);
  const { steps } = rules;
  expect(steps).toBeGreaterThan(0);
  rules.ask(context, 0, readTogether(pair, 1));
  expect(rules.ask(context, 0, readAll)).toEqual(once);
  expect(rules.steps).toBe(steps);
  rules.ask({ ...context, steps: 5 }, 0, readAll);
  expect(rules.steps).toBeGreaterThan(5);
});

test("a forecast takes the newest events into account, as many as the port says", () => {
  const pair = new Pair({ ...SHAPES[0], models: 20 } as Shape, 3);
  const events = CONTEXT_EVENTS + 5;
  const long = { symbols: new Uint32Array(events).fill(1), lengths: new Uint32Array(events).fill(1) };
  const context = { ...pair.context(), ...long };
  expect(pair.kernel.forecastRules.ask(context, 0, (answers) => answers.context)).toBe(CONTEXT_EVENTS);
});

test("nothing is said of nothing", () => {
  const { kernel } = { kernel: soleKernel() };
  const totals = { modelFrequencies: 0, symbolFrequencies: 0, memberFrequencies: 0 };
  const nothing = { symbols: new Uint32Array(), lengths: new Uint32Array(), target: undefined, record: [], totals };
  expect(kernel.forecastRules.ask({ ...nothing, steps: 100 }, 0, readAll)).toEqual({ context: 0, models: 0 });
});

test("no more models are neighbours than their symbols allow", () => {
  const pair = new Pair({ ...SHAPES[0], models: 5, vocabulary: 50, events: 2, eventSymbols: 250_000 } as Shape, 6);
  expect(pair.models.reduce((sum, { symbols }) => sum + symbols.length, 0)).toBeGreaterThan(2 ** 19);
  const context = { ...pair.context(), symbols: Uint32Array.of(1), lengths: Uint32Array.of(1), target: undefined };
  const ask = (answers: RuleAnswers) => readAhead(answers, 1, 1);
  expect(pair.kernel.forecastRules.ask(context, 0, ask)).toEqual(pair.oracle.ask(context, 0, ask));
});

describe("what a forecast takes has a bound, whatever is known", () => {
  const MIB = 2 ** 20;
  const FULL = 8_190;
  const sequence = (events: number[][]) => ({
    symbols: Uint32Array.from(events.flat()),
    lengths: Uint32Array.from(events, ({ length }) => length),
  });
  const range = (from: number, length: number) => Array.from({ length }, (_, at) => from + at);

  /** How much memory grows when a forecast is asked in every way, and the most symbols of a list. */
  function growth(models: number[][][], context: number[][]) {
    const memory = new KernelMemory(wasm);
    const kernel = Kernel.create(memory);
    models.forEach((events, at) => {
      kernel.add({ id: at + 1, frequency: 1, ...sequence(events) });
    });
    const totals = { modelFrequencies: models.length, symbolFrequencies: models.flat(2).length, memberFrequencies: 0 };
    const asked = { ...sequence(context), target: undefined, totals, record: [], steps: Number.MAX_SAFE_INTEGER };
    // A question of as many symbols has its memory already: it is the host's, as for predictions.
    kernel.forecastRules.ask({ ...asked, symbols: asked.symbols.map(() => 2 ** 31) }, 0, () => undefined);
    const before = memory.bytes;
    const ask = <Answer>(work: (answers: RuleAnswers) => Answer) => kernel.forecastRules.ask(asked, 0, work);
    const named = ask((answers) => answers.ahead(1, 3).symbols.length - 1);
    ask((answers) => answers.together(Uint32Array.from(range(0, MAX_CORRECTED_FACTORS))));
    const grown = memory.bytes - before;
    kernel.release();
    return { grown, named };
  }

  test("one model of a hundred thousand symbols, in events of thousands", () => {
    const events = Array.from({ length: 20 }, (_, at) => range(at * 5_000, at === 0 ? 1 : 5_000));
    const { grown, named } = growth([events], [[0]]);
    expect(named).toBe(FULL);
    expect(grown).toBeLessThan(4 * MIB);
  });

  test("thousands of models of their own symbols, alike on every level", () => {
    const state = (at: number) => range(at * 4, 4);
    const context = Array.from({ length: 10 }, (_, at) => state(at));
    const models = Array.from({ length: 5_000 }, (_, at) => {
      const alike = context.map((event, back) => event.slice(0, 1 + ((at >> (back % 5)) & 3)));
      return [...alike, range(100 + at * 20, 20), ...context.slice(at % 10), range(100 + at * 20 + 10, 20)];
    });
    const { grown, named } = growth(models, context);
    expect(named).toBe(FULL);
    expect(grown).toBeLessThan(4 * MIB);
  });

  test("a long model that repeats itself, after an event of tens of thousands", () => {
    const { grown, named } = growth([Array.from({ length: 200_000 }, (_, at) => [at % 7])], [range(0, 60_000)]);
    expect(named).toBe(7);
    expect(grown).toBeLessThan(MIB);
  });

  test("a hundred thousand models that are equally alike", () => {
    const { grown } = growth(
      Array.from({ length: 100_000 }, (_, at) => [[0], [1 + (at % 5_000)]]),
      [[0]],
    );
    expect(grown).toBeLessThan(3 * MIB);
  });
});
