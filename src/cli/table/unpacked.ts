/** Unpacks gzip files, and refuses other packed files with an explanation. Knows no rows. */

import { pipeline, Readable } from "node:stream";
import { createGunzip } from "node:zlib";
import { assertNoOther, isGzip } from "./packed";

/** Bytes of which the first few have been read: as many as the longest known mark. */
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
 * The bytes of a file, unpacked if necessary.
 *
 * @param isNamedPacked whether the file's name ends as that of a gzip file
 * @throws Error if they are packed in another format, are not packed though the name says so, or break off
 */
export async function* unpacked(bytes: Readable, isNamedPacked: boolean): AsyncGenerator<Buffer> {
  const { first, all } = await begun(bytes);
  assertNoOther(first);
  if (!isGzip(first)) {
    if (isNamedPacked) throw new Error("the name ends with .gz, but the file is not gzip: incorrect header check");
    yield* all;
    return;
  }
  try {
    yield* pipeline(Readable.from(all), createGunzip(), () => {}) as AsyncIterable<Buffer>;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code?.startsWith("Z_") !== true) throw error;
    throw new Error("the gzip file is cut short: copy it again", { cause: error });
  }
}
