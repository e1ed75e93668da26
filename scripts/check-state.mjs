/**
 * `npm run check-state`: checks every database of a state folder whose server is stopped: SQLite's own check, and
 * whether the models of a processor add up to its counters and hold the symbols that have names. Changes nothing. Ends
 * with code 1 when one is damaged.
 */

import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { Complaint } from "../src/serve/complaint.mjs";
import { readSettings } from "../src/serve/settings.mjs";
import { openStateFolder } from "../src/serve/state-folder.mjs";
import { ROOT } from "./project.mjs";
import { acceptedArguments } from "./usage.mjs";

/** The folders of the two classes of objects. Files called metadata are the runtime's own. */
const CLASSES = ["noema-AgentObject", "noema-ProcessorObject"];

const WHO = {
  "noema-AgentObject": "SELECT 'agent ' || name FROM agent;",
  "noema-ProcessorObject": "SELECT 'processor ' || agent || '/' || id FROM identity;",
};

/**
 * Of a database that an earlier release wrote and no later one has opened: 1 when models, symbols and counters agree.
 */
const STORED_COUNTERS = `
  SELECT (SELECT coalesce(sum(frequency), 0) FROM models) = total_model_frequencies
     AND (SELECT coalesce(sum(frequency), 0) FROM symbols) = total_symbol_frequencies
     AND (SELECT coalesce(sum(member_frequency), 0) FROM symbols) = total_member_frequencies
  FROM state;`;

const COUNTERS = "SELECT total_model_frequencies, total_symbol_frequencies, total_member_frequencies FROM state;";

/** Each model as its frequency and its symbols, each of these a little-endian number of eight hex digits. */
const MODELS = "SELECT frequency || ' ' || hex(symbols) FROM models;";

const HEX_PER_SYMBOL = 8;
const SYMBOLS = new RegExp(`.{${HEX_PER_SYMBOL}}`, "g");

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

/** Runs a query whose result may be too large to hold. @returns {AsyncIterable<string>} its lines */
async function* lines(file, sql) {
  const sqlite = spawn("sqlite3", ["-readonly", "-batch", file, sql], { stdio: ["ignore", "pipe", "inherit"] });
  const ended = once(sqlite, "close");
  yield* createInterface({ input: sqlite.stdout });
  await ended;
}

/**
 * Counts the models.
 *
 * @returns {Promise<{ counters: string, held: Set<string> }>} the counters as the state has them, and the symbols
 */
async function count(file) {
  const held = new Set();
  let [models, symbols, members] = [0, 0, 0];
  for await (const line of lines(file, MODELS)) {
    const [frequency, hex = ""] = line.split(" ");
    const own = hex.match(SYMBOLS) ?? [];
    models += Number(frequency);
    symbols += Number(frequency) * own.length;
    members += Number(frequency) * new Set(own).size;
    for (const symbol of own) held.add(symbol);
  }
  return { counters: `${models}|${symbols}|${members}`, held };
}

/** The number of a symbol as models hold it. */
function hexOf(id) {
  const bytes = Buffer.alloc(HEX_PER_SYMBOL / 2);
  bytes.writeUInt32LE(Number(id));
  return bytes.toString("hex").toUpperCase();
}

/** Why the knowledge of a processor contradicts itself; undefined when it does not. */
async function contradiction(file) {
  if (query(file, "SELECT 1 FROM sqlite_master WHERE name = 'memories';").text === "") {
    const counters = query(file, STORED_COUNTERS);
    if (!counters.ok) return counters.text.includes("no such table") ? undefined : counters.text;
    return counters.text === "0" ? "the rows do not add up to the counters" : undefined;
  }
  const stored = query(file, COUNTERS);
  if (!stored.ok) return stored.text;
  const { counters, held } = await count(file);
  if (stored.text !== "" && stored.text !== counters) return "the rows do not add up to the counters";
  for await (const id of lines(file, "SELECT id FROM symbols;")) {
    if (!held.delete(hexOf(id))) return `no model holds the symbol with the number ${id}`;
  }
  return held.size > 0 ? `${held.size} symbols of models have no name` : undefined;
}

/** Why a database is damaged; undefined when it is sound. */
async function damage(file, kind) {
  const check = query(file, "PRAGMA integrity_check(3);");
  if (!check.ok || check.text !== "ok") return check.text.replaceAll("\n", "; ");
  return kind === "noema-ProcessorObject" ? contradiction(file) : undefined;
}

/** Checks a database and prints a line about it. @returns {Promise<boolean>} whether it is sound */
async function isSound(file, kind) {
  const reason = await damage(file, kind);
  const who = file.endsWith("metadata.sqlite") ? { ok: true, text: "alarms" } : query(file, WHO[kind]);
  const label = who.ok && who.text !== "" ? who.text : "unknown";
  console.log(reason === undefined ? `ok       ${label}  ${file}` : `DAMAGED  ${label}  ${file}: ${reason}`);
  return reason === undefined;
}

/** @returns {Promise<boolean>} whether all databases are sound */
async function areSound(objects) {
  const files = CLASSES.flatMap((kind) => {
    const folder = join(objects, kind);
    const names = existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith(".sqlite")) : [];
    return names.map((name) => ({ file: join(folder, name), kind }));
  });
  let damaged = 0;
  for (const { file, kind } of files) if (!(await isSound(file, kind))) damaged++;
  return damaged === 0;
}

acceptedArguments("npm run check-state: checks every database of the folder that STATE_DIR names, .state if absent.");
try {
  const { stateDir } = readSettings(process.env, ROOT);
  const folder = await openStateFolder(stateDir);
  try {
    if (!(await areSound(join(stateDir, "objects")))) process.exitCode = 1;
  } finally {
    folder.release();
  }
} catch (error) {
  console.error(error instanceof Complaint ? error.message : error);
  process.exitCode = 2;
}
