/** Predictions and forecasts of a knowledge that is split over kernels of this process: the processor time of each part and of the head. */

import { Kernel } from "../../src/kernel/kernel";
import { KeptCandidates } from "../../src/kernel/left-candidates";
import { KernelMemory } from "../../src/kernel/memory";
import type { KernelPart } from "../../src/kernel/part";
import { matchesIn } from "../../src/kernel/record";
import { KeptBodies } from "../../src/object/parts/kept-bodies";
import type { ForecastContext, ForecastRules, RuleAnswers } from "../../src/processor/ports/forecaster";
import type { Matcher, ModelBatch, Query } from "../../src/processor/ports/matcher";
import type { ModelBody, PartAnswers, PartQuestionKind, PartQuestionOf, Parts } from "../../src/processor/ports/parts";
import { SplitForecastRules } from "../../src/processor/split/split-forecast-rules";
import { SplitMatcher } from "../../src/processor/split/split-matcher";
import { batchOf } from "../../src/store/rows/model-batch";
import { CountedModels, queryOf } from "./kernel-questions";
import { Generator, type Workload } from "./workload";

/** The seed of models and queries. */
const SEED = 1;
/** Each question is asked this often, and the one that took least counts. */
const ROUNDS = 5;
/** A knowledge of up to this many models is compared with a kernel that has all of them. */
const MAX_COMPARED = 1_300_000;
const LIMIT_BYTES = 2 ** 30;
const CONTEXT_EVENTS = 5;
/** Models that are learned or filled in together: the clock of the processor is too coarse for one. */
const BATCH = 1_000;

/** Milliseconds of processor time. */
export interface Effort {
  /** Of all that was done. */
  all: number;
  /** Of the head and the part that took most. */
  slowestAndHead: number;
  /** Of one kernel that has the models of a part, and is asked in one piece. */
  share: number;
}

/** What some parts took, on average of all questions. */
export interface Measured {
  parts: number;
  predict: Effort;
  forecast: Effort;
  bytesOfAPart: number;
  /** What a part takes to learn a model, in microseconds, on average of all models of all parts. */
  learnUs: number;
  /** What the first part takes to be filled with all its models, in milliseconds. */
  fillMs: number;
}

/** Asks a question about one memory. */
type Ask = (memory: Uint32Array) => unknown;

function processorMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/** Parts that note what each takes. */
class TimedParts implements Parts {
  readonly #parts: readonly KernelPart[];
  readonly #frequencies: Float64Array;
  readonly taken: number[];
  /** Everything is answered at once. */
  readonly isAhead = false;

  constructor(parts: readonly KernelPart[], frequencies: Float64Array) {
    this.#parts = parts;
    this.#frequencies = frequencies;
    this.taken = parts.map(() => 0);
    const ids = Uint32Array.from(frequencies.keys());
    for (const part of parts) part.apply({ kind: "symbols", ids, frequencies });
  }

  ask<Kind extends PartQuestionKind>(question: PartQuestionOf<Kind>): PartAnswers[Kind][] {
    return this.#parts.map((part, at) => {
      const before = processorMs();
      const answer = part.answer<Kind>(question);
      this.taken[at] = (this.taken[at] ?? 0) + processorMs() - before;
      return answer;
    });
  }

  bodiesOf(ids: Float64Array): ModelBody[] {
    const bodies = new KeptBodies();
    bodies.putAll(this.ask<"bodies">({ kind: "bodies", ids }));
    return bodies.all(ids) ?? [];
  }

  changed(): void {}

  replaced(): void {}

  holds(): void {}

  frequencyOf(symbol: number): number {
    return this.#frequencies[symbol] ?? 0;
  }

  readonly symbolCount = 0;
  readonly bytes = 0;
  readonly limitBytes = 0;
}

/** Models of a workload in parts, one after the other, and what is asked. */
export class SplitBench {
  readonly #workload: Workload;
  readonly #models: number;
  readonly #module: WebAssembly.Module;
  readonly #generator: Generator;
  readonly #parts: KernelPart[] = [];
  /** The kernel of the first part. */
  #share: Kernel | undefined;
  readonly #memories: Uint32Array[];
  readonly #counted: CountedModels;
  readonly #scratch: Kernel;
  /** Has all models while they are few enough. */
  #whole: Kernel | undefined;
  #next = 1;
  /** Processor time of learning so far, and of filling the first part. */
  #learnMs = 0;
  #fillMs = 0;

  /** @param models of each part @param questions how many are asked */
  constructor(module: WebAssembly.Module, workload: Workload, models: number, questions: number) {
    this.#module = module;
    this.#workload = workload;
    this.#models = models;
    this.#generator = new Generator(workload, SEED);
    this.#memories = Array.from({ length: questions }, () => this.#generator.memory());
    this.#counted = new CountedModels(workload);
    this.#scratch = this.#kernel();
    this.#whole = this.#kernel();
  }

