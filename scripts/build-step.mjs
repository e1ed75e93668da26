/** Waits for a step of a build that runs in its own process. Prints the step's output only when the step fails. */

import { once } from "node:events";

/** The `stdio` of a child whose output is kept. */
export const KEEP_OUTPUT = ["ignore", "pipe", "pipe"];

/**
 * Waits for a step to end. Throws when it fails.
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
