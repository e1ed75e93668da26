/** Corpus, postings and symbols changed together, so that they always agree. Packing makes removed models' memory free again. */

import { ABSENT, DONE, EXHAUSTED } from "../abi/layout";
import { fits, fitsAlready } from "../memory/arena";
import * as column from "../memory/buffer";
import {
  appendModel,
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
  bring,
  incomingEnd,
  incomingEvents,
  incomingLengths,
  incomingStart,
  incomingSymbol,
  incomingSymbols,
} from "./incoming";
import { clearPostings, forgetPostings, LARGEST_CHUNK, post, postingGrowthBytes } from "./postings";
import {
  COUNT,
  copySymbols,
  DESCRIPTOR_BYTES,
  eventLength,
  eventStart,
  frequencyAt,
  idAt,
  symbolStart,
  takeSegments,
} from "./segment";
import { countTable, forgetSymbols, knowSymbols, symbolEnd, symbolGrowthBytes } from "./symbols";

/** Fewer dead models than this are never worth packing for. */
const FEW_DEAD: u32 = 1024;
/** What the first entry of a symbol may need. */
const SMALLEST_CHUNK: usize = 32;

/** The segments being packed, and one model on its way from one to another. */
const oldSegments: usize = memory.data(12, 8);
const carried: usize = memory.data(12, 8);

/** Adds the incoming model. When it does not fit, the memory of removed models is made free first. */
export function addModel(id: f64, frequency: f64): u32 {
  if (!hasRoom()) {
    if (deadModels() === 0) {
      return EXHAUSTED;
    }
    packAround();
    if (!hasRoom()) {
      return EXHAUSTED;
    }
  }
  addIncoming(id, frequency);
  return DONE;
}

/** Removes the model with this id; packs when more than half of all slots are dead. */
export function removeModel(id: f64): u32 {
  const slot = slotOf(id);
  if (slot < 0) {
    return ABSENT;
  }
  killModel(slot);
  if (deadModels() > max(FEW_DEAD, liveModels())) {
    pack();
  }
  return DONE;
}

/** Forgets all models and symbols. */
export function clearKnowledge(): void {
  forgetModels();
  forgetPostings();
  forgetSymbols();
}

/** Whether the budget allows the incoming model. What it needs at most is compared first, because that takes no look at postings. */
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

/** Posts each distinct symbol once, with how often it occurs. */
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

/** Packs while a model is on its way in, and leaves it so. */
function packAround(): void {
  const symbols = incomingStart();
  const symbolCount = incomingSymbols();
  const lengths = incomingLengths();
  const eventCount = incomingEvents();
  pack();
  bring(symbols, symbolCount, lengths, eventCount);
}

/** Adds all live models anew, segment by segment, each old segment being given back once its models are carried over. */
function pack(): void {
  clearPostings();
  restartModels();
  takeSegments(oldSegments);
  const end = column.start(oldSegments) + column.size(oldSegments);
  for (let segment = column.start(oldSegments); segment < end; segment += DESCRIPTOR_BYTES) {
    const count = load<u32>(segment, COUNT);
    for (let place: u32 = 0; place < count; place++) {
      if (frequencyAt(segment, place) > 0) {
        carry(segment, place);
      }
    }
    releaseSegment(segment);
  }
  column.drop(oldSegments);
}

function carry(segment: usize, place: u32): void {
  const symbolCount = symbolStart(segment, place + 1) - symbolStart(segment, place);
  const eventCount = eventStart(segment, place + 1) - eventStart(segment, place);
  column.hold(carried, (<usize>(symbolCount + eventCount)) << 2);
  const lengths = copySymbols(segment, symbolStart(segment, place), symbolCount, column.start(carried));
  for (let at: u32 = 0; at < eventCount; at++) {
    store<u32>(lengths + ((<usize>at) << 2), eventLength(segment, eventStart(segment, place) + at));
  }
  bring(column.start(carried), symbolCount, lengths, eventCount);
  addIncoming(idAt(segment, place), frequencyAt(segment, place));
}
