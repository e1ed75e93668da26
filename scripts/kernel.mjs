/** Compiles the kernel (build/kernel.wasm) when its sources have changed. */

import { spawn } from "node:child_process";
import { existsSync, mkdirSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { KEEP_OUTPUT, waitForStep } from "./build-step.mjs";
import { fingerprint, isFresh, markFresh } from "./fingerprint.mjs";
import { ROOT } from "./project.mjs";

const require = createRequire(import.meta.url);

const KERNEL = join(ROOT, "build", "kernel.wasm");
const KERNEL_INPUTS = ["assembly", "asconfig.json", "package-lock.json"];

/** Compiles the kernel unless it is up to date. Throws when the compiler fails. */
export async function buildKernel() {
  mkdirSync(join(ROOT, "build"), { recursive: true });
  const stamp = join(ROOT, "build", "kernel.inputs");
  const inputs = fingerprint(ROOT, KERNEL_INPUTS);
  if (existsSync(KERNEL) && isFresh(stamp, inputs)) return;
  console.log("Compiling the kernel ...");
  rmSync(stamp, { force: true });
  const args = [require.resolve("assemblyscript/bin/asc.js"), "--config", "asconfig.json", "--target", "release"];
  await waitForStep(spawn(process.execPath, args, { cwd: ROOT, stdio: KEEP_OUTPUT }), "compiling the kernel");
  markFresh(stamp, inputs);
}
