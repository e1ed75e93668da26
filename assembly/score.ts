/** The numbers of a prediction, evaluated in the order that gives the recorded doubles bit for bit. Owns the present of the model scored last. */

import * as column from "./column";
import { eventsAt, frequencyAt, lengthAt, lengthsAt, symbolsAt } from "./corpus";
import { log, log2 } from "./host";
import {
  CONFIDENCE,
  CONFLUENCE,
  ENTROPY,
  EVIDENCE,
  FRAGMENTATION,
  GRAND_HAMILTONIAN,
  HAMILTONIAN,
  ITFDF_SIMILARITY,
  NUMBER_OF_BLOCKS,
  POTENTIAL,
  QUERY_KNOWN_SYMBOLS,
  QUERY_MEMBER_FREQUENCIES,
  QUERY_MODEL_FREQUENCIES,
  SIMILARITY,
  SNR,
} from "./layout";
import { blocks, firstPosition, lastPositionMatched, matched } from "./match";
import { classOccurrences, classSymbol, memoryClasses, memoryLength } from "./memory-sequence";
import { query } from "./query";
import { classTable, countTable, frequencyOf } from "./symbols";

/** The metrics of the model scored last, in the order of their codes. */
export const metrics: usize = memory.data(96, 8);

/** The distinct symbols of the present, by first appearance. */
const distinct: usize = memory.data(12, 8);
/** Per class of memory, whether a kept model has it in its present. */
const weighed: usize = memory.data(12, 8);

let keptFrequencies: f64 = 0;
let eventFrom: u32 = 0;
let eventTo: u32 = 0;
let symbolFrom: u32 = 0;
let symbolTo: u32 = 0;

/** Index of the first event of the present. */
export function presentStart(): u32 {
  return eventFrom;
}

/** Index of the event after the present. */
export function presentEnd(): u32 {
  return eventTo;
}

/** The model position where the present starts. */
export function presentFrom(): u32 {
  return symbolFrom;
}

/** The model position after the present. */
export function presentTo(): u32 {
  return symbolTo;
}

/** Starts a query: no model is kept yet. */
export function openScoring(): void {
  keptFrequencies = 0;
  column.cut(weighed, 0);
  column.append(weighed, <usize>memoryClasses() + 1);
}

/** Finds the whole events from the first matched symbol of the model to the last. */
export function findPresent(slot: u32): void {
  const lengths = lengthsAt(slot);
  const events = eventsAt(slot);
  let end: u32 = 0;
  let event: u32 = 0;
  for (; event < events; event++) {
    const length = load<u32>(lengths + ((<usize>event) << 2));
    end += length;
    if (end > firstPosition()) {
      symbolFrom = end - length;
      break;
    }
  }
  eventFrom = event;
  while (end <= lastPositionMatched()) {
    event++;
    end += load<u32>(lengths + ((<usize>event) << 2));
  }
  eventTo = event + 1;
  symbolTo = end;
}

/** Counts a kept model, whose present was found: its frequency, and which of memory's symbols it weighs. */
export function keep(slot: u32): void {
  keptFrequencies += frequencyAt(slot);
  const symbols = symbolsAt(slot);
  for (let at = symbolFrom; at < symbolTo; at++) {
    const number = load<u32>(classTable() + ((<usize>load<u32>(symbols + ((<usize>at) << 2))) << 2));
    if (number !== 0) {
      store<u8>(column.start(weighed) + number, 1);
    }
  }
}

/** Fills {@link metrics} for a model that was matched and whose present was found. */
export function score(slot: u32): void {
  countPresent(slot);
  const m = <f64>matched();
  const present = <f64>(symbolTo - symbolFrom);
  const evidence = m / <f64>lengthAt(slot);
  const confidence = m / present;
  // Matching the present against memory again gives the very blocks found, so what is left over of memory is what did not match.
  const snr = m / <f64>memoryLength();
  const fragmentation = <f64>(blocks() - 1);
  const itfdf = itfdfSimilarity(slot);
  put(SIMILARITY, (2 * m) / <f64>(lengthAt(slot) + memoryLength()));
  put(NUMBER_OF_BLOCKS, <f64>blocks());
  put(POTENTIAL, (evidence + confidence) * snr + itfdf + 1 / (fragmentation + 1));
  put(EVIDENCE, evidence);
  put(FRAGMENTATION, fragmentation);
  put(SNR, snr);
  put(ENTROPY, entropy(slot));
  put(HAMILTONIAN, hamiltonian(slot, present));
  put(GRAND_HAMILTONIAN, grandHamiltonian());
  put(CONFLUENCE, confluence(slot));
  put(CONFIDENCE, confidence);
  put(ITFDF_SIMILARITY, itfdf);
  clearCounts();
}

