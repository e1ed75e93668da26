/**
 * What a metric of a model can be at most, or lies between, before all that it depends on is known. A bound is computed by the same
 * operations in the same order as the metric, on arguments that are no worse: rounding keeps order, so it holds for the rounded metric
 * too. The one bound that is computed otherwise is raised by more than any rounding.
 */

import {
  CONFIDENCE,
  EVIDENCE,
  FRAGMENTATION,
  ITFDF_SIMILARITY,
  NUMBER_OF_BLOCKS,
  POTENTIAL,
  QUERY_SORT_METRIC,
  SIMILARITY,
  SNR,
} from "../abi/layout";
import { query } from "../abi/query";
import { memoryLength } from "../match/query-sequence";
import { keptFrequencies } from "../score/kept";
import { metricOf, potentialWith, singleCosine } from "../score/score";

/**
 * The itfdf similarity is 1 - (1 - cosine) f / F. A cosine is at most 1, but for rounding of at most a few units in the last place
 * for each symbol of a sum, and f is at most F.
 */
const HIGHEST_ITFDF: f64 = 1 + 1e-9;
/** More than what {@link HIGHEST_ITFDF} adds to 1 and the rounding of a potential, which is at most 4, together. */
const SLACK: f64 = 2e-9;

const INVERSES: u32 = 256;
const inverses: usize = memory.data(2048, 8);

let perMemory: f64 = 0;

/** Prepares for the open memory. */
export function openBounds(): void {
  perMemory = 1 / <f64>memoryLength();
  if (load<f64>(inverses, 8) === 0) {
    for (let number: u32 = 1; number < INVERSES; number++) {
      store<f64>(inverses + ((<usize>number) << 3), 1 / <f64>number);
    }
  }
}

/** Whether a metric depends on all kept models, so that it is known only to lie between bounds until the last one is counted. */
export function dependsOnKept(metric: u32): bool {
  return metric === POTENTIAL || metric === ITFDF_SIMILARITY;
}

/** The most that a metric of the model being scored can be. Exact for a metric that does not depend on the kept models. */
export function highestOf(metric: u32): f64 {
  if (metric === POTENTIAL) {
    return potentialWith(HIGHEST_ITFDF);
  }
  return metric === ITFDF_SIMILARITY ? HIGHEST_ITFDF : metricOf(metric);
}

/**
 * The least that a metric can be when {@link highestOf} said `highest` and the model's frequency is `frequency`: a cosine is at least
 * 0, and the kept frequencies only grow, so the itfdf similarity is at least 1 - f / (those kept so far).
 */
export function lowestOf(metric: u32, highest: f64, frequency: f64): f64 {
  return dependsOnKept(metric) ? highest - frequency / keptFrequencies() - SLACK : highest;
}

/**
 * The most that a metric can be of a model of `length` symbols or more, each event of which has `event` symbols or more, when at
 * most `overlap` of its symbols match. Infinite where that says nothing. It grows with the overlap.
 */
export function highestByOverlap(metric: u32, overlap: u32, length: u32, event: u32): f64 {
  const most = <f64>overlap;
  switch (metric) {
    case SIMILARITY:
      return (2 * most) / <f64>(length + memoryLength());
    case NUMBER_OF_BLOCKS:
      return most;
    case POTENTIAL:
      return (most / <f64>length + highestConfidence(most, event)) * (most / <f64>memoryLength()) + HIGHEST_ITFDF + 1;
    case EVIDENCE:
      return most / <f64>length;
    case FRAGMENTATION:
      return most - 1;
    case SNR:
      return most / <f64>memoryLength();
    case CONFIDENCE:
      return highestConfidence(most, event);
    case ITFDF_SIMILARITY:
      return HIGHEST_ITFDF;
    default:
      return Infinity;
  }
}

