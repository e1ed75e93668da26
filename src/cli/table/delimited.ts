/** What a table of separated cells is like: its delimiter, the names of its columns, and the lines of its rows. */

import type { Row } from "./row";

/** What separates cells where nothing says it, most usual first. */
export const DELIMITERS = [",", ";", "\t"] as const;

/** Which of the usual delimiters the first line of a text has most of, outside quotation marks. */
export function delimiterIn(text: string): string {
  const [line = ""] = text.replace(/"[^"]*"/g, "").split(/\r?\n/, 1);
  const counts = DELIMITERS.map((delimiter) => occurrences(line, delimiter));
  return DELIMITERS[counts.indexOf(Math.max(...counts))] ?? ",";
}

/** How often a part is in a text. */
export function occurrences(text: string, part: string): number {
  return text.split(part).length - 1;
}

/** The names of the columns. @throws Error if one comes twice */
export function distinct(names: string[]): string[] {
  const twice = names.find((name, at) => names.indexOf(name) < at);
  if (twice === undefined) return names;
  throw new Error(`line 1: the column ${JSON.stringify(twice)} is there twice`);
}

/** What the parser says of a record. */
export interface Parsed {
  /** `lines`: how many lines the parser has read. */
  readonly info: { readonly lines: number };
  readonly record: Row["cells"];
}

/** Finds the line on which each record of a text begins. Needs all of them in their order. */
export class Lines {
  /** The parser counts a line end of Windows within quotes twice. */
  #countedTwice = 0;

  /** The line, from 1. */
  of({ info, record }: Parsed): number {
    const text = Object.values(record).join();
    this.#countedTwice += occurrences(text, "\r\n");
    return info.lines - this.#countedTwice - occurrences(text, "\n");
  }
}
