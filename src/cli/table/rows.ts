/**
 * Reads the rows of a CSV or JSONL file as a stream, as often as asked. Knows which line a row comes from, and nothing
 * of what its columns mean.
 */

import { createReadStream, statSync } from "node:fs";
import { pipeline, Readable } from "node:stream";
import { parse } from "csv-parse";
import split2 from "split2";
import { UsageError } from "../terminal/failure";
import { assertEncoding, textOf } from "./text";
import { unpacked } from "./unpacked";

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
  /** How the text is written; UTF-8 if absent. */
  readonly encoding?: string;
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
   * @param onBad called with the reason for each row that is none; such rows are then left out
   * @throws Error that names the line if a row is none, unless there is `onBad`
   */
  rows(onBad?: OnBad): AsyncIterable<Row>;
}

/** Hears why a row cannot be read; the message names its line. */
export type OnBad = (error: Error) => void;

const STDIN = "-";

/** What separates cells where nothing says it, most usual first. */
const DELIMITERS = [",", ";", "\t"] as const;

/**
 * A table of a file, or of stdin, which is read whole at once because it can be read only once.
 *
 * @param path the file; `-` for stdin. What gzip has packed is unpacked, whatever its name
 * @throws UsageError if neither name nor options say which format it has
 * @throws Error if it is a folder, or stdin breaks off
 */
export async function openTable(path: string, options: FileOptions, stdin: NodeJS.ReadableStream): Promise<Table> {
  if (path !== STDIN && statSync(path, { throwIfNoEntry: false })?.isDirectory() === true) {
    throw new Error(`${path} is a folder; accepted is a file, or - for stdin`);
  }
  const format = options.format ?? formatOf(path);
  const delimiter = options.delimiter ?? (/\.tsv(?:\.gz)?$/i.test(path) ? "\t" : undefined);
  assertEncoding(options.encoding);
  const whole = path === STDIN ? await wholeOf(stdin) : undefined;
  const bytes = () => (whole === undefined ? createReadStream(path) : Readable.from([whole]));
  return {
    name: path === STDIN ? "stdin" : path,
    bytes,
    rows: (onBad) => {
      const text = textOf(unpacked(bytes(), path.endsWith(".gz")), options.encoding);
      return format === "csv" ? csvRows(text, delimiter, onBad) : jsonRows(text, onBad);
    },
  };
}

/** Which of the usual delimiters the first line has most of, outside quotation marks. */
function delimiterIn(text: string): string {
  const [line = ""] = text.replace(/"[^"]*"/g, "").split(/\r?\n/, 1);
  const counts = DELIMITERS.map((delimiter) => occurrences(line, delimiter));
  return DELIMITERS[counts.indexOf(Math.max(...counts))] ?? ",";
}

/** Text with its whole first line at hand. */
async function begun(text: AsyncGenerator<string>): Promise<{ first: string; all: AsyncGenerator<string> }> {
  let first = "";
  for (let next = await text.next(); ; next = await text.next()) {
    if (!next.done) first += next.value;
    if (next.done || first.includes("\n")) break;
  }
  async function* all() {
    yield first;
    yield* text;
  }
  return { first, all: all() };
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
async function* csvRows(
  text: AsyncGenerator<string>,
  given: string | undefined,
  onBad: OnBad | undefined,
): AsyncGenerator<Row> {
  const { first, all } = await begun(text);
  const delimiter = given ?? delimiterIn(first);
  const settings = { bom: true, columns: distinct, delimiter, info: true, skip_empty_lines: true } as const;
  const parser = parse({ ...settings, skip_records_with_error: onBad !== undefined });
  if (onBad !== undefined) parser.on("skip", onBad);
  // The parser counts a line end of Windows within quotes twice.
  let countedTwice = 0;
  for await (const { info, record } of pipeline(Readable.from(all), parser, () => {}) as AsyncIterable<Parsed>) {
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

async function* jsonRows(all: AsyncGenerator<string>, onBad: OnBad | undefined): AsyncGenerator<Row> {
  let line = 0;
  for await (const text of pipeline(Readable.from(all), split2("\n"), () => {}) as AsyncIterable<string>) {
    line++;
    const plain = line === 1 ? text.replace(/^\ufeff/, "") : text;
    if (plain.trim() === "") continue;
    const at = line;
    const cells = orLeftOut(() => objectIn(plain, at), onBad);
    if (cells !== undefined) yield { line, cells };
  }
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
