/**
 * Tells whether something built is still what its sources say: a fingerprint of the sources' contents lies beside it.
 */

import { createHash } from "node:crypto";
import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** All files under `path` (itself, when it is a file), sorted, so that the order of the disk does not matter. */
function filesUnder(path) {
  if (!statSync(path).isDirectory()) return [path];
  const entries = readdirSync(path).sort();
  return entries.flatMap((entry) => filesUnder(join(path, entry)));
}

/**
 * The SHA-256 of the names and contents of files and folders, as hex.
 *
 * @param {string} root the folder that names are relative to
 * @param {string[]} paths files and folders in it, all of which exist
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

/** Leaves a fingerprint in `file`. Done last, so that a build cut short counts as stale. */
export function markFresh(file, value) {
  writeFileSync(file, value);
}
