/**
 * Answers what comes next: what each rule gives every symbol, and which models support it most strongly. The host pools
 * the rules.
 */

import { inputStart } from "../abi/input";
import { query } from "../abi/layout";
import { slotOf } from "../corpus/corpus";
import { idAt, placeOf, segmentOf } from "../corpus/segment";
import { beginSteps } from "../match/steps";
import { beginAlignments } from "./alignment";
import { beginContext, endContext } from "./context";

import { nearestNeighbour, neighbourCount } from "./neighbours";
import { numberIn, outcomeAt, outcomeCount, STRONGEST, supporterOf } from "./outcomes";
import { applyRules, endRules } from "./rules";
import { candidateCount, findNeighbours } from "./similarity";
import { dropWanted } from "./wanted";

let symbolFrequencies: f64 = 0;

/**
 * Begins a forecast. The input holds the symbols of the events, then their lengths; the query block says how many
 * symbols there are, the target, the frequencies of all models, and the steps. {@link endForecast} must follow.
 * @param eventCount how many events there are
 * @param excluded the id of a model of which one occurrence is left out; 0 for none
 * @param symbols the frequencies of all symbols together
 * @returns how many models share a symbol with the context
 */
export function beginForecast(eventCount: u32, excluded: f64, symbols: f64): u32 {
  symbolFrequencies = symbols;
  beginSteps(query.steps);
  beginContext(inputStart(), query.length, eventCount);
  findNeighbours(query.modelFrequencies, excluded === 0 ? -1 : slotOf(excluded));
  beginAlignments();
  return candidateCount();
}

/**
 * Counts what may be in the events from `first` to `last` ahead; returns the number of outcomes, the first of which is
 * the end.
 * @param whole whether all rules are wanted where an event that was counted holds several symbols; else the rule alike
 *   alone says something there
 */
export function countAhead(first: u32, last: u32, whole: bool): u32 {
  applyRules(first, last, query.modelFrequencies, symbolFrequencies, whole);
  return outcomeCount();
}

/** How many supporters of a symbol are named; the symbol is one that was counted last. */
export function namedModels(symbol: u32): u32 {
  return min(outcomeAt(numberIn(symbol)).support, STRONGEST);
}

/** The id of one of them, 0 the strongest. */
export function namedModel(symbol: u32, place: u32): f64 {
  const slot = supporterOf(numberIn(symbol), place);
  return idAt(segmentOf(slot), placeOf(slot));
}

/** How many neighbours there are. */
export function neighbours(): u32 {
  return neighbourCount();
}

/** The id of one of them, 0 the nearest; 0 for one that holds no symbol of the newest event. */
export function nearestModel(at: u32): f64 {
  const neighbour = nearestNeighbour(at);
  return (neighbour.shared & 1) === 0 ? 0 : idAt(segmentOf(neighbour.slot), placeOf(neighbour.slot));
}

/** Ends a forecast: sets all scratch back. */
export function endForecast(): void {
  endRules();
  dropWanted();
  endContext();
}
