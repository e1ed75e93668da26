/**
 * Chooses the neighbours of a forecast among those of all parts, as the kernel does among its models: the nearest of
 * those that hold a symbol of the newest event, and the nearest of the others.
 */

import {
  MAX_NEIGHBOUR_SYMBOLS,
  MAX_NEWEST_NEIGHBOURS,
  MAX_OTHER_NEIGHBOURS,
  SIMILARITY_SPREAD,
} from "../ports/forecaster";
import type { PartNeighbours } from "../ports/parts";

/** A position in the neighbours of a part, which are sorted nearest first. */
interface Cursor {
  readonly found: PartNeighbours;
  at: number;
  /** Of the neighbour there. */
  similarity: number;
}

/** Which of a part's neighbours: 1 for those that hold a symbol of the newest event, 0 for the others. */
type Holding = 0 | 1;

/** Moves a cursor to the next neighbour of a group, from where it is on. @returns whether there is one */
function findNext(cursor: Cursor, group: Holding, least: number): boolean {
  const { shared, similarities } = cursor.found;
  const { length } = shared;
  while (cursor.at < length && ((shared[cursor.at] ?? 0) & 1) !== group) cursor.at++;
  cursor.similarity = similarities[cursor.at] ?? 0;
  return cursor.at < length && cursor.similarity >= least;
}

/** Whether one position precedes another: more similar first, then more frequent, then newer. */
function precedes(one: Cursor, other: Cursor): boolean {
  if (one.similarity !== other.similarity) return one.similarity > other.similarity;
  const frequency = (one.found.frequencies[one.at] ?? 0) - (other.found.frequencies[other.at] ?? 0);
  if (frequency !== 0) return frequency > 0;
  return (one.found.ids[one.at] ?? 0) > (other.found.ids[other.at] ?? 0);
}

/** Sifts the cursor at a place of a heap down to where it belongs. The first cursor of the heap precedes all others. */
function siftDown(heap: Cursor[], place: number): void {
  const cursor = heap[place];
  if (cursor === undefined) return;
  let at = place;
  for (let child = 2 * at + 1; child < heap.length; child = 2 * at + 1) {
    let next = heap[child] as Cursor;
    const right = heap[child + 1];
    if (right !== undefined && precedes(right, next)) {
      next = right;
      child++;
    }
    if (!precedes(next, cursor)) break;
    heap[at] = next;
    at = child;
  }
  heap[at] = cursor;
}

/** A place among the neighbours of a part. */
type Taken = Readonly<Cursor>;

/**
 * The nearest of one group, nearest first. The first is always taken, and none after one that is refused.
 *
 * @param most maximum number
 * @param least minimum similarity
 */
function nearestOf(found: readonly PartNeighbours[], group: Holding, most: number, least: number): Taken[] {
  const heap = found.map((one) => ({ found: one, at: 0, similarity: 0 })).filter((one) => findNext(one, group, least));
  for (let place = heap.length >> 1; place >= 0; place--) siftDown(heap, place);
  const taken: Taken[] = [];
  let symbols = 0;
  for (let next = heap[0]; next !== undefined && taken.length < most; next = heap[0]) {
    symbols += next.found.lengths[next.at] ?? 0;
    if (taken.length > 0 && symbols > MAX_NEIGHBOUR_SYMBOLS) break;
    taken.push({ ...next });
    next.at++;
    if (!findNext(next, group, least)) {
      const last = heap.pop();
      if (last !== next && last !== undefined) heap[0] = last;
    }
    siftDown(heap, 0);
  }
  return taken;
}

/** Two lists as one, nearest first. */
function merged(one: readonly Taken[], other: readonly Taken[]): Taken[] {
  const all: Taken[] = [];
  let at = 0;
  for (const next of one) {
    for (let rival = other[at]; rival !== undefined && precedes(rival, next); rival = other[++at]) all.push(rival);
    all.push(next);
  }
  return [...all, ...other.slice(at)];
}

/**
 * The neighbours among those of some parts, nearest first, as a single part with all models would choose them. Those of
 * one part are chosen already.
 */
export function chosenAmong(found: readonly PartNeighbours[]): PartNeighbours {
  const [only] = found;
  if (only !== undefined && found.length === 1) return only;
  // The nearest of a part comes first.
  const greatest = found.reduce((most, { similarities }) => Math.max(most, similarities[0] ?? 0), 0);
  const taken = merged(
    nearestOf(found, 1, MAX_NEWEST_NEIGHBOURS, 0),
    nearestOf(found, 0, MAX_OTHER_NEIGHBOURS, greatest - SIMILARITY_SPREAD + 1),
  );
  const chosen = {
    ids: new Float64Array(taken.length),
    similarities: new Uint16Array(taken.length),
    shared: new Uint16Array(taken.length),
    frequencies: new Float64Array(taken.length),
    lengths: new Uint32Array(taken.length),
    candidates: found.reduce((sum, { candidates }) => sum + candidates, 0),
    steps: found.reduce((most, { steps }) => Math.max(most, steps), 0),
  };
  for (let place = 0; place < taken.length; place++) {
    const { found: part, at } = taken[place] as Taken;
    chosen.ids[place] = part.ids[at] ?? 0;
    chosen.similarities[place] = part.similarities[at] ?? 0;
    chosen.shared[place] = part.shared[at] ?? 0;
    chosen.frequencies[place] = part.frequencies[at] ?? 0;
    chosen.lengths[place] = part.lengths[at] ?? 0;
  }
  return chosen;
}
