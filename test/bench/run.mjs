/**
 * `npm run bench -- [name ...] [--large] [--short]`: runs the benchmarks, all or those named, and prints their tables. Fails when an
 * answer is wrong, never because of a time. What they share with the tests is TypeScript, which plain Node does not read: the test
 * runner's own server translates it.
 */

import { createRequire } from "node:module";
import { arch, cpus, platform, release } from "node:os";
import { createViteServer } from "vitest/node";

/** In this order. */
const BENCHMARKS = ["kernel", "observe", "knowledge"];

const names = process.argv.slice(2).filter((word) => !word.startsWith("--"));
const large = process.argv.includes("--large");
const short = process.argv.includes("--short");
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
    await run(load, large, short);
  }
} finally {
  await server.close();
}
