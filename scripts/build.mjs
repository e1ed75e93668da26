/**
 * Builds the kernel (build/kernel.wasm), the pages (assets/noema), and in dist/ the bundle and its assets, exactly as
 * `wrangler deploy` uploads them, workerd's configuration, the client and the command line. `--debug` also compiles the
 * kernel's debug build, for tests. Works offline, and skips what is up to date.
 */

import { copyFileSync, cpSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { writeWorkerdConfig } from "../src/serve/workerd-config.mjs";
import { KEEP_OUTPUT, waitForStep } from "./build-step.mjs";
import { bundleFingerprint, defines } from "./bundle-inputs.mjs";
import { buildCli } from "./cli.mjs";
import { buildClient } from "./client.mjs";
import { isFresh, markFresh } from "./fingerprint.mjs";
import { buildKernel } from "./kernel.mjs";
import { writeLicenses } from "./licenses.mjs";
import { buildPages, pageMetafiles } from "./pages.mjs";
import { DIST, ROOT } from "./project.mjs";
import { publish } from "./publish.mjs";
import { spawnWrangler } from "./quiet-wrangler.mjs";
import { buildTesting } from "./testing.mjs";

const ENTRY = "worker.js";
const ASSETS = "assets";
const PAGES = "noema";
const CLI = "cli";
const CLIENT = "client";
const TESTING = "testing";
const LICENSES = "THIRD-PARTY-LICENSES";
const STAMP = "inputs";

async function buildBundle() {
  const inputs = bundleFingerprint();
  if (isFresh(join(DIST, STAMP), inputs)) return;
  console.log("Bundling the Worker ...");
  const folder = `${DIST}.${process.pid}`;
  try {
    const metafile = join(folder, "metafile.json");
    const args = ["deploy", "--dry-run", "--outdir", folder, "--metafile", metafile, ...defines(inputs)];
    await waitForStep(spawnWrangler(args, KEEP_OUTPUT), "bundling the Worker");
    const { unstable_readConfig: readConfig } = await import("wrangler");
    const worker = readConfig({ config: join(ROOT, "wrangler.toml") });
    cpSync(join(ROOT, worker.assets.directory, PAGES), join(folder, ASSETS, PAGES), { recursive: true });
    writeWorkerdConfig(folder, ENTRY, worker);
    copyFileSync(join(ROOT, "scripts", "package", "worker.d.ts"), join(folder, "worker.d.ts"));
    await buildClient(join(folder, CLIENT));
    await buildTesting(join(folder, TESTING), worker);
    const cli = await buildCli(join(folder, CLI));
    writeLicenses(join(folder, LICENSES), [JSON.parse(readFileSync(metafile, "utf8")), cli, ...pageMetafiles()]);
    rmSync(metafile);
    markFresh(join(folder, STAMP), inputs);
    publish(folder, DIST, { stamp: STAMP, inputs });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

try {
  const isForTests = process.argv.includes("--debug");
  await Promise.all([buildKernel(), isForTests && buildKernel("debug"), buildPages()]);
  await buildBundle();
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
}
