/** Tells whether a build is up to date: a fingerprint of the sources lies beside the result. */

import { createHash } from "node:crypto";
import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** All files under `path`, or `path` itself when it is a file. Sorted, so that the order on disk does not matter. */
function filesUnder(path) {
  if (!statSync(path).isDirectory()) return [path];
  const entries = readdirSync(path).sort();
  return entries.flatMap((entry) => filesUnder(join(path, entry)));
}

/**
 * The SHA-256 of the names and contents of files and folders, as hex.
 *
 * @param {string} root the folder to which the names are relative
 * @param {string[]} paths files and folders in it; all must exist
 */
export function fingerprint(root, paths) {
  const hash = createHash("sha256");
  for (const path of paths) {
    for (const file of filesUnder(join(root, path))) {
      hash.update(`${file.slice(root.length)}\0`).update(createHash("sha256").update(readFileSync(file)).digest());
    }
  }
  return hash.digest("hex");
}

/** Whether the fingerprint in `file` is `expected`; false when there is no such file. */
export function isFresh(file, expected) {
  try {
    return readFileSync(file, "utf8") === expected;
  } catch (error) {
    if (error.code === "ENOENT") return false;
    throw error;
  }
}

/** Writes a fingerprint to `file`. Call it last, so that an interrupted build counts as stale. */
export function markFresh(file, value) {
  writeFileSync(file, value);
}
