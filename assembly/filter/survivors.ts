/**
 * The models that can still be among the predictions, while the kept models are being counted: each with the most that its sort
 * metric can be. A ranking of the least that those metrics can be, of models that surely pass the threshold, gives the floor: the
 * worst of the best max_predictions of them. A model that cannot reach the floor has max_predictions others before it, whatever is
 * still to be counted, and is let go.
 */

import * as column from "../memory/buffer";
import { offer, openRanking, reachesRanking } from "../memory/ranking";
import { lowestOf } from "./bound";

/** An entry: the highest value, the frequency, the slot, whether the model surely passes the threshold. */
const ENTRY_BYTES: usize = 24;
/** So many are kept in memory; when more survive, all models are looked at a second time instead. */
let mostSurvivors: u32 = 65536;

const entries: usize = memory.data(12, 8);

let wanted: u32 = 0;
let sortMetric: u32 = 0;
let capacity: u32 = 0;
let overflowed: bool = false;

/** Sets how many survivors are kept in memory, beside twice those that are wanted. */
export function limitSurvivors(count: u32): void {
  mostSurvivors = count;
}

/** Starts with none, to find the best `count` by a metric. */
export function openSurvivors(count: u32, metric: u32): void {
  wanted = count;
  sortMetric = metric;
  capacity = min<u32>(1024, mostSurvivors) + 4 * count;
  overflowed = false;
  column.cut(entries, 0);
  openRanking(count);
}

/** Whether there were too many to keep; then those kept say nothing. */
export function tooManySurvivors(): bool {
  return overflowed;
}

export function survivorCount(): u32 {
  return <u32>(column.size(entries) / ENTRY_BYTES);
}

export function survivorSlot(at: u32): u32 {
  return load<u32>(entry(at), 16);
}

/** Adds a model that reaches the floor. */
export function survive(slot: u32, highest: f64, frequency: f64, sure: bool): void {
  if (sure) {
    offer(lowestOf(sortMetric, highest, frequency), slot);
  }
  if (overflowed) {
    return;
  }
  const to = column.append(entries, ENTRY_BYTES);
  store<f64>(to, highest);
  store<f64>(to, frequency, 8);
  store<u32>(to, slot, 16);
  store<u32>(to, <u32>sure, 20);
  if (survivorCount() === capacity) {
    thin();
  }
}

/** Raises the floor with what has been counted since, and lets those below it go. */
export function thin(): void {
  openRanking(wanted);
  for (let at: u32 = 0; at < survivorCount(); at++) {
    if (load<u32>(entry(at), 20) !== 0) {
      offer(lowestOf(sortMetric, load<f64>(entry(at)), load<f64>(entry(at), 8)), survivorSlot(at));
    }
  }
  let left: u32 = 0;
  for (let at: u32 = 0; at < survivorCount(); at++) {
    if (reachesRanking(load<f64>(entry(at)), survivorSlot(at))) {
      memory.copy(entry(left), entry(at), ENTRY_BYTES);
      left++;
    }
  }
  column.cut(entries, <usize>left * ENTRY_BYTES);
  if (left > capacity >> 1) {
    capacity *= 2;
  }
  overflowed = left > mostSurvivors + 2 * wanted;
}

function entry(at: u32): usize {
  return column.start(entries) + <usize>at * ENTRY_BYTES;
}
