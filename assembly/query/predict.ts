/** Answers a query: finds the candidates, scores those that can be predictions now that all kept models are counted, and ranks them. */

import { QUERY_KNOWN_SYMBOLS, QUERY_MAX_PREDICTIONS, QUERY_MEMORY_LENGTH, QUERY_SORT_METRIC } from "../abi/layout";
import { query } from "../abi/query";
import { longestModel } from "../corpus/corpus";
import { openAssessing } from "../filter/assess";
import { openBounds } from "../filter/bound";
import { openOverlaps } from "../filter/overlap";
import { openRecall } from "../filter/recall";
import { openSurvivors, survivorCount, survivorSlot, thin, tooManySurvivors } from "../filter/survivors";
import { openMatching } from "../match/match";
import { closeMemory, openMemory } from "../match/query-sequence";
import { openRanking, rankedCount, sortRanking } from "../memory/ranking";
import { openKept } from "../score/kept";
import { openScoring } from "../score/score";
import { openTerms } from "../score/terms";
import { findAnyCandidate, findCandidates, findFinalists } from "./candidates";
import { openPutOff, tooManyPutOff } from "./deferred";
import { rankLatecomers } from "./rank-deferred";
import { rankExactly } from "./rescore";

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
