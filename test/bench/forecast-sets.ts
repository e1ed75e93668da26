/** Measures forecasts of sequences: learns all but one fold of a set, forecasts the end of each sequence of that fold, and counts what came. */

import { Kernel } from "../../src/kernel/kernel";
import { KernelMemory } from "../../src/kernel/memory";
import { type ForecastContext, type ForecastRecord, MOST_HORIZON } from "../../src/processor/ports/forecaster";
import {
  type GradedForecast,
  gradedAgain,
  gradedHorizons,
  gradeForecasts,
  isGraded,
  mostGradingSteps,
} from "../../src/processor/prediction/grading";
import { log2 } from "../../src/processor/prediction/logarithms";
import { MixingForecaster } from "../../src/processor/prediction/mixing-forecaster";

/** Sequences of symbols, each an event, and how they are asked about. */
export interface SequenceSet {
  name: string;
  sequences: readonly (readonly string[])[];
  /** One of the last so many symbols of a sequence is right. */
  ends: number;
  /** So many symbols before these are the question. */
  window: number;
}

/** How good the forecasts of a set are. */
export interface Quality {
  asked: number;
  /** The share of right first symbols, 0 to 1. */
  accuracy: number;
  /** Bits for the symbol that came next, on average; one that was given nothing counts as 2^-20. */
  logLoss: number;
  /** How far the probabilities of first symbols are from how often they were right, in ten ranges, on average. */
  calibrationError: number;
}

const FOLDS = 14;
const RANGES = 10;
const LEAST = 2 ** -20;

/** One processor's knowledge, as the benchmark keeps it. */
class Learner {
  readonly #kernel: Kernel;
  readonly #forecaster: MixingForecaster;
  readonly #ids = new Map<string, number>();
  readonly #frequencies: number[] = [];
  readonly #models = new Map<string, { id: number; frequency: number }>();
  readonly #totals = { modelFrequencies: 0, memberFrequencies: 0, symbolFrequencies: 0 };
  /** Of each model, the first of which has the id 1. */
  readonly #sequences: Uint32Array[] = [];
  #record: ForecastRecord = [];
  /** The steps of the gradings of a learn. */
  #spent = 0;

  constructor(module: WebAssembly.Module) {
    this.#kernel = Kernel.create(new KernelMemory(module));
    this.#forecaster = new MixingForecaster(this.#kernel.forecastRules);
  }

