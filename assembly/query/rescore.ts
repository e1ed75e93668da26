/** The last word on a model: its exact metrics, once all kept models are counted. */

import { QUERY_SORT_METRIC, QUERY_THRESHOLD, QUERY_THRESHOLD_AT_LEAST, QUERY_THRESHOLD_METRIC } from "../abi/layout";
import { query } from "../abi/query";
import { lengthAt, placeOf, SHORTEST_EVENT, segmentOf } from "../corpus/segment";
import { highestMatched } from "../filter/bound";
import { matchAll } from "../match/match";
import { blocks, firstPosition, lastPosition, matched } from "../match/outcome";
import { findPresent, presentLength } from "../match/present";
import { offer, reachesRanking } from "../memory/ranking";
import { closeModel, metricOf, openModel } from "../score/score";

/** Matches and cuts the model in a slot. {@link openModel} and its metrics may follow. */
export function examine(slot: u32): void {
  const segment = segmentOf(slot);
  matchAll(segment, placeOf(slot));
  findPresent(segment, placeOf(slot), firstPosition(), lastPosition());
}

/** Ranks the model in a slot, which is kept, if it passes the threshold. */
export function rankExactly(slot: u32): void {
  matchAll(segmentOf(slot), placeOf(slot));
  rankFound(slot);
}

/** The same when it is the model matched last. */
export function rankFound(slot: u32): void {
  const segment = segmentOf(slot);
  const place = placeOf(slot);
  if (canRank(slot, max(lastPosition() - firstPosition() + 1, load<u32>(segment, SHORTEST_EVENT)))) {
    findPresent(segment, place, firstPosition(), lastPosition());
    rankMatched(segment, place, slot);
  }
}

/** Ranks the model matched last, which is kept and whose present was found, if it passes the threshold. */
export function rankMatched(segment: usize, place: u32, slot: u32): void {
  if (canRank(slot, presentLength())) {
    openModel(segment, place);
    rankOpened(slot);
    closeModel();
  }
}

/** Whether the model matched last can be among the best if its present has `span` symbols or more: else it needs no exact number. */
function canRank(slot: u32, span: u32): bool {
  return reachesRanking(highestMatched(matched(), blocks(), lengthAt(segmentOf(slot), placeOf(slot)), span), slot);
}

function rankOpened(slot: u32): void {
  const value = metricOf(load<u32>(query, QUERY_THRESHOLD_METRIC));
  const threshold = load<f64>(query, QUERY_THRESHOLD);
  if (load<u32>(query, QUERY_THRESHOLD_AT_LEAST) !== 0 ? value >= threshold : value <= threshold) {
    offer(metricOf(load<u32>(query, QUERY_SORT_METRIC)), slot);
  }
}
