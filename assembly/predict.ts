/** Answers a query: finds the candidates, scores those that can be predictions now that all kept models are counted, and ranks them. */

import { openAssessing } from "./assess";
import { openBounds } from "./bound";
import { findAnyCandidate, findCandidates, findFinalists } from "./candidates";
import { longestModel } from "./corpus";
import { rankExactly } from "./final";
import { openKept } from "./kept";
import { rankLatecomers } from "./latecomers";
import { QUERY_KNOWN_SYMBOLS, QUERY_MAX_PREDICTIONS, QUERY_MEMORY_LENGTH, QUERY_SORT_METRIC } from "./layout";
import { openMatching } from "./match";
import { closeMemory, openMemory } from "./memory-sequence";
import { openOverlaps } from "./overlap";
import { openPutOff, tooManyPutOff } from "./put-off";
import { query } from "./query";
import { openRanking, rankedCount, sortRanking } from "./rank";
import { openRecall } from "./recall";
import { openScoring } from "./score";
import { openSurvivors, survivorCount, survivorSlot, thin, tooManySurvivors } from "./survivors";
import { openTerms } from "./terms";

/** Prepares the answer to {@link query} about the memory at `input`; {@link endQuery} must follow. Answers how many predictions there are. */
export function predict(input: usize): u32 {
  const count = load<u32>(query, QUERY_MAX_PREDICTIONS);
  open(input, count);
  findCandidates();
  rankSurvivors(count);
  sortRanking();
  return rankedCount();
}

/** Whether {@link predict} would find any; {@link endQuery} must follow. */
export function predictsAny(input: usize): bool {
  open(input, 1);
  if (findAnyCandidate()) {
    return true;
  }
  rankSurvivors(1);
  return rankedCount() > 0;
}

/** Lets go of the query. */
export function endQuery(): void {
  closeMemory();
}

function open(input: usize, count: u32): void {
  openMemory(input, load<u32>(query, QUERY_MEMORY_LENGTH));
  openMatching();
  openRecall(longestModel());
  openTerms(load<f64>(query, QUERY_KNOWN_SYMBOLS));
  openScoring();
  openBounds();
  openAssessing();
  openOverlaps();
  openKept();
  openPutOff();
  openSurvivors(count, load<u32>(query, QUERY_SORT_METRIC));
}

function rankSurvivors(count: u32): void {
  if (tooManySurvivors() || tooManyPutOff()) {
    openRanking(count);
    openOverlaps();
    findFinalists();
    return;
  }
  thin();
  openRanking(count);
  for (let at: u32 = 0; at < survivorCount(); at++) {
    rankExactly(survivorSlot(at));
  }
  rankLatecomers();
}