  learn(sequence: readonly string[]): void {
    const name = sequence.join(" ");
    const symbols = Uint32Array.from(sequence, (symbol) => this.#idOf(symbol));
    const { size } = this.#models;
    if (size > 0 && isGraded(hash(name), size, this.#totals.modelFrequencies)) this.#grade(symbols, hash(name));
    const known = this.#models.get(name);
    if (known === undefined) {
      const id = this.#models.size + 1;
      this.#models.set(name, { id, frequency: 1 });
      this.#sequences.push(symbols);
      this.#kernel.add({ id, frequency: 1, symbols, lengths: new Uint32Array(symbols.length).fill(1) });
    } else this.#kernel.setFrequency(known.id, ++known.frequency);
    this.#totals.modelFrequencies++;
    this.#totals.symbolFrequencies += symbols.length;
    for (const symbol of symbols) {
      this.#frequencies[symbol] = (this.#frequencies[symbol] ?? 0) + 1;
      this.#kernel.setSymbolFrequency(symbol, this.#frequencies[symbol] ?? 0);
    }
  }

  ask(sequence: readonly string[], horizon: number) {
    const symbols = Uint32Array.from(sequence, (symbol) => this.#ids.get(symbol) ?? 0x8000_0000);
    return this.#forecaster.forecast({ ...this.#context(symbols), horizon, top: 1, compare: (a, b) => a - b });
  }

  /** The probability that a symbol comes next. */
  chanceOf(sequence: readonly string[], symbol: string): number {
    const id = this.#ids.get(symbol);
    if (id === undefined) return 0;
    const symbols = Uint32Array.from(sequence, (one) => this.#ids.get(one) ?? 0x8000_0000);
    return this.#forecaster.probabilities(this.#context(symbols), Uint32Array.of(id))[0] ?? 0;
  }

  idOf(symbol: string): number | undefined {
    return this.#ids.get(symbol);
  }

  #context(symbols: Uint32Array): ForecastContext {
    const lengths = new Uint32Array(symbols.length).fill(1);
    return { symbols, lengths, target: undefined, totals: this.#totals, record: this.#record, steps: 2 ** 40 };
  }

  #grade(symbols: Uint32Array, seed: number): void {
    const { size } = this.#models;
    this.#spent = 0;
    gradeForecasts(symbols.length, gradedHorizons(seed, size), size, (forecast) =>
      this.#gradeOne(symbols, forecast, 0),
    );
    for (const id of gradedAgain(seed, size, size + 1)) {
      const known = this.#sequences[id - 1] ?? new Uint32Array();
      for (let horizon = 2; horizon < Math.min(MOST_HORIZON + 1, known.length); horizon++) {
        this.#gradeOne(known, { horizon, place: known.length - horizon }, id);
      }
    }
  }

  /** @param again the id of a model that is graded once more; 0 for a new one @returns which rules were right */
  #gradeOne(symbols: Uint32Array, { horizon, place }: GradedForecast, again: number) {
    if (this.#spent >= mostGradingSteps(this.#models.size)) return { someRight: false, someWrong: false };
    const came = new Set(symbols.subarray(place, place + horizon));
    const compare = (a: number, b: number) => a - b;
    const context = this.#context(symbols.subarray(0, place));
    const outcome = { ...context, horizon, came, excluded: again, again: again > 0, compare };
    const grade = this.#forecaster.grade(outcome);
    this.#record = grade.record;
    this.#spent += this.#forecaster.steps;
    return grade;
  }

  #idOf(symbol: string): number {
    const known = this.#ids.get(symbol);
    if (known !== undefined) return known;
    this.#ids.set(symbol, this.#ids.size);
    return this.#ids.size - 1;
  }
}

/** FNV-1a of a text, as a whole number below 2^32. */
function hash(text: string): number {
  let value = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) value = Math.imul(value ^ text.charCodeAt(at), 0x01000193);
  return value >>> 0;
}

/** Measures the first `folds` of 14 folds of a set. */
export function measure(module: WebAssembly.Module, set: SequenceSet, folds = FOLDS): Quality {
  const { sequences, ends, window } = set;
  const size = Math.floor(sequences.length / FOLDS);
  const said = new Float64Array(RANGES + 1);
  const came = new Float64Array(RANGES + 1);
  let [asked, right, bits] = [0, 0, 0];
  for (let fold = 0; fold < folds; fold++) {
    const from = fold * size;
    const to = fold === FOLDS - 1 ? sequences.length : from + size;
    const learner = new Learner(module);
    sequences.forEach((sequence, at) => {
      if (at < from || at >= to) learner.learn(sequence);
    });
    for (const sequence of sequences.slice(from, to)) {
      asked++;
      const start = sequence.length - ends;
      if (start < 1) continue;
      const question = sequence.slice(Math.max(0, start - window), start);
      const { within } = learner.ask(question, ends);
      const ids = sequence.slice(start).map((symbol) => learner.idOf(symbol));
      const [first] = within;
      const isRight = first !== undefined && ids.includes(first.symbol);
      right += Number(isRight);
      const range = Math.floor((first?.probability ?? 0) * RANGES);
      said[range] = (said[range] ?? 0) + (first?.probability ?? 0);
      came[range] = (came[range] ?? 0) + Number(isRight);
      const next = learner.chanceOf(question, sequence[start] ?? "");
      bits -= log2(Math.max(LEAST, next));
    }
  }
  const error = said.reduce((sum, value, range) => sum + Math.abs(value - (came[range] ?? 0)), 0);
  return { asked, accuracy: right / asked, logLoss: bits / asked, calibrationError: error / asked };
}
