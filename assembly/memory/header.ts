/**
 * The header of a buffer: its block, and how much of it is used. A leaf, so that {@link ./tenant} can
 * keep places for headers.
 */

/** A header. All zeros is an empty buffer. */
@unmanaged
export class Header {
  block: usize;
  used: usize;
  capacity: usize;
}

/** Bytes of a header, and its alignment. */
export const HEADER_BYTES: i32 = offsetof<Header>();
export const HEADER_ALIGN: i32 = 8;
