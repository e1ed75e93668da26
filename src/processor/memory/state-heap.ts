/**
 * About how many bytes of heap the state of a memory takes: the last observation, emotives, bins, numbers of sources.
 */

import type { MemoryState, Percept } from "../ports/store";
import { historyUnits } from "./history-size";

/**
 * About how many bytes of heap a string, a vector or a pair of name and number takes besides its
 * characters and components.
 */
const ENTRY_HEAP_BYTES = 48;

/** The same for the last observation without what it holds. */
const PERCEPT_HEAP_BYTES = 256;

/** The same for a kept bin, and for the number of a source. */
const BIN_HEAP_BYTES = 96;

/** The same for an incident that lasts, without its evidence. */
const RUNNING_HEAP_BYTES = 4_096;

const NUMBER_BYTES = 8;

/**
 * An observation of no more strings, vectors, emotives and numbers is counted anew each time: that costs
 * less than to remember it.
 */
const FEW = 32;

/** Lists and observations are never changed, and counted once. */
const counted = new WeakMap<object, number>();

/** What a memory's state takes besides its numbers. */
type Counted = Pick<
  MemoryState,
  | "arrivals"
  | "bins"
  | "collected"
  | "emotives"
  | "history"
  | "pendingEmotives"
  | "percept"
  | "running"
  | "sources"
  | "target"
>;

/**
 * About how many bytes of heap a state takes. Its texts count with their characters, also where
 * an event holds them too.
 */
export function stateHeapBytes(state: Counted): number {
  const { arrivals, bins, collected, emotives, history, pendingEmotives, percept, running, sources, target } = state;
  let bytes = target.length + (percept === undefined ? 0 : perceptHeapBytes(percept));
  bytes += NUMBER_BYTES * arrivals.length;
  for (const named of [emotives, pendingEmotives]) if (named.length > 0) bytes += once(named, namedBytes);
  if (bins.length > 0) bytes += once(bins, (list) => namedBytes(list) + BIN_HEAP_BYTES * list.length);
  for (const { values } of collected) bytes += ENTRY_HEAP_BYTES + NUMBER_BYTES * values.length;
  // What lasts is small and changes with each observation.
  for (const { units } of running) bytes += RUNNING_HEAP_BYTES + 2 * units;
  if (history.length > 0) bytes += 2 * historyUnits(history);
  for (const { source } of sources) bytes += BIN_HEAP_BYTES + source.length;
  return bytes;
}

function perceptHeapBytes(percept: Percept): number {
  const { strings, vectors, emotives, numbers } = percept.gdf;
  const isSmall = strings.length + vectors.length + emotives.length + numbers.length <= FEW;
  return isSmall ? perceptBytes(percept) : once(percept, perceptBytes);
}

function once<Value extends object>(value: Value, count: (value: Value) => number): number {
  const known = counted.get(value);
  if (known !== undefined) return known;
  const bytes = count(value);
  counted.set(value, bytes);
  return bytes;
}

function namedBytes(named: readonly { readonly name: string }[]): number {
  return named.reduce((sum, { name }) => sum + ENTRY_HEAP_BYTES + name.length, 0);
}

function textsBytes(texts: readonly string[]): number {
  return texts.reduce((sum, { length }) => sum + ENTRY_HEAP_BYTES + length, 0);
}

function perceptBytes({ gdf, path }: Percept): number {
  const { strings, vectors, emotives, metadataJson, numbers, uniqueId, command } = gdf;
  const components = vectors.reduce(
    (sum, vector) => sum + ENTRY_HEAP_BYTES + NUMBER_BYTES * vector.components.length,
    0,
  );
  const named = namedBytes(emotives) + namedBytes(numbers);
  const texts = textsBytes(strings) + textsBytes(path) + textsBytes([metadataJson, uniqueId, command]);
  return PERCEPT_HEAP_BYTES + texts + named + components;
}
