/** The exports of the kernel, and nothing else. Every function that takes symbols or components reads them from the input block. */

import { ABSENT, DONE, EXHAUSTED } from "./abi/layout";
import { addBatch } from "./corpus/batch";
import * as corpus from "./corpus/corpus";
import { bring } from "./corpus/incoming";
import * as knowledge from "./corpus/knowledge";
import * as symbols from "./corpus/symbols";
import * as outcome from "./match/outcome";
import { fits } from "./memory/arena";
import * as column from "./memory/buffer";
import * as prediction from "./query/predict";
import { writeRecords } from "./query/record";
import * as vectors from "./vectors/vectors";

export * from "./abi/layout";
export { query } from "./abi/query";
export { limitSurvivors } from "./filter/survivors";
export { end, setLimit, start } from "./memory/arena";
export { limitPutOff } from "./query/deferred";
export { recordsSize, recordsStart } from "./query/record";

const inputBlock: usize = memory.data(12, 8);

/** Makes room for `bytes` of input and says where; 0 when the budget does not allow it. It stays until the next call. */
export function input(bytes: u32): usize {
  column.cut(inputBlock, 0);
  return fits(column.growthBytes(inputBlock, bytes)) ? column.append(inputBlock, bytes) : 0;
}

/** Makes room for `bytes` of a query's memory and says where, whatever the budget. It stays until the next call. */
export function queryInput(bytes: u32): usize {
  column.cut(inputBlock, 0);
  return column.append(inputBlock, bytes);
}

/** Adds a model: its symbols and then its event lengths are words in the input. */
export function addModel(id: f64, frequency: f64, symbolCount: u32, eventCount: u32): u32 {
  const symbols = column.start(inputBlock);
  bring(symbols, symbolCount, symbols + ((<usize>symbolCount) << 2), eventCount);
  return knowledge.addModel(id, frequency);
}

/**
 * Adds `count` models. In the input are, one column after the other: their ids and their frequencies (doubles), how many symbols and
 * how many events each has, all symbols, and all event lengths (words). Answers how many were added; fewer when the budget is used up.
 */
export function addModels(count: u32, symbolCount: u32): u32 {
  return addBatch(column.start(inputBlock), count, symbolCount);
}

/** Removes the model with this id. */
export function removeModel(id: f64): u32 {
  return knowledge.removeModel(id);
}

/** Sets the frequency of the model with this id, 1 or more. */
export function setFrequency(id: f64, frequency: f64): u32 {
  const slot = corpus.slotOf(id);
  if (slot < 0) {
    return ABSENT;
  }
  corpus.changeFrequency(slot, frequency);
  return DONE;
}

/** Sets how often a symbol occurs. */
export function setSymbolFrequency(symbol: u32, frequency: f64): u32 {
  if (!fits(symbols.symbolGrowthBytes(symbol + 1))) {
    return EXHAUSTED;
  }
  symbols.knowSymbols(symbol + 1);
  symbols.setSymbolFrequency(symbol, frequency);
  return DONE;
}

/** Prepares the answer to the query about the memory in the input; answers how many predictions there are. */
export function predict(): u32 {
  return prediction.predict(column.start(inputBlock));
}

/** Whether there would be any prediction; 1 or 0. */
export function predictsAny(): u32 {
  return <u32>prediction.predictsAny(column.start(inputBlock));
}

/** Writes the records of the predictions from a place of the answer on, 0 the best; answers how many, one or more while there are. */
export function writeMatches(from: u32): u32 {
  return writeRecords(from);
}

/** The model position that the match written last has for a position of memory; -1 for none. */
export function partnerOf(at: u32): i32 {
  return outcome.partnerOf(at);
}

/** Ends the query that {@link predict} or {@link predictsAny} began. */
export function endQuery(): void {
  prediction.endQuery();
}

/** Adds the vector of `count` doubles in the input. */
export function addVector(count: u32): u32 {
  return vectors.appendVector(column.start(inputBlock), count);
}

/** Finds the `count` vectors nearest to the one in the input; answers how many there are. */
export function nearest(count: u32): u32 {
  return vectors.nearest(column.start(inputBlock), count);
}

/** The position of a vector found, 0 the nearest. */
export function nearestAt(place: u32): u32 {
  return vectors.nearestAt(place);
}

/** Forgets all models and symbols. */
export function clearModels(): void {
  knowledge.clearKnowledge();
}

/** Forgets all vectors. */
export function clearVectors(): void {
  vectors.forgetVectors();
}
