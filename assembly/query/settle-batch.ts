/**
 * Settles a batch of sixteen models that are matched together. Most need nothing more: those that the recall
 * threshold does not keep, and those that it keeps but that surely rank below the floor, which are only counted. The
 * others are considered further.
 */

import { countAnswers, MATCHED_BATCH_PAIRS, MATCHED_BATCH_SINGLES } from "../abi/trace";
import { lengthAt, placeOf, segmentOf } from "../corpus/segment";
import { highestMatched } from "../filter/bound";
import { pairsLimit } from "../filter/prune-limits";
import { matchBatchPairs, pairEndRows, pairMatchedRows, unfinishedRows } from "../match/batch-pairs";
import {
  findSpans,
  firstRows,
  heldRows,
  lastRows,
  matchBatchSingles,
  matchedRows,
  pairRows,
} from "../match/batch-singles";
import { matchAll } from "../match/match";
import { setSingles } from "../match/outcome";
import { findPresent, presentLength } from "../match/present";
import { reachesRanking } from "../memory/ranking";
import { countKept, unseenPositions } from "../score/kept";
import {
  frequenciesOf,
  neededOf,
  QUEUE_RESTS,
  QUEUE_ROWS,
  queuedHeld,
  queuedSlot,
  singlesLimitsOf,
  usedLanes,
} from "./batch-queue";
import { considerAlone, considerKept } from "./consider";
import { deferSingles, mayDefer } from "./deferred";

/**
 * Matches and settles the models of a queue, except those that have a pair and need not be seen; returns their lanes.
 */
export function settleSingles(queue: usize, steps: u32, wide: bool): u32 {
  const used = usedLanes(queue);
  matchBatchSingles(queue + QUEUE_ROWS, queue + QUEUE_RESTS, steps, wide);
  const pairs = used & bothHalves(v128.load(pairRows), v128.load(pairRows, 16));
  const seeing = used & (seeingLanes(queue, 0, pairs) | (seeingLanes(queue, 16, pairs >> 8) << 8));
  const elsewhere = pairs | seeing;
  const reaching = used & (countSingles(queue, 0, elsewhere) | (countSingles(queue, 16, elsewhere >> 8) << 8));
  countAnswers(MATCHED_BATCH_SINGLES, popcnt<u32>(used & ~elsewhere));
  for (let lanes = seeing; lanes !== 0; lanes &= lanes - 1) {
    const lane = <usize>ctz<u32>(lanes);
    considerQueued(queuedSlot(queue, lane), heldAt(lane));
  }
  if (reaching !== 0) {
    findSpans(steps);
    settleReaching(queue, reaching);
  }
  return pairs & ~seeing;
}

/** The query positions whose symbols a model matched by {@link settleSingles} holds. */
export function heldAt(lane: usize): u32 {
  return load<u16>(heldRows + (lane << 1));
}

/** Matches the models of a queue, which all have a pair, and settles them. */
export function settlePairs(queue: usize, steps: u32, wide: bool): void {
  const used = usedLanes(queue);
  matchBatchPairs(queue + QUEUE_ROWS, queue + QUEUE_RESTS, steps, wide);
  const unfinished = used & bothHalves(v128.load(unfinishedRows), v128.load(unfinishedRows, 16));
  const kept = used & (countPairs(queue, 0) | (countPairs(queue, 16) << 8));
  countAnswers(MATCHED_BATCH_PAIRS, popcnt<u32>(used & ~unfinished));
  for (let lanes = unfinished; lanes !== 0; lanes &= lanes - 1) {
    const lane = <usize>ctz<u32>(lanes);
    considerQueued(queuedSlot(queue, lane), queuedHeld(queue, lane));
  }
  for (let lanes = kept & ~unfinished; lanes !== 0; lanes &= lanes - 1) {
    const lane = <usize>ctz<u32>(lanes);
    settleKeptPair(
      queuedSlot(queue, lane),
      load<u16>(pairMatchedRows + (lane << 1)),
      load<u16>(pairEndRows + (lane << 1)),
    );
  }
}

