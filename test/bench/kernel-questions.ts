/** The stores and questions of the kernel's benchmark, for any matcher, and the right answers. */

import type { MatchableModel, Matcher, Neighbours, Query, Totals } from "../../src/processor/ports/matcher";
import { OracleNeighbours } from "../oracle/neighbours";
import { Oracle } from "../oracle/oracle";
import { Random } from "../support/random";
import { A, B, C, Generator, type Workload } from "./workload";

/** The number of nearest vectors in an answer. */
export const NEIGHBOURS = 3;

/** A store: the first models of a workload, and a number of questions about it. */
export interface Store {
  workload: string;
  models: number;
  count: number;
  seed: number;
}

/** What models of a workload add up to. */
export class CountedModels {
  readonly totals: Totals = { modelFrequencies: 0, memberFrequencies: 0, symbolFrequencies: 0 };
  /** By symbol: how often it occurs. */
  readonly frequencies: Float64Array;

  constructor({ vocabulary }: Workload) {
    this.frequencies = new Float64Array(vocabulary);
  }

  /** How many symbols occur. */
  get knownSymbols(): number {
    return this.frequencies.filter((frequency) => frequency > 0).length;
  }

  add({ symbols }: MatchableModel): void {
    this.totals.modelFrequencies++;
    this.totals.memberFrequencies += new Set(symbols).size;
    this.totals.symbolFrequencies += symbols.length;
    for (const symbol of symbols) this.frequencies[symbol] = (this.frequencies[symbol] ?? 0) + 1;
  }
}

/** What all benchmarks ask: a hundred predictions by potential. */
export function queryOf(symbols: Uint32Array, totals: Totals, knownSymbols: number): Query {
  return {
    symbols,
    target: undefined,
    recallThreshold: 0.1,
    maxPredictions: 100,
    sortMetric: "potential",
    thresholdMetric: "potential",
    threshold: 0,
    thresholdAtLeast: true,
    totals,
    knownSymbols,
    steps: Number.MAX_SAFE_INTEGER,
  };
}

/** Teaches an empty matcher the models of a store. Returns the questions. */
export function teach(matcher: Matcher, { workload: name, models, count, seed }: Store): Query[] {
  const workload = { A, B, C }[name];
  if (!workload) throw new Error(`there is no workload ${name}; there are A, B and C`);
  const generator = new Generator(workload, seed);
  const counted = new CountedModels(workload);
  for (let id = 1; id <= models; id++) {
    const model = generator.model(id);
    matcher.add(model);
    counted.add(model);
  }
  for (const [symbol, frequency] of counted.frequencies.entries()) matcher.setSymbolFrequency(symbol, frequency);
  const { totals, knownSymbols } = counted;
  return Array.from({ length: count }, () => queryOf(generator.memory(), totals, knownSymbols));
}

/** The slow oracle's answers to the first questions of a store, printed as the benchmark's Worker prints them. */
export function rightAnswers(store: Store, questions: number): string[] {
  const oracle = new Oracle();
  return teach(oracle, store)
    .slice(0, questions)
    .map((query) => JSON.stringify(oracle.predict(query)));
}

/** Vectors with components from 0 to 1, and a number of questions about them. */
export interface VectorStore {
  dimensions: number;
  vectors: number;
  count: number;
  seed: number;
}

/** Teaches the vectors of a store to a matcher that has none. Returns the vectors to ask about. */
export function teachVectors(
  neighbours: Neighbours,
  { dimensions, vectors, count, seed }: VectorStore,
): Float64Array[] {
  const random = new Random(seed);
  const draw = () => Float64Array.from({ length: dimensions }, () => random.fraction());
  for (let at = 0; at < vectors; at++) {
    neighbours.add(draw());
  }
  return Array.from({ length: count }, draw);
}

/** The right answers to the first questions, printed as the benchmark's Worker prints them. */
export function rightNeighbours(store: VectorStore, questions: number): string[] {
  const oracle = new OracleNeighbours();
  return teachVectors(oracle, store)
    .slice(0, questions)
    .map((vector) => JSON.stringify(oracle.nearest(vector, NEIGHBOURS)));
}
