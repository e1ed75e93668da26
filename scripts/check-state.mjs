/**
 * `npm run check-state`: checks every database of a state folder whose server is stopped: SQLite's own check, and whether the rows of a
 * processor add up to its counters. Changes nothing. Ends with code 1 when one is damaged.
 */

import { spawnSync } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { Complaint } from "./complaint.mjs";
import { readSettings } from "./settings.mjs";
import { openStateFolder } from "./state-folder.mjs";

/** The folders of the two classes of objects. Files called metadata are the runtime's own. */
const CLASSES = ["noema-AgentObject", "noema-ProcessorObject"];

const WHO = {
  "noema-AgentObject": "SELECT 'agent ' || name FROM agent;",
  "noema-ProcessorObject": "SELECT 'processor ' || agent || '/' || id FROM identity;",
};

/** 1 when models, symbols and counters agree. */
const COUNTERS = `
  SELECT (SELECT coalesce(sum(frequency), 0) FROM models) = total_model_frequencies
     AND (SELECT coalesce(sum(frequency), 0) FROM symbols) = total_symbol_frequencies
     AND (SELECT coalesce(sum(member_frequency), 0) FROM symbols) = total_member_frequencies
  FROM state;`;

/** Runs a query. @returns {{ ok: boolean, text: string }} what it printed, or SQLite's words when it failed */
function query(file, sql) {
  const { error, status, stdout, stderr } = spawnSync("sqlite3", ["-readonly", "-batch", file, sql], {
    encoding: "utf8",
  });
  if (error !== undefined) {
    throw new Complaint("The program sqlite3 is missing: install it (Debian and Ubuntu: apt-get install sqlite3).");
  }
  return status === 0 ? { ok: true, text: stdout.trim() } : { ok: false, text: stderr.trim() };
}

/** Why a database is damaged; undefined when it is sound. */
function damage(file, kind) {
  const check = query(file, "PRAGMA integrity_check(3);");
  if (!check.ok || check.text !== "ok") return check.text.replaceAll("\n", "; ");
  if (kind !== "noema-ProcessorObject") return undefined;
  const counters = query(file, COUNTERS);
  if (!counters.ok) return counters.text.includes("no such table") ? undefined : counters.text;
  return counters.text === "0" ? "the rows do not add up to the counters" : undefined;
}

/** Checks a database and prints a line about it. @returns {boolean} whether it is sound */
function isSound(file, kind) {
  const reason = damage(file, kind);
  const who = file.endsWith("metadata.sqlite") ? { ok: true, text: "alarms" } : query(file, WHO[kind]);
  const label = who.ok && who.text !== "" ? who.text : "unknown";
  console.log(reason === undefined ? `ok       ${label}  ${file}` : `DAMAGED  ${label}  ${file}: ${reason}`);
  return reason === undefined;
}

/** @returns {boolean} whether all databases are sound */
function areSound(objects) {
  const files = CLASSES.flatMap((kind) => {
    const folder = join(objects, kind);
    const names = existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith(".sqlite")) : [];
    return names.map((name) => ({ file: join(folder, name), kind }));
  });
  return files.filter(({ file, kind }) => !isSound(file, kind)).length === 0;
}

try {
  const { stateDir } = readSettings(process.env);
  const folder = await openStateFolder(stateDir);
  try {
    if (!areSound(join(stateDir, "objects"))) process.exitCode = 1;
  } finally {
    folder.release();
  }
} catch (error) {
  console.error(error instanceof Complaint ? error.message : error);
  process.exitCode = 2;
}
