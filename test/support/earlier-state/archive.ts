/** Packs state folders into one file and back: tar, compressed by Brotli, whose window spans folders that hold nearly the same. */

import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { brotliCompressSync, brotliDecompressSync, constants } from "node:zlib";

const MAX_BYTES = 64 * 1024 * 1024;

/** Writes the folders named by `entries` in `folder` to `file`. Owners and times are left out. */
export function pack(file: string, folder: string, entries: readonly string[]): void {
  const options = ["--sort=name", "--mtime=@0", "--owner=0", "--group=0", "--numeric-owner"];
  const tar = execFileSync("tar", ["-c", ...options, "-C", folder, ...entries], { maxBuffer: MAX_BYTES });
  const params = { [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS };
  writeFileSync(file, brotliCompressSync(tar, { params }));
}

/** Unpacks what {@link pack} wrote into the folder `folder`, which exists. */
export function unpack(file: string, folder: string): void {
  execFileSync("tar", ["-x", "-C", folder], { input: brotliDecompressSync(readFileSync(file)) });
}
