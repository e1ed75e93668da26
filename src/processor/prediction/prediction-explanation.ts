/**
 * The inputs of a prediction's numbers. The matcher computes the numbers; this file collects the terms it used, so that
 * anyone can compute them again to the last bit (docs/predictions.md).
 */

import type { MatchedBlock, Prediction, PredictionExplanation, SymbolTerms } from "../../gen/plain";
import { eventsOf } from "../knowledge/symbol-table";
import type { ExplainedMatch, Query, Totals } from "../ports/matcher";
import type { EmotiveValues } from "../ports/store";
import { log, log2 } from "./logarithms";
import { predictionFrom } from "./prediction";

/** What the matcher and the knowledge provide about one match. */
export interface MatchSource {
  readonly explained: ExplainedMatch;
  /** The matcher's query, and the lengths of its events. */
  readonly query: Pick<Query, "symbols" | "knownSymbols"> & { readonly totals: Totals };
  readonly lengths: Uint32Array;
  /** The model's name, without prefix, and the values that it keeps. */
  readonly name: string;
  readonly kept: EmotiveValues[];
  readonly emotives: Prediction["emotives"];
  nameOf(symbol: number): string;
  /** Occurrences of a symbol in everything learned; 0 for an unknown symbol. */
  frequencyOf(symbol: number): number;
}

/** Builds the explanation of a match. */
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

/** Joins neighbouring partners into runs. */
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
