/**
 * `npm run bench [-- name ...] [-- --large]`: runs the benchmarks, all or those named, and prints their tables. What they share with
 * the tests is TypeScript, which plain Node does not read: the test runner's own server translates it.
 */

import { existsSync } from "node:fs";
import { arch, cpus, platform, release } from "node:os";
import { createViteServer } from "vitest/node";
import workerd from "workerd/package.json" with { type: "json" };

/** In this order. */
const BENCHMARKS = ["kernel", "observe", "knowledge"];

const names = process.argv.slice(2).filter((word) => !word.startsWith("--"));
const large = process.argv.includes("--large");
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
  console.log(`${new Date().toISOString()}  ${machine}, Node ${process.version}, workerd ${workerd.version}`);
  for (const name of names.length > 0 ? names : BENCHMARKS) {
    const path = new URL(`${name}.mjs`, import.meta.url);
    if (!existsSync(path)) continue;
    const { run } = await import(path.href);
    await run(load, large);
  }
} finally {
  await server.close();
}
