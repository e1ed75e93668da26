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

/** The positions of all parts, nearest first. */
function* nearestFirst(found: readonly PartNeighbours[]): Generator<Cursor> {
  let left = found.map((one) => ({ found: one, at: 0 })).filter((cursor) => cursor.found.ids.length > 0);
  while (left.length > 0) {
    const next = left.reduce((best, cursor) => (precedes(cursor, best) ? cursor : best));
    yield next;
    next.at++;
    if (next.at === next.found.ids.length) left = left.filter((cursor) => cursor !== next);
  }
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
  for (const { found: part, at } of nearestFirst(found)) {
    const group = ((part.shared[at] ?? 0) & 1) === 1 ? newest : others;
    if (takes(group, part.lengths[at] ?? 0)) taken.push({ found: part, at });
    if (newest.models === 0 && others.models === 0) break;
  }
  return taken;
}

/**
 * The neighbours among those of some parts, the nearest first, as one part would have them that has the models of all.
 * Those of one part are chosen already.
 */
export function chosenAmong(found: readonly PartNeighbours[]): PartNeighbours {
  const [only] = found;
  if (only !== undefined && found.length === 1) return only;
  const taken = takenFrom(found);
  return {
    ids: Float64Array.from(taken, ({ found: { ids }, at }) => ids[at] ?? 0),
    similarities: Uint16Array.from(taken, ({ found: { similarities }, at }) => similarities[at] ?? 0),
    shared: Uint16Array.from(taken, ({ found: { shared }, at }) => shared[at] ?? 0),
    frequencies: Float64Array.from(taken, ({ found: { frequencies }, at }) => frequencies[at] ?? 0),
    lengths: Uint32Array.from(taken, ({ found: { lengths }, at }) => lengths[at] ?? 0),
    candidates: found.reduce((sum, { candidates }) => sum + candidates, 0),
    steps: found.reduce((most, { steps }) => Math.max(most, steps), 0),
  };
}
