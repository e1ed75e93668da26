/** A row of a table, and the callback for unreadable rows. Knows no file. */

/** A row. */
export interface Row {
  /** The line on which the row begins, from 1. */
  readonly line: number;
  /** By column: text, or any JSON value in a JSONL file. */
  readonly cells: { readonly [column: string]: unknown };
}

/** Gets the reason why a row cannot be read; the message names the line. */
export type OnBad = (error: Error) => void;

/** Rows that can be read any number of times. */
export interface Table {
  /** The table's name in messages. */
  readonly name: string;
  /**
   * Its rows, from the first one.
   *
   * @param onBad called with the reason for each unreadable row; such rows are skipped
   * @throws Error that names the line of an unreadable row, unless `onBad` is given
   */
  rows(onBad?: OnBad): AsyncIterable<Row>;
}

/**
 * What `read` returns.
 *
 * @param onBad called with the error if `read` fails; if absent, the error is thrown
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
