/** The type of a symbol that was expected. */

/** A symbol that was expected. */
export interface ExpectedSymbol {
  symbol: string;
  /** Above 0, at most 1. */
  probability: number;
}
