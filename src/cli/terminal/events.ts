/** Writes events and sequences as people read them. */

import type { Schemas } from "../../client";

/** `tea + milk → train`; `-` for none. */
export function sequenceText(sequence: readonly Schemas.Event[]): string {
  return sequence.map((event) => event.join(" + ")).join(" → ") || "-";
}
