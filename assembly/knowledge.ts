/** Corpus, postings and symbols changed together, so that they always agree. Packing makes removed models' memory free again. */

import { fits } from "./arena";
import * as column from "./column";
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
import { ABSENT, DONE, EXHAUSTED } from "./layout";
import { clearPostings, forgetPostings, post, postingGrowthBytes } from "./postings";
import {
  COUNT,
  DESCRIPTOR_BYTES,
  eventLength,
  eventStart,
  frequencyAt,
  idAt,
  symbolAt,
  symbolStart,
  takeSegments,
} from "./segment";
import { countTable, forgetSymbols, knowSymbols, symbolEnd, symbolGrowthBytes } from "./symbols";

/** Fewer dead models than this are never worth packing for. */
const FEW_DEAD: u32 = 1024;

/** The segments being packed, and one model on its way from one to another. */
const oldSegments: usize = memory.data(12, 8);
const carried: usize = memory.data(12, 8);

/** Adds a model whose symbols and then event lengths are words from `input` on. */
export function addModel(id: f64, frequency: f64, input: usize, symbolCount: u32, eventCount: u32, end: u32): u32 {
  if (!hasRoom(input, symbolCount, eventCount, end)) {
    if (deadModels() === 0) {
      return EXHAUSTED;
    }
    pack();
    if (!hasRoom(input, symbolCount, eventCount, end)) {
      return EXHAUSTED;
    }
  }
  knowSymbols(end);
  postModel(appendModel(id, frequency, input, symbolCount, eventCount), input, symbolCount);
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

function hasRoom(input: usize, symbolCount: u32, eventCount: u32, end: u32): bool {
  let bytes = modelGrowthBytes(symbolCount, eventCount, end) + symbolGrowthBytes(end);
  for (let at: u32 = 0; at < symbolCount; at++) {
    bytes += growthOf(load<u32>(input + ((<usize>at) << 2)));
  }
  return fits(bytes);
}

function growthOf(symbol: u32): usize {
  return symbol < symbolEnd() ? postingGrowthBytes(symbol) : 32;
}

/** Posts each distinct symbol once, with how often it occurs. */
function postModel(slot: u32, symbols: usize, count: u32): void {
  const counts = countTable();
  for (let at: u32 = 0; at < count; at++) {
    const entry = counts + ((<usize>load<u32>(symbols + ((<usize>at) << 2))) << 2);
    store<u32>(entry, load<u32>(entry) + 1);
  }
  for (let at: u32 = 0; at < count; at++) {
    const symbol = load<u32>(symbols + ((<usize>at) << 2));
    const entry = counts + ((<usize>symbol) << 2);
    const times = load<u32>(entry);
    if (times !== 0) {
      post(symbol, slot, times);
      store<u32>(entry, 0);
    }
  }
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
  column.cut(carried, 0);
  const symbolCount = symbolStart(segment, place + 1) - symbolStart(segment, place);
  const eventCount = eventStart(segment, place + 1) - eventStart(segment, place);
  let to = column.append(carried, (<usize>(symbolCount + eventCount)) << 2);
  for (let at: u32 = 0; at < symbolCount; at++, to += 4) {
    store<u32>(to, symbolAt(segment, symbolStart(segment, place) + at));
  }
  for (let at: u32 = 0; at < eventCount; at++, to += 4) {
    store<u32>(to, eventLength(segment, eventStart(segment, place) + at));
  }
  const input = column.start(carried);
  postModel(
    appendModel(idAt(segment, place), frequencyAt(segment, place), input, symbolCount, eventCount),
    input,
    symbolCount,
  );
}
