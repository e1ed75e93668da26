/**
 * Chooses the neighbours of a forecast among those of all parts, as the kernel does among its models: the nearest of
 * those that hold a symbol of the newest event, and the nearest of the others.
 */

import { MOST_NEIGHBOUR_SYMBOLS, MOST_NEWEST_NEIGHBOURS, MOST_OTHER_NEIGHBOURS } from "../ports/forecaster";
import type { PartNeighbours } from "../ports/parts";

/** A position in the neighbours of a part, which are sorted nearest first. */
interface Cursor {
  found: PartNeighbours;
  at: number;
}

/** Whether one position precedes another: more similar first, then more frequent, then newer. */
function precedes(one: Cursor, other: Cursor): boolean {
  const similarity = (one.found.similarities[one.at] ?? 0) - (other.found.similarities[other.at] ?? 0);
  if (similarity !== 0) return similarity > 0;
  const frequency = (one.found.frequencies[one.at] ?? 0) - (other.found.frequencies[other.at] ?? 0);
  if (frequency !== 0) return frequency > 0;
  return (one.found.ids[one.at] ?? 0) > (other.found.ids[other.at] ?? 0);
}

/** The place that comes first of those that the cursors are at. @param left not empty */
function nearestOf(left: readonly Cursor[]): Cursor {
  let [best] = left as [Cursor];
  for (let at = 1; at < left.length; at++) {
    const cursor = left[at];
    if (cursor !== undefined && precedes(cursor, best)) best = cursor;
  }
  return best;
}

/** One of the two groups, with the neighbours and symbols that it still has room for. */
interface Group {
  models: number;
  symbols: number;
  isEmpty: boolean;
}

function groupOf(models: number): Group {
  return { models, symbols: MOST_NEIGHBOUR_SYMBOLS, isEmpty: true };
}

/** Whether a group takes a neighbour. It takes the first in any case, and none after one that it refused. */
function takes(group: Group, length: number): boolean {
  const isTaken = group.models > 0 && (group.isEmpty || length <= group.symbols);
  group.models = isTaken ? group.models - 1 : 0;
  group.symbols -= length;
  group.isEmpty = false;
  return isTaken;
}

/** The places that both groups together take, the nearest first. */
function takenFrom(found: readonly PartNeighbours[]): Cursor[] {
  const newest = groupOf(MOST_NEWEST_NEIGHBOURS);
  const others = groupOf(MOST_OTHER_NEIGHBOURS);
  const taken: Cursor[] = [];
  let left = found.map((one) => ({ found: one, at: 0 })).filter(hasMore);
  while (left.length > 0 && (newest.models > 0 || others.models > 0)) {
    const next = nearestOf(left);
    const { found: part, at } = next;
    const group = ((part.shared[at] ?? 0) & 1) === 1 ? newest : others;
    if (takes(group, part.lengths[at] ?? 0)) taken.push({ found: part, at });
    next.at++;
    if (!hasMore(next)) left = left.filter(hasMore);
  }
  return taken;
}

function hasMore({ found, at }: Cursor): boolean {
  return at < found.ids.length;
}

/**
 * The neighbours among those of some parts, the nearest first, as one part would have them that has the models of all.
 * Those of one part are chosen already.
 */
export function chosenAmong(found: readonly PartNeighbours[]): PartNeighbours {
  const [only] = found;
  if (only !== undefined && found.length === 1) return only;
  const taken = takenFrom(found);
  const chosen = {
    ids: new Float64Array(taken.length),
    similarities: new Uint16Array(taken.length),
    shared: new Uint16Array(taken.length),
    frequencies: new Float64Array(taken.length),
    lengths: new Uint32Array(taken.length),
    candidates: found.reduce((sum, { candidates }) => sum + candidates, 0),
    steps: found.reduce((most, { steps }) => Math.max(most, steps), 0),
  };
  for (const [place, { found: part, at }] of taken.entries()) {
    chosen.ids[place] = part.ids[at] ?? 0;
    chosen.similarities[place] = part.similarities[at] ?? 0;
    chosen.shared[place] = part.shared[at] ?? 0;
    chosen.frequencies[place] = part.frequencies[at] ?? 0;
    chosen.lengths[place] = part.lengths[at] ?? 0;
  }
  return chosen;
}
