/**
 * Forecasts: the probability that each rule gives every symbol, and the models that support it most strongly. The host
 * pools the rules.
 */

import { inputStart } from "../abi/input";
import { query } from "../abi/layout";
import { slotOf } from "../corpus/corpus";
import { idAt, placeOf, segmentOf } from "../corpus/segment";
import { beginSteps } from "../match/steps";
import { beginAlignments, sortAligned } from "./alignment";
import { beginContext, endContext } from "./context";
import { keepKinds } from "./event-kinds";
import { nearestNeighbour, neighbourCount, neighbourEvents } from "./neighbours";
import { MAX_SUPPORTERS, numberIn, outcomeAt, outcomeCount, supporterOf } from "./outcomes";
import { applyRules, endRules } from "./rules";
import { candidateCount, findNeighbours } from "./similarity";
import { dropWanted } from "./wanted";

let symbolFrequencies: f64 = 0;

/**
 * Begins a forecast. The input holds the symbols of the events, then their lengths. The query block holds the number of
 * symbols, the target, the frequencies of all models, and the steps. {@link endForecast} must follow.
 * @param eventCount number of events
 * @param excluded the id of a model to count one occurrence less of; 0 for none
 * @param symbols the sum of the frequencies of all symbols
 * @returns number of models that share a symbol with the context
 */
export function beginForecast(eventCount: u32, excluded: f64, symbols: f64): u32 {
  symbolFrequencies = symbols;
  beginSteps(query.steps);
  beginContext(inputStart(), query.length, eventCount);
  findNeighbours(query.modelFrequencies, excluded === 0 ? -1 : slotOf(excluded));
  keepKinds(neighbourEvents());
  beginAlignments();
  return candidateCount();
}

/**
 * Counts what may be in the events from `first` to `last` ahead; returns the number of outcomes, the first of which is
 * the end.
 * @param whole whether all rules are wanted where an event that was counted holds several symbols; else the rule alike
 *   alone says something there
 * @param supported whether the supporters of outcomes are wanted; else they are undefined
 */
export function countAhead(first: u32, last: u32, whole: bool, supported: bool): u32 {
  applyRules(first, last, query.modelFrequencies, symbolFrequencies, whole, supported);
  return outcomeCount();
}

/** The number of named supporters of a symbol, which must be among those counted last. */
export function namedModels(symbol: u32): u32 {
  return min(outcomeAt(numberIn(symbol)).support, MAX_SUPPORTERS);
}

/** The id of one of them; place 0 is the strongest. */
export function namedModel(symbol: u32, place: u32): f64 {
  const slot = supporterOf(numberIn(symbol), place);
  return idAt(segmentOf(slot), placeOf(slot));
}

/** Number of neighbours, which are sorted then. */
export function neighbours(): u32 {
  sortAligned();
  return neighbourCount();
}

/** The id of a neighbour, 0 being the nearest; 0 if it does not hold a symbol of the newest event. */
export function nearestModel(at: u32): f64 {
  const neighbour = nearestNeighbour(at);
  return (neighbour.shared & 1) === 0 ? 0 : idAt(segmentOf(neighbour.slot), placeOf(neighbour.slot));
}

/** Ends a forecast: resets all scratch. */
export function endForecast(): void {
  endRules();
  dropWanted();
  endContext();
}
