/** Backups that are changed as an operator may change them: with another genome, and checks that fit it. */

import { createHash } from "node:crypto";

/** The check with which a line begins, and how many digits it has. */
const CHECK = /^\{"check":"[0-9a-f]{16}",/;
const CHECK_DIGITS = 16;

const digestOf = (text) => createHash("sha256").update(text).digest("hex");

/**
 * A backup with another genome.
 *
 * @param {string} backup its lines
 * @param {object} genome
 * @returns {string} the lines of the other
 */
export function withGenome(backup, genome) {
  let check = "";
  let before = "";
  for (const line of backup.trimEnd().split("\n")) {
    const record = changed(line.replace(CHECK, "{"), genome, before);
    check = digestOf(check + record).slice(0, CHECK_DIGITS);
    before += `{"check":"${check}",${record.slice(1)}\n`;
  }
  return before;
}

/** A line without its check. Only two of them differ. */
function changed(line, genome, before) {
  if (line.startsWith('{"agent":')) {
    const { agent } = JSON.parse(line);
    return JSON.stringify({ agent: { ...agent, genome_json: JSON.stringify(genome) } });
  }
  if (!line.startsWith('{"end":')) return line;
  return JSON.stringify({ end: { ...JSON.parse(line).end, sha256: digestOf(before) } });
}
