/**
 * Ranks the deferred models, once all kept models are counted. Few of them reach the floor. The newest come first,
 * because among equals the newer rank first: once the floor is reached, the older need not be examined.
 */

import { query } from "../abi/layout";
import { shortestEvent, shortestModel } from "../corpus/corpus";
import { lengthAt, placeOf, segmentOf } from "../corpus/segment";
import { highestByOverlap, highestSharedPotential } from "../filter/bound";
import { refreshPruneLimits, singlesLimit } from "../filter/prune-limits";
import { POTENTIAL } from "../gen/metrics";
import { setSingles } from "../match/outcome";
import { queryClasses } from "../match/query-sequence";
import { isOutOfSteps } from "../match/steps";
import * as buffer from "../memory/buffer";
import { BUFFER_ALIGN, BUFFER_BYTES } from "../memory/buffer";
import { reachesRanking } from "../memory/ranking";
import {
  sharedClass,
  sharedCount,
  sharedSlot,
  singlesCount,
  singlesFirst,
  singlesLast,
  singlesMatches,
  singlesSlot,
} from "./deferred";
import { rescore, rescoreMatched } from "./rescore";

/** Number of ranked models after which the prune limits are refreshed, since the floor may have risen. */
const REFRESH_AFTER: u32 = 64;

/** A double for each class: an upper bound of the sort metric of a model that shares only its symbol. */
const sharedBounds: usize = memory.data(BUFFER_BYTES, BUFFER_ALIGN);

/** Ranks the deferred models that can reach the floor. */
export function rankDeferred(): void {
  boundShared();
  rankShared();
  rankSingles();
}

/**
 * For the potential, a bound for each class that uses the final F: without it, nearly all these models would tie, and
 * be matched.
 */
function boundShared(): void {
  buffer.truncate(sharedBounds, 0);
  buffer.append(sharedBounds, (<usize>queryClasses() + 1) << 3);
  for (let number: u32 = 1; number <= queryClasses(); number++) {
    const bound =
      query.sortMetric === POTENTIAL
        ? highestSharedPotential(number, shortestModel(), shortestEvent())
        : highestByOverlap(query.sortMetric, 1, shortestModel(), shortestEvent());
    store<f64>(buffer.start(sharedBounds) + ((<usize>number) << 3), bound);
  }
}

function rankShared(): void {
  for (let at = sharedCount(); at > 0 && !isOutOfSteps(); at--) {
    const slot = sharedSlot(at - 1);
    const bound = load<f64>(buffer.start(sharedBounds) + ((<usize>sharedClass(at - 1)) << 3));
    if (reachesRanking(bound, slot) && reachesRanking(boundByLength(slot), slot)) {
      rescore(slot);
    }
  }
}

/** An upper bound of the sort metric of a model that matches one symbol, by the model's own length. */
function boundByLength(slot: u32): f64 {
  const segment = segmentOf(slot);
  return highestByOverlap(query.sortMetric, 1, lengthAt(segment, placeOf(slot)), segment.shortestEvent);
}

function rankSingles(): void {
  let ranked: u32 = 0;
  refreshPruneLimits();
  for (let at = singlesCount(); at > 0; at--) {
    const slot = singlesSlot(at - 1);
    const matches = singlesMatches(at - 1);
    if (matches > singlesLimit(lengthAt(segmentOf(slot), placeOf(slot)))) {
      setSingles(matches, singlesFirst(at - 1), singlesLast(at - 1));
      rescoreMatched(slot);
      ranked++;
      if (ranked % REFRESH_AFTER === 0) {
        refreshPruneLimits();
      }
    }
  }
}
