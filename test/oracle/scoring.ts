/**
 * The numbers of a prediction, each as the interface specification states it, evaluated in the order that gives the recorded doubles.
 * Knows nothing of how models are found.
 */

import type { Metric, Query } from "../../src/processor/ports/matcher";
import { log, log2 } from "../../src/processor/prediction/logarithms";
import type { Candidate } from "./candidate";

/** What scoring needs beyond the candidate itself. */
export interface Context {
  query: Query;
  /** Relative frequency of a symbol; 0 for an unknown one. */
  probability: (symbol: number) => number;
  /** The symbols in the matches or the missing of any kept model. Others weigh nothing. */
  weighed: ReadonlySet<number>;
  /** The sum of the frequencies of all kept models. */
  keptFrequencies: number;
}

/** Every metric of one candidate. */
export function score(candidate: Candidate, context: Context): Record<Metric, number> {
  const { matched, blocks, extras, present, model } = candidate;
  const evidence = matched / model.symbols.length;
  const confidence = matched / present.length;
  const snr = matched / (matched + extras.length);
  const fragmentation = blocks.length - 1;
  const itfdf = itfdfSimilarity(candidate, context);
  return {
    similarity: candidate.similarity,
    number_of_blocks: blocks.length,
    potential: (evidence + confidence) * snr + itfdf + 1 / (fragmentation + 1),
    evidence,
    fragmentation,
    snr,
    entropy: entropy(present, context.probability),
    hamiltonian: hamiltonian(present, context.query.knownSymbols),
    grand_hamiltonian: grandHamiltonian(present, context),
    confluence: confluence(candidate, context),
    confidence,
    itfdf_similarity: itfdf,
  };
}

function entropy(present: readonly number[], probability: (symbol: number) => number): number {
  let sum = 0;
  for (const symbol of present) {
    const p = probability(symbol);
    sum += p > 0 ? -p * log2(p) : 0;
  }
  return sum;
}

function hamiltonian(present: readonly number[], knownSymbols: number): number {
  if (knownSymbols <= 1) {
    return 0;
  }
  let sum = 0;
  for (const symbol of present) {
    const q = present.filter((other) => other === symbol).length / present.length;
    sum += -q * (log(q) / log(knownSymbols));
  }
  return sum;
}

function grandHamiltonian(present: readonly number[], context: Context): number {
  if (context.query.knownSymbols <= 1) {
    return 0;
  }
  let sum = 0;
  for (const symbol of [...new Set(present)].reverse()) {
    const p = context.probability(symbol);
    sum += p > 0 ? -p * (log(p) / log(context.query.knownSymbols)) : 0;
  }
  return sum;
}

function confluence(candidate: Candidate, context: Context): number {
  let product = 1;
  for (const symbol of candidate.present) {
    product *= context.probability(symbol);
  }
  return (candidate.model.frequency / context.query.totals.modelFrequencies) * (1 - product);
}

function itfdfSimilarity(candidate: Candidate, context: Context): number {
  const query = [...context.query.symbols];
  const count = (symbols: readonly number[], symbol: number) => symbols.filter((other) => other === symbol).length;
  let dot = 0;
  let uu = 0;
  let vv = 0;
  for (const symbol of new Set([...candidate.present, ...query])) {
    const weight = context.weighed.has(symbol) ? context.probability(symbol) : 0;
    const u = count(query, symbol) * weight;
    const v = count(candidate.present, symbol) * weight;
    dot += u * v;
    uu += u * u;
    vv += v * v;
  }
  const denominator = Math.sqrt(uu) * Math.sqrt(vv);
  const cosine = denominator === 0 ? 0 : dot / denominator;
  return 1 - ((1 - cosine) * candidate.model.frequency) / context.keptFrequencies;
}