  /** Adds parts until there are this many; returns what they take. */
  measure(parts: number): Measured {
    while (this.#parts.length < parts) this.#addPart();
    const timed = new TimedParts(this.#parts, this.#counted.frequencies);
    const bytesOfAPart = Math.max(...this.#parts.map(({ bytes }) => bytes));
    const matcher = new SplitMatcher(timed, matchesIn);
    const rules = new SplitForecastRules(timed, this.#scratch);
    if (this.#whole !== undefined) this.#compare(this.#whole, matcher, rules);
    const share = this.#share;
    if (share === undefined) throw new Error("there is no part");
    const predict = this.#effortOf(
      timed,
      (memory) => matcher.predict(this.#query(memory)),
      (memory) => share.predict(this.#query(memory)),
    );
    const forecast = this.#effortOf(
      timed,
      (memory) => rules.ask(this.#context(memory), 0, read),
      (memory) => share.forecastRules.ask(this.#context(memory), 0, read),
    );
    const learnUs = (1_000 * this.#learnMs) / (this.#next - 1);
    return { parts, predict, forecast, bytesOfAPart, learnUs, fillMs: this.#fillMs };
  }

  #kernel(): Kernel {
    return Kernel.create(new KernelMemory(this.#module, LIMIT_BYTES));
  }

  #addPart(): void {
    // As in an isolate of its own.
    const kernel = this.#kernel();
    const part = kernel.asPart(new KeptCandidates());
    this.#share ??= kernel;
    if (this.#next + this.#models - 1 > MAX_COMPARED) this.#whole = undefined;
    const filled = this.#parts.length === 0 ? this.#kernel().asPart(new KeptCandidates()) : undefined;
    for (const end = this.#next + this.#models; this.#next < end; ) {
      const count = Math.min(BATCH, end - this.#next);
      const models = Array.from({ length: count }, () => this.#generator.model(this.#next++));
      const begun = processorMs();
      for (const model of models) part.apply({ kind: "add", model });
      this.#learnMs += processorMs() - begun;
      if (filled !== undefined) this.#fill(filled, batchOf(models));
      for (const model of models) {
        this.#whole?.add(model);
        this.#counted.add(model);
      }
    }
    this.#parts.push(part);
    for (const [symbol, frequency] of this.#counted.frequencies.entries())
      this.#whole?.setSymbolFrequency(symbol, frequency);
  }

  #fill(part: KernelPart, batch: ModelBatch): void {
    const begun = processorMs();
    part.addBatch(batch);
    this.#fillMs += processorMs() - begun;
  }

  /** @throws Error when the parts together say something else than the kernel that has all models */
  #compare(whole: Kernel, matcher: Matcher, rules: ForecastRules): void {
    for (const memory of this.#memories) {
      const query = this.#query(memory);
      const context = this.#context(memory);
      const [one, split] = [whole.predict(query), matcher.predict(query)].map((answer) => JSON.stringify(answer));
      const [said, saidSplit] = [whole.forecastRules, rules].map((each) => JSON.stringify(each.ask(context, 0, read)));
      if (one !== split || said !== saidSplit) throw new Error(`the parts answer something else to ${memory.join()}`);
    }
  }

  #query(symbols: Uint32Array): Query {
    return queryOf(symbols, this.#counted.totals, this.#workload.vocabulary);
  }

  #context(memory: Uint32Array): ForecastContext {
    const symbols = memory.subarray(0, CONTEXT_EVENTS);
    const lengths = new Uint32Array(CONTEXT_EVENTS).fill(1);
    return {
      symbols,
      lengths,
      target: undefined,
      totals: this.#counted.totals,
      record: [],
      steps: Number.MAX_SAFE_INTEGER,
    };
  }

  /** @param asShare asks one part's kernel: by turns with the parts, because the machine's speed changes */
  #effortOf(timed: TimedParts, ask: Ask, asShare: Ask): Effort {
    const sum: Effort = { all: 0, slowestAndHead: 0, share: 0 };
    for (const memory of this.#memories) {
      const least = { all: Number.POSITIVE_INFINITY, head: Number.POSITIVE_INFINITY, share: Number.POSITIVE_INFINITY };
      const ofParts = timed.taken.map(() => Number.POSITIVE_INFINITY);
      for (let round = 0; round < ROUNDS; round++) {
        const begun = processorMs();
        asShare(memory);
        least.share = Math.min(least.share, processorMs() - begun);
        timed.taken.fill(0);
        const before = processorMs();
        ask(memory);
        const all = processorMs() - before;
        least.all = Math.min(least.all, all);
        least.head = Math.min(least.head, all - timed.taken.reduce((one, other) => one + other, 0));
        for (const [part, taken] of timed.taken.entries()) ofParts[part] = Math.min(ofParts[part] ?? 0, taken);
      }
      sum.all += least.all;
      sum.slowestAndHead += least.head + Math.max(...ofParts);
      sum.share += least.share;
    }
    const count = this.#memories.length;
    return { all: sum.all / count, slowestAndHead: sum.slowestAndHead / count, share: sum.share / count };
  }
}

function read(answers: RuleAnswers): number[] {
  return answers.models === 0 ? [] : [...answers.ahead(1, 1).probabilities];
}
