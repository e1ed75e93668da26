/**
 * Upper (and lower) bounds of a model's metric before all of its inputs are known. A bound runs the metric's own
 * operations in the same order on arguments that are no worse. Rounding is monotonic, so the bound holds for the
 * rounded metric too. Bounds computed in other ways are raised by more than any rounding error.
 */

import { NUMBER_OF_BLOCKS, query } from "../abi/layout";
import { CONFIDENCE, EVIDENCE, FRAGMENTATION, ITFDF_SIMILARITY, POTENTIAL, SIMILARITY, SNR } from "../gen/metrics";
import { queryLength } from "../match/query-sequence";
import { keptFrequencies } from "../score/kept";
import { cosineWithSymbol, metricOf, potentialWith } from "../score/score";

/**
 * The itfdf similarity is 1 - (1 - cosine) f / F. A cosine is at most 1, apart from rounding of a few units in the last
 * place for each symbol of a sum, and f is at most F.
 */
const HIGHEST_ITFDF: f64 = 1 + 1e-9;
/** More than the rounding error of a potential, which is at most 4, plus what {@link HIGHEST_ITFDF} adds to 1. */
const MAX_ROUNDING: f64 = 2e-9;

/** 1 / number, for numbers below this. */
const INVERSES: i32 = 256;
const inverses: usize = memory.data(INVERSES << 3, 8);

/** 1 / the query's length. */
let perQuery: f64 = 0;

/** Prepares for the query. */
export function beginBounds(): void {
  perQuery = 1 / <f64>queryLength();
  if (load<f64>(inverses, 8) === 0) {
    for (let number: u32 = 1; number < <u32>INVERSES; number++) {
      store<f64>(inverses + ((<usize>number) << 3), 1 / <f64>number);
    }
  }
}

/** Whether a metric depends on all kept models, so that only bounds are known until the last one is counted. */
export function dependsOnKept(metric: u32): bool {
  return metric === POTENTIAL || metric === ITFDF_SIMILARITY;
}

/** An upper bound of a metric of the model being scored. Exact if the metric does not depend on the kept models. */
export function highestOf(metric: u32): f64 {
  if (metric === POTENTIAL) {
    return potentialWith(HIGHEST_ITFDF);
  }
  return metric === ITFDF_SIMILARITY ? HIGHEST_ITFDF : metricOf(metric);
}

/**
 * A lower bound of a metric, given the `highest` that {@link highestOf} returned and the model's frequency. A cosine is
 * at least 0 and F only grows, so the itfdf similarity is at least 1 - f / (F so far).
 */
export function lowestOf(metric: u32, highest: f64, frequency: f64): f64 {
  return dependsOnKept(metric) ? highest - frequency / keptFrequencies() - MAX_ROUNDING : highest;
}

/**
 * An upper bound of a metric for models of at least `length` symbols whose events have at least `event` symbols each,
 * with at most `overlap` matching symbols. Infinite if nothing is known. Grows with the overlap.
 */
export function highestByOverlap(metric: u32, overlap: u32, length: u32, event: u32): f64 {
  const most = <f64>overlap;
  switch (metric) {
    case SIMILARITY:
      return (2 * most) / <f64>(length + queryLength());
    case NUMBER_OF_BLOCKS:
      return most;
    case POTENTIAL:
      return (most / <f64>length + highestConfidence(most, event)) * (most / <f64>queryLength()) + HIGHEST_ITFDF + 1;
    case EVIDENCE:
      return most / <f64>length;
    case FRAGMENTATION:
      return most - 1;
    case SNR:
      return most / <f64>queryLength();
    case CONFIDENCE:
      return highestConfidence(most, event);
    case ITFDF_SIMILARITY:
      return HIGHEST_ITFDF;
    default:
      return Infinity;
  }
}

