/** The command line of a run of the simulator. */

import { availableParallelism } from "node:os";
import { parseArgs } from "node:util";
import { seedFrom } from "./kernel/random.mjs";
import { assertArea, assertFault } from "./plan/checked.mjs";

export const USAGE = `npm run simulate -- [--seed N] [--seeds N] [--for SECONDS] [--area AREA] [--without FAULT]... [--plan FILE] [--trace]
  --seed N        begin with this seed; without it with the time, which is printed
  --seeds N       play N seeds; 1 when --seed is given without --for
  --for SECONDS   play for this time; without it and without --seed until it is ended
  --jobs N        play N plans at a time; as many as there are processors when many are played, and otherwise 1
  --area AREA     play plans of one area only, such as watching
  --without FAULT leave a fault out, such as full-disk
  --plan FILE     play the plan in this file, as a failure prints it
  --plant NAME    plant a fault of planted.mjs, or those of an area, to see that it is found; "all" for all of them
  --trace         print what happens
  --digest        print a hash of all that happens: the same for a seed everywhere`;

const OPTIONS = {
  seed: { type: "string" },
  seeds: { type: "string" },
  for: { type: "string" },
  jobs: { type: "string" },
  area: { type: "string" },
  without: { type: "string", multiple: true, default: [] },
  plan: { type: "string" },
  plant: { type: "string" },
  trace: { type: "boolean", default: false },
  digest: { type: "boolean", default: false },
  help: { type: "boolean", default: false },
};

function numberOf(name, text) {
  const value = Number(text);
  if (Number.isFinite(value) && value > 0) return value;
  throw new Error(`--${name} is a number above 0, got ${JSON.stringify(text)}`);
}

/** A whole number of 1 or more. */
function countOf(name, text) {
  const value = numberOf(name, text);
  if (Number.isInteger(value)) return value;
  throw new Error(`--${name} is a whole number of 1 or more, got ${JSON.stringify(text)}`);
}

/** How many plans are played at a time. @param {number} most how many are played */
function jobsOf({ digest, jobs, plan, plant, trace }, most) {
  const isOne = digest || trace || plan !== undefined || plant !== undefined;
  if (jobs === undefined) return isOne ? 1 : Math.min(availableParallelism(), most);
  const count = numberOf("jobs", jobs);
  if (Number.isInteger(count) && (count === 1 || !isOne)) return Math.min(count, most);
  throw new Error(
    `--jobs is a whole number, and 1 with --digest, --plan, --plant or --trace, got ${JSON.stringify(jobs)}`,
  );
}

/** The options of which a run takes none besides `--plan`, and besides `--plant`. */
const EXCLUDED = {
  plan: ["seed", "seeds", "for", "area", "plant"],
  plant: ["seeds", "for", "area", "trace", "digest"],
};

/** @throws Error when two options are given that do not go together */
function assertTogether(values) {
  for (const [one, others] of Object.entries(EXCLUDED)) {
    if (values[one] === undefined) continue;
    const other = others.find((name) => values[name] !== undefined && values[name] !== false);
    if (other !== undefined) throw new Error(`--${one} and --${other} do not go together`);
    if (values.without.length > 0) throw new Error(`--${one} and --without do not go together`);
  }
}

/** Joins options with negative numbers after them, which would be taken for options: so each is refused by name. */
function withNegatives(argv) {
  const joined = [];
  for (const text of argv) {
    const isNumber = /^-\d/.test(text) && /^--[^=]+$/.test(joined.at(-1) ?? "");
    joined.push(isNumber ? `${joined.pop()}=${text}` : text);
  }
  return joined;
}

/**
 * What a run does.
 *
 * @param {string[]} argv the arguments of the command line
 * @param {boolean} [mayHaveThreads] whether it may play several plans at a time, in threads
 * @returns the options with their defaults, and `first`, the first seed; `most`, how many seeds are played; `ms`, for how
 *   many milliseconds; `jobs`, how many plans are played at a time
 * @throws Error that names what is wrong with an argument
 */
export function settingsOf(argv, mayHaveThreads = true) {
  const { values } = parseArgs({ args: withNegatives(argv), options: OPTIONS });
  if (values.area !== undefined) assertArea(values.area);
  for (const fault of values.without) assertFault(fault, values.area);
  assertTogether(values);
  const one = values.seed !== undefined && values.for === undefined ? 1 : Number.POSITIVE_INFINITY;
  const most = values.seeds === undefined ? one : countOf("seeds", values.seeds);
  return {
    ...values,
    first: values.seed === undefined ? Date.now() % 2 ** 32 : seedFrom(values.seed),
    most,
    ms: values.for === undefined ? Number.POSITIVE_INFINITY : 1000 * numberOf("for", values.for),
    jobs: mayHaveThreads ? jobsOf(values, most) : 1,
  };
}

/** The arguments of each thread of a run, which knows which of the seeds are its own. @param settings of the run */
export function argumentsFor({ area, first, most, ms, without }) {
  return [
    ["--seed", String(first)],
    // For a seed alone, one plan is played.
    ["--for", Number.isFinite(ms) ? String(ms / 1_000) : "1e9"],
    ...(Number.isFinite(most) ? [["--seeds", String(most)]] : []),
    ...(area === undefined ? [] : [["--area", area]]),
    ...without.map((fault) => ["--without", fault]),
  ].flat();
}
