/**
 * `npm run bench -- [name ...] [--large] [--short] [--workload=C]`: runs the named benchmarks, or all, and prints their tables. A wrong
 * answer fails the run; a slow one never does. The code that benchmarks share with tests is TypeScript, which the test runner's server
 * translates for Node.
 */

import { createRequire } from "node:module";
import { arch, cpus, platform, release } from "node:os";
import { createViteServer } from "vitest/node";

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

const names = process.argv.slice(2).filter((word) => !word.startsWith("--"));
const large = process.argv.includes("--large");
const short = process.argv.includes("--short");
/** The one workload that the kernel's benchmark runs; `undefined` for all. */
const workload = process.argv.find((word) => word.startsWith("--workload="))?.split("=")[1];
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
