/** Overlapping windows of a stream, which the kernel counts together, against the oracle, which counts model by model. */

import { expect, test } from "vitest";
import wasm from "../../build/kernel.wasm";
import { Kernel } from "../../src/kernel/kernel";
import { KernelMemory } from "../../src/kernel/memory";
import type { ForecastContext, RuleAnswers, TableWishes } from "../../src/processor/ports/forecaster";
import type { MatchableModel } from "../../src/processor/ports/matcher";
import { OracleForecastRules } from "../oracle/forecast";
import { soleKernel } from "../support/kernel/sole-kernel";
import { Random } from "../support/random";

/** A stream, and the models that are made of it. */
interface Watched {
  name: string;
  models: number;
  vocabulary: number;
  /** Events of a window, and how many of them are new: at most this many. */
  window: number;
  moved: number;
  frequency: number;
  /** One model in this many is none of the stream's windows; one in this many is removed. 0 for none. */
  others: number;
  removed: number;
}

const WATCHED: readonly Watched[] = [
  { name: "few symbols", models: 300, vocabulary: 6, window: 16, moved: 1, frequency: 1, others: 0, removed: 0 },
  { name: "short windows", models: 200, vocabulary: 4, window: 3, moved: 1, frequency: 3, others: 0, removed: 9 },
  { name: "windows of two", models: 90, vocabulary: 5, window: 2, moved: 1, frequency: 1, others: 0, removed: 0 },
  { name: "long windows", models: 150, vocabulary: 9, window: 40, moved: 3, frequency: 2, others: 9, removed: 5 },
  { name: "many symbols", models: 250, vocabulary: 90, window: 12, moved: 1, frequency: 2, others: 7, removed: 7 },
  { name: "wide symbols", models: 200, vocabulary: 900, window: 10, moved: 2, frequency: 1, others: 9, removed: 3 },
  {
    name: "several segments",
    models: 2_100,
    vocabulary: 18,
    window: 16,
    moved: 1,
    frequency: 1,
    others: 50,
    removed: 90,
  },
  {
    name: "great frequencies",
    models: 80,
    vocabulary: 5,
    window: 9,
    moved: 1,
    frequency: 2 ** 20,
    others: 5,
    removed: 4,
  },
  {
    name: "sums that are not exact",
    models: 50,
    vocabulary: 5,
    window: 9,
    moved: 1,
    frequency: 2 ** 40,
    others: 5,
    removed: 4,
  },
  {
    name: "more ties than neighbours",
    models: 2_600,
    vocabulary: 4,
    window: 3,
    moved: 1,
    frequency: 6,
    others: 5,
    removed: 9,
  },
  { name: "few windows", models: 120, vocabulary: 7, window: 8, moved: 4, frequency: 1, others: 2, removed: 0 },
];

/** The events of a stream, some of which come again as they were. */
function streamOf(vocabulary: number, events: number, random: Random): number[] {
  const stream: number[] = [];
  for (let event = 0; event < events; event++) {
    const again = stream[event - 1 - random.below(12)];
    stream.push(again !== undefined && random.below(2) === 0 ? again : random.below(vocabulary));
  }
  return stream;
}

function modelsOf({ models: count, vocabulary, window, moved, frequency, others, removed }: Watched, random: Random) {
  const stream = streamOf(vocabulary, window + count * moved, random);
  const models: MatchableModel[] = [];
  const gone: number[] = [];
  for (let id = 1, start = 0; id <= count; id++, start += 1 + random.below(moved)) {
    const isOther = others > 0 && random.below(others) === 0;
    const own = isOther
      ? streamOf(vocabulary, 1 + random.below(2 * window), random)
      : stream.slice(start, start + window);
    const symbols = Uint32Array.from(own);
    models.push({ id, frequency: 1 + random.below(frequency), symbols, lengths: new Uint32Array(own.length).fill(1) });
    if (removed > 0 && random.below(removed) === 0) gone.push(id);
  }
  return { stream, models, gone: new Set(gone) };
}

