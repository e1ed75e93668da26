/**
 * Kinds of events: events of one kind hold the same symbols equally often. Only the kinds of the sequence's own events
 * are numbered, from 1 on.
 */

import * as buffer from "../memory/buffer";
import { BUFFER_ALIGN, BUFFER_BYTES } from "../memory/buffer";
import { numberAfter, numberCount } from "./sequence";

/** Stands before the first event. */
export const BEGINNING: u32 = 0;
/** The kind of an event that the sequence does not have. */
export const FOREIGN_KIND: u32 = u32.MAX_VALUE;

/** A word for each number: the kind of an event that holds this symbol alone; 0 for none. */
const singles: usize = memory.data(BUFFER_BYTES, BUFFER_ALIGN);
/** A long for each number: it {@link mixed}. */
const mixes: usize = memory.data(BUFFER_BYTES, BUFFER_ALIGN);
/** A word for each number: occurrences in a kind that were not found in the event so far. 0 between comparisons. */
const left: usize = memory.data(BUFFER_BYTES, BUFFER_ALIGN);

/** A kind. */
@unmanaged
class Kind {
  /** The sum of the {@link mixed | mixed} numbers, which does not depend on their order. */
  sum: u64;
  /** Address of its numbers, with repeats, a word each, and their number. */
  numbers: usize;
  length: u32;
}

const KIND_BYTES: usize = (offsetof<Kind>() + 7) & ~7;
const kinds: usize = memory.data(BUFFER_BYTES, BUFFER_ALIGN);
let count: u32 = 0;
/** A hash table of words: a kind is at the place of its sum's hash, or at the next free one; 0 for none. */
const table: usize = memory.data(BUFFER_BYTES, BUFFER_ALIGN);
let tableMask: u32 = 0;

/**
 * Sets the kinds.
 * @param lengths address of the number of symbols of each kind, a word each, followed by the symbols' numbers, kind
 *   after kind. They must stay there
 */
export function takeKinds(lengths: usize, kindCount: u32): void {
  count = kindCount;
  buffer.fit(kinds, (<usize>count + 1) * KIND_BYTES);
  fitZeros(singles, numberCount());
  fitZeros(left, numberCount());
  buffer.fit(mixes, (<usize>numberCount()) << 3);
  for (let number: u32 = 0; number < numberCount(); number++) {
    store<u64>(mixAt(number), mixed(number));
  }
  tableMask = powerAbove(count << 1) - 1;
  fitZeros(table, tableMask + 1);
  let from = lengths + ((<usize>count) << 2);
  for (let number: u32 = 1; number <= count; number++) {
    const kind = kindAt(number);
    kind.numbers = from;
    kind.length = load<u32>(lengths + ((<usize>(number - 1)) << 2));
    kind.sum = 0;
    for (let at: u32 = 0; at < kind.length; at++, from += 4) {
      kind.sum += load<u64>(mixAt(load<u32>(from)));
    }
    if (kind.length === 1) {
      store<u32>(wordAt(singles, load<u32>(kind.numbers)), number);
    }
    let place = <u32>kind.sum & tableMask;
    while (load<u32>(wordAt(table, place)) !== 0) {
      place = (place + 1) & tableMask;
    }
    store<u32>(wordAt(table, place), number);
  }
}

/** Frees all memory. */
export function dropKinds(): void {
  buffer.free(singles);
  buffer.free(mixes);
  buffer.free(left);
  buffer.free(kinds);
  buffer.free(table);
}

/** Number of kinds. */
export function kindCount(): u32 {
  return count;
}

/** The kind of an event that holds the symbol of a number alone; {@link FOREIGN_KIND} where the sequence has none. */
export function singleKind(number: u32): u32 {
  const kind = load<u32>(wordAt(singles, number));
  return kind === 0 ? FOREIGN_KIND : kind;
}

/** Number of symbols of a kind, with repeats. */
export function lengthOf(kind: u32): u32 {
  return kindAt(kind).length;
}

/** The number of one of its symbols; they ascend. */
export function numberOfKind(kind: u32, at: u32): u32 {
  return load<u32>(kindAt(kind).numbers + ((<usize>at) << 2));
}

/** The kind of an event of a model. `T` is the type of its segment's symbols. */
export function kindOf<T>(from: usize, end: usize): u32 {
  if (end - from === sizeof<T>()) {
    const after = numberAfter(<u32>load<T>(from));
    return after === 0 ? FOREIGN_KIND : singleKind(after - 1);
  }
  let sum: u64 = 0;
  for (let at = from; at < end; at += sizeof<T>()) {
    const number = numberAfter(<u32>load<T>(at));
    if (number === 0) {
      return FOREIGN_KIND;
    }
    sum += load<u64>(mixAt(number - 1));
  }
  let place = <u32>sum & tableMask;
  for (let kind = load<u32>(wordAt(table, place)); kind !== 0; kind = load<u32>(wordAt(table, place))) {
    if (kindAt(kind).sum === sum && isOfKind<T>(kindAt(kind), from, end)) {
      return kind;
    }
    place = (place + 1) & tableMask;
  }
  return FOREIGN_KIND;
}

/** Whether an event of numbered symbols is of a kind, because other numbers may have the same sum. */
function isOfKind<T>(kind: Kind, from: usize, end: usize): bool {
  if ((end - from) / sizeof<T>() !== <usize>kind.length) {
    return false;
  }
  const last = kind.numbers + ((<usize>kind.length) << 2);
  for (let at = kind.numbers; at < last; at += 4) {
    const more = wordAt(left, load<u32>(at));
    store<u32>(more, load<u32>(more) + 1);
  }
  let same = true;
  for (let at = from; at < end && same; at += sizeof<T>()) {
    const more = wordAt(left, numberAfter(<u32>load<T>(at)) - 1);
    same = load<u32>(more) > 0;
    store<u32>(more, load<u32>(more) - <u32>same);
  }
  for (let at = kind.numbers; at < last; at += 4) {
    store<u32>(wordAt(left, load<u32>(at)), 0);
  }
  return same;
}

function kindAt(number: u32): Kind {
  return changetype<Kind>(buffer.start(kinds) + <usize>number * KIND_BYTES);
}

/** Spreads the bits of a number over a long (the finalizer of SplitMix64). */
export function mixed(number: u64): u64 {
  let bits = (number + 1) * long(0x9e37_79b9, 0x7f4a_7c15);
  bits = (bits ^ (bits >> 30)) * long(0xbf58_476d, 0x1ce4_e5b9);
  bits = (bits ^ (bits >> 27)) * long(0x94d0_49bb, 0x1331_11eb);
  return bits ^ (bits >> 31);
}

function long(high: u32, low: u32): u64 {
  return ((<u64>high) << 32) | <u64>low;
}

/** The least power of 2 greater than a number. */
export function powerAbove(number: u32): u32 {
  return (<u32>1) << (32 - clz(number));
}

function mixAt(number: u32): usize {
  return buffer.start(mixes) + ((<usize>number) << 3);
}

function wordAt(words: usize, at: u32): usize {
  return buffer.start(words) + ((<usize>at) << 2);
}

function fitZeros(words: usize, length: u32): void {
  buffer.fit(words, (<usize>length) << 2);
  memory.fill(buffer.start(words), 0, (<usize>length) << 2);
}
