/** The symbols that encoders make. */

import { compareCodePoints } from "../../text/code-points";

/**
 * The symbol of a bin: the encoder's name and the edge where the bin begins, as its shortest decimal.
 *
 * @param name the encoder's
 * @param from finite, or -Infinity for the lowest bin
 */
export function symbolOf(name: string, from: number): string {
  return `${name}=${Number.isFinite(from) ? String(from) : "-inf"}`;
}

/** The name of the encoder that made a symbol: the last equals sign separates it from the edge. */
export function encoderNameIn(symbol: string): string {
  return symbol.slice(0, symbol.lastIndexOf("="));
}

/** Sorts symbols of encoders by the order of the encoders' names. */
export function byEncoder(symbols: readonly string[]): string[] {
  return [...symbols].sort((a, b) => compareCodePoints(encoderNameIn(a), encoderNameIn(b)));
}
