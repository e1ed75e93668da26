/**
 * `npm run torture [-- <attack>[/<part>] ...] [--short] [--seed <n>] [--<size> <n>]`: builds the bundle, serves it,
 * attacks it, and reports. Ends with exit code 1 when something fell. Starts servers on loopback only, and ends only
 * those.
 */

import { createRequire } from "node:module";
import { arch, cpus, platform, release } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { createViteServer } from "vitest/node";
import { buildAll } from "../../scripts/build-step.mjs";
import { bytes } from "./attacks/bytes.mjs";
import { crash } from "./attacks/crash.mjs";
import { descriptors } from "./attacks/descriptors.mjs";
import { flakyLinks } from "./attacks/flaky-links.mjs";
import { fuzz } from "./attacks/fuzz.mjs";
import { histories } from "./attacks/histories.mjs";
import { longWork } from "./attacks/long-work.mjs";
import { mqtt } from "./attacks/mqtt.mjs";
import { overload } from "./attacks/overload.mjs";
import { slowClients } from "./attacks/slow-clients.mjs";
import { soak } from "./attacks/soak.mjs";
import { streams } from "./attacks/streams.mjs";
import { twoServers } from "./attacks/two-servers.mjs";
import { PENDING } from "./pending.mjs";
import { Report } from "./report.mjs";
import { endAll } from "./server.mjs";

/**
 * An attack: its name, one sentence about it, its parts, its sizes in both forms, and what it does. `seconds` is the time after which it
 * begins nothing new; every other size may be set on the command line.
 */
const ATTACKS = [
  crash,
  twoServers,
  descriptors,
  slowClients,
  flakyLinks,
  streams,
  mqtt,
  histories,
  fuzz,
  overload,
  longWork,
  bytes,
  soak,
];

/** How long after its time an attack may still run to clean up. */
const GRACE_S = 90;

/** The sizes that the command line may set. */
const SIZES = [...new Set(ATTACKS.flatMap(({ sizes }) => Object.keys(sizes.long)))];

const USAGE = `npm run torture -- [ATTACK[/PART]]... [--short] [--seed N] [--SIZE N]...
${ATTACKS.map(({ name, parts }) => `  ${name}: ${parts.join(", ")}`).join("\n")}
  --short   small sizes; without a name also fewer parts
  --seed N  the seed of all that is random; the time if absent
  --SIZE N  a size of the attacks: ${SIZES.join(", ")}`;

/** @returns {{ isHelp: boolean, names: string[], short: boolean, seed: number, sizes: Record<string, number> }} throws with a sentence */
function readArguments() {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      help: { type: "boolean", default: false },
      short: { type: "boolean", default: false },
      ...Object.fromEntries(["seed", ...SIZES].map((name) => [name, { type: "string" }])),
    },
  });
  const known = ATTACKS.flatMap(({ name, parts }) => [name, ...parts.map((part) => `${name}/${part}`)]);
  const strange = positionals.find((name) => !known.includes(name));
  if (strange !== undefined) throw new Error(`there is no attack ${strange}; the attacks are ${known.join(", ")}`);
  const sizes = {};
  for (const name of SIZES) {
    if (values[name] !== undefined) sizes[name] = numberOf(name, values[name]);
  }
  const seed = values.seed === undefined ? Date.now() % 2 ** 31 : numberOf("seed", values.seed);
  return { isHelp: values.help, names: positionals, short: values.short, seed, sizes };
}

function numberOf(name, text) {
  const value = Number(text);
  if (text.trim() !== "" && Number.isFinite(value) && value >= 0) return value;
  throw new Error(`--${name} is ${JSON.stringify(text)}; accepted is a number of 0 or more`);
}

/**
 * The parts of an attack that are to run, and those that are left out because they are known to fall. The short form of all attacks has only some
 * parts of an attack that says so.
 */
function partsOf({ name, parts: every, partsInShort = every }, { names, short }) {
  const all = names.length === 0 || names.includes(name);
  const parts = short && names.length === 0 ? partsInShort : every;
  const wanted = parts.filter((part) => all || names.includes(`${name}/${part}`));
  const isPending = (part) => short && names.length === 0 && reasonOf(name, part) !== undefined;
  return { chosen: wanted.filter((part) => !isPending(part)), pending: wanted.filter(isPending) };
}

