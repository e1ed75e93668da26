/** What a row of a table is, and how rows that are none are heard of. Knows no file. */

/** A row. */
export interface Row {
  /** The line on which it begins, from 1. */
  readonly line: number;
  /** By column: text, or any JSON value in a JSONL file. */
  readonly cells: { readonly [column: string]: unknown };
}

/** Hears why a row cannot be read; the message names its line. */
export type OnBad = (error: Error) => void;

/** Rows that can be read as often as asked. */
export interface Table {
  /** What to call it in messages. */
  readonly name: string;
  /**
   * Its rows, from the first one.
   *
   * @param onBad called with the reason for each row that is none; such rows are then left out
   * @throws Error that names the line if a row is none, unless there is `onBad`
   */
  rows(onBad?: OnBad): AsyncIterable<Row>;
}

/**
 * What `read` returns.
 *
 * @param onBad called with the error if it fails; without, the error is thrown
 */
export function orLeftOut<Value>(read: () => Value, onBad: OnBad | undefined): Value | undefined {
  try {
    return read();
  } catch (error) {
    if (onBad === undefined) throw error;
    onBad(error as Error);
    return undefined;
  }
}