/**
 * The most that the potential can be of a kept model of `length` symbols and a frequency of `frequency` that has the symbol of a
 * class in common with memory, holds it once, and has nothing else in common, when all kept models are counted. One symbol matches, and the symbol is the
 * only part of the cosine's dot product; the cosine is greatest when the symbol is all of the present: more of it only lengthens the
 * present's vector, while the sums for memory add up the same numbers in the same order.
 */
export function highestSinglePotential(number: u32, length: u32, event: u32, frequency: f64): f64 {
  const itfdf = 1 - ((1 - singleCosine(number)) * frequency) / keptFrequencies();
  return (1 / <f64>length + highestConfidence(1, event)) * (1 / <f64>memoryLength()) + itfdf + 1;
}

/**
 * The most that the potential can be of a model of `length` symbols that matches at least `needed` and at most `overlap` of them, and
 * whose longest common block has `run` symbols. Either that block is all that matches, if it is enough. Or there are b > 1 blocks, as
 * many at least as it takes to reach `needed` with blocks no longer than the longest. They hold at most m = min(overlap, b run)
 * symbols, so the potential is at most g(b) = (m / length + 1) m / |S| + 1 + 1 / b. For m = b run this is convex in b, so the greatest
 * of its values for the b that do not reach the overlap is at the first or at the last of them. Of the b that do, it is at the first.
 */
export function highestPotential(overlap: u32, run: u32, needed: u32, length: u32, event: u32): f64 {
  const perLength = inverse(length);
  const alone = run < needed ? 0 : potentialAtMost(run, perLength, event) + 1;
  if (overlap <= run) {
    return alone + SLACK;
  }
  const fewest = run === 1 ? max(needed, 2) : max((needed + run - 1) / run, 2);
  const reaching = run === 1 ? overlap : (overlap + run - 1) / run;
  if (reaching <= fewest) {
    return max(alone, inBlocks(overlap, perLength, fewest)) + SLACK;
  }
  const first = inBlocks(fewest * run, perLength, fewest);
  const last = inBlocks((reaching - 1) * run, perLength, reaching - 1);
  return max(max(alone, first), max(last, inBlocks(overlap, perLength, reaching))) + SLACK;
}

/**
 * The most that the potential can be of a model that matches so many of its symbols in so many blocks, when from the first matched
 * symbol to the last there are `span`.
 */
export function highestPotentialMatched(matched: u32, blockCount: u32, length: u32, span: u32): f64 {
  return potentialAtMost(matched, inverse(length), span) + inverse(blockCount) + SLACK;
}

/**
 * The most that the sort metric can be of a model of `length` symbols that matches so many of them in so many blocks, when its present
 * has `span` symbols or more.
 */
export function highestMatched(matched: u32, blockCount: u32, length: u32, span: u32): f64 {
  const metric = load<u32>(query, QUERY_SORT_METRIC);
  return metric === POTENTIAL
    ? highestPotentialMatched(matched, blockCount, length, span)
    : highestByOverlap(metric, matched, length, span);
}

/** g of a number of blocks that hold so many symbols. */
function inBlocks(matched: u32, perLength: f64, blockCount: u32): f64 {
  const count = <f64>matched;
  return (count * perLength + 1) * count * perMemory + 1 + inverse(blockCount);
}

/** All of it but the part of the blocks. */
function potentialAtMost(matched: u32, perLength: f64, event: u32): f64 {
  const count = <f64>matched;
  const confidence = matched >= event ? 1 : count * inverse(event);
  return (count * perLength + confidence) * count * perMemory + 1;
}

/** 1 / number, remembered for small ones: a division takes longer than all the rest of a bound. */
function inverse(number: u32): f64 {
  return number < INVERSES ? load<f64>(inverses + ((<usize>number) << 3)) : 1 / <f64>number;
}

/** A present has at least the symbols that match, and at least one event. */
function highestConfidence(matched: f64, event: u32): f64 {
  return matched >= <f64>event ? 1 : matched / <f64>event;
}
