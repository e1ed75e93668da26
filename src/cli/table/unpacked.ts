/** Unpacks what gzip has packed, and says of other packed files what they are. Knows no rows. */

import { pipeline, Readable } from "node:stream";
import { createGunzip } from "node:zlib";

const GZIP = Buffer.from([0x1f, 0x8b]);

/** How files begin that are no text and that people take for tables, and what to do about them. */
const OTHERS: readonly { readonly mark: Buffer; readonly message: string }[] = [
  {
    mark: Buffer.from("PK\x03\x04", "latin1"),
    message: "the file is a ZIP archive, as workbooks of spreadsheets are; save the table as CSV, or unpack it",
  },
  { mark: Buffer.from("PAR1"), message: "the file is Parquet; write the table as CSV, or as lines of JSON" },
];

/** Bytes whose first ones are at hand, as many as any mark has. */
async function begun(bytes: Readable): Promise<{ first: Buffer; all: AsyncIterable<Buffer> }> {
  const iterator = bytes[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
  let first: Buffer = Buffer.alloc(0);
  for (let next = await iterator.next(); ; next = await iterator.next()) {
    if (!next.done) first = Buffer.concat([first, next.value]);
    if (next.done || first.length >= 4) break;
  }
  async function* all() {
    yield first;
    yield* { [Symbol.asyncIterator]: () => iterator };
  }
  return { first, all: all() };
}

/**
 * The bytes of a file, unpacked if they are packed.
 *
 * @param isNamedPacked whether its name says so
 * @throws Error if they are packed by something else, are not packed where the name says so, or break off
 */
export async function* unpacked(bytes: Readable, isNamedPacked: boolean): AsyncGenerator<Buffer> {
  const { first, all } = await begun(bytes);
  const other = OTHERS.find(({ mark }) => first.subarray(0, mark.length).equals(mark));
  if (other !== undefined) throw new Error(other.message);
  if (!first.subarray(0, GZIP.length).equals(GZIP)) {
    if (isNamedPacked)
      throw new Error("the name ends with .gz, and gzip has not packed the file: incorrect header check");
    yield* all;
    return;
  }
  try {
    yield* pipeline(Readable.from(all), createGunzip(), () => {}) as AsyncIterable<Buffer>;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code?.startsWith("Z_") !== true) throw error;
    throw new Error("the file was packed by gzip, and is not whole: copy it again", { cause: error });
  }
}
