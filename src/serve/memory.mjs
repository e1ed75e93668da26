/**
 * Notices a workerd that takes too much memory. The runtime holds what clients send before any code of Noema sees it,
 * such as WebSocket messages without an end, and sets its heap no limit: without a bound the system would run out of
 * memory, and end any process.
 */

import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { totalmem } from "node:os";
import { promisify } from "node:util";

/** How often to look, in milliseconds. A client of the same machine fills about a gigabyte a second. */
const LOOK_EVERY_MS = 500;

const KIBIBYTE = 1024;

/** The memory of the machine, or of the container that this process runs in, in bytes. */
export function machineBytes() {
  // Without a limit it is undefined before Node 20.13, and then 0 or more than the machine has.
  const constrained = process.constrainedMemory() ?? 0;
  return constrained > 0 ? Math.min(constrained, totalmem()) : totalmem();
}

/**
 * The resident memory of a process, in bytes; `undefined` when it has ended, and on systems without `/proc` and `ps`.
 *
 * @param {number} pid
 * @returns {Promise<number | undefined>}
 */
export async function residentBytes(pid) {
  try {
    const status = await readFile(`/proc/${pid}/status`, "utf8");
    const kibibytes = /^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1];
    return kibibytes === undefined ? undefined : Number(kibibytes) * KIBIBYTE;
  } catch {
    return process.platform === "linux" ? undefined : residentBytesByPs(pid);
  }
}

async function residentBytesByPs(pid) {
  try {
    const { stdout } = await promisify(execFile)("ps", ["-o", "rss=", "-p", String(pid)]);
    return Number(stdout.trim()) * KIBIBYTE || undefined;
  } catch {
    return undefined;
  }
}

/**
 * Looks at a process's memory again and again, from now on.
 *
 * @param {() => Promise<number | undefined>} read the memory in bytes; `undefined` if it is unknown. Never rejects
 * @param {number} most the maximum, in bytes
 * @param {(bytes: number) => void} exceeded called once with the memory, when it is more than `most`
 * @returns {() => void} ends the watch
 */
export function watchMemory(read, most, exceeded) {
  let isLooking = false;
  const looking = setInterval(async () => {
    if (isLooking) return;
    isLooking = true;
    const bytes = await read();
    isLooking = false;
    if (bytes === undefined || bytes <= most) return;
    clearInterval(looking);
    exceeded(bytes);
  }, LOOK_EVERY_MS);
  return () => clearInterval(looking);
}
