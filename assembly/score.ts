/**
 * The numbers of a prediction, evaluated in the order that gives the recorded doubles bit for bit. Owns the model being scored: it
 * was matched in full and its present was found, and nothing else may be matched before it is closed.
 */

import * as column from "./column";
import { isSeen, keptFrequencies } from "./kept";
import {
  CONFIDENCE,
  CONFLUENCE,
  ENTROPY,
  EVIDENCE,
  FRAGMENTATION,
  GRAND_HAMILTONIAN,
  HAMILTONIAN,
  NUMBER_OF_BLOCKS,
  POTENTIAL,
  QUERY_KNOWN_SYMBOLS,
  QUERY_MEMBER_FREQUENCIES,
  QUERY_MODEL_FREQUENCIES,
  SIMILARITY,
  SNR,
} from "./layout";
import { classOccurrences, classSymbol, memoryClasses, memoryLength } from "./memory-sequence";
import { blocks, matched } from "./outcome";
import { presentFrom, presentLength } from "./present";
import { query } from "./query";
import { frequencyAt, lengthAt, symbolAt, symbolStart } from "./segment";
import { classTable, countTable, symbolFrequency } from "./symbols";
import { entropyTerm, grandTerm, shareTerm } from "./terms";

/** The symbols of the present, and the distinct ones by first appearance; a word each. Filled when first needed. */
const presentSymbols: usize = memory.data(12, 8);
const distinctSymbols: usize = memory.data(12, 8);

let modelSegment: usize = 0;
let modelPlace: u32 = 0;
let modelFrequency: f64 = 0;
let counted: bool = false;
let distinct: u32 = 0;

/** Begins with the model matched last; {@link closeModel} must follow. */
export function openModel(segment: usize, place: u32): void {
  modelSegment = segment;
  modelPlace = place;
  modelFrequency = frequencyAt(segment, place);
}

/** Ends; the counts per symbol are zero again. */
export function closeModel(): void {
  if (counted) {
    for (let at: u32 = 0; at < distinctCount(); at++) {
      store<u32>(countTable() + ((<usize>distinctAt(at)) << 2), 0);
    }
    counted = false;
  }
}

/** The value of a metric of the model. Those that depend on all kept models are right only when all are counted. */
export function metricOf(metric: u32): f64 {
  switch (metric) {
    case SIMILARITY:
      return (2 * <f64>matched()) / <f64>(lengthAt(modelSegment, modelPlace) + memoryLength());
    case NUMBER_OF_BLOCKS:
      return <f64>blocks();
    case POTENTIAL:
      return potentialWith(itfdfSimilarity());
    case EVIDENCE:
      return evidence();
    case FRAGMENTATION:
      return <f64>(blocks() - 1);
    case SNR:
      return snr();
    case ENTROPY:
      return entropy();
    case HAMILTONIAN:
      return hamiltonian();
    case GRAND_HAMILTONIAN:
      return grandHamiltonian();
    case CONFLUENCE:
      return confluence();
    case CONFIDENCE:
      return confidence();
    default:
      return itfdfSimilarity();
  }
}

/** The potential if the itfdf similarity were this. Rounding keeps order, so a greater argument never gives a lesser potential. */
export function potentialWith(itfdf: f64): f64 {
  return (evidence() + confidence()) * snr() + itfdf + 1 / (<f64>(blocks() - 1) + 1);
}

function evidence(): f64 {
  return <f64>matched() / <f64>lengthAt(modelSegment, modelPlace);
}

function confidence(): f64 {
  return <f64>matched() / <f64>presentLength();
}

/** Matching the matched span against memory again gives the very blocks found, so what is left over is what did not match. */
function snr(): f64 {
  return <f64>matched() / <f64>memoryLength();
}

function entropy(): f64 {
  countPresent();
  let sum: f64 = 0;
  for (let at: u32 = 0; at < presentLength(); at++) {
    const p = probability(presentAt(at));
    sum += p > 0 ? entropyTerm(presentAt(at), p) : 0;
  }
  return sum;
}

