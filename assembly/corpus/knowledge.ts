/**
 * Changes corpus, postings and symbols together, so that they always agree. Packing frees the memory of removed models.
 */

import { inputStart } from "../abi/input";
import { ABSENT, DONE, EXHAUSTED } from "../abi/layout";
import { fits, fitsAlready } from "../memory/arena";
import * as buffer from "../memory/buffer";
import { BUFFER_ALIGN, BUFFER_BYTES } from "../memory/buffer";
import { OLD_SEGMENTS } from "../memory/tenant";
import {
  appendModel,
  changeFrequency,
  deadModels,
  forgetModels,
  killModel,
  liveModels,
  modelGrowthBytes,
  releaseSegment,
  restartModels,
  slotOf,
} from "./corpus";
import {
  incomingEnd,
  incomingEvents,
  incomingLengths,
  incomingStart,
  incomingSymbol,
  incomingSymbols,
  setIncoming,
} from "./incoming";
import { clearPostings, forgetPostings, LARGEST_CHUNK, post, postingGrowthBytes } from "./postings";
import {
  copySymbols,
  eventLength,
  eventStart,
  eventsAt,
  frequencyAt,
  idAt,
  lengthAt,
  SEGMENT_BYTES,
  Segment,
  symbolStart,
  takeSegments,
} from "./segment";
import { changeSlots } from "./slot-changes";
import {
  copyFirstFrequencies,
  countTable,
  forgetSymbols,
  knowSymbols,
  setFrequencyOf,
  symbolEnd,
  symbolGrowthBytes,
} from "./symbols";

/** Packing is not worth it for fewer dead models than this. */
const MIN_DEAD_TO_PACK: u32 = 1024;
/** Maximum bytes of a symbol's first entry. */
const SMALLEST_CHUNK: usize = 32;

/** One model in transit from an old segment to a new one. */
const carried: usize = memory.data(BUFFER_BYTES, BUFFER_ALIGN);

/** Adds a model. Its symbols and then its event lengths are words in the input. */
export function addModel(id: f64, frequency: f64, symbolCount: u32, eventCount: u32): u32 {
  const symbols = inputStart();
  setIncoming(symbols, symbolCount, symbols + ((<usize>symbolCount) << 2), eventCount);
  return add(id, frequency);
}

/**
 * Adds `count` models with `symbolCount` symbols in all. Their columns follow each other in the input: ids and
 * frequencies (doubles), symbol counts, event counts, symbols, event lengths (words). Returns how many were added
 * before the budget was used up.
 */
export function addModels(count: u32, symbolCount: u32): u32 {
  const ids = inputStart();
  const frequencies = ids + ((<usize>count) << 3);
  const symbolCounts = frequencies + ((<usize>count) << 3);
  const eventCounts = symbolCounts + ((<usize>count) << 2);
  let symbols = eventCounts + ((<usize>count) << 2);
  let lengths = symbols + ((<usize>symbolCount) << 2);
  for (let at: usize = 0; at < <usize>count; at++) {
    const ownSymbols = load<u32>(symbolCounts + (at << 2));
    const ownEvents = load<u32>(eventCounts + (at << 2));
    setIncoming(symbols, ownSymbols, lengths, ownEvents);
    if (add(load<f64>(ids + (at << 3)), load<f64>(frequencies + (at << 3))) !== DONE) {
      return <u32>at;
    }
    symbols += (<usize>ownSymbols) << 2;
    lengths += (<usize>ownEvents) << 2;
  }
  return count;
}

/** Removes the model with this id. Packs when more than half of all slots belong to removed models. */
export function removeModel(id: f64): u32 {
  const slot = slotOf(id);
  if (slot < 0) {
    return ABSENT;
  }
  killModel(slot);
  if (deadModels() > max(MIN_DEAD_TO_PACK, liveModels())) {
    pack();
  }
  return DONE;
}

/** Sets the frequency of the model with this id, 1 or more. */
export function setFrequency(id: f64, frequency: f64): u32 {
  const slot = slotOf(id);
  if (slot < 0) {
    return ABSENT;
  }
  changeFrequency(slot, frequency);
  return DONE;
}

