/**
 * Builds what is served: the kernel (build/kernel.wasm) and the bundle (dist/), the very one that `wrangler deploy` uploads,
 * with a configuration for workerd beside it. Works offline, and does nothing that is not needed.
 */

import { renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { bundleFingerprint, defines } from "./bundle-inputs.mjs";
import { isFresh, markFresh } from "./fingerprint.mjs";
import { finish, OUTPUT_KEPT } from "./finish.mjs";
import { buildKernel } from "./kernel.mjs";
import { DIST, ROOT } from "./project.mjs";
import { spawnWrangler } from "./quiet-wrangler.mjs";
import { writeWorkerdConfig } from "./workerd-config.mjs";

const ENTRY = "worker.js";
const STAMP = "inputs";

/** Puts a finished folder where the bundle belongs, unless another build of the same sources was quicker. */
function publish(folder, inputs) {
  if (isFresh(join(DIST, STAMP), inputs)) return;
  rmSync(DIST, { recursive: true, force: true });
  renameSync(folder, DIST);
}

async function buildBundle() {
  const inputs = bundleFingerprint();
  if (isFresh(join(DIST, STAMP), inputs)) return;
  console.log("Bundling the Worker ...");
  const folder = `${DIST}.${process.pid}`;
  try {
    const args = ["deploy", "--dry-run", "--outdir", folder, ...defines(inputs)];
    await finish(spawnWrangler(args, OUTPUT_KEPT), "bundling the Worker");
    const { unstable_readConfig: readConfig } = await import("wrangler");
    writeWorkerdConfig(folder, ENTRY, readConfig({ config: join(ROOT, "wrangler.toml") }));
    markFresh(join(folder, STAMP), inputs);
    publish(folder, inputs);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

try {
  await buildKernel();
  await buildBundle();
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
}
