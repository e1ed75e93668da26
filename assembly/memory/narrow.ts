/**
 * Columns of unsigned numbers, as narrow as the greatest allows: 1, 2 or 4 bytes for each number, or 8 for a double.
 */

/** The width of a column as a shift: an element takes 1 << shift bytes. */
export const BYTES: u32 = 0;
export const HALVES: u32 = 1;
export const WORDS: u32 = 2;
export const DOUBLES: u32 = 3;

/** The narrowest shift that holds whole numbers from 0 to `greatest`. */
export function shiftFor(greatest: f64): u32 {
  if (greatest <= 0xff) {
    return BYTES;
  }
  if (greatest <= 0xffff) {
    return HALVES;
  }
  return greatest <= 0xffff_ffff ? WORDS : DOUBLES;
}

/** The number at `index` of a column of words or narrower. */
export function readWord(column: usize, shift: u32, index: u32): u32 {
  const at = column + ((<usize>index) << shift);
  if (shift === BYTES) {
    return load<u8>(at);
  }
  return shift === HALVES ? load<u16>(at) : load<u32>(at);
}

/** Copies `count` numbers from `index` on to words; returns the address after them. */
export function copyWords(column: usize, shift: u32, index: u32, count: u32, to: usize): usize {
  const from = column + ((<usize>index) << shift);
  if (shift === BYTES) {
    copyFrom<u8>(from, count, to);
  } else if (shift === HALVES) {
    copyFrom<u16>(from, count, to);
  } else {
    memory.copy(to, from, (<usize>count) << 2);
  }
  return to + ((<usize>count) << 2);
}

function copyFrom<T>(from: usize, count: u32, to: usize): void {
  for (let at: usize = 0; at < <usize>count; at++) {
    store<u32>(to + (at << 2), <u32>load<T>(from + at * sizeof<T>()));
  }
}

/** The number at `index` of a column of any width. */
export function readNumber(column: usize, shift: u32, index: u32): f64 {
  return shift === DOUBLES ? load<f64>(column + ((<usize>index) << DOUBLES)) : <f64>readWord(column, shift, index);
}

/** Sets the number at `index`; it must fit. */
export function writeNumber(column: usize, shift: u32, index: u32, value: f64): void {
  const at = column + ((<usize>index) << shift);
  if (shift === BYTES) {
    store<u8>(at, <u8>(<u32>value));
  } else if (shift === HALVES) {
    store<u16>(at, <u16>(<u32>value));
  } else if (shift === WORDS) {
    store<u32>(at, <u32>value);
  } else {
    store<f64>(at, value);
  }
}

/** Sets the word at `index`; it must fit. */
export function writeWord(column: usize, shift: u32, index: u32, value: u32): void {
  const at = column + ((<usize>index) << shift);
  if (shift === BYTES) {
    store<u8>(at, <u8>value);
  } else if (shift === HALVES) {
    store<u16>(at, <u16>value);
  } else {
    store<u32>(at, value);
  }
}
