/**
 * A growable block of memory. The header of a tenant's buffer is in `tenant.ts`. Scratch, which all tenants share, has
 * its header in static memory of its owner: `memory.data(BUFFER_BYTES, BUFFER_ALIGN)`.
 */

import { allocate, classBytes, newBytes, release } from "./arena";
import { HEADER_ALIGN, HEADER_BYTES, Header } from "./header";
import { isOfTenant, tenant } from "./tenant";

/** Bytes of a buffer's header, and its alignment. */
export const BUFFER_BYTES: i32 = HEADER_BYTES;
export const BUFFER_ALIGN: i32 = HEADER_ALIGN;

/** Address of the contents, which move when the buffer grows. */
export function start(buffer: usize): usize {
  return changetype<Header>(buffer).block;
}

/** Number of bytes of the contents. */
export function size(buffer: usize): usize {
  return changetype<Header>(buffer).used;
}

/** Frees the block; the buffer is empty then. */
export function free(buffer: usize): void {
  const capacity = changetype<Header>(buffer).capacity;
  release(start(buffer), capacity);
  tenant.held += isOfTenant(buffer) ? 0 : heldFor(capacity);
  memory.fill(buffer, 0, HEADER_BYTES);
}

/** Number of new bytes from the arena before the buffer can hold `bytes` more. */
export function growthBytes(buffer: usize, bytes: usize): usize {
  const needed = size(buffer) + bytes;
  return needed <= changetype<Header>(buffer).capacity ? 0 : newBytes(needed + (needed >> 1));
}

/** Adds `bytes` of undefined contents and returns their address. Traps when the machine has no more memory. */
export function append(buffer: usize, bytes: usize): usize {
  const header = changetype<Header>(buffer);
  const used = header.used;
  if (used + bytes > header.capacity) {
    grow(header, used + bytes);
  }
  header.used = used + bytes;
  return header.block + used;
}

/** {@link append} with zeros. */
export function appendZeros(buffer: usize, bytes: usize): usize {
  const room = append(buffer, bytes);
  memory.fill(room, 0, bytes);
  return room;
}

/** Keeps only the first `bytes` of the contents. */
export function truncate(buffer: usize, bytes: usize): void {
  changetype<Header>(buffer).used = bytes;
}

/** Makes `to`, which is empty, the owner of what `from` owns; `from` is empty then. */
export function move(from: usize, to: usize): void {
  memory.copy(to, from, HEADER_BYTES);
  memory.fill(from, 0, HEADER_BYTES);
}

/** Makes the contents at least `bytes` long; they are undefined then. Traps when the machine has no more memory. */
export function ensure(buffer: usize, bytes: usize): void {
  if (size(buffer) < bytes) {
    truncate(buffer, 0);
    append(buffer, bytes);
  }
}

/**
 * {@link ensure} without spare capacity, for contents of a known size. The contents are undefined even if there was
 * room already.
 */
export function fit(buffer: usize, bytes: usize): void {
  const header = changetype<Header>(buffer);
  if (bytes > header.capacity) {
    free(buffer);
    header.block = allocate(bytes);
    header.capacity = classBytes(bytes);
    if (!isOfTenant(buffer)) {
      tenant.held -= header.capacity;
    }
  }
  header.used = bytes;
}

function grow(header: Header, needed: usize): void {
  const capacity = classBytes(needed + (needed >> 1));
  const block = allocate(capacity);
  memory.copy(block, header.block, header.used);
  release(header.block, header.capacity);
  if (!isOfTenant(changetype<usize>(header))) {
    tenant.held += heldFor(header.capacity) - heldFor(capacity);
  }
  header.block = block;
  header.capacity = capacity;
}

/** Number of bytes that the arena counts for a capacity. */
function heldFor(capacity: usize): usize {
  return capacity === 0 ? 0 : classBytes(capacity);
}
