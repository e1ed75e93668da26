/** What another process has used, as Linux counts it; NaN on other systems. */

import { readdirSync, readFileSync } from "node:fs";

/** Milliseconds of one tick, the unit in which Linux counts processor time. */
const TICK_MS = 10;
/** Fields after the command's closing bracket: time in user mode and in the kernel. */
const USER_TIME = 11;
const SYSTEM_TIME = 12;
/** V8 reserves as much for each linear memory, so that no 32-bit address leaves it. */
const RESERVED_BYTES = 2 ** 32;
const MAPPING = /^([0-9a-f]+)-([0-9a-f]+) (\S+)/gm;

/** The processor time of a process in milliseconds, to 10 ms. Other work on the machine does not change it, unlike elapsed time. */
export function cpuMs(pid) {
  const text = read(`/proc/${pid}/stat`);
  const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
  return (Number(fields[USER_TIME]) + Number(fields[SYSTEM_TIME])) * TICK_MS;
}

/** The memory that a process holds now, in MB. */
export function currentMegabytes(pid) {
  return Number(/VmRSS:\s*(\d+) kB/.exec(read(`/proc/${pid}/status`))?.[1]) / 1024;
}

/** The most memory that a process has held so far, in MB. */
export function peakMegabytes(pid) {
  return Number(/VmHWM:\s*(\d+) kB/.exec(read(`/proc/${pid}/status`))?.[1]) / 1024;
}

/** The memory that a process holds now, in MB. */
export function residentMegabytes(pid) {
  return Number(/VmRSS:\s*(\d+) kB/.exec(read(`/proc/${pid}/status`))?.[1]) / 1024;
}

/** How many files and sockets a process has open. */
export function openFiles(pid) {
  try {
    return readdirSync(`/proc/${pid}/fd`).length;
  } catch {
    // Only Linux has this folder.
    return Number.NaN;
  }
}

/**
 * The bytes of all WebAssembly linear memories of a process, including garbage that is not collected yet: nothing else reports
 * that. A linear memory is a readable and writable mapping, and the untouchable rest of its reservation follows it.
 */
export function linearBytes(pid) {
  const mappings = mappingsOf(pid);
  if (mappings.length === 0) return Number.NaN;
  let bytes = 0;
  for (const [at, { from, to, access }] of mappings.entries()) {
    const before = mappings[at - 1];
    const start = to - RESERVED_BYTES;
    // The mapping before may begin earlier: the system lists neighbours of the same access as one.
    if (access.startsWith("---") && before?.access.startsWith("rw") && before.to === from && before.from <= start) {
      bytes += from - start;
    }
  }
  return bytes;
}

function mappingsOf(pid) {
  const parsed = read(`/proc/${pid}/maps`).matchAll(MAPPING);
  return Array.from(parsed, ([, from, to, access]) => ({
    from: Number.parseInt(from, 16),
    to: Number.parseInt(to, 16),
    access,
  }));
}

function read(path) {
  try {
    return readFileSync(path, "latin1");
  } catch {
    // Only Linux has these files.
    return "";
  }
}