function kernelOf(models: readonly MatchableModel[], gone: ReadonlySet<number>) {
  const kernel = soleKernel();
  for (const model of models) kernel.add(model);
  for (const id of gone) kernel.remove(id);
  const live = models.filter(({ id }) => !gone.has(id));
  const frequencies = new Map<number, number>();
  for (const { symbols, frequency } of live) {
    for (const symbol of symbols) frequencies.set(symbol, (frequencies.get(symbol) ?? 0) + frequency);
  }
  for (const [symbol, frequency] of frequencies) kernel.setSymbolFrequency(symbol, frequency);
  const sum = (numbers: Iterable<number>) => [...numbers].reduce((total, number) => total + number, 0);
  const modelFrequencies = sum(live.map(({ frequency }) => frequency));
  const totals = { modelFrequencies, symbolFrequencies: sum(frequencies.values()), memberFrequencies: 0 };
  const oracle = new OracleForecastRules(
    () => live,
    (symbol) => frequencies.get(symbol) ?? 0,
  );
  return { kernel, oracle, live, totals };
}

/** What just came: some events of the stream, with an unknown one, another one, or another symbol, here and there. */
function contextEvents(stream: readonly number[], vocabulary: number, random: Random): number[][] {
  const start = random.below(stream.length - 1);
  return stream.slice(start, start + 1 + random.below(12)).map((symbol) => {
    const draw = random.below(12);
    if (draw === 0) return [0x8000_0000];
    if (draw === 1) return [symbol, random.below(vocabulary)];
    return [draw === 2 ? random.below(vocabulary) : symbol];
  });
}

function readNext(answers: RuleAnswers, wishes?: TableWishes) {
  if (answers.models === 0) return undefined;
  const { symbols, supportOf: _, probabilities, counts, rests, ...others } = answers.ahead(1, 1, wishes);
  const tables = { symbols: [...symbols], probabilities: [...probabilities], counts: [...counts], rests: [...rests] };
  return { ...others, ...tables };
}

test.each(WATCHED)("the kernel says of windows what the oracle says of each model: $name", (watched) => {
  const random = new Random(watched.models);
  const { stream, models, gone } = modelsOf(watched, random);
  const { kernel, oracle, live, totals } = kernelOf(models, gone);
  const { forecastRules } = kernel;
  for (let count = 0; count < 12; count++) {
    const events = contextEvents(stream, watched.vocabulary, random);
    const symbols = Uint32Array.from(events.flat());
    const lengths = Uint32Array.from(events, ({ length }) => length);
    const target = count % 4 === 3 ? random.pick(stream) : undefined;
    const context: ForecastContext = { symbols, lengths, target, totals, record: [], steps: Number.MAX_SAFE_INTEGER };
    const excluded = count % 2 === 0 ? 0 : random.pick(live).id;
    const alone = forecastRules.ask(context, excluded, readNext);
    const { steps, neighbourSteps } = forecastRules;
    const together = forecastRules.ask(context, excluded, (answers) => readNext(answers, { isSupported: false }));
    expect(together).toEqual(alone);
    expect([forecastRules.steps, forecastRules.neighbourSteps]).toEqual([steps, neighbourSteps]);
    // Beyond exact sums, the order in which they are added counts: the kernel then counts model by model.
    const isExact = watched.frequency < 2 ** 30;
    if (isExact && (count < 4 || watched.models < 1_000))
      expect(together).toEqual(oracle.ask(context, excluded, readNext));
    // After it, other questions of the same context are answered as before.
    const both = (answers: RuleAnswers) => {
      const first = readNext(answers, { isSupported: false });
      return { first, again: readNext(answers), cells: [...answers.together(Uint32Array.of(0, 1))] };
    };
    const cells = forecastRules.ask(context, excluded, (answers) => [...answers.together(Uint32Array.of(0, 1))]);
    if (alone !== undefined)
      expect(forecastRules.ask(context, excluded, both)).toEqual({ first: alone, again: alone, cells });
  }
});

