/** What the debug build exports beside index.ts: counts of which matcher answered, and hooks that only tests call. */

export {
  answersOf,
  DEFERRED_SHARED,
  DEFERRED_SINGLES,
  MATCHED_BATCH_PAIRS,
  MATCHED_BATCH_SINGLES,
  MATCHED_IN_LANES,
  MATCHED_LONG,
  MATCHED_SHORT,
  SECOND_PASS,
} from "./abi/trace";
export { limitSurvivors } from "./filter/survivors";
export { partnerOf } from "./match/outcome";
export { limitDeferred } from "./query/deferred";
