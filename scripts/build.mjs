/**
 * Builds the kernel (build/kernel.wasm), the pages (build/pages.js), and in dist/ the bundle, exactly as `wrangler deploy` uploads it,
 * workerd's configuration, the client and the command line. `--debug` also compiles the kernel's debug build, for tests. Works offline, and skips what is
 * up to date.
 */

import { renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { writeWorkerdConfig } from "../src/serve/workerd-config.mjs";
import { KEEP_OUTPUT, waitForStep } from "./build-step.mjs";
import { bundleFingerprint, defines } from "./bundle-inputs.mjs";
import { buildCli } from "./cli.mjs";
import { buildClient } from "./client.mjs";
import { isFresh, markFresh } from "./fingerprint.mjs";
import { buildKernel } from "./kernel.mjs";
import { buildPages } from "./pages.mjs";
import { DIST, ROOT } from "./project.mjs";
import { spawnWrangler } from "./quiet-wrangler.mjs";

const ENTRY = "worker.js";
const CLI = "cli";
const CLIENT = "client";
const STAMP = "inputs";

/** Moves a finished folder to where the bundle belongs, unless another build of the same sources was faster. */
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
    await waitForStep(spawnWrangler(args, KEEP_OUTPUT), "bundling the Worker");
    const { unstable_readConfig: readConfig } = await import("wrangler");
    await buildClient(join(folder, CLIENT));
    await buildCli(join(folder, CLI));
    writeWorkerdConfig(folder, ENTRY, readConfig({ config: join(ROOT, "wrangler.toml") }));
    markFresh(join(folder, STAMP), inputs);
    publish(folder, inputs);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

try {
  await buildKernel();
  if (process.argv.includes("--debug")) await buildKernel("debug");
  await buildPages();
  await buildBundle();
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
}
