/**
 * Models that are surely kept and are counted, but not ranked until all others are counted, because only then are their
 * bounds tight. There are two kinds: models that share one symbol with the query, once, and were not matched; and
 * models that match in single symbols only, according to a batch.
 */

import { countAnswer, DEFERRED_SHARED, DEFERRED_SINGLES } from "../abi/trace";
import * as buffer from "../memory/buffer";
import { BUFFER_ALIGN, BUFFER_BYTES } from "../memory/buffer";

@unmanaged
class Shared {
  slot: u32;
  /** The class of the symbol. */
  number: u32;
}

/** A model of a batch: it has fewer than 256 symbols. */
@unmanaged
class Singles {
  slot: u32;
  /** Number of matching symbols, each a block of its own. */
  matches: u8;
  /** The first and the last matching position. */
  first: u8;
  last: u8;
  unused: u8;
}

const SHARED_BYTES: usize = offsetof<Shared>();
const SINGLES_BYTES: usize = offsetof<Singles>();
const shared: usize = memory.data(BUFFER_BYTES, BUFFER_ALIGN);
const singles: usize = memory.data(BUFFER_BYTES, BUFFER_ALIGN);

/** Maximum number held, of both kinds together. If there are more, a second pass examines all models. */
let mostDeferred: u32 = 524_288;
let deferring: bool = false;
let overflowed: bool = false;

/** Sets {@link mostDeferred}. For tests. */
export function limitDeferred(count: u32): void {
  mostDeferred = count;
}

/** Starts with none. `allowed` tells whether models may be deferred. */
export function beginDeferred(allowed: bool): void {
  deferring = allowed;
  overflowed = false;
  buffer.truncate(shared, 0);
  buffer.truncate(singles, 0);
}

/** From now on, no model may be deferred. */
export function endDeferring(): void {
  deferring = false;
}

/** Whether models may be deferred. */
export function mayDefer(): bool {
  return deferring;
}

/** Whether there were too many to hold; then the lists are useless. */
export function tooManyDeferred(): bool {
  return overflowed;
}

/** Defers a model that shares only the symbol of a class, and holds it once. */
export function deferShared(slot: u32, number: u32): void {
  countAnswer(DEFERRED_SHARED);
  if (hasRoom()) {
    const entry = changetype<Shared>(buffer.append(shared, SHARED_BYTES));
    entry.slot = slot;
    entry.number = number;
  }
}

/**
 * Defers a model of which `matches` symbols match, each a block of its own, between these
 * positions. All are less than 256.
 */
export function deferSingles(slot: u32, matches: u32, first: u32, last: u32): void {
  countAnswer(DEFERRED_SINGLES);
  if (hasRoom()) {
    const entry = changetype<Singles>(buffer.append(singles, SINGLES_BYTES));
    entry.slot = slot;
    entry.matches = <u8>matches;
    entry.first = <u8>first;
    entry.last = <u8>last;
  }
}

/** Address and bytes of the models that share one symbol, as {@link restoreDeferred} takes them. */
export function sharedStart(): usize {
  return buffer.start(shared);
}

export function sharedSize(): usize {
  return buffer.size(shared);
}

/** Address and bytes of the models that match in single symbols only. */
export function singlesStart(): usize {
  return buffer.start(singles);
}

export function singlesSize(): usize {
  return buffer.size(singles);
}

/** Restores the deferred models of an earlier pass for the same query: both kinds, one after the other. */
export function restoreDeferred(from: usize, sharedBytes: usize, singlesBytes: usize): void {
  memory.copy(buffer.append(shared, sharedBytes), from, sharedBytes);
  memory.copy(buffer.append(singles, singlesBytes), from + sharedBytes, singlesBytes);
}

/** Number of models that share one symbol. The newest come last. */
export function sharedCount(): u32 {
  return <u32>(buffer.size(shared) / SHARED_BYTES);
}

/** The slot of such a model. */
export function sharedSlot(at: u32): u32 {
  return sharedAt(at).slot;
}

/** The class of the symbol that it shares. */
export function sharedClass(at: u32): u32 {
  return sharedAt(at).number;
}

/** Number of models that match in single symbols only. The newest come last. */
export function singlesCount(): u32 {
  return <u32>(buffer.size(singles) / SINGLES_BYTES);
}

/** The slot of such a model. */
export function singlesSlot(at: u32): u32 {
  return singlesAt(at).slot;
}

/** Number of its matching symbols. */
export function singlesMatches(at: u32): u32 {
  return singlesAt(at).matches;
}

/** Its first matching position. */
export function singlesFirst(at: u32): u32 {
  return singlesAt(at).first;
}

/** Its last matching position. */
export function singlesLast(at: u32): u32 {
  return singlesAt(at).last;
}

function hasRoom(): bool {
  overflowed = overflowed || sharedCount() + singlesCount() >= mostDeferred;
  return !overflowed;
}

function sharedAt(at: u32): Shared {
  return changetype<Shared>(buffer.start(shared) + <usize>at * SHARED_BYTES);
}

function singlesAt(at: u32): Singles {
  return changetype<Singles>(buffer.start(singles) + <usize>at * SINGLES_BYTES);
}
