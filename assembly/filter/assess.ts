/** Judges a kept model by what is known of it before all kept models are counted, and lets it survive if it can be a prediction. */

import { QUERY_SORT_METRIC, QUERY_THRESHOLD, QUERY_THRESHOLD_AT_LEAST, QUERY_THRESHOLD_METRIC } from "../abi/layout";
import { query } from "../abi/query";
import { frequencyAt } from "../corpus/segment";
import { reachesRanking } from "../memory/ranking";
import { closeModel, openModel } from "../score/score";
import { highestOf, lowestOf } from "./bound";
import { survive } from "./survivors";

const FAILS: u32 = 0;
const MAY_PASS: u32 = 1;
const PASSES: u32 = 2;

let anyPassed: bool = false;

/** Starts a query: nothing has passed yet. */
export function openAssessing(): void {
  anyPassed = false;
}

/** Whether any model assessed is surely a prediction, if only one of many. */
export function surelyPassed(): bool {
  return anyPassed;
}

/** Assesses the model matched last, whose present was found, and which is counted as kept. */
export function assess(segment: usize, place: u32, slot: u32): void {
  openModel(segment, place);
  const frequency = frequencyAt(segment, place);
  const highest = highestOf(load<u32>(query, QUERY_SORT_METRIC));
  const verdict = judge(frequency, highest);
  if (verdict !== FAILS) {
    anyPassed = anyPassed || verdict === PASSES;
    if (reachesRanking(highest, slot)) {
      survive(slot, highest, frequency, verdict === PASSES);
    }
  }
  closeModel();
}

/** Whether the model passes the prediction threshold; a metric that depends on the kept models is only bounded yet. */
function judge(frequency: f64, sortHighest: f64): u32 {
  const metric = load<u32>(query, QUERY_THRESHOLD_METRIC);
  const threshold = load<f64>(query, QUERY_THRESHOLD);
  const highest = metric === load<u32>(query, QUERY_SORT_METRIC) ? sortHighest : highestOf(metric);
  const lowest = lowestOf(metric, highest, frequency);
  const atLeast = load<u32>(query, QUERY_THRESHOLD_AT_LEAST) !== 0;
  if (atLeast ? highest < threshold : lowest > threshold) {
    return FAILS;
  }
  return (atLeast ? lowest >= threshold : highest <= threshold) ? PASSES : MAY_PASS;
}