function hamiltonian(): f64 {
  if (load<f64>(query, QUERY_KNOWN_SYMBOLS) <= 1) {
    return 0;
  }
  countPresent();
  let sum: f64 = 0;
  for (let at: u32 = 0; at < presentLength(); at++) {
    sum += shareTerm(countOf(presentAt(at)), presentLength());
  }
  return sum;
}

function grandHamiltonian(): f64 {
  if (load<f64>(query, QUERY_KNOWN_SYMBOLS) <= 1) {
    return 0;
  }
  countPresent();
  let sum: f64 = 0;
  for (let at = distinctCount(); at > 0; at--) {
    const p = probability(distinctAt(at - 1));
    sum += p > 0 ? grandTerm(distinctAt(at - 1), p) : 0;
  }
  return sum;
}

function confluence(): f64 {
  countPresent();
  let product: f64 = 1;
  for (let at: u32 = 0; at < presentLength(); at++) {
    product *= probability(presentAt(at));
  }
  return (modelFrequency / load<f64>(query, QUERY_MODEL_FREQUENCIES)) * (1 - product);
}

/** Cosine of memory and present, weighed by probability; a symbol that no kept model has in its present weighs nothing. */
function itfdfSimilarity(): f64 {
  countPresent();
  let dot: f64 = 0;
  let uu: f64 = 0;
  let vv: f64 = 0;
  for (let at: u32 = 0; at < distinctCount(); at++) {
    const symbol = distinctAt(at);
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
    if (countOf(symbol) === 0 && isSeen(number)) {
      const u = <f64>classOccurrences(number) * probability(symbol);
      uu += u * u;
    }
  }
  const denominator = sqrt(uu) * sqrt(vv);
  const cosine = denominator === 0 ? 0 : dot / denominator;
  return 1 - ((1 - cosine) * modelFrequency) / keptFrequencies();
}

/** The cosine of memory and a present that is one symbol, that of a class: the same sums as those of {@link itfdfSimilarity}. */
export function singleCosine(number: u32): f64 {
  const p = probability(classSymbol(number));
  const u = <f64>classOccurrences(number) * p;
  const dot = u * p;
  let uu = u * u;
  for (let other: u32 = 1; other <= memoryClasses(); other++) {
    if (other !== number && isSeen(other)) {
      const more = <f64>classOccurrences(other) * probability(classSymbol(other));
      uu += more * more;
    }
  }
  const denominator = sqrt(uu) * sqrt(p * p);
  return denominator === 0 ? 0 : dot / denominator;
}

function probability(symbol: u32): f64 {
  return symbolFrequency(symbol) / load<f64>(query, QUERY_MEMBER_FREQUENCIES);
}

/** Copies the present's symbols and counts them, once a model. */
function countPresent(): void {
  if (counted) {
    return;
  }
  counted = true;
  const start = symbolStart(modelSegment, modelPlace) + presentFrom();
  const length = presentLength();
  column.hold(presentSymbols, (<usize>length) << 2);
  column.hold(distinctSymbols, (<usize>length) << 2);
  const to = column.start(presentSymbols);
  const counts = countTable();
  let end = column.start(distinctSymbols);
  for (let at: u32 = 0; at < length; at++) {
    const symbol = symbolAt(modelSegment, start + at);
    store<u32>(to + ((<usize>at) << 2), symbol);
    const count = counts + ((<usize>symbol) << 2);
    const times = load<u32>(count);
    if (times === 0) {
      store<u32>(end, symbol);
      end += 4;
    }
    store<u32>(count, times + 1);
  }
  distinct = <u32>((end - column.start(distinctSymbols)) >> 2);
}

function presentAt(at: u32): u32 {
  return load<u32>(column.start(presentSymbols) + ((<usize>at) << 2));
}

function distinctCount(): u32 {
  return distinct;
}

function distinctAt(at: u32): u32 {
  return load<u32>(column.start(distinctSymbols) + ((<usize>at) << 2));
}

function countOf(symbol: u32): u32 {
  return load<u32>(countTable() + ((<usize>symbol) << 2));
}

export function forgetScoring(): void {
  column.drop(presentSymbols);
  column.drop(distinctSymbols);
}
