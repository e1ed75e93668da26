/** The input block: where the host puts symbols, event lengths and vector components for the next call. */

import { fits } from "../memory/arena";
import * as buffer from "../memory/buffer";
import { BUFFER_ALIGN, BUFFER_BYTES } from "../memory/buffer";

const inputBlock: usize = memory.data(BUFFER_BYTES, BUFFER_ALIGN);

/**
 * Makes room for `bytes` bytes of input and returns its address; 0 when the budget does not allow it. Valid until the
 * next call.
 */
export function input(bytes: u32): usize {
  buffer.truncate(inputBlock, 0);
  return fits(buffer.growthBytes(inputBlock, bytes)) ? buffer.append(inputBlock, bytes) : 0;
}

/** {@link input} for a query, which is answered whatever the budget. */
export function queryInput(bytes: u32): usize {
  buffer.truncate(inputBlock, 0);
  return buffer.append(inputBlock, bytes);
}

/** Where the input starts. */
export function inputStart(): usize {
  return buffer.start(inputBlock);
}
