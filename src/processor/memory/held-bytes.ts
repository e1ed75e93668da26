/**
 * How many bytes count towards the budget of a memory: about those that a backup writes for it, so that each memory within the budget fits
 * into a line of a backup.
 */

import { jsonBytes } from "../../text/json-bytes";

/** What a backup writes for an event besides its symbols and its metadata, in bytes. */
const EVENT_BYTES = 36;

/** What it writes for a symbol besides its text. */
const SYMBOL_BYTES = 3;

/** The most that it writes for a component of a vector. */
const COMPONENT_BYTES = 25;

/** What it writes for a vector besides its components. */
const VECTOR_BYTES = 18;

/** The bytes of an event: of its symbols and its metadata as JSON texts. */
export function eventBytes({
  symbols,
  metadata,
}: {
  readonly symbols: readonly string[];
  readonly metadata: string;
}): number {
  let bytes = EVENT_BYTES + jsonBytes(metadata);
  for (const symbol of symbols) bytes += SYMBOL_BYTES + jsonBytes(symbol);
  return bytes;
}

/** The bytes of a vector that waits to be learned. */
export function vectorBytes({ length }: ArrayLike<number>): number {
  return VECTOR_BYTES + COMPONENT_BYTES * length;
}
