/** What another process has used, as Linux counts it: unlike elapsed time it does not suffer from what else the machine does. */

import { readFileSync } from "node:fs";

/** Milliseconds of a tick in which Linux counts processor time. */
const TICK_MS = 10;
/** Fields after the command's closing bracket: time in user mode and in the kernel. */
const USER_TIME = 11;
const SYSTEM_TIME = 12;

/** Processor time of a process in milliseconds, to 10 ms; NaN where the system does not say. */
export function cpuMs(pid) {
  const text = read(`/proc/${pid}/stat`);
  const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
  return (Number(fields[USER_TIME]) + Number(fields[SYSTEM_TIME])) * TICK_MS;
}

/** The most memory that a process has held so far, in MB; NaN where the system does not say. */
export function peakMegabytes(pid) {
  return Number(/VmHWM:\s*(\d+) kB/.exec(read(`/proc/${pid}/status`))?.[1]) / 1024;
}

function read(path) {
  try {
    return readFileSync(path, "latin1");
  } catch {
    // Only Linux has these files.
    return "";
  }
}
