/** The exports of the debug build besides index.ts: counts of which matcher answered, and hooks for tests. */

export {
  answersOf,
  DECIDED_BY_LANE_SINGLES,
  DECIDED_BY_LONGEST_BLOCK,
  DEFERRED_SHARED,
  DEFERRED_SINGLES,
  MATCHED_BATCH_PAIRS,
  MATCHED_BATCH_SINGLES,
  MATCHED_LANE_SINGLES,
  MATCHED_LANES_THEN_SHORT,
  MATCHED_LONG,
  MATCHED_SHORT,
  SECOND_PASS,
} from "./abi/trace";
export { limitSurvivors } from "./filter/survivors";
export { partnerOf } from "./match/outcome";
export { limitDeferred } from "./query/deferred";
