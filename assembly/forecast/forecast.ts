/** Answers what comes next: what each rule gives every symbol, and which models say it most strongly. The host mixes the rules. */

import { inputStart } from "../abi/input";
import { query } from "../abi/layout";
import { slotOf } from "../corpus/corpus";
import { idAt, placeOf, segmentOf } from "../corpus/segment";
import { beginSteps } from "../match/steps";
import { beginAdmission, endAdmission } from "./admission";
import { beginContext, contextEvents, endContext } from "./context";
import { endCounts, entryAt, entryCount, numberIn, RULES, STRONGEST, strongestOf } from "./counts";
import { beginLikeness, speakerCount } from "./likeness";
import { applyRules, isCrowded, restOf, speaks } from "./rules";

let symbolFrequencies: f64 = 0;

/**
 * Begins a forecast. The input holds the symbols of the events, then their lengths; the query block says how many symbols there are, the
 * target, the frequencies of all models, and the steps. {@link endForecast} must follow.
 * @param eventCount how many events there are
 * @param excluded the id of a model that says nothing; 0 for none
 * @param symbols the frequencies of all symbols together
 * @returns how many models speak
 */
export function beginForecast(eventCount: u32, excluded: f64, symbols: f64): u32 {
  symbolFrequencies = symbols;
  beginSteps(query.steps);
  beginContext(inputStart(), query.length, eventCount);
  beginLikeness(query.modelFrequencies, excluded === 0 ? -1 : slotOf(excluded));
  beginAdmission();
  return speakerCount();
}

/** How many of the newest events are taken into account. */
export function forecastContext(): u32 {
  return contextEvents();
}

/** Counts what may be in the events from `first` to `last` ahead; returns the number of entries, the first of which is the end's. */
export function countAhead(first: u32, last: u32): u32 {
  applyRules(first, last, query.modelFrequencies, symbolFrequencies);
  return entryCount();
}

/** Which rules speak, a bit each, the first the lowest; the bit above says whether an event that was counted holds more than one symbol. */
export function rulesSpeaking(): u32 {
  let bits: u32 = 0;
  for (let rule: u32 = 0; rule < RULES; rule++) {
    bits |= (<u32>speaks(rule)) << rule;
  }
  return bits | ((<u32>isCrowded()) << RULES);
}

/** What a rule leaves, of 1, to be divided as often as symbols occur at all. */
export function ruleRest(rule: u32): f64 {
  return restOf(rule);
}

/** How many of the models that say a symbol most strongly are named; the symbol is one that was counted last. */
export function namedModels(symbol: u32): u32 {
  return min(entryAt(numberIn(symbol)).support, STRONGEST);
}

/** The id of one of them, 0 the strongest. */
export function namedModel(symbol: u32, place: u32): f64 {
  const slot = strongestOf(numberIn(symbol), place);
  return idAt(segmentOf(slot), placeOf(slot));
}

/** Ends a forecast: sets all scratch back. */
export function endForecast(): void {
  endCounts();
  endAdmission();
  endContext();
}
