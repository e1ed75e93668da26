/**
 * A segment: up to 1,024 models as columns, described by one descriptor. The last segment is open and wide; sealing it copies its
 * columns into one block, each as narrow as its numbers allow. Owns the descriptors and how a slot is read.
 */

import * as column from "../memory/buffer";
import { copyWords, DOUBLES, readNumber, readWord } from "../memory/narrow";

/** Slots of a segment; a slot is its segment's number times this plus its place. */
export const SEGMENT_SLOTS: u32 = 1024;
export const SLOT_BITS: u32 = 10;
const PLACE_MASK: u32 = 1023;

/** Offsets inside a descriptor. Columns: an address at the offset, and its shift at the same place of the shifts. */
export const ID_BASE: usize = 0;
export const IDS: usize = 8;
export const FREQUENCIES: usize = 12;
/** Where each model's symbols start; one more closes the last. */
export const SYMBOL_STARTS: usize = 16;
export const SYMBOLS: usize = 20;
/** Where each model's event lengths start; one more closes the last. */
export const EVENT_STARTS: usize = 24;
export const EVENTS: usize = 28;
export const ID_SHIFT: usize = 32;
export const FREQUENCY_SHIFT: usize = 33;
export const SYMBOL_START_SHIFT: usize = 34;
export const SYMBOL_SHIFT: usize = 35;
export const EVENT_START_SHIFT: usize = 36;
export const EVENT_SHIFT: usize = 37;
/** How many slots are used, removed models counted. */
export const COUNT: usize = 40;
/** Symbols of the shortest model and of the shortest event, models since removed counted. */
export const SHORTEST_MODEL: usize = 44;
export const SHORTEST_EVENT: usize = 48;
/** The block of a sealed segment, and its bytes; 0 of an open one. Frequencies have a block of their own. */
export const BLOCK: usize = 52;
export const BLOCK_BYTES: usize = 56;
export const DESCRIPTOR_BYTES: usize = 64;

const descriptors: usize = memory.data(12, 8);

/** How many segments there are. */
export function segmentCount(): u32 {
  return <u32>(column.size(descriptors) / DESCRIPTOR_BYTES);
}

/** The descriptor of a segment; it moves when a segment is added. */
export function segmentAt(number: u32): usize {
  return column.start(descriptors) + <usize>number * DESCRIPTOR_BYTES;
}

/** New bytes needed for one more descriptor. */
export function segmentGrowthBytes(): usize {
  return column.growthBytes(descriptors, DESCRIPTOR_BYTES);
}

/** Adds an empty, open segment. */
export function addSegment(): usize {
  const segment = column.appendZeros(descriptors, DESCRIPTOR_BYTES);
  store<u32>(segment, u32.MAX_VALUE, SHORTEST_MODEL);
  store<u32>(segment, u32.MAX_VALUE, SHORTEST_EVENT);
  return segment;
}

/** Moves all descriptors to a block of the caller's, so that segments can be added anew while the old are read. */
export function takeSegments(into: usize): void {
  column.drop(into);
  column.move(descriptors, into);
}

export function forgetSegments(): void {
  column.drop(descriptors);
}

/** The descriptor of the segment that holds a slot. */
export function segmentOf(slot: u32): usize {
  return segmentAt(slot >> SLOT_BITS);
}

/** A slot's place inside its segment. */
export function placeOf(slot: u32): u32 {
  return slot & PLACE_MASK;
}

/** The id of the model at a place. */
export function idAt(segment: usize, place: u32): f64 {
  return load<f64>(segment, ID_BASE) + readNumber(load<u32>(segment, IDS), load<u8>(segment, ID_SHIFT), place);
}

/** The frequency of the model at a place; 0 for a removed one. */
export function frequencyAt(segment: usize, place: u32): f64 {
  return readNumber(load<u32>(segment, FREQUENCIES), load<u8>(segment, FREQUENCY_SHIFT), place);
}

/** The same as a whole number, or `most` if it is greater. */
export function frequencyUpTo(segment: usize, place: u32, most: u32): u32 {
  const shift = load<u8>(segment, FREQUENCY_SHIFT);
  const column = load<u32>(segment, FREQUENCIES);
  return shift === DOUBLES
    ? <u32>min(load<f64>(<usize>column + ((<usize>place) << DOUBLES)), <f64>most)
    : min(readWord(column, shift, place), most);
}

/** Where the model's symbols start, counted in symbols. */
export function symbolStart(segment: usize, place: u32): u32 {
  return readWord(load<u32>(segment, SYMBOL_STARTS), load<u8>(segment, SYMBOL_START_SHIFT), place);
}

/** How many symbols the model has. */
export function lengthAt(segment: usize, place: u32): u32 {
  return symbolStart(segment, place + 1) - symbolStart(segment, place);
}

/** The symbol at a position counted from the segment's first. */
export function symbolAt(segment: usize, position: u32): u32 {
  return readWord(load<u32>(segment, SYMBOLS), load<u8>(segment, SYMBOL_SHIFT), position);
}

/** Copies the symbols of a model from a position of the segment on to words; answers where the next word goes. */
export function copySymbols(segment: usize, position: u32, count: u32, to: usize): usize {
  return copyWords(load<u32>(segment, SYMBOLS), load<u8>(segment, SYMBOL_SHIFT), position, count, to);
}

/** Where the model's event lengths start. */
export function eventStart(segment: usize, place: u32): u32 {
  return readWord(load<u32>(segment, EVENT_STARTS), load<u8>(segment, EVENT_START_SHIFT), place);
}

/** How many symbols the event at a position has, counted from the segment's first event. */
export function eventLength(segment: usize, position: u32): u32 {
  return readWord(load<u32>(segment, EVENTS), load<u8>(segment, EVENT_SHIFT), position);
}
