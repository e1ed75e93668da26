/**
 * What becomes of sixteen models that were matched together. Most are settled: those that the recall threshold does not keep, and those
 * that it keeps but that surely rank below the floor, which are only counted. The others are handed on.
 */

import { lengthAt, placeOf, segmentOf } from "../corpus/segment";
import { highestMatched } from "../filter/bound";
import { hopelessPaired } from "../filter/prune-limits";
import { matchPaired, pairEndRows, pairedMatchedRows, unfinishedRows } from "../match/batch-pairs";
import { findSpans, firstRows, heldRows, lastRows, matchedRows, matchSixteen, pairRows } from "../match/batch-singles";
import { foundSingles } from "../match/outcome";
import { findPresent, presentLength } from "../match/present";
import { reachesRanking } from "../memory/ranking";
import { countKept, unseenPositions } from "../score/kept";
import { frequenciesOf, hopelessOf, neededOf, queuedHeld, queuedSlot, RESTS, ROWS, usedLanes } from "./batch-queue";
import { COUNTING, consider, considerCounted, considerFound, considersFor, RANKING } from "./consider";
import { putOffSingles } from "./deferred";

/** Matches the models of a queue and settles them, but for those that have a pair and need not be seen; answers the lanes of these. */
export function settleSingles(queue: usize, steps: u32, wide: bool): u32 {
  const used = usedLanes(queue);
  matchSixteen(queue + ROWS, queue + RESTS, steps, wide);
  const pairs = used & bothHalves(v128.load(pairRows), v128.load(pairRows, 16));
  const seeing = used & (seeingLanes(queue, 0, pairs) | (seeingLanes(queue, 16, pairs >> 8) << 8));
  const taken = pairs | seeing;
  const reaching = used & (countSingles(queue, 0, taken) | (countSingles(queue, 16, taken >> 8) << 8));
  for (let lanes = seeing; lanes !== 0; lanes &= lanes - 1) {
    const lane = <usize>ctz<u32>(lanes);
    considerAlone(queuedSlot(queue, lane), heldAt(lane));
  }
  if (reaching !== 0) {
    findSpans(steps);
    settleReaching(queue, reaching);
  }
  return pairs & ~seeing;
}

/** The positions of memory whose symbols a model matched by {@link settleSingles} holds. */
export function heldAt(lane: usize): u32 {
  return load<u16>(heldRows + (lane << 1));
}

/** Matches the models of a queue, all of which have a pair, and settles them. */
export function settlePaired(queue: usize, steps: u32, wide: bool): void {
  const used = usedLanes(queue);
  matchPaired(queue + ROWS, queue + RESTS, steps, wide);
  const unfinished = used & bothHalves(v128.load(unfinishedRows), v128.load(unfinishedRows, 16));
  const kept = used & (countPaired(queue, 0) | (countPaired(queue, 16) << 8));
  for (let lanes = unfinished; lanes !== 0; lanes &= lanes - 1) {
    const lane = <usize>ctz<u32>(lanes);
    considerAlone(queuedSlot(queue, lane), queuedHeld(queue, lane));
  }
  for (let lanes = kept & ~unfinished; lanes !== 0; lanes &= lanes - 1) {
    const lane = <usize>ctz<u32>(lanes);
    settleKept(
      queuedSlot(queue, lane),
      load<u16>(pairedMatchedRows + (lane << 1)),
      load<u16>(pairEndRows + (lane << 1)),
    );
  }
}

function considerAlone(slot: u32, held: u32): void {
  consider(slot, popcnt<u32>(held), (held & unseenPositions()) !== 0, false, 0);
}

/**
 * Models that are kept and counted and may reach the floor wait on until all are counted, if that is what is being done. One match is one
 * block, which most sort metrics reward: such a model goes on at once, to raise the floor.
 */
function settleReaching(queue: usize, reaching: u32): void {
  for (let lanes = reaching; lanes !== 0; lanes &= lanes - 1) {
    const lane = <usize>ctz<u32>(lanes);
    const half = lane << 1;
    const matches = load<u16>(matchedRows + half);
    if (considersFor() === COUNTING && matches > 1) {
      putOffSingles(queuedSlot(queue, lane), matches, load<u16>(firstRows + half), load<u16>(lastRows + half));
    } else {
      foundSingles(matches, load<u16>(firstRows + half), load<u16>(lastRows + half));
      considerFound(queuedSlot(queue, lane));
    }
  }
}

/** A model that is kept and counted. When the pair is all that matches, it is in one event, or in two. */
function settleKept(slot: u32, matched: u32, pairEnd: u32): void {
  const segment = segmentOf(slot);
  const place = placeOf(slot);
  const length = lengthAt(segment, place);
  if (matched > 2) {
    if (matched > hopelessPaired(length)) {
      considerCounted(slot);
    }
    return;
  }
  findPresent(segment, place, pairEnd - 1, pairEnd);
  if (reachesRanking(highestMatched(2, 1, length, presentLength()), slot)) {
    considerCounted(slot);
  }
}

/** Of eight models, the lanes of those that may have to be seen: they hold an unseen symbol, and they are kept or have a pair. */
function seeingLanes(queue: usize, half: usize, pairs: u32): u32 {
  const unseen = considersFor() === RANKING ? 0 : unseenPositions();
  const kept = i16x8.ge_s(v128.load(matchedRows + half), neededOf(queue, half));
  const seeing = i16x8.ne(v128.and(v128.load(heldRows + half), i16x8.splat(<i16>unseen)), i64x2(0, 0));
  return <u32>i16x8.bitmask(v128.and(seeing, v128.or(kept, lanesOf(pairs))));
}

/** Of eight models, counts those that are kept and not `taken`; answers the lanes of those of them that may reach the floor. */
function countSingles(queue: usize, half: usize, taken: u32): u32 {
  const matched = v128.load(matchedRows + half);
  const kept = v128.andnot(i16x8.ge_s(matched, neededOf(queue, half)), lanesOf(taken));
  count(frequenciesOf(queue, half, kept));
  return <u32>i16x8.bitmask(v128.and(kept, i16x8.gt_s(matched, hopelessOf(queue, half))));
}

/** Of eight models, counts those that are finished and kept; answers their lanes. */
function countPaired(queue: usize, half: usize): u32 {
  const finished = i16x8.eq(v128.load(unfinishedRows + half), i64x2(0, 0));
  const kept = v128.and(i16x8.ge_s(v128.load(pairedMatchedRows + half), neededOf(queue, half)), finished);
  count(frequenciesOf(queue, half, kept));
  return <u32>i16x8.bitmask(kept);
}

function count(frequencies: f64): void {
  if (considersFor() !== RANKING) {
    countKept(frequencies);
  }
}

/** The lanes that are not zero, a bit each. */
function bothHalves(first: v128, second: v128): u32 {
  const zero = i64x2(0, 0);
  return <u32>i8x16.bitmask(i8x16.narrow_i16x8_s(i16x8.ne(first, zero), i16x8.ne(second, zero)));
}

/** All bits of the lanes whose bit is set, of the eight lowest. */
function lanesOf(bits: u32): v128 {
  const own = i16x8(1, 2, 4, 8, 16, 32, 64, 128);
  return i16x8.eq(v128.and(i16x8.splat(<i16>bits), own), own);
}
