/**
 * The outcomes of a forecast, by number: 0 for all symbols that are not named, and from 1 on the named ones, in the
 * order in which they were added. For the host, the end has number 0. Owns the number of each symbol, the number of
 * models that support each outcome, and its probability by each rule.
 */

import { countTable } from "../corpus/symbols";
import * as buffer from "../memory/buffer";
import { BUFFER_ALIGN, BUFFER_BYTES } from "../memory/buffer";

/** The rules by number. */
export const ORDER: u32 = 0;
export const BEHIND: u32 = 1;
export const ALIKE: u32 = 2;
export const NEAR: u32 = 3;
/** Number of rules. */
export const RULES: u32 = 4;

/** Maximum number of supporters named for a symbol. */
export const MAX_SUPPORTERS: u32 = 5;

/** The number of all symbols that are not named, while models are counted; then that of the end. */
export const UNNAMED: u32 = 0;

/** Read and written each time an outcome is counted, so it is as small as possible. */
@unmanaged
export class Outcome {
  /** The number of the last occurrence that it continues. */
  occurrence: u32;
  /** Number of models that support it. */
  support: u32;
}

const OUTCOME_SHIFT: usize = 3;
/** Bytes of an outcome for the host, which reads the support. */
export const OUTCOME_BYTES: usize = 1 << OUTCOME_SHIFT;
export const OUTCOME_SUPPORT: u32 = offsetof<Outcome>("support");
/** Bytes of the slots of an outcome's strongest supporters, a word each, plus one spare word. */
const SUPPORTERS_BYTES: usize = (<usize>MAX_SUPPORTERS + 1) << 2;
/** Bytes of an outcome's probabilities by all rules, a double each. */
const PROBABILITIES_BYTES: usize = (<usize>RULES) << 3;

const outcomes: usize = memory.data(BUFFER_BYTES, BUFFER_ALIGN);
/** A word for each outcome: its symbol. */
const symbols: usize = memory.data(BUFFER_BYTES, BUFFER_ALIGN);
const supporters: usize = memory.data(BUFFER_BYTES, BUFFER_ALIGN);
const probabilities: usize = memory.data(BUFFER_BYTES, BUFFER_ALIGN);

let count: u32 = 0;

/**
 * Begins with {@link UNNAMED} alone. {@link endOutcomes} must follow.
 * @param most maximum number of outcomes: buffers must not move while they are counted
 */
export function beginOutcomes(most: u32): void {
  buffer.fit(symbols, (<usize>most) << 2);
  buffer.fit(outcomes, (<usize>most) << OUTCOME_SHIFT);
  memory.fill(buffer.start(outcomes), 0, buffer.size(outcomes));
  store<u32>(buffer.start(symbols), u32.MAX_VALUE);
  count = 1;
}

/** Names a symbol that has no number yet; returns its number. */
export function addOutcome(symbol: u32): u32 {
  store<u32>(countTable() + ((<usize>symbol) << 2), count);
  store<u32>(buffer.start(symbols) + ((<usize>count) << 2), symbol);
  return count++;
}

/** Names a symbol unless it has a number; there is room for one more. @param numbers {@link numberTable} */
export function nameIfNew(numbers: usize, symbol: u32): void {
  const at = numbers + ((<usize>symbol) << 2);
  const number = load<u32>(at);
  const isNew = number === UNNAMED;
  store<u32>(buffer.start(symbols) + ((<usize>count) << 2), symbol);
  store<u32>(at, isNew ? count : number);
  count += <u32>isNew;
}

/**
 * Names a symbol that has no number yet, if it is to be named; there is room for one more.
 * @param numbers {@link numberTable}
 * @param isNamed 1 to name it, else 0
 */
export function nameIf(numbers: usize, symbol: u32, isNamed: u32): void {
  // Without a branch, which would be mispredicted too often.
  store<u32>(buffer.start(symbols) + ((<usize>count) << 2), symbol);
  store<u32>(numbers + ((<usize>symbol) << 2), count & (0 - isNamed));
  count += isNamed;
}

/** Sets the numbers of all symbols back to 0. */
export function endOutcomes(): void {
  for (let number: u32 = 1; number < count; number++) {
    store<u32>(countTable() + ((<usize>symbolOf(number)) << 2), 0);
  }
  count = 0;
}

/** Resets the counts of all outcomes, and makes room for their supporters and probabilities. */
export function clearOutcomes(): void {
  // One fill is much faster than many.
  memory.fill(buffer.start(outcomes), 0, (<usize>count) << OUTCOME_SHIFT);
  buffer.fit(supporters, <usize>count * SUPPORTERS_BYTES);
  buffer.fit(probabilities, <usize>count * PROBABILITIES_BYTES);
}

/** Number of outcomes, including {@link UNNAMED}. */
export function outcomeCount(): u32 {
  return count;
}

/** Address of the symbols of the outcomes, a word each. */
export function symbolsStart(): usize {
  return buffer.start(symbols);
}

/** The symbol of an outcome. */
export function symbolOf(number: u32): u32 {
  return load<u32>(buffer.start(symbols) + ((<usize>number) << 2));
}

/** Address of the outcomes. */
export function outcomesStart(): usize {
  return buffer.start(outcomes);
}

/** An outcome by its number. */
export function outcomeAt(number: u32): Outcome {
  return outcomeIn(buffer.start(outcomes), number);
}

/** {@link outcomeAt} for loops. @param start {@link outcomesStart}, which a loop reads once */
export function outcomeIn(start: usize, number: u32): Outcome {
  return changetype<Outcome>(start + ((<usize>number) << OUTCOME_SHIFT));
}

/** A word for each symbol: its number, or {@link UNNAMED}. */
export function numberTable(): usize {
  return countTable();
}

/** The number of a symbol. @param numbers {@link numberTable}, which a loop reads once */
export function numberOf(numbers: usize, symbol: u32): u32 {
  return load<u32>(numbers + ((<usize>symbol) << 2));
}

/** The number of a symbol. */
export function numberIn(symbol: u32): u32 {
  return numberOf(numberTable(), symbol);
}

/**
 * Notes that a model supports an outcome. Call it for the strongest model first.
 * @param isNew whether the model is not noted yet; if not, nothing changes
 */
export function noteSupporter(outcome: Outcome, number: u32, slot: u32, isNew: bool): void {
  const support = outcome.support;
  // Written in any case, after the noted ones: a branch here is mispredicted too often.
  store<u32>(supporterAt(number, min(support, MAX_SUPPORTERS)), slot);
  outcome.support = support + <u32>isNew;
}

/** The slot of one of the strongest supporters; place 0 is the strongest. */
export function supporterOf(number: u32, place: u32): u32 {
  return load<u32>(supporterAt(number, place));
}

/** Address of the probabilities of all outcomes: {@link RULES} doubles each. */
export function probabilitiesStart(): usize {
  return buffer.start(probabilities);
}

/**
 * Sets a rule's probability of an outcome, at most 1. @param start {@link probabilitiesStart}, which a loop reads once
 */
export function setProbability(start: usize, number: u32, rule: u32, probability: f64): void {
  store<f64>(start + <usize>number * PROBABILITIES_BYTES + ((<usize>rule) << 3), min(1, probability));
}

function supporterAt(number: u32, place: u32): usize {
  return buffer.start(supporters) + <usize>number * SUPPORTERS_BYTES + ((<usize>place) << 2);
}
