/**
 * What a metric of a model can be at most, or lies between, before all that it depends on is known. Every bound is computed by the
 * same operations in the same order as the metric itself, on arguments that are no worse; rounding keeps order, so the bound holds
 * for the rounded metric too.
 */

import { keptFrequencies } from "./kept";
import {
  CONFIDENCE,
  EVIDENCE,
  FRAGMENTATION,
  ITFDF_SIMILARITY,
  NUMBER_OF_BLOCKS,
  POTENTIAL,
  SIMILARITY,
  SNR,
} from "./layout";
import { memoryLength } from "./memory-sequence";
import { metricOf, potentialWith } from "./score";

/**
 * The itfdf similarity is 1 - (1 - cosine) f / F. A cosine is at most 1, but for rounding of at most a few units in the last place
 * for each symbol of a sum, and f is at most F.
 */
const HIGHEST_ITFDF: f64 = 1 + 1e-9;
/** More than what {@link HIGHEST_ITFDF} adds to 1 and the rounding of a potential, which is at most 4, together. */
const SLACK: f64 = 2e-9;

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
 * The most that a metric can be of a model of `length` symbols, each event of which has `event` symbols or more, when at most
 * `overlap` of its symbols match. Infinite where that says nothing.
 */
export function highestByOverlap(metric: u32, overlap: u32, length: u32, event: u32): f64 {
  switch (metric) {
    case SIMILARITY:
      return (2 * <f64>overlap) / <f64>(length + memoryLength());
    case NUMBER_OF_BLOCKS:
      return <f64>overlap;
    case POTENTIAL:
      return highestPotential(overlap, 1, length, event);
    case EVIDENCE:
      return <f64>overlap / <f64>length;
    case FRAGMENTATION:
      return <f64>(overlap - 1);
    case SNR:
      return <f64>overlap / <f64>memoryLength();
    case CONFIDENCE:
      return highestConfidence(overlap, event);
    case ITFDF_SIMILARITY:
      return HIGHEST_ITFDF;
    default:
      return Infinity;
  }
}

/**
 * The same when the longest common block has `run` symbols: either that block is all that matches, or there are at least as many
 * blocks as it takes to reach the number of matches with blocks no longer than it.
 */
export function highestByRun(metric: u32, overlap: u32, run: u32, length: u32, event: u32): f64 {
  if (metric !== POTENTIAL) {
    return highestByOverlap(metric, overlap, length, event);
  }
  let matched = min(overlap, run);
  let blockCount: u32 = 1;
  let highest = highestPotential(matched, blockCount, length, event);
  while (matched < overlap) {
    matched = min(overlap, matched + run);
    blockCount++;
    highest = max(highest, highestPotential(matched, blockCount, length, event));
  }
  return highest;
}

function highestPotential(matched: u32, blockCount: u32, length: u32, event: u32): f64 {
  const evidence = <f64>matched / <f64>length;
  const snr = <f64>matched / <f64>memoryLength();
  return (evidence + highestConfidence(matched, event)) * snr + HIGHEST_ITFDF + 1 / (<f64>(blockCount - 1) + 1);
}

/** A present has at least the symbols that match, and at least one event. */
function highestConfidence(matched: u32, event: u32): f64 {
  return <f64>matched / <f64>max(matched, event);
}
