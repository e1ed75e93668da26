/** Compiles the kernel (build/kernel.wasm, and for tests build/kernel.debug.wasm) when its sources have changed. */

import { spawn } from "node:child_process";
import { existsSync, mkdirSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { KEEP_OUTPUT, waitForStep } from "./build-step.mjs";
import { fingerprint, isFresh, markFresh } from "./fingerprint.mjs";
import { ROOT } from "./project.mjs";

const require = createRequire(import.meta.url);

const KERNEL_INPUTS = ["assembly", "asconfig.json", "package-lock.json"];

/** Per target of asconfig.json, the file that it writes into build/, and what it compiles beside assembly/index.ts. */
const TARGETS = {
  release: { name: "kernel", entries: [] },
  debug: { name: "kernel.debug", entries: ["assembly/debug.ts"] },
};

/**
 * Compiles the kernel unless it is up to date. Throws when the compiler fails.
 *
 * @param {"release" | "debug"} target what is served, or what only tests use
 */
export async function buildKernel(target = "release") {
  const { name, entries } = TARGETS[target];
  mkdirSync(join(ROOT, "build"), { recursive: true });
  const stamp = join(ROOT, "build", `${name}.inputs`);
  const inputs = fingerprint(ROOT, KERNEL_INPUTS);
  if (existsSync(join(ROOT, "build", `${name}.wasm`)) && isFresh(stamp, inputs)) return;
  console.log(`Compiling the kernel (${target}) ...`);
  rmSync(stamp, { force: true });
  const args = [
    require.resolve("assemblyscript/bin/asc.js"),
    ...entries,
    "--config",
    "asconfig.json",
    "--target",
    target,
  ];
  await waitForStep(spawn(process.execPath, args, { cwd: ROOT, stdio: KEEP_OUTPUT }), "compiling the kernel");
  markFresh(stamp, inputs);
}
