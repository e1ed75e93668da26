/**
 * Reads the lines of a file from the body of a request, which may be gzipped. Never holds more than one line and one
 * part of the body, and counts the bytes held of an unfinished line.
 */

import { MAX_LINE_BYTES } from "../../text/answer-bytes";
import { GrowingBytes } from "../../text/growing-bytes";
import { byteParts } from "../json/body-bytes";
import type { HeldBody } from "../json/held-bytes";
import { Refusal } from "../refusal";

/** Maximum size of a body, and of the file in it, in bytes. */
const MAX_FILE_BYTES = 4 * 1024 * 1024 * 1024;

const LINE_FEED = 0x0a;

/** How a gzip file begins, unlike any line. */
const GZIP = [0x1f, 0x8b];

/** One line of a file. */
export interface FileLine {
  /** Without its line feed. */
  readonly text: string;
  /** With it. */
  readonly bytes: Uint8Array;
}

/**
 * The lines of a body. Its first two bytes show whether it is gzipped; the header content-encoding does not count,
 * because proxies unpack bodies without removing it.
 *
 * @param held counts the bytes held
 * @throws Refusal 400 with the number of the line that is not UTF-8 or not ended, 413 when a line or the whole is too
 *   large, 429 or 503 when bodies hold too much
 */
export async function* fileLines(request: Request, held: HeldBody): AsyncGenerator<FileLine, void, void> {
  const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  const newLine = () => new GrowingBytes(Number.POSITIVE_INFINITY, (capacity) => held.hold(capacity));
  let line = newLine();
  let number = 1;
  for await (const part of unpacked(byteParts(request, MAX_FILE_BYTES))) {
    let from = 0;
    for (let end = part.indexOf(LINE_FEED); end >= 0; end = part.indexOf(LINE_FEED, from)) {
      let bytes = part.subarray(from, end + 1);
      from = end + 1;
      if (line.size > 0) {
        line.add(bytes);
        bytes = line.all;
        line = newLine();
      }
      yield { text: textOf(decoder, bytes, number++), bytes };
    }
    if (from === part.length) continue;
    // The runtime may reuse the part's memory.
    line.add(part.subarray(from));
    if (line.size > MAX_LINE_BYTES) throw new Refusal(413, `line ${number} has more than ${MAX_LINE_BYTES} bytes`);
  }
  if (line.size > 0) throw new Refusal(400, `line ${number} is cut short: it does not end with a line feed`);
}

function textOf(decoder: TextDecoder, bytes: Uint8Array, number: number): string {
  try {
    return decoder.decode(bytes.subarray(0, -1));
  } catch {
    // The decoder reports only that it failed.
    throw new Refusal(400, `line ${number} is not valid UTF-8`);
  }
}

type Parts = AsyncGenerator<Uint8Array, void, void>;

/** The parts of a file, from the parts of a body. */
async function* unpacked(parts: Parts): Parts {
  const first = new GrowingBytes();
  try {
    while (first.size < GZIP.length) {
      const next = await parts.next();
      if (next.done) break;
      first.add(next.value);
    }
    const beginning = first.all;
    const whole = chained(beginning, parts);
    if (GZIP.every((byte, at) => beginning[at] === byte)) yield* gunzipped(whole);
    else yield* whole;
  } finally {
    await parts.return();
  }
}

async function* chained(first: Uint8Array, rest: Parts): Parts {
  if (first.length > 0) yield first;
  yield* rest;
}

async function* gunzipped(parts: Parts): Parts {
  const stream = new DecompressionStream("gzip");
  const writer = stream.writable.getWriter();
  let failure: unknown;
  const feed = async () => {
    try {
      for await (const part of parts) await writer.write(part as Uint8Array<ArrayBuffer>);
      await writer.close();
    } catch (reason) {
      failure = reason;
      await writer.abort(reason).catch(() => undefined);
    }
  };
  const feeding = feed();
  const reader = stream.readable.getReader() as ReadableStreamDefaultReader<Uint8Array>;
  let size = 0;
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      size += next.value.length;
      if (size > MAX_FILE_BYTES) throw new Refusal(413, `the unpacked file has more than ${MAX_FILE_BYTES} bytes`);
      yield next.value;
    }
    await feeding;
  } catch (reason) {
    // The cause is what broke off the body; the stream reports only that it failed.
    if (failure instanceof Refusal) throw failure;
    throw reason instanceof Refusal ? reason : new Refusal(400, "the gzip file is damaged or cut short");
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}
