/**
 * Streams the rows of a CSV or JSONL file, any number of times. Knows the line of each row, but not the meaning of the
 * columns.
 */

import { createReadStream, statSync } from "node:fs";
import { pipeline, Readable } from "node:stream";
import { parse } from "csv-parse";
import split2 from "split2";
import { UsageError } from "../terminal/failure";
import { csvRefusal } from "./csv-refusal";
import { delimiterIn, distinct, Lines, type Parsed, ReadLines } from "./delimited";
import { type OnBad, orLeftOut, type Row, type Table } from "./row";
import { assertEncoding, textOf } from "./text";
import { unpacked } from "./unpacked";

/** How to read a file. */
export interface FileOptions {
  readonly format?: "csv" | "jsonl";
  /** The delimiter of a CSV file. */
  readonly delimiter?: string;
  /** The text's encoding; UTF-8 if absent. */
  readonly encoding?: string;
}

/** A file of rows. */
export interface FileTable extends Table {
  /** The file's bytes, unchanged. */
  bytes(): Readable;
}

const STDIN = "-";

/**
 * A table of a file, or of stdin, which is read whole at once because it can be read only once.
 *
 * @param path the file; `-` for stdin. A gzip file is unpacked, whatever its name
 * @throws UsageError if neither its name nor an option gives the format
 * @throws Error if the path is a folder, or stdin breaks off
 */
export async function openTable(path: string, options: FileOptions, stdin: NodeJS.ReadableStream): Promise<FileTable> {
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

/** A text whose first line has been read completely. */
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
    `the name ${path} does not say which format it has; accepted are .csv, .tsv, .jsonl and .ndjson, ` +
      "or --format csv|jsonl",
  );
}

async function* csvRows(
  text: AsyncGenerator<string>,
  given: string | undefined,
  onBad: OnBad | undefined,
): AsyncGenerator<Row> {
  const { first, all } = await begun(text);
  const delimiter = given ?? delimiterIn(first);
  const settings = { bom: true, columns: distinct, delimiter, info: true, skip_empty_lines: true } as const;
  const parser = parse({ ...settings, skip_records_with_error: onBad !== undefined });
  const read = new ReadLines();
  if (onBad !== undefined) parser.on("skip", (error: Error) => onBad(csvRefusal(error, read.last)));
  const lines = new Lines();
  try {
    for await (const parsed of pipeline(Readable.from(read.of(all)), parser, () => {}) as AsyncIterable<Parsed>) {
      yield { line: lines.of(parsed), cells: parsed.record };
    }
  } catch (error) {
    throw csvRefusal(error as Error, read.last);
  }
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
