/**
 * `npm run bench -- [name ...] [--large] [--short] ...`: builds what is deployed, runs the named benchmarks, or all, and
 * prints their tables. A wrong answer fails the run; a slow one never does. The code that benchmarks share with tests is
 * TypeScript, which the test runner's server translates for Node.
 */

import { createRequire } from "node:module";
import { arch, cpus, platform, release } from "node:os";
import { createViteServer } from "vitest/node";
import { buildAll } from "../../scripts/build-step.mjs";
import { acceptedArguments } from "../../scripts/usage.mjs";
import { option } from "./options.mjs";

/** All benchmarks, in the order in which they run. */
const BENCHMARKS = [
  "kernel",
  "observe",
  "stream",
  "mqtt",
  "devices",
  "sessions",
  "knowledge",
  "forecast",
  "sequences",
  "surprise",
  "score",
  "when",
  "alerts",
  "learn",
  "growing-memory",
  "parts",
  "split-simulation",
  "watching",
];

/** Benchmarks that run only if they are named. */
const NAMED_ONLY = ["console", "week"];

/** The options that benchmarks read, with the form of their value: none, optional or required. */
const OPTIONS = {
  large: /^$/,
  short: /^$/,
  workload: /^=[ABC]$/,
  sets: /^=./,
  data: /^=./,
  folds: /^=./,
  part: /^=./,
  constants: /^(=.|$)/,
  models: /^=./,
  parts: /^=./,
  seeds: /^=./,
};

const USAGE = `npm run bench -- [NAME]... [--large] [--short] [--workload=A|B|C] ...
  NAME           ${BENCHMARKS.slice(0, 9).join(", ")},
                 ${BENCHMARKS.slice(9).join(", ")}; without a name all of these.
                 ${NAMED_ONLY.join(" and ")} run only if they are named
  --large        stores of a million models as well
  --short        small stores, one round: only the answers count
  --workload=A   one workload of kernel and forecast
  --sets=NAMES   some sets of forecast and surprise, with commas between them
  --data=FOLDER  where the public sets of forecast, sequences and when are
  --folds=N --part=N --constants[=NAMES]   of forecast: test/bench/README.md explains them
  --models=N --parts=N                     of parts
  --seeds=N      of surprise: draws of all readings, 1 if absent`;

function isAccepted(argument) {
  if (!argument.startsWith("--")) return [...BENCHMARKS, ...NAMED_ONLY].includes(argument);
  const [, name, value = ""] = /^--(\w+)(=.*)?$/.exec(argument) ?? [];
  return Object.hasOwn(OPTIONS, name) && OPTIONS[name].test(value);
}

const given = acceptedArguments(USAGE, isAccepted);
const names = given.filter((argument) => !argument.startsWith("--"));
const large = given.includes("--large");
const short = given.includes("--short");
/** The one workload that the kernel's benchmark runs; `undefined` for all. */
const workload = option("workload");
await buildAll();
const { version } = createRequire(import.meta.url)("workerd/package.json");
const server = await createViteServer({
  configFile: false,
  appType: "custom",
  logLevel: "error",
  optimizeDeps: { noDiscovery: true },
  server: { middlewareMode: true, ws: false, watch: null },
});
const load = (name) => server.ssrLoadModule(`/test/bench/${name}.ts`);
try {
  const machine = `${cpus().length} x ${cpus()[0]?.model.trim()}, ${platform()} ${release()} ${arch()}`;
  console.log(`${new Date().toISOString()}  ${machine}, Node ${process.version}, workerd ${version}`);
  for (const name of names.length > 0 ? names : BENCHMARKS) {
    const { run } = await import(new URL(`${name}.mjs`, import.meta.url).href);
    await run(load, large, short, workload);
  }
} finally {
  await server.close();
}
