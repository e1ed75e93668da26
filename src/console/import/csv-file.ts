/** A table of separated cells in a file in the browser: read in chunks, any number of times. */

import { parse } from "csv-parse/sync";
import { csvRefusal } from "../../cli/table/csv-refusal";
import {
  type DELIMITERS,
  delimiterIn,
  distinct,
  Lines,
  linesIn,
  occurrences,
  type Parsed,
} from "../../cli/table/delimited";
import { assertNoOther, isGzip } from "../../cli/table/packed";
import type { OnBad, Row, Table } from "../../cli/table/row";

/**
 * Maximum size of an unpacked file, in bytes, because scoring holds the rows in memory. `noema train` has no such
 * limit.
 */
export const MAX_BYTES = 50 * 1024 ** 2;

/** Maximum number of characters in a record: a longer one means an unclosed quotation mark. */
const MAX_RECORD = 1024 ** 2;

/** The supported encodings. The last one accepts any bytes, so it must come last. */
export const ENCODINGS = ["utf-8", "utf-16le", "utf-16be", "windows-1252"] as const;

export type Encoding = (typeof ENCODINGS)[number];

/** The delimiters and their names. */
export const DELIMITER_NAMES: { readonly [delimiter in (typeof DELIMITERS)[number]]: string } = {
  ",": "comma",
  ";": "semicolon",
  "\t": "tab",
};

/** How a file is read. */
export interface Reading {
  readonly encoding: Encoding;
  readonly delimiter: string;
}

/** The unpacked bytes of a file. @throws Error if the file is not text, too large or damaged */
async function* bytesOf(file: File): AsyncGenerator<Uint8Array> {
  const first = new Uint8Array(await file.slice(0, 4).arrayBuffer());
  assertNoOther(first);
  const isPacked = isGzip(first);
  const stream = isPacked ? file.stream().pipeThrough(new DecompressionStream("gzip")) : file.stream();
  const reader = stream.getReader();
  let size = 0;
  try {
    for (;;) {
      const { done, value } = await reader.read().catch((error: unknown) => {
        throw isPacked ? new Error(`${file.name} was packed by gzip, and is not whole: copy it again.`) : error;
      });
      if (done) return;
      size += value.length;
      if (size > MAX_BYTES) {
        throw new Error(
          `${file.name} has more than ${MAX_BYTES / 1024 ** 2} MiB; noema train, on the command line, learns larger ` +
            "files.",
        );
      }
      yield value;
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

/**
 * Guesses a file's encoding: from its byte order mark, else UTF-8 if the whole file is valid UTF-8, else the encoding
 * of Excel and other programs in Western Europe.
 *
 * @throws Error if the file is not text, or is empty
 */
async function encodingOf(file: File): Promise<Encoding> {
  let decoder: TextDecoder | undefined;
  let isUtf8 = true;
  for await (const piece of bytesOf(file)) {
    if (decoder === undefined) {
      if (piece[0] === 0xff && piece[1] === 0xfe) return "utf-16le";
      if (piece[0] === 0xfe && piece[1] === 0xff) return "utf-16be";
      decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: false });
    }
    isUtf8 &&= decodes(decoder, piece, true);
  }
  if (decoder === undefined) {
    throw new Error(
      `${file.name} is empty. A table has the names of its columns in the first line, and a line for each row.`,
    );
  }
  return isUtf8 && decodes(decoder, new Uint8Array(), false) ? "utf-8" : "windows-1252";
}

function decodes(decoder: TextDecoder, piece: Uint8Array, stream: boolean): boolean {
  try {
    decoder.decode(piece, { stream });
    return true;
  } catch {
    return false;
  }
}

/** Guesses a file's encoding and delimiter. @throws Error as {@link encodingOf} */
export async function readingOf(file: File): Promise<Reading> {
  const encoding = await encodingOf(file);
  const decoder = new TextDecoder(encoding);
  let text = "";
  for await (const piece of bytesOf(file)) {
    text += decoder.decode(piece, { stream: true });
    if (text.includes("\n") || text.length > MAX_RECORD) break;
  }
  if (text.includes("\0")) throw new Error(`${file.name} is no text: it holds bytes of zero. Save the table as CSV.`);
  return { encoding, delimiter: delimiterIn(text) };
}

/** The end of the last complete record in a text: after a line end outside quotation marks; 0 if there is none. */
function endOfRecords(text: string): number {
  let [isQuoted, end] = [false, 0];
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit === 0x22) isQuoted = !isQuoted;
    else if (unit === 0x0a && !isQuoted) end = at + 1;
  }
  return end;
}

/** A file of rows. */
export class CsvFile implements Table {
  readonly #file: File;
  readonly #reading: Reading;

  constructor(file: File, reading: Reading) {
    this.#file = file;
    this.#reading = reading;
  }

  get name(): string {
    return this.#file.name;
  }

  async *rows(onBad?: OnBad): AsyncGenerator<Row> {
    const decoder = new TextDecoder(this.#reading.encoding);
    const pieces = new Pieces(this.#reading.delimiter, onBad);
    let rest = "";
    for await (const bytes of bytesOf(this.#file)) {
      rest += decoder.decode(bytes, { stream: true });
      const end = endOfRecords(rest);
      if (end === 0 && rest.length > MAX_RECORD) {
        throw new Error(`line ${pieces.line}: a quotation mark is not closed, or the file has no lines`);
      }
      yield* pieces.rows(rest.slice(0, end));
      rest = rest.slice(end);
    }
    yield* pieces.rows(rest + decoder.decode());
  }
}

/** Parses a text in chunks of complete records. */
class Pieces {
  /** The line on which the next chunk begins. */
  line = 1;
  readonly #delimiter: string;
  readonly #onBad: OnBad | undefined;
  #names: string[] | undefined;

  constructor(delimiter: string, onBad: OnBad | undefined) {
    this.#delimiter = delimiter;
    this.#onBad = onBad;
  }

  *rows(text: string): Generator<Row> {
    if (text === "") return;
    const before = this.line - 1;
    const lines = new Lines();
    for (const parsed of this.#parsed(text)) yield { line: before + lines.of(parsed), cells: parsed.record };
    this.line += occurrences(text, "\n");
  }

  #parsed(text: string): Parsed[] {
    const onBad = this.#onBad;
    const columns = this.#names ?? ((names: string[]) => this.#named(names));
    try {
      return parse(text, {
        bom: this.#names === undefined,
        columns,
        delimiter: this.#delimiter,
        info: true,
        skip_empty_lines: true,
        skip_records_with_error: onBad !== undefined,
        on_skip: (error) => {
          if (error !== undefined) onBad?.(this.#located(error, text));
        },
      }) as unknown as Parsed[];
    } catch (error) {
      throw this.#located(error as Error, text);
    }
  }

  #named(names: string[]): string[] {
    this.#names = distinct(names);
    return this.#names;
  }

  /** The parser counts lines from the beginning of the chunk. */
  #located(error: Error, text: string): Error {
    const before = this.line - 1;
    const { message } = csvRefusal(error, linesIn(text));
    return new Error(message.replace(/\bline (\d+)/, (_, line) => `line ${before + Number(line)}`));
  }
}
