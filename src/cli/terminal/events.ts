/** Writes events, sequences and probabilities as people read them. */

import type { Schemas } from "../../client";

/** `tea + milk → train`; `-` for none. @param shown the words of a symbol; itself if absent */
export function sequenceText(sequence: readonly Schemas.Event[], shown = (symbol: string) => symbol): string {
  return sequence.map((event) => event.map(shown).join(" + ")).join(" → ") || "-";
}

/** A share, 0 to 1, with one decimal: `93.8 %`. */
export function percent(share: number): string {
  return `${(100 * share).toFixed(1)} %`;
}
