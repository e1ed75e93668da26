/** The last word on a model: its exact metrics, once all kept models are counted. */

import { QUERY_SORT_METRIC, QUERY_THRESHOLD, QUERY_THRESHOLD_AT_LEAST, QUERY_THRESHOLD_METRIC } from "./layout";
import { matchAll } from "./match";
import { firstPosition, lastPosition } from "./outcome";
import { findPresent } from "./present";
import { query } from "./query";
import { offer } from "./rank";
import { closeModel, metricOf, openModel } from "./score";
import { placeOf, segmentOf } from "./segment";

/** Matches and cuts the model in a slot. {@link openModel} and its metrics may follow. */
export function examine(slot: u32): void {
  const segment = segmentOf(slot);
  matchAll(segment, placeOf(slot));
  findPresent(segment, placeOf(slot), firstPosition(), lastPosition());
}

/** Ranks the model in a slot, which is kept, if it passes the threshold. */
export function rankExactly(slot: u32): void {
  examine(slot);
  rankMatched(segmentOf(slot), placeOf(slot), slot);
}

/** Ranks the model matched last, which is kept and whose present was found, if it passes the threshold. */
export function rankMatched(segment: usize, place: u32, slot: u32): void {
  openModel(segment, place);
  const value = metricOf(load<u32>(query, QUERY_THRESHOLD_METRIC));
  const threshold = load<f64>(query, QUERY_THRESHOLD);
  if (load<u32>(query, QUERY_THRESHOLD_AT_LEAST) !== 0 ? value >= threshold : value <= threshold) {
    offer(metricOf(load<u32>(query, QUERY_SORT_METRIC)), slot);
  }
  closeModel();
}