/** Considers a single model. Its overlap with the query is at most the number of positions that it holds. */
function considerQueued(slot: u32, held: u32): void {
  considerAlone(slot, popcnt<u32>(held), (held & unseenPositions()) !== 0, false);
}

/**
 * Settles models that match in single symbols, are kept and counted, and may reach the floor. They are deferred if
 * possible. A single match is one block, which most sort metrics reward, so such a model is considered at once, to
 * raise the floor.
 */
function settleReaching(queue: usize, reaching: u32): void {
  for (let lanes = reaching; lanes !== 0; lanes &= lanes - 1) {
    const lane = <usize>ctz<u32>(lanes);
    const half = lane << 1;
    const slot = queuedSlot(queue, lane);
    const matches = load<u16>(matchedRows + half);
    const first = load<u16>(firstRows + half);
    const last = load<u16>(lastRows + half);
    if (mayDefer() && matches > 1) {
      deferSingles(slot, matches, first, last);
    } else {
      setSingles(matches, first, last);
      considerKept(slot);
    }
  }
}

/**
 * Settles a model with a pair that is kept and counted. If the pair is all that matches, the present is
 * its one event or its two.
 */
function settleKeptPair(slot: u32, matches: u32, pairEnd: u32): void {
  const segment = segmentOf(slot);
  const place = placeOf(slot);
  const length = lengthAt(segment, place);
  if (matches > 2) {
    if (matches > pairsLimit(length)) {
      matchAndConsider(slot);
    }
    return;
  }
  findPresent(segment, place, pairEnd - 1, pairEnd);
  if (reachesRanking(highestMatched(2, 1, length, presentLength()), slot)) {
    matchAndConsider(slot);
  }
}

function matchAndConsider(slot: u32): void {
  matchAll(segmentOf(slot), placeOf(slot));
  considerKept(slot);
}

/**
 * For eight models, the lanes of those whose present may have to be seen: they hold an unseen symbol, and
 * are kept or have a pair.
 */
function seeingLanes(queue: usize, half: usize, pairs: u32): u32 {
  const kept = i16x8.ge_s(v128.load(matchedRows + half), neededOf(queue, half));
  const unseen = i16x8.splat(<i16>unseenPositions());
  const seeing = i16x8.ne(v128.and(v128.load(heldRows + half), unseen), i64x2(0, 0));
  return <u32>i16x8.bitmask(v128.and(seeing, v128.or(kept, lanesOf(pairs))));
}

/**
 * For eight models, counts those that are kept and not settled `elsewhere`; returns the lanes of those
 * that may reach the floor.
 */
function countSingles(queue: usize, half: usize, elsewhere: u32): u32 {
  const matches = v128.load(matchedRows + half);
  const kept = v128.andnot(i16x8.ge_s(matches, neededOf(queue, half)), lanesOf(elsewhere));
  countKept(frequenciesOf(queue, half, kept));
  return <u32>i16x8.bitmask(v128.and(kept, i16x8.gt_s(matches, singlesLimitsOf(queue, half))));
}

/** For eight models, counts those that are finished and kept; returns their lanes. */
function countPairs(queue: usize, half: usize): u32 {
  const finished = i16x8.eq(v128.load(unfinishedRows + half), i64x2(0, 0));
  const kept = v128.and(i16x8.ge_s(v128.load(pairMatchedRows + half), neededOf(queue, half)), finished);
  countKept(frequenciesOf(queue, half, kept));
  return <u32>i16x8.bitmask(kept);
}

/** The nonzero lanes, as bits. */
function bothHalves(first: v128, second: v128): u32 {
  const zero = i64x2(0, 0);
  return <u32>i8x16.bitmask(i8x16.narrow_i16x8_s(i16x8.ne(first, zero), i16x8.ne(second, zero)));
}

/** A lane of ones for each of the eight lowest bits that is set. */
function lanesOf(bits: u32): v128 {
  const own = i16x8(1, 2, 4, 8, 16, 32, 64, 128);
  return i16x8.eq(v128.and(i16x8.splat(<i16>bits), own), own);
}
