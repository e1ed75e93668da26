/**
 * How alike each model is to the context: the sum of the weights of the context's symbols that it holds. Rare symbols weigh more. Owns the
 * sum of each slot, and which models speak.
 */

import { log2 } from "../abi/host";
import { query } from "../abi/layout";
import { postingBytes } from "../corpus/postings";
import { frequencyAt, lengthAt, placeOf, SLOT_BITS, segmentAt, segmentCount, segmentOf } from "../corpus/segment";
import { symbolFrequency } from "../corpus/symbols";
import { holdsTarget } from "../filter/recall";
import { countSteps } from "../match/steps";
import * as buffer from "../memory/buffer";
import { BUFFER_ALIGN, BUFFER_BYTES } from "../memory/buffer";
import { holdersOf, knownCount, knownSymbol } from "./context";
import { beginPostings, NO_SLOT, nextPosting } from "./postings-reader";

/** This bit of a slot's halfword says that the model holds a symbol of the newest event; the others are its likeness. */
const NEWEST: u32 = 0x8000;
/** The greatest likeness; a greater sum reads as this. */
const MOST_LIKENESS: u32 = 0x0fff;
/** A likeness grows by so much when a symbol is half as frequent. */
export const LIKENESS_STEPS: u32 = 8;
/** A model that is so much less alike than the most alike one says nothing of what follows the symbols that it shares. */
const SPREAD: u32 = 10 * LIKENESS_STEPS;

/**
 * So many models at most are heard of those that hold a symbol of the newest event, and so many of the others: from the greatest likeness
 * down, all of one likeness or none, but always those of the greatest.
 */
const MOST_HEARD: u32 = 2048;
/** A word per likeness: how many models have it that hold a symbol of the newest event, and how many others. */
const LEVELS_BYTES: usize = (<usize>MOST_LIKENESS + 1) << 2;
const newestLevels: usize = memory.data(BUFFER_BYTES, BUFFER_ALIGN);
const otherLevels: usize = memory.data(BUFFER_BYTES, BUFFER_ALIGN);

/** A halfword per slot; 0 for a model that says nothing. */
const slots: usize = memory.data(BUFFER_BYTES, BUFFER_ALIGN);

/** A word for each model that is heard: its slot. The most alike come first, of equals the newest. */
const heard: usize = memory.data(BUFFER_BYTES, BUFFER_ALIGN);
/** Per likeness a word, while they are put in order. */
const ends: usize = memory.data(BUFFER_BYTES, BUFFER_ALIGN);

let greatest: u32 = 0;
let heardLength: u32 = 0;
let speakers: u32 = 0;
/** The least likeness of models that are heard. */
let leastNewest: u32 = 0;
let leastOther: u32 = 0;

/** Reads the postings of the context's symbols. @param modelFrequencies of all models together @param excluded a slot that says nothing, or -1 */
export function beginLikeness(modelFrequencies: f64, excluded: i32): void {
  buffer.truncate(slots, 0);
  buffer.appendZeros(slots, (<usize>segmentCount()) << (SLOT_BITS + 1));
  for (let at: u32 = 0; at < knownCount(); at++) {
    const symbol = knownSymbol(at);
    countSteps(<u64>postingBytes(symbol));
    addHolders(symbol, weightOf(symbol, modelFrequencies), (holdersOf(symbol) & 1) !== 0 ? NEWEST : 0);
  }
  if (excluded >= 0 && (<usize>excluded) << 1 < buffer.size(slots)) {
    store<u16>(at(<u32>excluded), 0);
  }
  silence();
  listHeard();
}

/** Forgets the likenesses. */
export function endLikeness(): void {
  buffer.truncate(slots, 0);
}

/** How many models speak. */
export function speakerCount(): u32 {
  return speakers;
}

/** How many models are heard. */
export function heardCount(): u32 {
  return <u32>(buffer.size(heard) >> 2);
}

/** The slot of one of them: the most alike come first, of equals the newest. */
export function heardSlot(at: u32): u32 {
  return load<u32>(buffer.start(heard) + ((<usize>at) << 2));
}

/** How many symbols they have together. */
export function heardSymbols(): u32 {
  return heardLength;
}

/** The end of all slots. */
function slotEnd(): u32 {
  return <u32>(buffer.size(slots) >> 1);
}

/** The first slot from one on whose model speaks; `end` when there is none below it. */
function nextIn(slot: u32, end: u32): u32 {
  const halfwords = buffer.start(slots);
  let next = slot;
  for (; (next & 3) !== 0 && next < end; next++) {
    if (load<u16>(halfwords + ((<usize>next) << 1)) !== 0) {
      return next;
    }
  }
  while (next < end && load<u64>(halfwords + ((<usize>next) << 1)) === 0) {
    next += 4;
  }
  while (next < end && load<u16>(halfwords + ((<usize>next) << 1)) === 0) {
    next++;
  }
  return min(next, end);
}

/** Whether a model is heard. */
function says(slot: u32): bool {
  const entry = <u32>load<u16>(at(slot));
  return (entry & NEWEST) !== 0 ? (entry & MOST_LIKENESS) >= leastNewest : entry >= leastOther;
}

