/** The exports of the kernel, and nothing else. README.md gives the order in which the host calls them. */

export { input, queryInput } from "./abi/input";
export {
  ABSENT,
  EXHAUSTED,
  HAS_PREDICTION,
  MATCH_BYTES,
  MATCH_EXTRAS,
  MATCH_FREQUENCY,
  MATCH_ID,
  MATCH_LENGTHS,
  MATCH_MATCHES,
  MATCH_METRICS,
  MATCH_MISSING,
  MATCH_PRESENT_END,
  MATCH_PRESENT_START,
  MATCH_SYMBOLS,
  MATCH_WORDS,
  QUERY_ADDED,
  QUERY_HAS_TARGET,
  QUERY_HINT,
  QUERY_KNOWN_SYMBOLS,
  QUERY_LENGTH,
  QUERY_MAX_PREDICTIONS,
  QUERY_MEMBER_FREQUENCIES,
  QUERY_MEMORY,
  QUERY_MODEL_FREQUENCIES,
  QUERY_RECALL_THRESHOLD,
  QUERY_SORT_METRIC,
  QUERY_STEPS,
  QUERY_TARGET,
  QUERY_THRESHOLD,
  QUERY_THRESHOLD_AT_LEAST,
  QUERY_THRESHOLD_METRIC,
  queryBlock,
  UNDECIDED,
} from "./abi/layout";
export { bodiesStart, dropBodies, writeBodies } from "./corpus/bodies";
export { liveModels, liveSymbols } from "./corpus/corpus";
export {
  addModel,
  addModels,
  clearModels,
  removeModel,
  setFirstFrequencies,
  setFrequency,
  setSymbolFrequency,
} from "./corpus/knowledge";
export { segmentCount } from "./corpus/segment";
export { survivorsSize, survivorsStart } from "./filter/survivors";
export { longestCounted, longestCounts, longestOrder, MAX_LEVEL } from "./forecast/back-off";
export { contextEvents } from "./forecast/context";
export {
  beginForecast,
  countAhead,
  endForecast,
  namedModel,
  namedModels,
  nearestModel,
  neighbours,
} from "./forecast/forecast";
export {
  neighbourFrequency,
  neighbourId,
  neighbourLength,
  neighbourShared,
  neighbourSimilarity,
} from "./forecast/neighbour-list";
export { neighbourSymbols } from "./forecast/neighbours";
export {
  OUTCOME_BYTES,
  OUTCOME_SUPPORT,
  outcomesStart,
  probabilitiesStart,
  RULES,
  symbolsStart,
} from "./forecast/outcomes";
export { alikeStart, isCrowded, meanBehind, restOf, speaks } from "./forecast/rules";
export { beginSeries, endSeries } from "./forecast/series";
export { countTogether } from "./forecast/together";
export { MAX_WANTED, wantTogether } from "./forecast/wanted";
export { partnerOf } from "./match/outcome";
export { stepsLeft } from "./match/steps";
export { end, joinFree, setLimit, start } from "./memory/arena";
export { rankedCount, rankedValue } from "./memory/ranking";
export { countMatching } from "./query/count-matching";
export { sharedSize, sharedStart, singlesSize, singlesStart } from "./query/deferred";
export { endQuery, predict } from "./query/predict";
export { foundModel, noneForSymbols, predictsAny } from "./query/predicts-any";
export { recordsSize, recordsStart, writeMatches, writeMatchOf } from "./query/record";
export { rankAll, rankLeft, sumUp, takeSums } from "./query/sums";
export { keptFrequencies, weighs } from "./score/kept";
export {
  beginComparison,
  beginningsStart,
  CHOSEN_WIDTH,
  choosePart,
  chosenStart,
  countCompared,
  endComparison,
  gatherChosen,
  holdingStart,
  symbolsCompared,
  takeTerms,
  weighedStart,
  weighPart,
} from "./sequence/compare";
export { followersCount, followersFound } from "./sequence/followers";
export { HELD_BYTES, HELD_HAVING, HELD_HAVING_TIMES, HELD_OTHER_TIMES, heldStart } from "./sequence/sequence";
export { createTenant, enterTenant, releaseTenant, tenantBytes } from "./tenants/tenants";
export { addVector, clearVectors, nearest, nearestAt } from "./vectors/vectors";
