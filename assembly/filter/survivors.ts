/**
 * The models that can still be among the predictions while kept models are being counted, each with an upper bound of
 * its sort metric. The floor is the worst of the best max_predictions of them, ranked by the lower bounds of their sort
 * metric; only models that surely pass the prediction threshold set it. A model that cannot reach the floor has
 * max_predictions others before it, whatever is still to be counted, so it is dropped.
 */

import { query } from "../abi/layout";
import { frequencyAt, Segment } from "../corpus/segment";
import * as buffer from "../memory/buffer";
import { BUFFER_ALIGN, BUFFER_BYTES } from "../memory/buffer";
import { beginRanking, offer, reachesRanking } from "../memory/ranking";
import { beginModel, endModel } from "../score/score";
import { highestOf, lowestOf } from "./bound";

@unmanaged
class Survivor {
  /** Upper bound of its sort metric. */
  highest: f64;
  frequency: f64;
  slot: u32;
  /** Whether it surely passes the prediction threshold. */
  sure: bool;
}

/** A multiple of 8. */
const SURVIVOR_BYTES: usize = (offsetof<Survivor>() + 7) & ~7;
const survivors: usize = memory.data(BUFFER_BYTES, BUFFER_ALIGN);

/** Results of {@link judge}: whether a model passes the prediction threshold. */
const FAILS: u32 = 0;
const MAY_PASS: u32 = 1;
const PASSES: u32 = 2;

/**
 * Maximum number of survivors held, in addition to twice the wanted number. When more survive, a second pass examines
 * all models.
 */
let mostSurvivors: u32 = 65536;
let wanted: u32 = 0;
/** Number of entries at which the list is thinned. */
let capacity: u32 = 0;
let overflowed: bool = false;
let anyPassed: bool = false;
let lastPassed: u32 = 0;

/** Sets {@link mostSurvivors}. For tests. */
export function limitSurvivors(count: u32): void {
  mostSurvivors = count;
}

/** Starts with no survivors and an empty ranking, to find the best `count`. */
export function beginSurvivors(count: u32): void {
  wanted = count;
  capacity = min<u32>(1024, mostSurvivors) + 4 * count;
  overflowed = false;
  anyPassed = false;
  buffer.truncate(survivors, 0);
  beginRanking(count);
}

/** Whether any model assessed is surely a prediction, for queries that need only one. */
export function surelyPassed(): bool {
  return anyPassed;
}

/** The slot of the model that {@link surelyPassed} is about. */
export function passedSlot(): u32 {
  return lastPassed;
}

/** Whether there were too many to hold; then the list is useless. */
export function tooManySurvivors(): bool {
  return overflowed;
}

/** Number of survivors. */
export function survivorCount(): u32 {
  return <u32>(buffer.size(survivors) / SURVIVOR_BYTES);
}

/** The survivors' address and bytes, as {@link restoreSurvivors} takes them. */
export function survivorsStart(): usize {
  return buffer.start(survivors);
}

export function survivorsSize(): usize {
  return buffer.size(survivors);
}

/** Restores the survivors of an earlier pass for the same query. @param from their address */
export function restoreSurvivors(from: usize, bytes: usize): void {
  memory.copy(buffer.append(survivors, bytes), from, bytes);
}

/** The slot of a survivor. */
export function survivorSlot(at: u32): u32 {
  return survivorAt(at).slot;
}

/**
 * Judges the model matched last, which is kept and counted and whose present was found; adds it
 * if it can be a prediction.
 */
export function assess(segment: Segment, place: u32, slot: u32): void {
  beginModel(segment, place);
  const frequency = frequencyAt(segment, place);
  const highest = highestOf(query.sortMetric);
  const verdict = judge(frequency, highest);
  if (verdict !== FAILS) {
    if (verdict === PASSES) {
      anyPassed = true;
      lastPassed = slot;
    }
    if (reachesRanking(highest, slot)) {
      add(slot, highest, frequency, verdict === PASSES);
    }
  }
  endModel();
}

/** Raises the floor to account for what was counted since, and drops survivors below it. */
export function thinSurvivors(): void {
  beginRanking(wanted);
  for (let at: u32 = 0; at < survivorCount(); at++) {
    const survivor = survivorAt(at);
    if (survivor.sure) {
      offer(lowestOf(query.sortMetric, survivor.highest, survivor.frequency), survivor.slot);
    }
  }
  let left: u32 = 0;
  for (let at: u32 = 0; at < survivorCount(); at++) {
    const survivor = survivorAt(at);
    if (reachesRanking(survivor.highest, survivor.slot)) {
      memory.copy(changetype<usize>(survivorAt(left)), changetype<usize>(survivor), SURVIVOR_BYTES);
      left++;
    }
  }
  buffer.truncate(survivors, <usize>left * SURVIVOR_BYTES);
  if (left > capacity >> 1) {
    capacity *= 2;
  }
  overflowed = left > mostSurvivors + 2 * wanted;
}

/**
 * Whether the model passes the prediction threshold. Of a metric that depends on the kept models, only bounds are known
 * yet.
 */
function judge(frequency: f64, sortHighest: f64): u32 {
  const metric = query.thresholdMetric;
  const threshold = query.threshold;
  const highest = metric === query.sortMetric ? sortHighest : highestOf(metric);
  const lowest = lowestOf(metric, highest, frequency);
  const atLeast = query.thresholdAtLeast !== 0;
  if (atLeast ? highest < threshold : lowest > threshold) {
    return FAILS;
  }
  return (atLeast ? lowest >= threshold : highest <= threshold) ? PASSES : MAY_PASS;
}

function add(slot: u32, highest: f64, frequency: f64, sure: bool): void {
  if (sure) {
    offer(lowestOf(query.sortMetric, highest, frequency), slot);
  }
  if (overflowed) {
    return;
  }
  const survivor = changetype<Survivor>(buffer.append(survivors, SURVIVOR_BYTES));
  survivor.highest = highest;
  survivor.frequency = frequency;
  survivor.slot = slot;
  survivor.sure = sure;
  if (survivorCount() === capacity) {
    thinSurvivors();
  }
}

function survivorAt(at: u32): Survivor {
  return changetype<Survivor>(buffer.start(survivors) + <usize>at * SURVIVOR_BYTES);
}
