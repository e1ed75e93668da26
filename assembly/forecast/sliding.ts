/**
 * The entries of models that are mostly windows: each window has a symbol that the one before lacks, and lacks one that
 * that has, so two symbols are read for a model, and not the postings of all symbols of the context. For contexts whose
 * events hold one symbol each.
 */

import { SEGMENT_SLOTS, Segment, segmentAt, segmentCount, symbolAddress, symbolStart } from "../corpus/segment";
import { classTable } from "../corpus/symbols";
import { runCount, runStart } from "../corpus/window-runs";
import { BYTES, HALVES } from "../memory/narrow";
import { CONTEXT_EVENTS, contextEvents, holdersOf, knownCount, knownSymbol, singleEvents } from "./context";
import { SHARED_SHIFT, weightOf } from "./holders";

/** Minimum number of models for each run: with fewer, postings are as fast. */
const MIN_RUN: u32 = 4;

/** The place of symbols that the context lacks in the tables below. */
const LACKED: u32 = CONTEXT_EVENTS;
/** A word for the newest event that holds each symbol of the context: what the symbol adds to an entry. */
const additions: usize = memory.data((CONTEXT_EVENTS + 1) << 2, 4);
/** A word for each of them: how often the window holds the symbol. */
const counts: usize = memory.data((CONTEXT_EVENTS + 1) << 2, 4);

/**
 * Whether entries can be added up so, and it is worth it. Runs are found, and the sum of all weights is not above what an
 * entry can hold.
 */
export function canSlide(): bool {
  const slots = segmentCount() * SEGMENT_SLOTS;
  return runCount() * MIN_RUN <= slots && singleEvents() === (1 << contextEvents()) - 1;
}

/** Adds up all entries. @param to address of the entries, all zeros @param modelFrequencies their sum over all models */
export function slideOverAll(to: usize, modelFrequencies: f64): void {
  memory.fill(additions, 0, (CONTEXT_EVENTS + 1) << 2);
  for (let number: u32 = 0; number < knownCount(); number++) {
    const symbol = knownSymbol(number);
    const holders = holdersOf(symbol);
    store<u32>(
      additions + ((<usize>ctz(holders)) << 2),
      weightOf(symbol, modelFrequencies) | (holders << SHARED_SHIFT),
    );
  }
  for (let number: u32 = 0; number < segmentCount(); number++) {
    const segment = segmentAt(number);
    const own = to + ((<usize>(number * SEGMENT_SLOTS)) << 2);
    const shift: u32 = segment.symbolShift;
    if (shift === BYTES) {
      slideOver<u8>(segment, number * SEGMENT_SLOTS, own);
    } else if (shift === HALVES) {
      slideOver<u16>(segment, number * SEGMENT_SLOTS, own);
    } else {
      slideOver<u32>(segment, number * SEGMENT_SLOTS, own);
    }
  }
}

function slideOver<T>(segment: Segment, base: u32, to: usize): void {
  const classes = classTable();
  let from: usize = 0;
  let bytes: usize = 0;
  let entry: u32 = 0;
  for (let place: u32 = 0; place < segment.count; place++) {
    if (runStart(base + place) === place) {
      from = symbolAddress(segment, symbolStart(segment, place));
      bytes = symbolAddress(segment, symbolStart(segment, place + 1)) - from;
      entry = 0;
      memory.fill(counts, 0, (CONTEXT_EVENTS + 1) << 2);
      for (let at = from; at < from + bytes; at += sizeof<T>()) {
        entry += entering(classes, <u32>load<T>(at));
      }
    } else {
      entry -= leaving(classes, <u32>load<T>(from));
      from += bytes;
      entry += entering(classes, <u32>load<T>(from + bytes - sizeof<T>()));
    }
    store<u32>(to + ((<usize>place) << 2), entry);
  }
}

/** Counts a symbol that a window has got; returns what that adds to its entry. */
function entering(classes: usize, symbol: u32): u32 {
  const place = placeOf(classes, symbol);
  const before = load<u32>(counts + place);
  store<u32>(counts + place, before + 1);
  return before === 0 ? load<u32>(additions + place) : 0;
}

/** Counts a symbol that a window no longer has; returns what that takes from its entry. */
function leaving(classes: usize, symbol: u32): u32 {
  const place = placeOf(classes, symbol);
  const left = load<u32>(counts + place) - 1;
  store<u32>(counts + place, left);
  return left === 0 ? load<u32>(additions + place) : 0;
}

/** The place of a symbol in the tables, in bytes. */
function placeOf(classes: usize, symbol: u32): usize {
  const holders = load<u32>(classes + ((<usize>symbol) << 2));
  return (<usize>ctz(holders | (1 << LACKED))) << 2;
}
