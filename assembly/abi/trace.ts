/**
 * Counts which matcher answered, in the debug build. The constant KERNEL_DEBUG comes from the compiler (asconfig.json);
 * in the release build it is 0, and every call here compiles to nothing.
 */

/** A batch matched a model. */
export const MATCHED_BATCH_SINGLES: u32 = 0;
export const MATCHED_BATCH_PAIRS: u32 = 1;
/** A model was matched alone; `match.ts` says by which matcher. */
export const MATCHED_LANE_SINGLES: u32 = 2;
export const MATCHED_LANES_THEN_SHORT: u32 = 3;
export const MATCHED_SHORT: u32 = 4;
export const MATCHED_LONG: u32 = 5;
/** The lanes alone decided whether a model is kept, without matching it in full. */
export const DECIDED_BY_LANE_SINGLES: u32 = 6;
export const DECIDED_BY_LONGEST_BLOCK: u32 = 7;
/** A model that shares one symbol, once, was deferred without being matched. */
export const DEFERRED_SHARED: u32 = 8;
/** A model that a batch matched was deferred. */
export const DEFERRED_SINGLES: u32 = 9;
/** All candidates were examined a second time. */
export const SECOND_PASS: u32 = 10;
const KINDS: i32 = 11;

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

/** The number of counted answers of a kind. */
export function answersOf(kind: u32): u32 {
  return load<u32>(answers + ((<usize>kind) << 2));
}
