/** The neighbours chosen among those of parts are those that one part chooses among all models. */

import { expect, test } from "vitest";
import {
  MAX_NEIGHBOUR_SYMBOLS,
  MAX_NEWEST_NEIGHBOURS,
  MAX_OTHER_NEIGHBOURS,
  SIMILARITY_SPREAD,
} from "../../../src/processor/ports/forecaster";
import { type PartNeighbours, partOf } from "../../../src/processor/ports/parts";
import { chosenAmong } from "../../../src/processor/split/neighbour-choice";
import { Random } from "../../support/random";

interface Candidate {
  id: number;
  similarity: number;
  shared: number;
  frequency: number;
  length: number;
}

/** What the rules of neighbours say (docs/forecast.md), word by word. */
function chosenOf(candidates: readonly Candidate[]): Candidate[] {
  const sorted = [...candidates].sort(
    (one, other) => other.similarity - one.similarity || other.frequency - one.frequency || other.id - one.id,
  );
  const greatest = sorted[0]?.similarity ?? 0;
  const taken = [true, false].flatMap((isNewest) => {
    const group = sorted.filter(
      ({ shared, similarity }) =>
        ((shared & 1) === 1) === isNewest && (isNewest || similarity > greatest - SIMILARITY_SPREAD),
    );
    let symbols = 0;
    const end = group.findIndex(({ length }, at) => {
      symbols += length;
      return at > 0 && symbols > MAX_NEIGHBOUR_SYMBOLS;
    });
    const most = isNewest ? MAX_NEWEST_NEIGHBOURS : MAX_OTHER_NEIGHBOURS;
    return group.slice(0, Math.min(most, end < 0 ? group.length : end));
  });
  return sorted.filter((one) => taken.includes(one));
}

function columnsOf(candidates: readonly Candidate[], all: number): PartNeighbours {
  return {
    ids: Float64Array.from(candidates, ({ id }) => id),
    similarities: Uint16Array.from(candidates, ({ similarity }) => similarity),
    shared: Uint16Array.from(candidates, ({ shared }) => shared),
    frequencies: Float64Array.from(candidates, ({ frequency }) => frequency),
    lengths: Uint32Array.from(candidates, ({ length }) => length),
    candidates: all,
    steps: 1,
  };
}

test.each([
  { name: "few", models: 20, similarities: 300, longest: 5 },
  { name: "none", models: 0, similarities: 1, longest: 1 },
  { name: "many that are equally similar", models: 4_000, similarities: 2, longest: 5 },
  { name: "many that differ, also by more than counts", models: 5_000, similarities: 400, longest: 30 },
  { name: "more symbols than count", models: 900, similarities: 60, longest: 4_000 },
  { name: "models that are longer than all may be", models: 60, similarities: 20, longest: 2 * MAX_NEIGHBOUR_SYMBOLS },
])("$name", ({ models, similarities, longest }) => {
  const random = new Random(models);
  const candidates = Array.from({ length: models }, (_, at) => ({
    id: at + 1,
    similarity: 1 + random.below(similarities),
    shared: 1 + random.below(7),
    frequency: random.below(5) === 0 ? 1 + random.below(3) : 1,
    length: 1 + random.below(longest),
  }));
  const expected = columnsOf(chosenOf(candidates), models);
  for (const count of [1, 2, 7, 16]) {
    const parts = Array.from({ length: count }, (_, part) => candidates.filter(({ id }) => partOf(id, count) === part));
    expect(chosenAmong(parts.map((part) => columnsOf(chosenOf(part), part.length)))).toEqual(expected);
  }
});
