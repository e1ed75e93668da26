/** The models as columns, oldest first. A removed model stays as a slot of frequency 0 until the corpus is packed. */

import * as column from "./column";

const ids: usize = memory.data(12, 8);
const modelFrequencies: usize = memory.data(12, 8);
const symbols: usize = memory.data(12, 8);
const lengths: usize = memory.data(12, 8);
/** Per slot, where its symbols and its lengths start, counted in words; one more pair closes the last slot. */
const offsets: usize = memory.data(12, 8);

let slots: u32 = 0;

/** How many slots there are, removed models counted. */
export function slotCount(): u32 {
  return slots;
}

/** New bytes needed for one more model. */
export function modelGrowthBytes(symbolCount: u32, eventCount: u32): usize {
  return (
    column.growthBytes(ids, 8) +
    column.growthBytes(modelFrequencies, 8) +
    column.growthBytes(symbols, symbolCount << 2) +
    column.growthBytes(lengths, eventCount << 2) +
    column.growthBytes(offsets, 16)
  );
}

/** Adds a model whose symbols and then event lengths are words from `input` on. */
export function appendModel(id: f64, frequency: f64, input: usize, symbolCount: u32, eventCount: u32): void {
  if (slots === 0) {
    column.append(offsets, 8);
  }
  store<f64>(column.append(ids, 8), id);
  store<f64>(column.append(modelFrequencies, 8), frequency);
  memory.copy(column.append(symbols, symbolCount << 2), input, symbolCount << 2);
  memory.copy(column.append(lengths, eventCount << 2), input + (symbolCount << 2), eventCount << 2);
  const closing = column.append(offsets, 8);
  store<u32>(closing, <u32>(column.size(symbols) >> 2));
  store<u32>(closing, <u32>(column.size(lengths) >> 2), 4);
  slots++;
}

/** The slot of the model with this id; -1 when there is none. */
export function slotOf(id: f64): i32 {
  let low: i32 = 0;
  let high: i32 = <i32>slots - 1;
  while (low <= high) {
    const middle = (low + high) >> 1;
    const found = idOf(middle);
    if (found === id) {
      return frequencyAt(middle) > 0 ? middle : -1;
    }
    if (found < id) {
      low = middle + 1;
    } else {
      high = middle - 1;
    }
  }
  return -1;
}

export function idOf(slot: u32): f64 {
  return load<f64>(column.start(ids) + ((<usize>slot) << 3));
}

/** 0 for a removed model. */
export function frequencyAt(slot: u32): f64 {
  return load<f64>(column.start(modelFrequencies) + ((<usize>slot) << 3));
}

/** Sets a model's frequency; 0 removes it. */
export function setFrequencyAt(slot: u32, frequency: f64): void {
  store<f64>(column.start(modelFrequencies) + ((<usize>slot) << 3), frequency);
}

/** How many symbols the model has. */
export function lengthAt(slot: u32): u32 {
  const entry = column.start(offsets) + ((<usize>slot) << 3);
  return load<u32>(entry, 8) - load<u32>(entry);
}

/** Where the model's symbols start. */
export function symbolsAt(slot: u32): usize {
  return column.start(symbols) + ((<usize>load<u32>(column.start(offsets) + ((<usize>slot) << 3))) << 2);
}

/** How many events the model has. */
export function eventsAt(slot: u32): u32 {
  const entry = column.start(offsets) + ((<usize>slot) << 3);
  return load<u32>(entry, 12) - load<u32>(entry, 4);
}

/** Where the model's event lengths start. */
export function lengthsAt(slot: u32): usize {
  return column.start(lengths) + ((<usize>load<u32>(column.start(offsets) + ((<usize>slot) << 3), 4)) << 2);
}

export function forgetModels(): void {
  column.drop(ids);
  column.drop(modelFrequencies);
  column.drop(symbols);
  column.drop(lengths);
  column.drop(offsets);
  slots = 0;
}
