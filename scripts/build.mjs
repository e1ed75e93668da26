/**
 * Builds what is served: the kernel (build/kernel.wasm) and the bundle (dist/), the very one that `wrangler deploy` uploads,
 * with a configuration for workerd beside it. Works offline, and does nothing that is not needed.
 */

import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, renameSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { bundleFingerprint, defines } from "./bundle-inputs.mjs";
import { fingerprint, isFresh, markFresh } from "./fingerprint.mjs";
import { DIST, ROOT } from "./project.mjs";
import { spawnWrangler } from "./quiet-wrangler.mjs";
import { writeWorkerdConfig } from "./workerd-config.mjs";

const require = createRequire(import.meta.url);

const ENTRY = "worker.js";
const STAMP = "inputs";
const OUTPUT_KEPT = ["ignore", "pipe", "pipe"];
const KERNEL = join(ROOT, "build", "kernel.wasm");
const KERNEL_INPUTS = ["assembly", "asconfig.json", "package-lock.json"];

/** Waits for a child to end; its output goes to the terminal only when it fails. */
async function finish(child, what) {
  const output = [];
  child.stdout.on("data", (chunk) => output.push(chunk));
  child.stderr.on("data", (chunk) => output.push(chunk));
  const [code, signal] = await once(child, "close");
  if (code === 0) return;
  process.stderr.write(Buffer.concat(output));
  throw new Error(`${what} failed (${signal ?? `exit code ${code}`}); its output is above`);
}

async function buildKernel() {
  const stamp = join(ROOT, "build", "kernel.inputs");
  const inputs = fingerprint(ROOT, KERNEL_INPUTS);
  if (existsSync(KERNEL) && isFresh(stamp, inputs)) return;
  console.log("Compiling the kernel ...");
  rmSync(stamp, { force: true });
  const args = [require.resolve("assemblyscript/bin/asc.js"), "--config", "asconfig.json", "--target", "release"];
  await finish(spawn(process.execPath, args, { cwd: ROOT, stdio: OUTPUT_KEPT }), "compiling the kernel");
  markFresh(stamp, inputs);
}

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
  mkdirSync(join(ROOT, "build"), { recursive: true });
  await buildKernel();
  await buildBundle();
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
}