/** The likeness of a model; 0 for one that does not speak. */
function likenessOf(slot: u32): u32 {
  return load<u16>(at(slot)) & MOST_LIKENESS;
}

/** The weight of a model that is alike enough, a whole number of at most 2^20; 0 for others. */
export function weightAt(slot: u32): u32 {
  const less = greatest - likenessOf(slot);
  if (less >= SPREAD || likenessOf(slot) === 0) {
    return 0;
  }
  return eighthOf(less % LIKENESS_STEPS) >> (less / LIKENESS_STEPS);
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

/** 1 for a symbol that is as frequent as models are, and {@link LIKENESS_STEPS} more each time it is half as frequent. */
function weightOf(symbol: u32, modelFrequencies: f64): u32 {
  const ratio = (modelFrequencies + 1) / (min(symbolFrequency(symbol), modelFrequencies) + 1);
  return 1 + <u32>(<f64>LIKENESS_STEPS * log2(ratio) + 0.5);
}

function at(slot: u32): usize {
  return buffer.start(slots) + ((<usize>slot) << 1);
}

/** Adds the weight of a symbol to the models that hold it. */
function addHolders(symbol: u32, weight: u32, newest: u32): void {
  const halfwords = buffer.start(slots);
  beginPostings(symbol);
  for (let slot = nextPosting(); slot !== NO_SLOT; slot = nextPosting()) {
    const halfword = halfwords + ((<usize>slot) << 1);
    const before = <u32>load<u16>(halfword);
    store<u16>(halfword, min((before & MOST_LIKENESS) + weight, MOST_LIKENESS) | (before & NEWEST) | newest);
  }
}

/** Sets removed models and those that the target does not admit to 0; counts the others, and finds which of them are heard. */
function silence(): void {
  greatest = 0;
  speakers = 0;
  for (let number: u32 = 0; number < segmentCount(); number++) {
    const segment = segmentAt(number);
    const base = number << SLOT_BITS;
    const end = base + segment.count;
    for (let slot = nextIn(base, end); slot < end; slot = nextIn(slot + 1, end)) {
      const place = slot - base;
      if (frequencyAt(segment, place) === 0 || (query.hasTarget !== 0 && !holdsTarget(segment, place))) {
        store<u16>(at(slot), 0);
      } else {
        speakers++;
        greatest = max(greatest, likenessOf(slot));
      }
    }
  }
  leastNewest = 1;
  leastOther = 1;
  // All few are heard: then nothing is counted, and no memory is taken for it.
  if (speakers > MOST_HEARD) {
    countLevels();
    leastNewest = leastOf(buffer.start(newestLevels));
    leastOther = leastOf(buffer.start(otherLevels));
  }
  leastOther = max(leastOther, greatest < SPREAD ? 1 : greatest - SPREAD + 1);
}

/** Puts the models that are heard in order. */
function listHeard(): void {
  buffer.truncate(ends, 0);
  const table = buffer.appendZeros(ends, LEVELS_BYTES);
  const end = slotEnd();
  heardLength = 0;
  for (let slot = nextIn(0, end); slot < end; slot = nextIn(slot + 1, end)) {
    if (says(slot)) {
      const level = table + ((<usize>likenessOf(slot)) << 2);
      store<u32>(level, load<u32>(level) + 1);
      heardLength += lengthAt(segmentOf(slot), placeOf(slot));
    }
  }
  let count: u32 = 0;
  for (let likeness = greatest; likeness > 0; likeness--) {
    const level = table + ((<usize>likeness) << 2);
    count += load<u32>(level);
    store<u32>(level, count);
  }
  buffer.ensure(heard, (<usize>count) << 2);
  buffer.truncate(heard, (<usize>count) << 2);
  for (let slot = nextIn(0, end); slot < end; slot = nextIn(slot + 1, end)) {
    if (says(slot)) {
      const level = table + ((<usize>likenessOf(slot)) << 2);
      const place = load<u32>(level) - 1;
      store<u32>(level, place);
      store<u32>(buffer.start(heard) + ((<usize>place) << 2), slot);
    }
  }
}

/** Counts how many of the models that speak have each likeness. */
function countLevels(): void {
  buffer.truncate(newestLevels, 0);
  buffer.truncate(otherLevels, 0);
  const ofNewest = buffer.appendZeros(newestLevels, LEVELS_BYTES);
  const ofOthers = buffer.appendZeros(otherLevels, LEVELS_BYTES);
  const end = slotEnd();
  for (let slot = nextIn(0, end); slot < end; slot = nextIn(slot + 1, end)) {
    const entry = <u32>load<u16>(at(slot));
    const level = ((entry & NEWEST) !== 0 ? ofNewest : ofOthers) + ((<usize>(entry & MOST_LIKENESS)) << 2);
    store<u32>(level, load<u32>(level) + 1);
  }
}

/** The least likeness of the models that are heard, by how many have each. */
function leastOf(levels: usize): u32 {
  let heard: u32 = 0;
  for (let likeness = greatest; likeness > 0; likeness--) {
    const more = load<u32>(levels + ((<usize>likeness) << 2));
    if (heard > 0 && heard + more > MOST_HEARD) {
      return likeness + 1;
    }
    heard += more;
  }
  return 1;
}
