/** Approximate heap bytes of a memory's state: last observation, emotives, bins, numbers of sources. */

import type { MemoryState, Percept } from "../ports/store";
import { historyUnits } from "./history-size";

/** Approximate heap bytes of a string, a vector, or a pair of name and number, without characters and components. */
const ENTRY_HEAP_BYTES = 48;

/** Approximate heap bytes of the last observation without its contents. */
const PERCEPT_HEAP_BYTES = 256;

/** Approximate heap bytes of a kept bin, and of a source's number. */
const BIN_HEAP_BYTES = 96;

/** Approximate heap bytes of a running incident without its evidence. */
const RUNNING_HEAP_BYTES = 4_096;

const NUMBER_BYTES = 8;

/**
 * An observation with at most this many strings, vectors, emotives and numbers is counted each time: that is cheaper
 * than a cache entry.
 */
const MAX_UNCACHED = 32;

/** Sizes of lists and observations, which never change. */
const counted = new WeakMap<object, number>();

/** The measured members of a memory's state. */
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

/** Approximate heap bytes of a state. Its texts count in full, even if an event holds them too. */
export function stateHeapBytes(state: Counted): number {
  const { arrivals, bins, collected, emotives, history, pendingEmotives, percept, running, sources, target } = state;
  let bytes = target.length + (percept === undefined ? 0 : perceptHeapBytes(percept));
  bytes += NUMBER_BYTES * arrivals.length;
  for (const named of [emotives, pendingEmotives]) if (named.length > 0) bytes += once(named, namedBytes);
  if (bins.length > 0) bytes += once(bins, (list) => namedBytes(list) + BIN_HEAP_BYTES * list.length);
  for (const { values } of collected) bytes += ENTRY_HEAP_BYTES + NUMBER_BYTES * values.length;
  // Running incidents are few and change with each observation, so their sizes are not cached.
  for (const { units } of running) bytes += RUNNING_HEAP_BYTES + 2 * units;
  if (history.length > 0) bytes += 2 * historyUnits(history);
  for (const { source } of sources) bytes += BIN_HEAP_BYTES + source.length;
  return bytes;
}

function perceptHeapBytes(percept: Percept): number {
  const { strings, vectors, emotives, numbers } = percept.gdf;
  const isSmall = strings.length + vectors.length + emotives.length + numbers.length <= MAX_UNCACHED;
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