/** What a processor watches: windows of this many events of a vocabulary, each of up to this many symbols. */
interface Watch {
  window: number;
  width: number;
  vocabulary: number;
}

/** A processor that learns windows and forgets the oldest models, and an oracle that knows the live ones. */
class Watching {
  readonly #kernel: Kernel;
  readonly #random: Random;
  readonly #watch: Watch;
  readonly #live: MatchableModel[] = [];
  readonly #frequencies = new Map<number, number>();
  readonly #stream: number[][] = [];
  #learned = 0;
  readonly #oracle = new OracleForecastRules(
    () => this.#live,
    (symbol) => this.#frequencies.get(symbol) ?? 0,
  );

  constructor(memory: KernelMemory, watch: Watch, random: Random) {
    this.#kernel = Kernel.create(memory);
    this.#watch = watch;
    this.#random = random;
    this.#observe(watch.window);
  }

  /** Some events, some of which come again as they were. */
  #observe(events: number): void {
    const { width, vocabulary } = this.#watch;
    for (let event = 0; event < events; event++) {
      const again = this.#stream.at(-2);
      const isAgain = again !== undefined && this.#random.below(2) === 0;
      const length = 1 + this.#random.below(width);
      // Now and then a symbol that only newer models hold.
      const newer = vocabulary + (this.#learned >> 9);
      const symbol = () => (this.#random.below(40) === 0 ? newer : this.#random.below(vocabulary));
      const fresh = () => Array.from({ length }, symbol);
      this.#stream.push(isAgain ? again : fresh());
    }
  }

  learn(most: number): void {
    const { window } = this.#watch;
    const random = this.#random;
    this.#observe(1);
    const length = random.below(20) === 0 ? 1 + random.below(9) : window;
    const events = this.#stream.slice(-length);
    const frequency = random.below(30) === 0 ? 2 + random.below(3) * 3000 : 1;
    const lengths = Uint32Array.from(events, ({ length: symbols }) => symbols);
    const model = { id: ++this.#learned, frequency, symbols: Uint32Array.from(events.flat()), lengths };
    this.#kernel.add(model);
    this.#live.push(model);
    this.#count(model, frequency);
    if (this.#live.length > most) this.#forget(this.#live.shift());
  }

  /**
   * What the kernel and what the oracle answers.
   * @param target whether only some models count, and one of them less
   * @param asksKernel whether a kernel that was asked nothing before stands in for the oracle: it is quicker
   */
  ask(target: boolean, asksKernel = false): unknown[] {
    const { vocabulary } = this.#watch;
    const events = this.#stream.slice(-1 - this.#random.below(12)).map((event) => {
      const draw = this.#random.below(12);
      if (draw === 0) return [0x8000_0000];
      return draw === 1 ? [...event, this.#random.below(vocabulary)] : event;
    });
    const totals = { modelFrequencies: 0, symbolFrequencies: 0, memberFrequencies: 0 };
    for (const { frequency } of this.#live) totals.modelFrequencies += frequency;
    for (const frequency of this.#frequencies.values()) totals.symbolFrequencies += frequency;
    const symbols = Uint32Array.from(events.flat());
    const lengths = Uint32Array.from(events, ({ length }) => length);
    const context: ForecastContext = {
      symbols,
      lengths,
      target: target ? this.#random.below(vocabulary) : undefined,
      totals,
      record: [],
      steps: Number.MAX_SAFE_INTEGER,
    };
    const excluded = target ? this.#random.pick(this.#live).id : 0;
    const wanted = Uint32Array.from(new Set(this.#stream.at(-1)));
    const read = (wishes: TableWishes) => (answers: RuleAnswers) => ({
      next: readBySymbol(answers, wishes),
      together: answers.models > 0 && wanted.length > 1 ? [...answers.together(wanted)] : [],
    });
    const wishes = { isWhole: false, isSupported: false, wanted };
    const asked = this.#kernel.forecastRules.ask(context, excluded, read(wishes));
    const { steps } = this.#kernel.forecastRules;
    const supported = this.#kernel.forecastRules.ask(context, excluded, read({ isWhole: false, wanted }));
    expect(this.#kernel.forecastRules.steps).toBe(steps);
    if (!asksKernel) return [asked, supported, this.#oracle.ask(context, excluded, read({ isWhole: false }))];
    const { forecastRules } = this.#freshKernel();
    return [asked, supported, forecastRules.ask(context, excluded, read({ isWhole: false }))];
  }

  /** A kernel with the live models. */
  #freshKernel(): Kernel {
    const kernel = soleKernel();
    for (const model of this.#live) kernel.add(model);
    for (const [symbol, frequency] of this.#frequencies) kernel.setSymbolFrequency(symbol, frequency);
    return kernel;
  }

  #forget(model: MatchableModel | undefined): void {
    if (model === undefined) return;
    this.#kernel.remove(model.id);
    this.#count(model, -model.frequency);
  }

  #count({ symbols }: MatchableModel, by: number): void {
    for (const symbol of symbols) this.#frequencies.set(symbol, (this.#frequencies.get(symbol) ?? 0) + by);
    for (const symbol of new Set(symbols)) {
      this.#kernel.setSymbolFrequency(symbol, this.#frequencies.get(symbol) ?? 0);
    }
  }
}

/** What is said of the next event, by symbol: where the rule alike is alone, in any order. */
function readBySymbol(answers: RuleAnswers, wishes: TableWishes): unknown {
  if (answers.models === 0) return undefined;
  const { symbols, isCrowded, alikeAlone, probabilities, rests } = answers.ahead(1, 1, wishes);
  const given = (entry: number) => {
    if (!isCrowded) return [...probabilities.slice(4 * entry, 4 * entry + 4)];
    return [alikeAlone?.[entry] ?? probabilities[4 * entry + 2]];
  };
  const entries = [...symbols].map((symbol, entry): [number, unknown] => [entry === 0 ? -1 : symbol, given(entry)]);
  return { isCrowded, rest: rests[2], said: entries.sort(([one], [other]) => one - other) };
}

const WATCHES: readonly Watch[][] = [
  [
    { window: 3, width: 1, vocabulary: 5 },
    { window: 8, width: 1, vocabulary: 5 },
  ],
  [
    { window: 3, width: 3, vocabulary: 4 },
    { window: 5, width: 2, vocabulary: 6 },
  ],
  [
    { window: 4, width: 2, vocabulary: 120 },
    { window: 5, width: 3, vocabulary: 300 },
  ],
];

test.each(
  WATCHES,
)("windows are learned, forgotten and packed between questions, by two processors in turns: %o, %o", (...watches) => {
  const memory = new KernelMemory(wasm);
  const processors = watches.map((watch) => new Watching(memory, watch, new Random(watch.window)));
  for (let turn = 0; turn < 20; turn++) {
    for (const processor of processors) {
      for (let step = 0; step < 91; step++) {
        processor.learn(40);
        if (step % 13 !== 0) continue;
        const [asked, supported, right] = processor.ask(step % 3 === 2);
        expect(asked).toEqual(right);
        expect(supported).toEqual(right);
      }
    }
  }
});

test.each<Watch>([
  { window: 5, width: 3, vocabulary: 9 },
  { window: 4, width: 2, vocabulary: 20 },
  { window: 12, width: 1, vocabulary: 7 },
])("what is kept of thousands of models changes no answer while they are learned, forgotten and packed: %o", (watch) => {
  const processor = new Watching(new KernelMemory(wasm), watch, new Random(watch.window));
  for (let step = 0; step < 5_000; step++) {
    processor.learn(1_500);
    if (step % 37 !== 0) continue;
    const [asked, supported, right] = processor.ask(step % 3 === 2, true);
    expect(asked).toEqual(right);
    expect(supported).toEqual(right);
  }
});
