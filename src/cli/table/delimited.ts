/** Properties of a table of separated cells: its delimiter, its column names, and the line of each row. */

import type { Row } from "./row";

/** The delimiters to try if none is given, most common first. */
export const DELIMITERS = [",", ";", "\t"] as const;

/** The common delimiter that occurs most often in the first line of a text, outside quotation marks. */
export function delimiterIn(text: string): string {
  const [line = ""] = text.replace(/"[^"]*"/g, "").split(/\r?\n/, 1);
  const counts = DELIMITERS.map((delimiter) => occurrences(line, delimiter));
  return DELIMITERS[counts.indexOf(Math.max(...counts))] ?? ",";
}

/** The number of occurrences of `part` in a text. */
export function occurrences(text: string, part: string): number {
  return text.split(part).length - 1;
}

/** The column names. @throws Error if a name occurs twice */
export function distinct(names: string[]): string[] {
  const twice = names.find((name, at) => names.indexOf(name) < at);
  if (twice === undefined) return names;
  throw new Error(`line 1: the column ${JSON.stringify(twice)} is given twice`);
}

/** The parser's information about a record. */
export interface Parsed {
  /** `lines`: number of lines that the parser has read. */
  readonly info: { readonly lines: number };
  readonly record: Row["cells"];
}

/** Finds the line on which each record of a text begins. Must see all records in order. */
export class Lines {
  /** The parser counts a Windows line end within quotation marks twice. */
  #countedTwice = 0;

  /** The record's line, from 1. */
  of({ info, record }: Parsed): number {
    const text = Object.values(record).join();
    this.#countedTwice += occurrences(text, "\r\n");
    return info.lines - this.#countedTwice - occurrences(text, "\n");
  }
}

/** The number of lines of a text. A line end at its end begins no further one. */
export function linesIn(text: string): number {
  return occurrences(text, "\n") + Number(text !== "" && !text.endsWith("\n"));
}

/** Counts the lines of a text while it is read. */
export class ReadLines {
  #ends = 0;
  /** What was read last. */
  #piece = "";

  /** The number of the last line read, from 1. */
  get last(): number {
    return this.#ends + linesIn(this.#piece);
  }

  /** The text, unchanged. */
  async *of(text: AsyncIterable<string>): AsyncGenerator<string> {
    for await (const piece of text) {
      if (piece === "") continue;
      this.#ends += occurrences(this.#piece, "\n");
      this.#piece = piece;
      yield piece;
    }
  }
}
