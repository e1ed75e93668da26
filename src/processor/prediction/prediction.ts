/** A prediction: one model that matches memory, cut into past, present and future, and scored. */

import type { Recollection } from "../knowledge/model-summaries";
import { type Event, eventsBehind, symbolsBehind } from "../memory/event";
import type { Emotive } from "../ports/gdf";
import type { Match } from "../ports/matcher";

/** What one model predicts. The metrics are those of the interface specification, in full precision. */
export interface Prediction {
  /** The model's name, without prefix. */
  name: string;
  /** How often the model was learned. */
  frequency: number;
  past: Event[];
  present: Event[];
  future: Event[];
  matches: string[];
  missing: string[];
  extras: string[];
  emotives: Emotive[];
  confidence: number;
  confluence: number;
  entropy: number;
  evidence: number;
  fragmentation: number;
  grandHamiltonian: number;
  hamiltonian: number;
  itfdfSimilarity: number;
  potential: number;
  similarity: number;
  snr: number;
}

/**
 * Gives a match its words.
 * @param nameOf the symbol behind a number, of the model or of memory
 */
export function predictionFrom(match: Match, recollection: Recollection, nameOf: (id: number) => string): Prediction {
  const events = eventsBehind(match, nameOf);
  const { metrics } = match;
  return {
    name: recollection.name,
    frequency: match.frequency,
    past: events.slice(0, match.presentStart),
    present: events.slice(match.presentStart, match.presentEnd),
    future: events.slice(match.presentEnd),
    matches: symbolsBehind(match.matches, nameOf),
    missing: symbolsBehind(match.missing, nameOf),
    extras: symbolsBehind(match.extras, nameOf),
    emotives: recollection.emotives,
    confidence: metrics.confidence,
    confluence: metrics.confluence,
    entropy: metrics.entropy,
    evidence: metrics.evidence,
    fragmentation: metrics.fragmentation,
    grandHamiltonian: metrics.grand_hamiltonian,
    hamiltonian: metrics.hamiltonian,
    itfdfSimilarity: metrics.itfdf_similarity,
    potential: metrics.potential,
    similarity: metrics.similarity,
    snr: metrics.snr,
  };
}