function reasonOf(name, part) {
  return PENDING[`${name}/${part}`] ?? PENDING[name];
}

/** The command that does the same again. */
function repeat(name, chosen, { short, seed, sizes }) {
  const words = chosen.map((part) => `${name}/${part}`);
  const numbers = Object.entries(sizes).map(([size, value]) => `--${size} ${value}`);
  return ["npm run torture --", ...words, ...(short ? ["--short"] : []), `--seed ${seed}`, ...numbers].join(" ");
}

/** Runs one attack and prints what it found. Returns whether it held. */
async function run(attack, chosen, options, load) {
  const sizes = { ...attack.sizes[options.short ? "short" : "long"] };
  for (const name of Object.keys(sizes)) sizes[name] = options.sizes[name] ?? sizes[name];
  const report = new Report();
  const { Random } = await load("/test/support/random.ts");
  const deadline = performance.now() + sizes.seconds * 1000;
  console.log(`\n${attack.name} (${chosen.join(", ")}): ${attack.about}`);
  const began = performance.now();
  const watchdog = sleep((sizes.seconds + GRACE_S) * 1000, undefined, { ref: false });
  try {
    const context = {
      report,
      sizes,
      load,
      seed: options.seed,
      parts: chosen,
      random: new Random(options.seed),
      deadline,
    };
    const done = attack.run(context).then(() => true);
    if (!(await Promise.race([done, watchdog]))) report.fail("the attack did not end in time");
  } catch (error) {
    report.fail(`the attack broke off: ${error.message}`, String(error.stack));
  }
  const kept = endAll(report.failures > 0);
  for (const line of report.lines()) console.log(line);
  const seconds = ((performance.now() - began) / 1000).toFixed(1);
  console.log(`  ${report.failures === 0 ? "held" : "FELL"} after ${seconds} s`);
  for (const folder of kept) console.log(`  the state is kept in ${folder}`);
  if (report.failures > 0) console.log(`  again: ${repeat(attack.name, chosen, options)}`);
  return report.failures === 0;
}

async function main(options) {
  if (options.isHelp) {
    console.log(USAGE);
    return true;
  }
  await buildAll();
  const { version } = createRequire(import.meta.url)("workerd/package.json");
  const machine = `${cpus().length} x ${cpus()[0]?.model.trim()}, ${platform()} ${release()} ${arch()}`;
  console.log(`${new Date().toISOString()}  ${machine}, Node ${process.version}, workerd ${version}`);
  console.log(`seed ${options.seed}`);
  const vite = await createViteServer({
    configFile: false,
    appType: "custom",
    logLevel: "error",
    optimizeDeps: { noDiscovery: true },
    server: { middlewareMode: true, ws: false, watch: null },
  });
  const load = (path) => vite.ssrLoadModule(path);
  const fallen = [];
  const left = [];
  let held = 0;
  try {
    for (const attack of ATTACKS) {
      const { chosen, pending } = partsOf(attack, options);
      for (const part of pending) left.push(`${attack.name}/${part}: ${reasonOf(attack.name, part)}`);
      if (chosen.length === 0) continue;
      if (await run(attack, chosen, options, load)) held++;
      else fallen.push(attack.name);
    }
  } finally {
    await vite.close();
  }
  if (left.length > 0) console.log(`\npending, not attacked:\n${left.map((line) => `  ${line}`).join("\n")}`);
  console.log(`\n${held} held, ${fallen.length} fell${fallen.length === 0 ? "" : ` (${fallen.join(", ")})`}`);
  return fallen.length === 0;
}

for (const [signal, code] of [
  ["SIGINT", 130],
  ["SIGTERM", 143],
  ["SIGHUP", 129],
]) {
  process.once(signal, () => process.exit(code));
}
process.once("exit", () => endAll());

try {
  process.exitCode = (await main(readArguments())) ? 0 : 1;
} catch (error) {
  console.error(error.message);
  process.exitCode = 2;
}
// What an attack may have left open, a connection that waits for instance, is no reason to stay.
process.exit();
