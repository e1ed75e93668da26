/** Decodes the bytes of a file into text, and reports where they are invalid. Knows no rows. */

import { UsageError } from "../terminal/failure";

const NEWLINE = 0x0a;

/** The default text encoding. */
const DEFAULT_ENCODING = "utf-8";

/** @throws UsageError if there is no such encoding */
function decoderOf(encoding: string): TextDecoder {
  try {
    return new TextDecoder(encoding, { fatal: true, ignoreBOM: false });
  } catch {
    throw new UsageError(`--encoding ${encoding} is not known; accepted are utf-8, windows-1252, utf-16le and others`);
  }
}

/** @throws UsageError if there is no such encoding */
export function assertEncoding(encoding: string | undefined): void {
  if (encoding !== undefined) decoderOf(encoding);
}

/**
 * The text of bytes.
 *
 * @throws Error that names the line with bytes that are invalid in this encoding, and says what to do
 */
export async function* textOf(bytes: AsyncIterable<unknown>, encoding: string | undefined): AsyncGenerator<string> {
  const decoder = decoderOf(encoding ?? DEFAULT_ENCODING);
  let lines = 0;
  let isFirst = true;
  for await (const piece of bytes) {
    const chunk = Buffer.isBuffer(piece) ? piece : Buffer.from(piece as Uint8Array);
    let text: string;
    try {
      text = decoder.decode(chunk, { stream: true });
    } catch {
      const isWide = isFirst && encoding === undefined && WIDE_MARKS.some((mark) => chunk.subarray(0, 2).equals(mark));
      throw isWide
        ? new Error(UTF_16_REFUSAL)
        : notText(lines + 1 + linesBeforeFailure(chunk, encoding ?? DEFAULT_ENCODING), encoding);
    }
    isFirst = false;
    lines += text.split("\n").length - 1;
    yield text;
  }
  try {
    yield decoder.decode();
  } catch {
    throw notText(lines + 1, encoding);
  }
}

/** The rest of a UTF-8 character that began earlier. */
const CONTINUATIONS = /^[\x80-\xbf]{1,3}/;

/** The number of line ends in a chunk before the first line that cannot be decoded. */
function linesBeforeFailure(chunk: Buffer, encoding: string): number {
  const rest = CONTINUATIONS.exec(chunk.subarray(0, 3).toString("latin1"))?.[0].length ?? 0;
  let [count, from] = [0, rest];
  for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, from)) {
    try {
      decoderOf(encoding).decode(chunk.subarray(from, end));
    } catch {
      return count;
    }
    count++;
    from = end + 1;
  }
  return count;
}

/** The first bytes of UTF-16 text. */
const WIDE_MARKS = [Buffer.from([0xff, 0xfe]), Buffer.from([0xfe, 0xff])];

const UTF_16_REFUSAL = "the file is UTF-16, not UTF-8; --encoding utf-16le reads it, or utf-16be";

function notText(line: number, encoding: string | undefined): Error {
  return new Error(
    encoding === undefined
      ? `line ${line} is not UTF-8; --encoding windows-1252 reads what Excel and other programs write in Latin-1`
      : `line ${line} is not ${encoding}; give the encoding that the file is written in with --encoding`,
  );
}