/**
 * An upper bound of the potential of a kept model of `length` symbols that shares only the symbol of a class, and holds
 * it once; all kept models are counted. One symbol matches, and it alone makes up the cosine's dot product. The cosine
 * is greatest when the symbol is the whole present: more symbols only lengthen the present's vector, while the sums for
 * the query add up the same numbers in the same order.
 */
export function highestSharedPotential(number: u32, length: u32, event: u32): f64 {
  // A model's frequency is 1 or more.
  const itfdf = 1 - (1 - cosineWithSymbol(number)) / keptFrequencies();
  return (1 / <f64>length + highestConfidence(1, event)) * (1 / <f64>queryLength()) + itfdf + 1;
}

/**
 * An upper bound of the potential of a model of `length` symbols with at least `needed` and at most `overlap` matching
 * symbols, whose longest common block has `run` symbols. Either that block is all that matches, if it suffices. Or
 * there are b > 1 blocks, at least as many as it takes to reach `needed` with blocks no longer than the longest. They
 * hold at most m = min(overlap, b run) symbols, so the potential is at most g(b) = (m / length + 1) m /
 * |S| + 1 + 1 / b, where |S| is the query's length. For m = b run this is convex in b, so among the b that do not reach
 * the overlap the first or the last has the greatest value. Among the b that do, the first has it.
 */
export function highestPotential(overlap: u32, run: u32, needed: u32, length: u32, event: u32): f64 {
  const perLength = inverse(length);
  const alone = run < needed ? 0 : potentialAtMost(run, perLength, event) + 1;
  if (overlap <= run) {
    return alone + MAX_ROUNDING;
  }
  const fewest = run === 1 ? max(needed, 2) : max((needed + run - 1) / run, 2);
  const reaching = run === 1 ? overlap : (overlap + run - 1) / run;
  if (reaching <= fewest) {
    return max(alone, inBlocks(overlap, perLength, fewest)) + MAX_ROUNDING;
  }
  const first = inBlocks(fewest * run, perLength, fewest);
  const last = inBlocks((reaching - 1) * run, perLength, reaching - 1);
  return max(max(alone, first), max(last, inBlocks(overlap, perLength, reaching))) + MAX_ROUNDING;
}

/**
 * An upper bound of the potential of a model of `length` symbols with `matched` matching symbols in `blockCount`
 * blocks, whose present has at least `span` symbols.
 */
export function highestPotentialMatched(matched: u32, blockCount: u32, length: u32, span: u32): f64 {
  return potentialAtMost(matched, inverse(length), span) + inverse(blockCount) + MAX_ROUNDING;
}

/**
 * An upper bound of the sort metric of a model of `length` symbols with `matched` matching symbols in `blockCount`
 * blocks, whose present has at least `span` symbols.
 */
export function highestMatched(matched: u32, blockCount: u32, length: u32, span: u32): f64 {
  const metric = query.sortMetric;
  return metric === POTENTIAL
    ? highestPotentialMatched(matched, blockCount, length, span)
    : highestByOverlap(metric, matched, length, span);
}

/** g of `blockCount` blocks that hold `matched` symbols together. */
function inBlocks(matched: u32, perLength: f64, blockCount: u32): f64 {
  const count = <f64>matched;
  return (count * perLength + 1) * count * perQuery + 1 + inverse(blockCount);
}

/** An upper bound of the potential without its term for blocks. */
function potentialAtMost(matched: u32, perLength: f64, event: u32): f64 {
  const count = <f64>matched;
  const confidence = matched >= event ? 1 : count * inverse(event);
  return (count * perLength + confidence) * count * perQuery + 1;
}

/** 1 / number, cached for small numbers: a division would take longer than the rest of a bound. */
function inverse(number: u32): f64 {
  return number < <u32>INVERSES ? load<f64>(inverses + ((<usize>number) << 3)) : 1 / <f64>number;
}

/** A present has at least the matching symbols, and at least one event. */
function highestConfidence(matched: f64, event: u32): f64 {
  return matched >= <f64>event ? 1 : matched / <f64>event;
}
