/**
 * Which models are heard: of those that hold a symbol of the newest event, and of the others, the most alike. Owns the candidates of both groups; keeps no
 * more of them than it needs, however many models speak.
 */

import { lengthAt, placeOf, segmentOf } from "../corpus/segment";
import * as buffer from "../memory/buffer";
import { BUFFER_ALIGN, BUFFER_BYTES } from "../memory/buffer";

/** This bit of a halfword says that the model holds a symbol of the newest event; the others are its likeness. */
export const NEWEST: u32 = 0x8000;
/** The greatest likeness; a greater sum reads as this. */
export const MOST_LIKENESS: u32 = 0x0fff;
/** A likeness grows by so much when a symbol is half as frequent. */
export const LIKENESS_STEPS: u32 = 8;
/** A model that is so much less alike than the most alike one says nothing of what follows the symbols that it shares. */
const SPREAD: u32 = 10 * LIKENESS_STEPS;

/**
 * So many models at most are heard that hold a symbol of the newest event, and so many others: from the greatest likeness down, of equals the newest
 * first, and only while a group has so many symbols together; but the first one always.
 */
const MOST_NEWEST: u32 = 1024;
const MOST_OTHERS: u32 = 512;
const MOST_SYMBOLS: u32 = 1 << 19;
/** There is room for so many candidates of a group. When it is full, only the best stay. */
const ROOM: u32 = 4096;

/** The candidates of a group. */
@unmanaged
class Group {
  count: u32;
  /** A candidate has at least this likeness. */
  least: u32;
  /** So many models of the group are heard at most. */
  most: u32;
  /** The buffer of the candidates, a long each: the likeness above the slot. Of equal likeness, slots ascend. */
  candidates: usize;
  /** The buffer where they are put in order: the most alike first, of equals the newest. */
  sorted: usize;
}

const GROUP_BYTES: i32 = offsetof<Group>();
const newestGroup: Group = changetype<Group>(memory.data(GROUP_BYTES, 8));
const otherGroup: Group = changetype<Group>(memory.data(GROUP_BYTES, 8));
const newestCandidates: usize = memory.data(BUFFER_BYTES, BUFFER_ALIGN);
const otherCandidates: usize = memory.data(BUFFER_BYTES, BUFFER_ALIGN);
const newestSorted: usize = memory.data(BUFFER_BYTES, BUFFER_ALIGN);
const otherSorted: usize = memory.data(BUFFER_BYTES, BUFFER_ALIGN);

/** A word for each likeness, while candidates are put in order: how many have it, and then where the next one goes. */
const levels: usize = memory.data(BUFFER_BYTES, BUFFER_ALIGN);
const LEVELS_BYTES: usize = (<usize>MOST_LIKENESS + 1) << 2;

/** The models that are heard, in the same order. */
const heard: usize = memory.data(BUFFER_BYTES, BUFFER_ALIGN);

let greatest: u32 = 0;
let symbols: u32 = 0;

/** Begins without candidates. {@link endHeard} must follow. */
export function beginHeard(): void {
  begin(newestGroup, MOST_NEWEST, newestCandidates, newestSorted);
  begin(otherGroup, MOST_OTHERS, otherCandidates, otherSorted);
  symbols = 0;
}

/** Takes a model that speaks for a candidate if it is alike enough; slots must ascend. @param entry its likeness, with {@link NEWEST} */
export function takeSpeaker(entry: u32, slot: u32): void {
  const group = (entry & NEWEST) !== 0 ? newestGroup : otherGroup;
  const likeness = entry & MOST_LIKENESS;
  if (likeness < group.least) {
    return;
  }
  if (group.count === ROOM) {
    makeRoom(group);
  }
  store<u64>(longAt(group.candidates, group.count++), ((<u64>likeness) << 32) | <u64>slot);
}

/** The least likeness of a candidate that holds a symbol of the newest event. */
export function leastNewest(): u32 {
  return newestGroup.least;
}

/** The same for one that does not. */
export function leastOther(): u32 {
  return otherGroup.least;
}

/** Chooses from the candidates. @param most the greatest likeness of a model that speaks */
export function endHeard(most: u32): void {
  greatest = most;
  otherGroup.least = max(otherGroup.least, most < SPREAD ? 1 : most - SPREAD + 1);
  const newest = chooseFrom(newestGroup);
  const others = chooseFrom(otherGroup);
  merge(newest, others);
}

/** How many models are heard. */
export function heardCount(): u32 {
  return <u32>(buffer.size(heard) >> 3);
}

