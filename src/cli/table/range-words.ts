/** Fetches a processor's encoders, so that the symbols of numbers can be shown to people as ranges. */

import { listEncoders, NoemaError, type Processor } from "../../client";
import { type ShownEncoders, shownSymbol } from "./ranges";

/** A symbol in words: a bin as its range, any other symbol unchanged. */
export type RangeWords = (symbol: string) => string;

/**
 * The words for a processor's symbols. If the processor does not list its encoders, for instance an implementation
 * elsewhere without encoders, symbols stay unchanged.
 *
 * @throws Error if there is no answer
 */
export async function rangeWords(processor: Processor, signal: AbortSignal): Promise<RangeWords> {
  const encoders = await listEncoders(processor, { signal }).catch((error: unknown): ShownEncoders => {
    if (error instanceof NoemaError) return {};
    throw error;
  });
  return (symbol) => shownSymbol(symbol, encoders);
}
