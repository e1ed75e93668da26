/** Where a stream of bytes is written: a file, or stdout. */

import { createWriteStream } from "node:fs";
import { rename, rm } from "node:fs/promises";
import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";
import type { Context } from "./context";

/** Writes a stream to stdout. */
export async function toStdout(source: Readable, { output }: Context): Promise<void> {
  for await (const piece of source) await output.write(piece as Uint8Array);
}

/**
 * Writes to a temporary file next to the target and then renames it, so that an incomplete file never has the target's
 * name. Compresses for a name ending in .gz.
 */
export async function toFile(source: Readable, file: string, signal: AbortSignal): Promise<void> {
  const part = `${file}.${process.pid}.part`;
  try {
    const target = createWriteStream(part);
    if (file.endsWith(".gz")) await pipeline(source, createGzip(), target, { signal });
    else await pipeline(source, target, { signal });
    await rename(part, file);
  } finally {
    await rm(part, { force: true });
  }
}
