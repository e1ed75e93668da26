/**
 * The budgets of a self-hosted server, and how its open files are shared out.
 * docs/limits.md describes each of them.
 */

import { Complaint } from "./complaint.mjs";
import { machineBytes } from "./memory.mjs";

/** Minimum number of open files and connections that a process needs; with fewer, the server does not start. */
export const MIN_DESCRIPTORS = 256;

/** Reserved for workerd itself: it keeps about 25 open, and opens a few more briefly. */
const OWN_DESCRIPTORS = 64;

/** A live object keeps three files open: its database, the write-ahead log and the log's index. */
const DESCRIPTORS_PER_OBJECT = 3;

/** Upper limit of the default number of live objects: all of them share the memory of one process. */
const MAX_LIVE_OBJECTS = 10_000;

/** Seconds that a stopping server waits for running requests. Docker and others kill after 10. */
const STOP_SECONDS = 8;

/** Number of failed starts of workerd in a row after which `npm start` gives up. */
const FAILED_STARTS = 5;

/** The default share of the machine's memory that workerd may take. */
const SHARE_OF_MEMORY = 0.8;

/** The least that `NOEMA_PROCESS_BYTES` accepts: with less, workerd would be killed in ordinary use. */
const MIN_PROCESS_BYTES = 268_435_456;

/**
 * The number of files and connections that a child of this process may open at once. At its own start, Node raises
 * its limit to the maximum.
 */
function descriptorLimit() {
  const { soft } = process.report.getReport().userLimits.open_files;
  return soft === "unlimited" ? Number.MAX_SAFE_INTEGER : soft;
}

/** A whole number from the environment, or `otherwise` where it is not set. */
function readWhole(env, name, otherwise, [least, most]) {
  const text = env[name] || String(otherwise);
  const value = Number(text);
  if (/^\d+$/.test(text) && value >= least && value <= most) return value;
  throw new Complaint(`${name} is ${JSON.stringify(text)}; accepted is a whole number from ${least} to ${most}.`);
}

/**
 * Reads the budgets.
 *
 * @param {Record<string, string | undefined>} env the environment
 * @returns {{ liveObjects: number, stopMs: number, failedStarts: number, processBytes: number }} the maximum number of
 *   live objects, how long a stop waits for running requests, the number of failed starts in a row after which to give
 *   up, and the maximum memory of workerd; throws a Complaint
 */
export function readLimits(env) {
  const descriptors = descriptorLimit();
  if (descriptors < MIN_DESCRIPTORS) {
    throw new Complaint(
      `A process may open ${descriptors} files and connections at once here; ` +
        `Noema needs ${MIN_DESCRIPTORS} or more. Raise the hard limit: ulimit -n, LimitNOFILE of systemd, ` +
        "--ulimit nofile of Docker.",
    );
  }
  const left = descriptors - OWN_DESCRIPTORS;
  // Half for objects, half for connections.
  const share = Math.floor(left / 2 / DESCRIPTORS_PER_OBJECT);
  const processBytes = Math.max(MIN_PROCESS_BYTES, Math.floor(SHARE_OF_MEMORY * machineBytes()));
  return {
    liveObjects: readWhole(env, "NOEMA_LIVE_OBJECTS", Math.min(MAX_LIVE_OBJECTS, share), [1, share]),
    stopMs: 1000 * readWhole(env, "NOEMA_STOP_SECONDS", STOP_SECONDS, [0, 3600]),
    failedStarts: readWhole(env, "NOEMA_FAILED_STARTS", FAILED_STARTS, [1, 1000]),
    processBytes: readWhole(env, "NOEMA_PROCESS_BYTES", processBytes, [MIN_PROCESS_BYTES, Number.MAX_SAFE_INTEGER]),
  };
}
