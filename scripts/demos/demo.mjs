/**
 * Runs a demo against the address on its command line, or else against a temporary server. Refuses a processor that has
 * learned something: its knowledge would change the demo's results, and a demo must not delete it unasked.
 */

import { parseArgs } from "node:util";
import { clearAllMemory, connect, getStatus, processor } from "noema/client";
import { LOCAL_KEY } from "../../src/serve/settings.mjs";
import { PROCESSOR } from "../project.mjs";
import { withTemporaryServer } from "./temporary-server.mjs";

async function assertFresh(p1) {
  const { models_kb: models } = await getStatus(p1);
  if (models !== "{KB| objects: 0}") {
    throw new Error(`The processor has learned already (${models}). Pass --clear to let it forget everything first.`);
  }
}

async function playAt(address, clear, play) {
  const p1 = processor(connect({ address, key: process.env.API_KEY || LOCAL_KEY }), PROCESSOR);
  if (clear) await clearAllMemory(p1);
  await assertFresh(p1);
  await play(p1, address);
}

/** Reads a count from the command line. */
function countFrom(name, text) {
  const count = Number(text);
  if (Number.isSafeInteger(count) && count >= 1) return count;
  throw new Error(`--${name} is ${JSON.stringify(text)}; accepted is a whole number from 1.`);
}

/** How the command line gives a setting. */
function optionOf(standard) {
  return typeof standard === "boolean"
    ? { type: "boolean", default: standard }
    : { type: "string", default: String(standard) };
}

/**
 * Reads the command line, `[address] [--clear] [--<count> <number>]... [--<switch>]...`, and plays. An error is printed as one sentence,
 * and the exit code is then 1.
 *
 * @param {Record<string, number | boolean>} defaults the counts and switches that the command line may set, with their defaults
 * @param {(p1: import("noema/client").Processor, address: string, settings: Record<string, number | boolean>) => Promise<void>} play
 * @param {Record<string, string>} [variables] of the temporary server
 */
export async function runDemo(defaults, play, variables = {}) {
  try {
    const settings = Object.entries(defaults).map(([name, standard]) => [name, optionOf(standard)]);
    const options = { clear: { type: "boolean", default: false }, ...Object.fromEntries(settings) };
    const { values, positionals } = parseArgs({ options, allowPositionals: true });
    const { clear, ...given } = values;
    const asked = Object.fromEntries(
      Object.entries(given).map(([name, value]) => [name, typeof value === "boolean" ? value : countFrom(name, value)]),
    );
    const [address] = positionals;
    const at = (url) => playAt(url, clear, (p1) => play(p1, url, asked));
    await (address === undefined ? withTemporaryServer(at, variables) : at(address));
  } catch (error) {
    console.error(error.message);
    process.exitCode = 1;
  }
}