/** Sets how often a symbol occurs. */
export function setSymbolFrequency(symbol: u32, frequency: f64): u32 {
  if (!fits(symbolGrowthBytes(symbol + 1))) {
    return EXHAUSTED;
  }
  knowSymbols(symbol + 1);
  setFrequencyOf(symbol, frequency);
  return DONE;
}

/**
 * Sets how often each of the symbols from 0 on occurs: `count` doubles in the input. Changes nothing if not all fit.
 */
export function setFirstFrequencies(count: u32): u32 {
  if (!fits(symbolGrowthBytes(count))) {
    return EXHAUSTED;
  }
  knowSymbols(count);
  copyFirstFrequencies(inputStart(), count);
  return DONE;
}

/** Forgets all models and symbols. */
export function clearModels(): void {
  changeSlots();
  forgetModels();
  forgetPostings();
  forgetSymbols();
}

/** Adds the incoming model. If there is no room, it first frees the memory of removed models. */
function add(id: f64, frequency: f64): u32 {
  if (!hasRoom()) {
    if (deadModels() === 0) {
      return EXHAUSTED;
    }
    packAroundIncoming();
    if (!hasRoom()) {
      return EXHAUSTED;
    }
  }
  addIncoming(id, frequency);
  return DONE;
}

/** Whether the budget allows the incoming model. The first test is coarse but does not read the postings. */
function hasRoom(): bool {
  const count = incomingSymbols();
  const bytes = modelGrowthBytes() + symbolGrowthBytes(incomingEnd());
  if (fitsAlready(bytes + <usize>count * LARGEST_CHUNK)) {
    return true;
  }
  let chunks: usize = 0;
  for (let at: u32 = 0; at < count; at++) {
    const symbol = incomingSymbol(at);
    chunks += symbol < symbolEnd() ? postingGrowthBytes(symbol) : SMALLEST_CHUNK;
  }
  return fits(bytes + chunks);
}

function addIncoming(id: f64, frequency: f64): void {
  knowSymbols(incomingEnd());
  postIncoming(appendModel(id, frequency));
}

/** Posts each distinct symbol once, with its count. */
function postIncoming(slot: u32): void {
  const counts = countTable();
  for (let at: u32 = 0; at < incomingSymbols(); at++) {
    const entry = counts + ((<usize>incomingSymbol(at)) << 2);
    store<u32>(entry, load<u32>(entry) + 1);
  }
  for (let at: u32 = 0; at < incomingSymbols(); at++) {
    const symbol = incomingSymbol(at);
    const entry = counts + ((<usize>symbol) << 2);
    const times = load<u32>(entry);
    if (times !== 0) {
      post(symbol, slot, times);
      store<u32>(entry, 0);
    }
  }
}

/** Packs, and restores the incoming model afterwards. */
function packAroundIncoming(): void {
  const symbols = incomingStart();
  const symbolCount = incomingSymbols();
  const lengths = incomingLengths();
  const eventCount = incomingEvents();
  pack();
  setIncoming(symbols, symbolCount, lengths, eventCount);
}

/** Adds all live models again, segment by segment. Each old segment is freed once its models are carried over. */
function pack(): void {
  changeSlots();
  clearPostings();
  restartModels();
  takeSegments();
  const end = buffer.start(OLD_SEGMENTS) + buffer.size(OLD_SEGMENTS);
  for (let at = buffer.start(OLD_SEGMENTS); at < end; at += SEGMENT_BYTES) {
    const segment = changetype<Segment>(at);
    for (let place: u32 = 0; place < segment.count; place++) {
      if (frequencyAt(segment, place) > 0) {
        carry(segment, place);
      }
    }
    releaseSegment(segment);
  }
  buffer.free(OLD_SEGMENTS);
}

function carry(segment: Segment, place: u32): void {
  const symbolCount = lengthAt(segment, place);
  const eventCount = eventsAt(segment, place);
  buffer.ensure(carried, (<usize>(symbolCount + eventCount)) << 2);
  const lengths = copySymbols(segment, symbolStart(segment, place), symbolCount, buffer.start(carried));
  for (let at: u32 = 0; at < eventCount; at++) {
    store<u32>(lengths + ((<usize>at) << 2), eventLength(segment, eventStart(segment, place) + at));
  }
  setIncoming(buffer.start(carried), symbolCount, lengths, eventCount);
  addIncoming(idAt(segment, place), frequencyAt(segment, place));
}
