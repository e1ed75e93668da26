/** Formats events, sequences and probabilities for people. */

import type { Schemas } from "../../client";

/** `tea + milk → train`; `-` for an empty sequence. @param shown the words for a symbol; the symbol itself if absent */
export function sequenceText(sequence: readonly Schemas.Event[], shown = (symbol: string) => symbol): string {
  return sequence.map((event) => event.map(shown).join(" + ")).join(" → ") || "-";
}

/** A fraction from 0 to 1 as a percentage with one decimal: `93.8 %`. */
export function percent(share: number): string {
  return `${(100 * share).toFixed(1)} %`;
}
