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

/** Per position of the present, the entry of its symbol. Filled when first needed. */
const presentEntries: usize = memory.data(12, 8);
/** The distinct symbols of the present, by first appearance: probability, symbol and how often it occurs. */
const distinctSymbols: usize = memory.data(12, 8);
const DISTINCT_BYTES: usize = 16;
const PROBABILITY: usize = 0;
const SYMBOL: usize = 8;
const COUNT: usize = 12;

let modelSegment: usize = 0;
let modelPlace: u32 = 0;
let modelFrequency: f64 = 0;
let counted: bool = false;
let distinctEnd: usize = 0;
/** The itfdf similarity, once it is known. */
let itfdf: f64 = 0;
let itfdfKnown: bool = false;

/** Begins with the model matched last; {@link closeModel} must follow. */
export function openModel(segment: usize, place: u32): void {
  modelSegment = segment;
  modelPlace = place;
  modelFrequency = frequencyAt(segment, place);
}

/** Ends; the table of counts is zero again. */
export function closeModel(): void {
  itfdfKnown = false;
  if (counted) {
    for (let entry = column.start(distinctSymbols); entry < distinctEnd; entry += DISTINCT_BYTES) {
      store<u32>(countTable() + ((<usize>load<u32>(entry, SYMBOL)) << 2), 0);
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
      return potentialWith(itfdfOnce());
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
      return itfdfOnce();
  }
}

/** The potential if the itfdf similarity were that. Rounding keeps order, so a greater argument never gives a lesser potential. */
export function potentialWith(similarity: f64): f64 {
  return (evidence() + confidence()) * snr() + similarity + 1 / (<f64>(blocks() - 1) + 1);
}

function itfdfOnce(): f64 {
  if (!itfdfKnown) {
    itfdf = itfdfSimilarity();
    itfdfKnown = true;
  }
  return itfdf;
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
    const entry = entryAt(at);
    const p = load<f64>(entry, PROBABILITY);
    sum += p > 0 ? entropyTerm(load<u32>(entry, SYMBOL), p) : 0;
  }
  return sum;
}

function hamiltonian(): f64 {
  if (load<f64>(query, QUERY_KNOWN_SYMBOLS) <= 1) {
    return 0;
  }
  countPresent();
  const length = presentLength();
  let sum: f64 = 0;
  for (let at: u32 = 0; at < length; at++) {
    sum += shareTerm(load<u32>(entryAt(at), COUNT), length);
  }
  return sum;
}

function grandHamiltonian(): f64 {
  if (load<f64>(query, QUERY_KNOWN_SYMBOLS) <= 1) {
    return 0;
  }
  countPresent();
  let sum: f64 = 0;
  for (let entry = distinctEnd; entry > column.start(distinctSymbols); ) {
    entry -= DISTINCT_BYTES;
    const p = load<f64>(entry, PROBABILITY);
    sum += p > 0 ? grandTerm(load<u32>(entry, SYMBOL), p) : 0;
  }
  return sum;
}

function confluence(): f64 {
  countPresent();
  let product: f64 = 1;
  for (let at: u32 = 0; at < presentLength(); at++) {
    product *= load<f64>(entryAt(at), PROBABILITY);
  }
  return (modelFrequency / load<f64>(query, QUERY_MODEL_FREQUENCIES)) * (1 - product);
}

/** Cosine of memory and present, weighed by probability; a symbol that no kept model has in its present weighs nothing. */
function itfdfSimilarity(): f64 {
  countPresent();
  const table = classTable();
  let dot: f64 = 0;
  let uu: f64 = 0;
  let vv: f64 = 0;
  for (let entry = column.start(distinctSymbols); entry < distinctEnd; entry += DISTINCT_BYTES) {
    const p = load<f64>(entry, PROBABILITY);
    const v = <f64>load<u32>(entry, COUNT) * p;
    const number = load<u32>(table + ((<usize>load<u32>(entry, SYMBOL)) << 2));
    if (number !== 0) {
      const u = <f64>classOccurrences(number) * p;
      dot += u * v;
      uu += u * u;
    }
    vv += v * v;
  }
  for (let number: u32 = 1; number <= memoryClasses(); number++) {
    const symbol = classSymbol(number);
    if (isSeen(number) && load<u32>(countTable() + ((<usize>symbol) << 2)) === 0) {
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

/** Finds the distinct symbols of the present and counts them, once a model. */
function countPresent(): void {
  if (counted) {
    return;
  }
  counted = true;
  const start = symbolStart(modelSegment, modelPlace) + presentFrom();
  const length = presentLength();
  column.hold(presentEntries, (<usize>length) << 2);
  column.hold(distinctSymbols, <usize>length * DISTINCT_BYTES);
  const to = column.start(presentEntries);
  const table = countTable();
  distinctEnd = column.start(distinctSymbols);
  for (let at: u32 = 0; at < length; at++) {
    const symbol = symbolAt(modelSegment, start + at);
    let entry: usize = load<u32>(table + ((<usize>symbol) << 2));
    if (entry === 0) {
      entry = distinctEnd;
      distinctEnd += DISTINCT_BYTES;
      store<f64>(entry, probability(symbol), PROBABILITY);
      store<u32>(entry, symbol, SYMBOL);
      store<u32>(entry, 0, COUNT);
      store<u32>(table + ((<usize>symbol) << 2), <u32>entry);
    }
    store<u32>(entry, load<u32>(entry, COUNT) + 1, COUNT);
    store<u32>(to + ((<usize>at) << 2), <u32>entry);
  }
}

/** The entry of the distinct symbol at a position of the present. */
function entryAt(at: u32): usize {
  return load<u32>(column.start(presentEntries) + ((<usize>at) << 2));
}

export function forgetScoring(): void {
  column.drop(presentEntries);
  column.drop(distinctSymbols);
}
