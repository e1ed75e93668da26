/**
 * Chooses the neighbours of a forecast among those of all parts, as the kernel chooses them among its models: of those
 * that hold a symbol of the newest event, and of the others, the nearest.
 */

import { MOST_NEIGHBOUR_SYMBOLS, MOST_NEWEST_NEIGHBOURS, MOST_OTHER_NEIGHBOURS } from "../ports/forecaster";
import type { PartNeighbours } from "../ports/parts";

/** A model that may be a neighbour. */
interface Neighbour {
  id: number;
  similarity: number;
  frequency: number;
  length: number;
}

/** The nearest of a group: the most similar, of equals the most frequent, of equals the newest. */
function nearest(group: Neighbour[], most: number): Neighbour[] {
  group.sort((one, other) => other.similarity - one.similarity || other.frequency - one.frequency || other.id - one.id);
  let symbols = 0;
  let chosen = 0;
  for (const { length } of group.slice(0, most)) {
    if (chosen > 0 && symbols + length > MOST_NEIGHBOUR_SYMBOLS) break;
    symbols += length;
    chosen++;
  }
  return group.slice(0, chosen);
}

/** By id, how many occurrences of each neighbour count. */
export function chosenAmong(found: readonly PartNeighbours[]): Map<number, number> {
  const newest: Neighbour[] = [];
  const others: Neighbour[] = [];
  for (const { ids, similarities, shared, frequencies, lengths } of found) {
    for (const [at, id] of ids.entries()) {
      const group = ((shared[at] ?? 0) & 1) === 1 ? newest : others;
      const [similarity = 0, frequency = 0, length = 0] = [similarities[at], frequencies[at], lengths[at]];
      group.push({ id, similarity, frequency, length });
    }
  }
  const chosen = [...nearest(newest, MOST_NEWEST_NEIGHBOURS), ...nearest(others, MOST_OTHER_NEIGHBOURS)];
  return new Map(chosen.map(({ id, frequency }) => [id, frequency]));
}
