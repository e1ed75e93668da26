/** Waits for a step of a build that runs in its own process, or for a whole build. */

import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { ROOT } from "./project.mjs";

/** The `stdio` of a child whose output is kept. */
export const KEEP_OUTPUT = ["ignore", "pipe", "pipe"];

/**
 * Waits for a step to end, and prints its output only if it fails. Throws when it fails.
 *
 * @param {import("node:child_process").ChildProcess} child spawned with KEEP_OUTPUT
 * @param {string} step names the step in the error message
 */
export async function waitForStep(child, step) {
  const output = [];
  child.stdout.on("data", (chunk) => output.push(chunk));
  child.stderr.on("data", (chunk) => output.push(chunk));
  const [code, signal] = await once(child, "close");
  if (code === 0) return;
  process.stderr.write(Buffer.concat(output));
  throw new Error(`${step} failed (${signal ?? `exit code ${code}`}); its output is above`);
}

/** Does what `npm run build` does, in a process of its own. Throws when it fails. */
export async function buildAll() {
  const [code] = await once(
    spawn(process.execPath, [join(ROOT, "scripts", "build.mjs")], { stdio: "inherit" }),
    "exit",
  );
  if (code !== 0) throw new Error("the build failed; the reason is above");
}
