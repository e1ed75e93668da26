/** Ranks a model by its exact metrics, once all kept models are counted. */

import { query } from "../abi/layout";
import { lengthAt, placeOf, segmentOf } from "../corpus/segment";
import { highestMatched } from "../filter/bound";
import { matchAll } from "../match/match";
import { blocks, firstPosition, lastPosition, matched } from "../match/outcome";
import { findPresent, presentLength } from "../match/present";
import { offer, reachesRanking } from "../memory/ranking";
import { beginModel, endModel, metricOf } from "../score/score";

/** Ranks the kept model in a slot, if it passes the prediction threshold. */
export function rescore(slot: u32): void {
  matchAll(segmentOf(slot), placeOf(slot));
  rescoreMatched(slot);
}

/**
 * {@link rescore} for the model matched last. A model that cannot be among the best is dropped before any metric is
 * computed exactly.
 */
export function rescoreMatched(slot: u32): void {
  const segment = segmentOf(slot);
  const place = placeOf(slot);
  const length = lengthAt(segment, place);
  const span = max(lastPosition() - firstPosition() + 1, segment.shortestEvent);
  if (!reachesRanking(highestMatched(matched(), blocks(), length, span), slot)) {
    return;
  }
  findPresent(segment, place, firstPosition(), lastPosition());
  if (!reachesRanking(highestMatched(matched(), blocks(), length, presentLength()), slot)) {
    return;
  }
  beginModel(segment, place);
  const value = metricOf(query.thresholdMetric);
  if (query.thresholdAtLeast !== 0 ? value >= query.threshold : value <= query.threshold) {
    offer(metricOf(query.sortMetric), slot);
  }
  endModel();
}
