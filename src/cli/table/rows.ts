/**
 * Reads the rows of a CSV or JSONL file as a stream, as often as asked. Knows which line a row comes from, and nothing
 * of what its columns mean.
 */

import { createReadStream } from "node:fs";
import { pipeline, Readable } from "node:stream";
import { createGunzip } from "node:zlib";
import { parse } from "csv-parse";
import split2 from "split2";
import { UsageError } from "../terminal/failure";

/** A row. */
export interface Row {
  /** The line on which it begins, from 1. */
  readonly line: number;
  /** By column: text, or any JSON value in a JSONL file. */
  readonly cells: { readonly [column: string]: unknown };
}

/** How a file is read. */
export interface FileOptions {
  readonly format?: "csv" | "jsonl";
  /** What separates the cells of a CSV file. */
  readonly delimiter?: string;
}

/** A file of rows. */
export interface Table {
  /** What to call it in messages. */
  readonly name: string;
  /** Its bytes as they lie in the file. */
  bytes(): Readable;
  /**
   * Its rows, from the first one.
   *
   * @throws Error that names the line if a row is none
   */
  rows(): AsyncIterable<Row>;
}

const STDIN = "-";

/**
 * A table of a file, or of stdin, which is read whole at once because it can be read only once.
 *
 * @param path the file; `-` for stdin. With `.gz` at the end it is unpacked
 * @throws UsageError if neither name nor options say which format it has
 * @throws Error if stdin breaks off
 */
export async function openTable(path: string, options: FileOptions, stdin: NodeJS.ReadableStream): Promise<Table> {
  const format = options.format ?? formatOf(path);
  const delimiter = options.delimiter ?? (/\.tsv(?:\.gz)?$/i.test(path) ? "\t" : ",");
  const whole = path === STDIN ? await wholeOf(stdin) : undefined;
  const bytes = () => (whole === undefined ? createReadStream(path) : Readable.from([whole]));
  return {
    name: path === STDIN ? "stdin" : path,
    bytes,
    rows: () => {
      const plain = path.endsWith(".gz") ? pipeline(bytes(), createGunzip(), () => {}) : bytes();
      return format === "csv" ? csvRows(plain, delimiter) : jsonRows(plain);
    },
  };
}

async function wholeOf(stream: NodeJS.ReadableStream): Promise<Buffer> {
  const pieces: Buffer[] = [];
  for await (const piece of stream) pieces.push(Buffer.from(piece));
  return Buffer.concat(pieces);
}

function formatOf(path: string): "csv" | "jsonl" {
  const [, end = ""] = /\.(csv|tsv|jsonl|ndjson)(?:\.gz)?$/i.exec(path) ?? [];
  if (/^[ct]sv$/i.test(end)) return "csv";
  if (end !== "") return "jsonl";
  throw new UsageError(
    `the name ${path} does not say which format it has; accepted are .csv, .tsv, .jsonl and .ndjson, or --format csv|jsonl`,
  );
}

/** The parser's errors name the line themselves. */
async function* csvRows(bytes: NodeJS.ReadableStream, delimiter: string): AsyncGenerator<Row> {
  const parser = parse({ bom: true, columns: distinct, delimiter, info: true, skip_empty_lines: true });
  // The parser counts a line end of Windows within quotes twice.
  let countedTwice = 0;
  for await (const { info, record } of pipeline(bytes, parser, () => {}) as AsyncIterable<Parsed>) {
    const text = Object.values(record).join();
    countedTwice += occurrences(text, "\r\n");
    yield { line: info.lines - countedTwice - occurrences(text, "\n"), cells: record };
  }
}

interface Parsed {
  /** `lines`: how many lines the parser has read. */
  readonly info: { readonly lines: number };
  readonly record: Row["cells"];
}

function occurrences(text: string, part: string): number {
  return text.split(part).length - 1;
}

/** The names of the columns. Throws Error if one comes twice. */
function distinct(names: string[]): string[] {
  const twice = names.find((name, at) => names.indexOf(name) < at);
  if (twice === undefined) return names;
  throw new Error(`line 1: the column ${JSON.stringify(twice)} is there twice`);
}

async function* jsonRows(bytes: NodeJS.ReadableStream): AsyncGenerator<Row> {
  let line = 0;
  for await (const text of pipeline(bytes, split2("\n"), () => {}) as AsyncIterable<string>) {
    line++;
    const plain = line === 1 ? text.replace(/^\ufeff/, "") : text;
    if (plain.trim() !== "") yield { line, cells: objectIn(plain, line) };
  }
}

function objectIn(text: string, line: number): Row["cells"] {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new Error(`line ${line}: ${(error as Error).message}`);
  }
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as Row["cells"];
  throw new Error(`line ${line}: accepted is an object, got ${text.slice(0, 80)}`);
}
