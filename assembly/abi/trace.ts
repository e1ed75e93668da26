/**
 * Counts which matcher answered, in the debug build. The constant KERNEL_DEBUG comes from the compiler (asconfig.json); in the release
 * build it is 0, and every call here compiles to nothing.
 */

/** What answered, or did not have to. */
export const MATCHED_BATCH_SINGLES: u32 = 0;
export const MATCHED_BATCH_PAIRS: u32 = 1;
export const MATCHED_IN_LANES: u32 = 2;
export const MATCHED_SHORT: u32 = 3;
export const MATCHED_LONG: u32 = 4;
/** A model that shares one symbol once: it was counted without being matched. */
export const DEFERRED_SHARED: u32 = 5;
/** A model of a batch of singles that was deferred. */
export const DEFERRED_SINGLES: u32 = 6;
/** All candidates were looked at a second time. */
export const SECOND_PASS: u32 = 7;
const KINDS: i32 = 8;

const answers: usize = memory.data(KINDS * 4, 4);

/** Counts one answer of a kind. */
export function countAnswer(kind: u32): void {
  countAnswers(kind, 1);
}

/** Counts some answers of a kind. */
export function countAnswers(kind: u32, count: u32): void {
  if (KERNEL_DEBUG) {
    const entry = answers + ((<usize>kind) << 2);
    store<u32>(entry, load<u32>(entry) + count);
  }
}

/** How many answers of a kind were counted. */
export function answersOf(kind: u32): u32 {
  return load<u32>(answers + ((<usize>kind) << 2));
}
