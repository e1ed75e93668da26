/**
 * Explains in plain words why a line of separated cells cannot be read. The parser's own messages name its settings.
 */

import type { CsvError } from "csv-parse";

/** How to write a quotation mark within a cell. */
const QUOTED = 'a quotation mark within a cell is written "", and that cell is enclosed in quotation marks';

/**
 * The parser's error in plain words; any other error unchanged.
 *
 * @param last number of the last line read. The parser's own count is wrong within a cell.
 */
export function csvRefusal(error: Error, last: number): Error {
  // Not checked by class: the browser version of the parser has a different one.
  if (!("code" in error)) return error;
  const reason = reasonOf(error as CsvError, last);
  return reason === undefined ? error : new Error(reason, { cause: error });
}

function reasonOf({ code, lines, record, columns }: CsvError, last: number): string | undefined {
  switch (code) {
    case "CSV_RECORD_INCONSISTENT_COLUMNS": {
      if (!Array.isArray(record) || !Array.isArray(columns)) return undefined;
      return (
        `line ${lines}: the row has ${cells(record.length)}, and the first line names ${columns.length}; ` +
        "a cell that contains the separator must be enclosed in quotation marks"
      );
    }
    case "CSV_QUOTE_NOT_CLOSED":
      return (
        `the file ends in line ${last} within a cell: a quotation mark before has opened it, ` +
        `and none closes it; ${QUOTED}`
      );
    case "CSV_INVALID_CLOSING_QUOTE":
      return `line ${lines}: a cell goes on after the quotation mark that closes it; ${QUOTED}`;
    case "INVALID_OPENING_QUOTE":
      return `line ${lines}: a quotation mark is within a cell; ${QUOTED}`;
    default:
      return undefined;
  }
}

function cells(count: number): string {
  return count === 1 ? "1 cell" : `${count} cells`;
}