/** The slot of one of them: the most alike come first, of equals the newest. */
export function heardSlot(at: u32): u32 {
  return <u32>load<u64>(longAt(heard, at));
}

/** How many symbols they have together. */
export function heardSymbols(): u32 {
  return symbols;
}

/** The weight of one of them, a whole number of at most 2^20; 0 for one that is not alike enough. */
export function heardWeight(at: u32): u32 {
  const less = greatest - likenessIn(load<u64>(longAt(heard, at)));
  return less >= SPREAD ? 0 : eighthOf(less % LIKENESS_STEPS) >> (less / LIKENESS_STEPS);
}

/** 2 to the power of 20 − n / 8, rounded down. */
function eighthOf(n: u32): u32 {
  switch (n) {
    case 0:
      return 1_048_576;
    case 1:
      return 961_548;
    case 2:
      return 881_743;
    case 3:
      return 808_562;
    case 4:
      return 741_455;
    case 5:
      return 679_917;
    case 6:
      return 623_487;
    default:
      return 571_740;
  }
}

function longAt(list: usize, at: u32): usize {
  return buffer.start(list) + ((<usize>at) << 3);
}

function likenessIn(candidate: u64): u32 {
  return <u32>(candidate >> 32);
}

function levelOf(candidate: u64): usize {
  return buffer.start(levels) + ((<usize>likenessIn(candidate)) << 2);
}

function begin(group: Group, most: u32, candidates: usize, sorted: usize): void {
  buffer.fit(candidates, (<usize>ROOM) << 3);
  buffer.fit(sorted, (<usize>ROOM) << 3);
  group.count = 0;
  group.least = 1;
  group.most = most;
  group.candidates = candidates;
  group.sorted = sorted;
}

/** Keeps only the best candidates. */
function makeRoom(group: Group): void {
  const candidates = group.candidates;
  const kept = min(sort(group), group.most);
  for (let at: u32 = 0; at < kept; at++) {
    store<u64>(longAt(candidates, kept - 1 - at), load<u64>(longAt(group.sorted, at)));
  }
  group.count = kept;
  group.least = likenessIn(load<u64>(longAt(candidates, 0)));
}

/** Puts the candidates that are alike enough in order; returns how many they are. */
function sort(group: Group): u32 {
  const candidates = group.candidates;
  const sorted = group.sorted;
  buffer.truncate(levels, 0);
  buffer.appendZeros(levels, LEVELS_BYTES);
  for (let at: u32 = 0; at < group.count; at++) {
    const level = levelOf(load<u64>(longAt(candidates, at)));
    store<u32>(level, load<u32>(level) + 1);
  }
  let count: u32 = 0;
  for (let likeness = MOST_LIKENESS; likeness >= group.least; likeness--) {
    const level = buffer.start(levels) + ((<usize>likeness) << 2);
    const more = load<u32>(level);
    store<u32>(level, count);
    count += more;
  }
  for (let at = group.count; at > 0; at--) {
    const candidate = load<u64>(longAt(candidates, at - 1));
    if (likenessIn(candidate) >= group.least) {
      const level = levelOf(candidate);
      store<u64>(longAt(sorted, load<u32>(level)), candidate);
      store<u32>(level, load<u32>(level) + 1);
    }
  }
  return count;
}

/** Puts a group in order; returns how many of it are heard. */
function chooseFrom(group: Group): u32 {
  const most = min(sort(group), group.most);
  let together: u32 = 0;
  let chosen: u32 = 0;
  while (chosen < most) {
    const slot = <u32>load<u64>(longAt(group.sorted, chosen));
    const length = lengthAt(segmentOf(slot), placeOf(slot));
    if (chosen > 0 && together + length > MOST_SYMBOLS) {
      break;
    }
    together += length;
    chosen++;
  }
  symbols += together;
  return chosen;
}

/** Lists the first of both groups in one order. */
function merge(newest: u32, others: u32): void {
  const bytes = (<usize>(newest + others)) << 3;
  buffer.fit(heard, bytes);
  let one: u32 = 0;
  let other: u32 = 0;
  for (let at: u32 = 0; at < newest + others; at++) {
    const isOther =
      one === newest ||
      (other < others && load<u64>(longAt(otherSorted, other)) > load<u64>(longAt(newestSorted, one)));
    store<u64>(longAt(heard, at), load<u64>(isOther ? longAt(otherSorted, other++) : longAt(newestSorted, one++)));
  }
}
