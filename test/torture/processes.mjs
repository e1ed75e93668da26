/** Looks at processes through /proc. Where there is none, it knows no descendant and no memory. */

import { readdirSync, readFileSync } from "node:fs";

/** A process's name and its parent's id; undefined when it is gone. */
function read(pid) {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
    const nameEnd = stat.lastIndexOf(")");
    const [, parent] = stat.slice(nameEnd + 2).split(" ");
    return { pid, parent: Number(parent), name: stat.slice(stat.indexOf("(") + 1, nameEnd) };
  } catch {
    // It ended between the listing and the reading.
    return undefined;
  }
}

/**
 * The processes that descend from one, the nearest first.
 *
 * @param {number} root its process id
 * @returns {{ pid: number, name: string }[]}
 */
export function descendants(root) {
  let entries;
  try {
    entries = readdirSync("/proc");
  } catch {
    return [];
  }
  const all = entries.filter((entry) => /^\d+$/.test(entry)).map((entry) => read(Number(entry)));
  const found = [];
  for (let parents = [root]; parents.length > 0; ) {
    const children = all.filter((one) => one !== undefined && parents.includes(one.parent));
    found.push(...children);
    parents = children.map(({ pid }) => pid);
  }
  return found;
}

/** The memory that a process holds (VmRSS), in mebibytes; 0 when it is gone or the system does not say. */
export function residentMebibytes(pid) {
  try {
    const [, kibibytes = 0] = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, "latin1")) ?? [];
    return Number(kibibytes) / 1024;
  } catch {
    return 0;
  }
}

/** The clock of /proc ticks a hundred times a second on every Linux that Node runs on. */
const TICK_MS = 10;

/** The processor time that a process has used, in milliseconds; 0 when it is gone or the system does not say. */
export function processorMs(pid) {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return (Number(fields[11]) + Number(fields[12])) * TICK_MS;
  } catch {
    return 0;
  }
}

/**
 * How long the first thread of a process has waited for a processor although it had something to do, in milliseconds; 0
 * when it is gone or the system does not say. workerd runs all requests in its first thread.
 */
export function delayedMs(pid) {
  try {
    const [, nanoseconds = 0] = readFileSync(`/proc/${pid}/schedstat`, "latin1").split(" ");
    return Number(nanoseconds) / 1e6;
  } catch {
    return 0;
  }
}

/** Sends a signal to a process that may be gone. */
export function signal(pid, name) {
  try {
    process.kill(pid, name);
  } catch (error) {
    if (error.code !== "ESRCH") throw error;
  }
}
