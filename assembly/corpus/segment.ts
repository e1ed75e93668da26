/**
 * A segment: up to 1,024 models as columns, described by one descriptor. The last segment is open and wide; sealing it
 * copies its columns into one block, each as narrow as its numbers allow. Owns the descriptors, and the code that reads
 * a slot.
 */

import * as buffer from "../memory/buffer";
import { greatestByte } from "../memory/lanes";
import { BYTES, copyWords, DOUBLES, readNumber, readWord } from "../memory/narrow";
import { OLD_SEGMENTS, SEGMENTS } from "../memory/tenant";

/** Slots of a segment. A slot is its segment's number times this, plus its place in the segment. */
export const SEGMENT_SLOTS: u32 = 1024;
/** Number of bits of a slot that give its place. */
export const SLOT_BITS: u32 = 10;
const PLACE_MASK: u32 = SEGMENT_SLOTS - 1;

/** A descriptor: for each column its address and its width as a shift, and properties of all models of the segment. */
@unmanaged
export class Segment {
  /** The ids column holds ids minus this. */
  idBase: f64;
  ids: usize;
  frequencies: usize;
  /** Where each model's symbols start, counted in symbols; one more entry closes the last model. */
  symbolStarts: usize;
  symbols: usize;
  /** Where each model's event lengths start; one more entry closes the last model. */
  eventStarts: usize;
  events: usize;
  idShift: u8;
  frequencyShift: u8;
  symbolStartShift: u8;
  symbolShift: u8;
  eventStartShift: u8;
  eventShift: u8;
  /** Number of used slots, including removed models. */
  count: u32;
  /** Symbols of the shortest model, including removed models. */
  shortestModel: u32;
  /** Symbols of the shortest event, including removed models. */
  shortestEvent: u32;
  /** The block of a sealed segment, and its bytes; 0 for an open one. Frequencies have a block of their own. */
  block: usize;
  blockBytes: u32;
}

/** Bytes of a descriptor, a multiple of 8. */
export const SEGMENT_BYTES: usize = (offsetof<Segment>() + 7) & ~7;

/** Number of segments. */
export function segmentCount(): u32 {
  return <u32>(buffer.size(SEGMENTS) / SEGMENT_BYTES);
}

/** The descriptor of a segment. It moves when a segment is added. */
export function segmentAt(number: u32): Segment {
  return changetype<Segment>(buffer.start(SEGMENTS) + <usize>number * SEGMENT_BYTES);
}

/** New bytes needed for one more descriptor. */
export function segmentGrowthBytes(): usize {
  return buffer.growthBytes(SEGMENTS, SEGMENT_BYTES);
}

/** Adds an empty, open segment. */
export function addSegment(): void {
  const segment = changetype<Segment>(buffer.appendZeros(SEGMENTS, SEGMENT_BYTES));
  segment.shortestModel = u32.MAX_VALUE;
  segment.shortestEvent = u32.MAX_VALUE;
}

/**
 * Moves all descriptors to {@link OLD_SEGMENTS}, which is empty, so that the caller can read the old
 * segments while it adds new ones.
 */
export function takeSegments(): void {
  buffer.move(SEGMENTS, OLD_SEGMENTS);
}

/** Forgets all descriptors. */
export function forgetSegments(): void {
  buffer.free(SEGMENTS);
}

/** The descriptor of the segment that holds a slot. */
export function segmentOf(slot: u32): Segment {
  return segmentAt(slot >> SLOT_BITS);
}

/** A slot's place in its segment. */
export function placeOf(slot: u32): u32 {
  return slot & PLACE_MASK;
}

/** The id of the model at a place. */
export function idAt(segment: Segment, place: u32): f64 {
  return segment.idBase + readNumber(segment.ids, segment.idShift, place);
}

/** The frequency of the model at a place; 0 for a removed one. */
export function frequencyAt(segment: Segment, place: u32): f64 {
  return readNumber(segment.frequencies, segment.frequencyShift, place);
}

/** The greatest frequency of a segment's models; more than any has where it takes long to find out. */
export function greatestFrequency(segment: Segment): f64 {
  const shift: u32 = segment.frequencyShift;
  const frequencies = segment.frequencies;
  const count = segment.count;
  if (shift === BYTES) {
    let most = i8x16.splat(0);
    let place: u32 = 0;
    for (; place + 16 <= count; place += 16) {
      most = i8x16.max_u(most, v128.load(frequencies + <usize>place));
    }
    let greatest = greatestByte(most);
    for (; place < count; place++) {
      greatest = max(greatest, <u32>load<u8>(frequencies + <usize>place));
    }
    return <f64>greatest;
  }
  if (shift !== DOUBLES) {
    return Infinity;
  }
  let greatest: f64 = 0;
  for (let place: u32 = 0; place < count; place++) {
    greatest = max(greatest, load<f64>(frequencies + ((<usize>place) << DOUBLES)));
  }
  return greatest;
}

/** {@link frequencyAt} as a whole number, at most `most`. */
export function frequencyUpTo(segment: Segment, place: u32, most: u32): u32 {
  const shift: u32 = segment.frequencyShift;
  const frequencies = segment.frequencies;
  return shift === DOUBLES
    ? <u32>min(load<f64>(frequencies + ((<usize>place) << DOUBLES)), <f64>most)
    : min(readWord(frequencies, shift, place), most);
}

/** Where the model's symbols start, counted in symbols. */
export function symbolStart(segment: Segment, place: u32): u32 {
  return readWord(segment.symbolStarts, segment.symbolStartShift, place);
}

/** Number of symbols of the model. */
export function lengthAt(segment: Segment, place: u32): u32 {
  return symbolStart(segment, place + 1) - symbolStart(segment, place);
}

/** The symbol at a position, counted from the segment's first symbol. */
export function symbolAt(segment: Segment, position: u32): u32 {
  return readWord(segment.symbols, segment.symbolShift, position);
}

/** The address of the symbol at a position, counted from the segment's first symbol. */
export function symbolAddress(segment: Segment, position: u32): usize {
  return segment.symbols + ((<usize>position) << segment.symbolShift);
}

/** Copies `count` symbols, beginning at a position of the segment, to words; returns the address after them. */
export function copySymbols(segment: Segment, position: u32, count: u32, to: usize): usize {
  return copyWords(segment.symbols, segment.symbolShift, position, count, to);
}

/** Where the model's event lengths start. */
export function eventStart(segment: Segment, place: u32): u32 {
  return readWord(segment.eventStarts, segment.eventStartShift, place);
}

/** Number of symbols of an event, whose position counts from the segment's first event. */
export function eventLength(segment: Segment, position: u32): u32 {
  return readWord(segment.events, segment.eventShift, position);
}

/** Number of events of the model. */
export function eventsAt(segment: Segment, place: u32): u32 {
  return eventStart(segment, place + 1) - eventStart(segment, place);
}