function put(metric: u32, value: f64): void {
  store<f64>(metrics + ((<usize>metric) << 3), value);
}

function presentSymbol(slot: u32, at: u32): u32 {
  return load<u32>(symbolsAt(slot) + ((<usize>at) << 2));
}

function countOf(symbol: u32): u32 {
  return load<u32>(countTable() + ((<usize>symbol) << 2));
}

function countPresent(slot: u32): void {
  column.cut(distinct, 0);
  for (let at = symbolFrom; at < symbolTo; at++) {
    const symbol = presentSymbol(slot, at);
    const count = countTable() + ((<usize>symbol) << 2);
    if (load<u32>(count) === 0) {
      store<u32>(column.append(distinct, 4), symbol);
    }
    store<u32>(count, load<u32>(count) + 1);
  }
}

function clearCounts(): void {
  for (let at: u32 = 0; at < distinctCount(); at++) {
    store<u32>(countTable() + ((<usize>distinctSymbol(at)) << 2), 0);
  }
}

function distinctCount(): u32 {
  return <u32>(column.size(distinct) >> 2);
}

function distinctSymbol(at: u32): u32 {
  return load<u32>(column.start(distinct) + ((<usize>at) << 2));
}

function probability(symbol: u32): f64 {
  return frequencyOf(symbol) / load<f64>(query, QUERY_MEMBER_FREQUENCIES);
}

function entropy(slot: u32): f64 {
  let sum: f64 = 0;
  for (let at = symbolFrom; at < symbolTo; at++) {
    const p = probability(presentSymbol(slot, at));
    sum += p > 0 ? -p * log2(p) : 0;
  }
  return sum;
}

function hamiltonian(slot: u32, present: f64): f64 {
  const known = load<f64>(query, QUERY_KNOWN_SYMBOLS);
  if (known <= 1) {
    return 0;
  }
  const logKnown = log(known);
  let sum: f64 = 0;
  for (let at = symbolFrom; at < symbolTo; at++) {
    const q = <f64>countOf(presentSymbol(slot, at)) / present;
    sum += -q * (log(q) / logKnown);
  }
  return sum;
}

function grandHamiltonian(): f64 {
  const known = load<f64>(query, QUERY_KNOWN_SYMBOLS);
  if (known <= 1) {
    return 0;
  }
  const logKnown = log(known);
  let sum: f64 = 0;
  for (let at = distinctCount(); at > 0; at--) {
    const p = probability(distinctSymbol(at - 1));
    sum += p > 0 ? -p * (log(p) / logKnown) : 0;
  }
  return sum;
}

function confluence(slot: u32): f64 {
  let product: f64 = 1;
  for (let at = symbolFrom; at < symbolTo; at++) {
    product *= probability(presentSymbol(slot, at));
  }
  return (frequencyAt(slot) / load<f64>(query, QUERY_MODEL_FREQUENCIES)) * (1 - product);
}

/** Cosine of memory and present, weighed by probability; a symbol that no kept model has in its present weighs nothing. */
function itfdfSimilarity(slot: u32): f64 {
  let dot: f64 = 0;
  let uu: f64 = 0;
  let vv: f64 = 0;
  for (let at: u32 = 0; at < distinctCount(); at++) {
    const symbol = distinctSymbol(at);
    const p = probability(symbol);
    const v = <f64>countOf(symbol) * p;
    const number = load<u32>(classTable() + ((<usize>symbol) << 2));
    if (number !== 0) {
      const u = <f64>classOccurrences(number) * p;
      dot += u * v;
      uu += u * u;
    }
    vv += v * v;
  }
  for (let number: u32 = 1; number <= memoryClasses(); number++) {
    const symbol = classSymbol(number);
    if (countOf(symbol) === 0 && load<u8>(column.start(weighed) + number) !== 0) {
      const u = <f64>classOccurrences(number) * probability(symbol);
      uu += u * u;
    }
  }
  const denominator = sqrt(uu) * sqrt(vv);
  const cosine = denominator === 0 ? 0 : dot / denominator;
  return 1 - ((1 - cosine) * frequencyAt(slot)) / keptFrequencies;
}

export function forgetScoring(): void {
  column.drop(distinct);
  column.drop(weighed);
}
