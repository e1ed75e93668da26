/**
 * What the numbers of a prediction are computed from. The matcher computes the numbers; here are the terms that it
 * took, so that anybody can compute them again, to the last bit (docs/predictions.md).
 */

import { eventsOf } from "../knowledge/symbol-table";
import type { Event } from "../ports/gdf";
import type { ExplainedMatch, Query, Totals } from "../ports/matcher";
import type { EmotiveValues } from "../ports/store";
import { log, log2 } from "./logarithms";
import { type Prediction, predictionFrom } from "./prediction";

/**
 * A run of symbols that match: where it begins in the model and in memory, 0 the first symbol of each, and how many it
 * has.
 */
export interface MatchedBlock {
  model: number;
  memory: number;
  length: number;
}

/** What the numbers take of a symbol. Its probability is its frequency divided by `memberFrequencies`. */
export interface SymbolTerms {
  symbol: string;
  /** How often it occurs in everything learned; 0 for an unknown symbol. */
  frequency: number;
  /** Whether the present of some matching model holds it. Others weigh nothing in itfdf similarity. */
  weighs: boolean;
  /** Logarithms of its probability, natural and to the base 2; missing when that is 0. */
  lnProbability?: number;
  log2Probability?: number;
  /** The natural logarithm of its share of the prediction's present; missing when present does not hold it. */
  lnShare?: number;
}

/** Why a model is predicted. */
export interface PredictionExplanation {
  prediction: Prediction;
  /** The memory that it is made from, oldest event first. */
  memory: Event[];
  /** What matched with what, in order. */
  blocks: MatchedBlock[];
  /** The distinct symbols of present, then those of memory, in order of appearance. */
  symbols: SymbolTerms[];
  /** The values that the model keeps, oldest first. */
  emotives: EmotiveValues[];
  /** The sum of the frequencies of all models that match. */
  matchingFrequencies: number;
  /** The counters of the whole knowledge, as in {@link Totals}. */
  modelFrequencies: number;
  memberFrequencies: number;
  /** How many symbols are known, and the natural logarithm of that. */
  knownSymbols: number;
  lnKnownSymbols: number;
}

/** What the matcher and the knowledge say of one match. */
export interface MatchSource {
  readonly explained: ExplainedMatch;
  /** What was asked of the matcher, and the lengths of its events. */
  readonly query: Pick<Query, "symbols" | "knownSymbols"> & { readonly totals: Totals };
  readonly lengths: Uint32Array;
  /** The model's name, without prefix, and the values that it keeps. */
  readonly name: string;
  readonly kept: EmotiveValues[];
  readonly emotives: Prediction["emotives"];
  nameOf(symbol: number): string;
  /** How often a symbol occurs in everything learned; 0 for an unknown one. */
  frequencyOf(symbol: number): number;
}

/** Joins what is known of a match into its explanation. */
export function explanationFrom(source: MatchSource): PredictionExplanation {
  const { explained, query, lengths, name, kept, emotives, nameOf } = source;
  const { match, partners, keptFrequencies } = explained;
  const { modelFrequencies, memberFrequencies } = query.totals;
  return {
    prediction: predictionFrom(match, { name, emotives }, nameOf),
    memory: eventsOf({ symbols: query.symbols, lengths }, nameOf),
    blocks: blocksOf(partners),
    symbols: termsOf(source),
    emotives: kept,
    matchingFrequencies: keptFrequencies,
    modelFrequencies,
    memberFrequencies,
    knownSymbols: query.knownSymbols,
    lnKnownSymbols: log(query.knownSymbols),
  };
}

/** Joins partners that follow each other in both sequences. */
function blocksOf(partners: Int32Array): MatchedBlock[] {
  const blocks: MatchedBlock[] = [];
  for (const [memory, model] of partners.entries()) {
    if (model < 0) continue;
    const last = blocks.at(-1);
    if (last !== undefined && last.memory + last.length === memory && last.model + last.length === model) last.length++;
    else blocks.push({ model, memory, length: 1 });
  }
  return blocks;
}

function termsOf({ explained, query, nameOf, frequencyOf }: MatchSource): SymbolTerms[] {
  const { match, weighs } = explained;
  const present = presentOf(match);
  const counts = new Map<number, number>();
  for (const symbol of present) counts.set(symbol, (counts.get(symbol) ?? 0) + 1);
  const weighing = new Set([...counts.keys(), ...query.symbols.filter((_, at) => weighs[at] === 1)]);
  return [...new Set([...counts.keys(), ...query.symbols])].map((symbol) => {
    const frequency = frequencyOf(symbol);
    const probability = frequency / query.totals.memberFrequencies;
    const count = counts.get(symbol);
    return {
      symbol: nameOf(symbol),
      frequency,
      weighs: weighing.has(symbol),
      ...(probability > 0 && { lnProbability: log(probability), log2Probability: log2(probability) }),
      ...(count !== undefined && { lnShare: log(count / present.length) }),
    };
  });
}

/** The symbols of the present. */
function presentOf({ symbols, lengths, presentStart, presentEnd }: ExplainedMatch["match"]): Uint32Array {
  const sum = (end: number) => lengths.subarray(0, end).reduce((total, length) => total + length, 0);
  return symbols.subarray(sum(presentStart), sum(presentEnd));
}
