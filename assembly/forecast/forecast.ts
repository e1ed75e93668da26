/** Answers what comes next: what each rule gives every symbol, and which models say one most strongly. The host mixes the rules. */

import { inputStart } from "../abi/input";
import { query } from "../abi/layout";
import { slotOf } from "../corpus/corpus";
import { idAt, placeOf, segmentOf } from "../corpus/segment";
import { beginSteps } from "../match/steps";
import { beginContext, contextEvents, endContext } from "./context";
import { endCounts, entryCount, RULES } from "./counts";
import { beginLikeness, endLikeness, likenessOf, says, slotEnd, speakerCount } from "./likeness";
import { applyRules, isCrowded, modelSays, speaks } from "./rules";

/** How many models are named for a symbol. */
const STRONGEST: i32 = 5;
/** The slots of the strongest, and how many there are. */
const strongest: usize = memory.data(STRONGEST << 2, 4);
let strongestCount: i32 = 0;

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

/** Finds the models that say a symbol most strongly; returns how many, at most 5. */
export function findStrongest(symbol: u32, first: u32, last: u32): u32 {
  strongestCount = 0;
  for (let slot: u32 = 0; slot < slotEnd(); slot++) {
    if (says(slot) && isStrong(slot) && modelSays(slot, symbol, first, last)) {
      insert(slot);
    }
  }
  return strongestCount;
}

/** The id of one of them, 0 the strongest. */
export function strongestAt(place: u32): f64 {
  const slot = load<u32>(strongest + ((<usize>place) << 2));
  return idAt(segmentOf(slot), placeOf(slot));
}

/** Ends a forecast: sets all scratch back. */
export function endForecast(): void {
  endCounts();
  endLikeness();
  endContext();
}

/** Slots ascend, so of equals the later one is newer, and comes first. */
function isStrong(slot: u32): bool {
  return strongestCount < STRONGEST || likenessOf(slot) >= likenessOf(slotAt(STRONGEST - 1));
}

function insert(slot: u32): void {
  let at = min(strongestCount, STRONGEST - 1);
  strongestCount = min(strongestCount + 1, STRONGEST);
  for (; at > 0 && likenessOf(slotAt(at - 1)) <= likenessOf(slot); at--) {
    store<u32>(strongest + ((<usize>at) << 2), slotAt(at - 1));
  }
  store<u32>(strongest + ((<usize>at) << 2), slot);
}

function slotAt(at: i32): u32 {
  return load<u32>(strongest + ((<usize>at) << 2));
}
