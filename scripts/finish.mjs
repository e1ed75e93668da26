/** Waits for a step of a build that runs in a process of its own: its output goes to the terminal only when it fails. */

import { once } from "node:events";

/** How a child is spawned whose output is kept. */
export const OUTPUT_KEPT = ["ignore", "pipe", "pipe"];

/**
 * Waits for a child to end; throws when it fails.
 *
 * @param {import("node:child_process").ChildProcess} child spawned with OUTPUT_KEPT
 * @param {string} what names the step in the error's sentence
 */
export async function finish(child, what) {
  const output = [];
  child.stdout.on("data", (chunk) => output.push(chunk));
  child.stderr.on("data", (chunk) => output.push(chunk));
  const [code, signal] = await once(child, "close");
  if (code === 0) return;
  process.stderr.write(Buffer.concat(output));
  throw new Error(`${what} failed (${signal ?? `exit code ${code}`}); its output is above`);
}
