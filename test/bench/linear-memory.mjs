/**
 * The linear memories of another process, as Linux lists them: V8 reserves 4 GiB for each, of which the beginning can be read and
 * written and the rest cannot be touched, so that an address of 32 bits never leaves it. Those that are garbage and not collected yet
 * are listed too, which no other way tells.
 */

import { readFileSync } from "node:fs";

const RESERVED_BYTES = 2 ** 32;
const MAPPING = /^([0-9a-f]+)-([0-9a-f]+) (\S+)/gm;

/** Bytes of all linear memories of a process together; NaN where the system does not say. */
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
