/** Compiles the kernel (build/kernel.wasm) when it is not what its sources say. */

import { spawn } from "node:child_process";
import { existsSync, mkdirSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { fingerprint, isFresh, markFresh } from "./fingerprint.mjs";
import { finish, OUTPUT_KEPT } from "./finish.mjs";
import { ROOT } from "./project.mjs";

const require = createRequire(import.meta.url);

const KERNEL = join(ROOT, "build", "kernel.wasm");
const KERNEL_INPUTS = ["assembly", "asconfig.json", "package-lock.json"];

/** Compiles the kernel unless that is done; throws when it fails. */
export async function buildKernel() {
  mkdirSync(join(ROOT, "build"), { recursive: true });
  const stamp = join(ROOT, "build", "kernel.inputs");
  const inputs = fingerprint(ROOT, KERNEL_INPUTS);
  if (existsSync(KERNEL) && isFresh(stamp, inputs)) return;
  console.log("Compiling the kernel ...");
  rmSync(stamp, { force: true });
  const args = [require.resolve("assemblyscript/bin/asc.js"), "--config", "asconfig.json", "--target", "release"];
  await finish(spawn(process.execPath, args, { cwd: ROOT, stdio: OUTPUT_KEPT }), "compiling the kernel");
  markFresh(stamp, inputs);
}
