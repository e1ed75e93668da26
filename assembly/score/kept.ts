/**
 * The sums over all models that rule 1 keeps: F, the total of their frequencies, and which of the query's symbols any
 * of them has in its present. (The symbols of a present are its matches and its missing ones, so a symbol in no present
 * is in neither.)
 */

import { firstChunk } from "../corpus/postings";
import { Segment, symbolAt, symbolStart } from "../corpus/segment";
import { classTable, symbolFrequency } from "../corpus/symbols";
import { LANE_POSITIONS } from "../match/lanes";
import { presentFrom, presentTo } from "../match/present";
import { classAt, classBit, classSymbol, queryClasses, queryLength } from "../match/query-sequence";
import { countSteps } from "../match/steps";
import * as buffer from "../memory/buffer";
import { BUFFER_ALIGN, BUFFER_BYTES } from "../memory/buffer";

/**
 * Whether the present of a kept model has the symbol of a class: not seen yet, seen, or never to be seen or irrelevant.
 */
const UNSEEN: u8 = 0;
const SEEN: u8 = 1;
const IRRELEVANT: u8 = 2;
/** A byte for each class. */
const sightings: usize = memory.data(BUFFER_BYTES, BUFFER_ALIGN);

/** Whether kept models are still being counted. */
let counting: bool = false;
let frequencies: f64 = 0;
/** The bits of the classes whose symbols may still be seen. */
let unseenBits: u32 = 0;
/** The unseen symbols as query positions; only those that fit a lane. */
let unseenLane: u32 = 0;

/** Starts counting: no model is kept yet. */
export function beginKept(): void {
  counting = true;
  frequencies = 0;
  buffer.truncate(sightings, 0);
  buffer.appendZeros(sightings, <usize>queryClasses() + 1);
  for (let number: u32 = 1; number <= queryClasses(); number++) {
    const symbol = classSymbol(number);
    if (firstChunk(symbol) === 0 || symbolFrequency(symbol) <= 0) {
      store<u8>(buffer.start(sightings) + <usize>number, IRRELEVANT);
    }
  }
  findUnseen();
}

/**
 * Sets F and the symbols seen in all kernels that keep models, and ends counting.
 * @param seen a word for each position of the query: whether its symbol was seen
 */
export function setKept(sum: f64, seen: usize): void {
  frequencies = sum;
  for (let at: u32 = 0; at < queryLength(); at++) {
    if (classAt(at) !== 0) {
      const sighting: u8 = load<u32>(seen + ((<usize>at) << 2)) !== 0 ? SEEN : IRRELEVANT;
      store<u8>(buffer.start(sightings) + <usize>classAt(at), sighting);
    }
  }
  endKept();
}

/** Ends counting: F and the symbols seen are final. Counting or noting a model again has no effect. */
export function endKept(): void {
  counting = false;
  unseenBits = 0;
  unseenLane = 0;
}

/** Whether kept models are still being counted, so that F and the symbols seen may change. */
export function isCounting(): bool {
  return counting;
}

/** Whether any class in a word of overlaps has a symbol that was not seen in the present of a kept model. */
export function holdsUnseen(word: u32): bool {
  return (word & unseenBits) !== 0;
}

/** Those of the first 16 query positions whose symbol was not seen in the present of a kept model, as bits. */
export function unseenPositions(): u32 {
  return unseenLane;
}

/** Adds the frequency of one or more kept models. */
export function countKept(frequency: f64): void {
  frequencies += counting ? frequency : 0;
}

/** F: the sum of the frequencies of the models kept so far. */
export function keptFrequencies(): f64 {
  return frequencies;
}

/** Notes the query's symbols in the present of a kept model. Call it after finding the present. */
export function notePresent(segment: Segment, place: u32): void {
  if (unseenBits === 0) {
    return;
  }
  countSteps(<u64>queryClasses() + (presentTo() - presentFrom()));
  const start = symbolStart(segment, place);
  for (let at = start + presentFrom(); at < start + presentTo(); at++) {
    const number = load<u32>(classTable() + ((<usize>symbolAt(segment, at)) << 2));
    if (number !== 0) {
      store<u8>(buffer.start(sightings) + <usize>number, SEEN);
    }
  }
  findUnseen();
}

/**
 * Whether the symbol at a position of the query has weight in itfdf similarity: 1 or 0. Final after {@link endKept}.
 */
export function weighs(at: u32): u32 {
  return <u32>(classAt(at) !== 0 && isSeen(classAt(at)));
}

/** Whether the present of a kept model has the symbol of a class. Final after {@link endKept}. */
export function isSeen(number: u32): bool {
  return load<u8>(buffer.start(sightings) + <usize>number) === SEEN;
}

/** Classes share bits, so a bit is clear only when all of its classes were seen. */
function findUnseen(): void {
  unseenBits = 0;
  unseenLane = 0;
  for (let at: u32 = 0; at < min(queryLength(), LANE_POSITIONS); at++) {
    if (classAt(at) !== 0 && load<u8>(buffer.start(sightings) + <usize>classAt(at)) === UNSEEN) {
      unseenLane |= (<u32>1) << at;
    }
  }
  for (let number: u32 = 1; number <= queryClasses(); number++) {
    if (load<u8>(buffer.start(sightings) + <usize>number) === UNSEEN) {
      unseenBits |= classBit(number);
    }
  }
}
