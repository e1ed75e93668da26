/**
 * Ranks the models that were put off, when all kept models are counted. First those that were not matched, of them those of the greatest
 * overlaps, because they raise the floor most; then those that are known to match in single symbols only, few of which reach it. The
 * newest come first, because of equals the newer rank first and the older need no look once the floor is reached.
 */

import { POTENTIAL, QUERY_SORT_METRIC } from "../abi/layout";
import { query } from "../abi/query";
import { shortestEvent, shortestModel } from "../corpus/corpus";
import { lengthAt, placeOf, SHORTEST_EVENT, segmentOf } from "../corpus/segment";
import { highestByOverlap, highestSinglePotential } from "../filter/bound";
import { hopelessMatches, updateHopeless } from "../filter/prune-limits";
import { foundSingles } from "../match/outcome";
import { memoryClasses } from "../match/query-sequence";
import * as column from "../memory/buffer";
import { reachesRanking } from "../memory/ranking";
import {
  onlyCount,
  onlySlot,
  onlySymbolClass,
  putOffCount,
  putOffFirst,
  putOffLast,
  putOffMatches,
  putOffOverlap,
  putOffSlot,
} from "./deferred";
import { rankExactly, rankFound } from "./rescore";

const ROUNDS: u32 = 4;
/** After so many models ranked, the floor may have risen enough to look again what is hopeless. */
const UPDATE_AFTER: u32 = 64;

/** Per class of memory, the most that the sort metric of a model can be that has only its symbol in common with memory. */
const singleBounds: usize = memory.data(12, 8);

/** Ranks the models put off that can reach the floor. */
export function rankLatecomers(): void {
  const metric = load<u32>(query, QUERY_SORT_METRIC);
  boundSingles(metric);
  for (let round = ROUNDS; round > 0; round--) {
    for (let at = putOffCount(); at > 0; at--) {
      if (min(putOffOverlap(at - 1), ROUNDS) === round) {
        rankIfReaching(metric, putOffSlot(at - 1), putOffOverlap(at - 1));
      }
    }
  }
  rankOnly(metric);
  rankSingles();
}

function rankSingles(): void {
  let ranked: u32 = 0;
  updateHopeless();
  for (let at = putOffCount(); at > 0; at--) {
    const matches = putOffMatches(at - 1);
    if (matches !== 0) {
      const slot = putOffSlot(at - 1);
      if (matches > hopelessMatches(lengthAt(segmentOf(slot), placeOf(slot)))) {
        foundSingles(matches, putOffFirst(at - 1), putOffLast(at - 1));
        rankFound(slot);
        ranked++;
        if (ranked % UPDATE_AFTER === 0) {
          updateHopeless();
        }
      }
    }
  }
}

function rankOnly(metric: u32): void {
  for (let at = onlyCount(); at > 0; at--) {
    const bound = load<f64>(column.start(singleBounds) + ((<usize>onlySymbolClass(at - 1)) << 3));
    if (reachesRanking(bound, onlySlot(at - 1))) {
      rankIfReaching(metric, onlySlot(at - 1), 1);
    }
  }
}

function boundSingles(metric: u32): void {
  column.cut(singleBounds, 0);
  column.append(singleBounds, (<usize>memoryClasses() + 1) << 3);
  const any = highestByOverlap(metric, 1, shortestModel(), shortestEvent());
  for (let number: u32 = 1; number <= memoryClasses(); number++) {
    const bound = metric === POTENTIAL ? highestSinglePotential(number, shortestModel(), shortestEvent(), 1) : any;
    store<f64>(column.start(singleBounds) + ((<usize>number) << 3), bound);
  }
}

function rankIfReaching(metric: u32, slot: u32, overlap: u32): void {
  const segment = segmentOf(slot);
  const length = lengthAt(segment, placeOf(slot));
  if (reachesRanking(highestByOverlap(metric, overlap, length, load<u32>(segment, SHORTEST_EVENT)), slot)) {
    rankExactly(slot);
  }
}
