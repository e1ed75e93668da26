/** Asks a processor for its encoders, so that its symbols of numbers can be shown as ranges to people. */

import { listEncoders, NoemaError, type Processor } from "../../client";
import { type ShownEncoders, shownSymbol } from "./ranges";

/** Says a symbol in words: a bin as its range, another symbol as it is. */
export type RangeWords = (symbol: string) => string;

/**
 * The words for the symbols of a processor. Where it does not say its encoders, as one elsewhere that has none, symbols
 * stay as they are.
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
