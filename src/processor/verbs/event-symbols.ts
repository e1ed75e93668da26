/** Turns a record into the symbols of an event: looks vectors up, sorts, and drops blacklisted symbols. */

import type { Gdf } from "../../gen/plain";
import { compareCodePoints } from "../../text/code-points";
import { VECTOR_PREFIX } from "../../text/names";
import { byEncoder } from "../encoding/symbol";
import { vectorName } from "../knowledge/names";
import type { Mind } from "../mind";

/** The result of classifying a vector. */
interface Classified {
  /** The names of vectors. */
  names: string[];
  /** The name under which the vector waits to be learned; absent if it does not wait. */
  waits?: string;
}

/** CVC: the nearest learned vectors, then the vector itself unless it is among them. The vector waits to be learned. */
function classifyNearest(mind: Mind, vector: Float64Array): Classified {
  const name = vectorName(vector);
  const near = mind.vectors.nearest(vector, mind.genes.near_vector_count);
  return { names: near.includes(name) ? near : [...near, name], waits: name };
}

/**
 * DVC: the learned vectors that add up to the vector. If there are none, the vector itself, which
 * then waits to be learned.
 */
function classifySum(mind: Mind, vector: Float64Array): Classified {
  const members = mind.vectors.compose(vector, mind.genes.search_depth);
  if (members !== undefined) return { names: members };
  const name = vectorName(vector);
  return { names: [name], waits: name };
}

function classify(mind: Mind, vector: Float64Array): Classified {
  return mind.genes.classifier === "CVC" ? classifyNearest(mind, vector) : classifySum(mind, vector);
}

/** The symbols of an observed event: in order, without blacklisted ones. Sorts the given lists in place. */
function arranged(mind: Mind, vectors: string[], strings: string[]): string[] {
  if (mind.genes.SORT) {
    vectors.sort(compareCodePoints);
    strings.sort(compareCodePoints);
  }
  const symbols = [...vectors, ...strings];
  const { blacklist } = mind;
  return blacklist.size === 0 ? symbols : symbols.filter((symbol) => !blacklist.has(symbol));
}

/** The event made from a record. */
export interface RecordEvent {
  /** Empty if the record makes no event. */
  symbols: string[];
  /** The name under which the record's vector waits to be learned; absent if it does not wait. */
  waits?: string | undefined;
}

/**
 * Turns a record into an event; changes nothing.
 *
 * @param vector the `observedVector` of the record
 * @param numbers the symbols of its numbers
 * @param times the symbols of its time, which count only if the event holds another symbol
 */
export function eventOf(
  mind: Mind,
  gdf: Gdf,
  vector: Float64Array | undefined,
  numbers: readonly string[],
  times: () => readonly string[],
): RecordEvent {
  const { names, waits }: Classified = vector === undefined ? { names: [] } : classify(mind, vector);
  const vectors = names.map((name) => VECTOR_PREFIX + name);
  const symbols = arranged(mind, vectors, [...gdf.strings, ...numbers]);
  const timed = symbols.length === 0 ? [] : times();
  if (timed.length === 0) return { symbols, waits };
  return { symbols: arranged(mind, vectors, [...gdf.strings, ...byEncoder([...numbers, ...timed])]), waits };
}

/**
 * The symbols of an event in a query, as if it had been observed. @param symbols of vectors and strings, in any order
 */
export function askedSymbols(mind: Mind, symbols: readonly string[]): string[] {
  const isVector = (symbol: string) => symbol.startsWith(VECTOR_PREFIX);
  return arranged(
    mind,
    symbols.filter(isVector),
    symbols.filter((symbol) => !isVector(symbol)),
  );
}
