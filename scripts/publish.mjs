/** Puts a finished bundle where it belongs, also when several builds of the same sources end at the same moment. */

import { renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { isFresh } from "./fingerprint.mjs";

/** Renames a folder. Returns whether it could; `false` for one of the codes. Throws for others. */
function renamed(from, to, codes) {
  try {
    renameSync(from, to);
    return true;
  } catch (error) {
    if (codes.includes(error.code)) return false;
    throw error;
  }
}

/**
 * Moves a finished folder to where the bundle belongs, unless another build of the same sources was faster.
 *
 * @param {string} folder the finished folder; it is gone afterwards, or still there if another build was faster
 * @param {string} target where the bundle belongs; what is there is replaced
 * @param {{ stamp: string, inputs: string }} build the file in the folder that holds the fingerprint of its
 *   sources, and the fingerprint
 */
export function publish(folder, target, { stamp, inputs }) {
  const before = `${folder}.before`;
  while (!isFresh(join(target, stamp), inputs)) {
    // Moved away, and not emptied where it is: that would take files of a bundle that another
    // build puts there meanwhile.
    if (renamed(target, before, ["ENOENT"])) rmSync(before, { recursive: true, force: true });
    if (renamed(folder, target, ["ENOTEMPTY", "EEXIST"])) return;
  }
}
