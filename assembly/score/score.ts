/**
 * The numbers of a prediction, evaluated in the order that gives the recorded doubles bit for bit. Owns the model being scored: it
 * was matched in full and its present was found, and nothing else may be matched before it is closed.
 */

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
  QUERY_MODEL_FREQUENCIES,
  SIMILARITY,
  SNR,
} from "../abi/layout";
import { query } from "../abi/query";
import { frequencyAt, lengthAt } from "../corpus/segment";
import { classTable, countTable } from "../corpus/symbols";
import { blocks, matched } from "../match/outcome";
import { presentLength } from "../match/present";
import { classOccurrences, classSymbol, memoryClasses, memoryLength } from "../match/query-sequence";
import * as column from "../memory/buffer";
import { isSeen, keptFrequencies } from "./kept";
import {
  COUNT,
  countPresent,
  DISTINCT_BYTES,
  distinctEnd,
  distinctStart,
  entryAt,
  forgetPresentSymbols,
  PROBABILITY,
  probability,
  SYMBOL,
} from "./present-symbols";
import { entropyTerm, grandTerm, shareTerm } from "./terms";

/** Per class of memory, the weight of its symbol in memory, and the square of that: both are the same for every model. */
const weights: usize = memory.data(12, 8);

let modelSegment: usize = 0;
let modelPlace: u32 = 0;
let modelFrequency: f64 = 0;
/** The itfdf similarity, once it is known. */
let itfdf: f64 = 0;
let itfdfKnown: bool = false;

/** Prepares for the open memory. */
export function openScoring(): void {
  column.cut(weights, 0);
  const rows = column.append(weights, (<usize>memoryClasses() + 1) << 4);
  for (let number: u32 = 1; number <= memoryClasses(); number++) {
    const weight = <f64>classOccurrences(number) * probability(classSymbol(number));
    store<f64>(rows + ((<usize>number) << 4), weight);
    store<f64>(rows + ((<usize>number) << 4), weight * weight, 8);
  }
}

/** Begins with the model matched last; {@link closeModel} must follow. */
export function openModel(segment: usize, place: u32): void {
  modelSegment = segment;
  modelPlace = place;
  modelFrequency = frequencyAt(segment, place);
}

/** Ends. */
export function closeModel(): void {
  itfdfKnown = false;
  forgetPresentSymbols();
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
  countPresent(modelSegment, modelPlace);
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
  countPresent(modelSegment, modelPlace);
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
  countPresent(modelSegment, modelPlace);
  let sum: f64 = 0;
  for (let entry = distinctEnd(); entry > distinctStart(); ) {
    entry -= DISTINCT_BYTES;
    const p = load<f64>(entry, PROBABILITY);
    sum += p > 0 ? grandTerm(load<u32>(entry, SYMBOL), p) : 0;
  }
  return sum;
}

function confluence(): f64 {
  countPresent(modelSegment, modelPlace);
  let product: f64 = 1;
  for (let at: u32 = 0; at < presentLength(); at++) {
    product *= load<f64>(entryAt(at), PROBABILITY);
  }
  return (modelFrequency / load<f64>(query, QUERY_MODEL_FREQUENCIES)) * (1 - product);
}

/** Cosine of memory and present, weighed by probability; a symbol that no kept model has in its present weighs nothing. */
function itfdfSimilarity(): f64 {
  countPresent(modelSegment, modelPlace);
  const table = classTable();
  const rows = column.start(weights);
  let dot: f64 = 0;
  let uu: f64 = 0;
  let vv: f64 = 0;
  for (let entry = distinctStart(); entry < distinctEnd(); entry += DISTINCT_BYTES) {
    const p = load<f64>(entry, PROBABILITY);
    const v = <f64>load<u32>(entry, COUNT) * p;
    const number = load<u32>(table + ((<usize>load<u32>(entry, SYMBOL)) << 2));
    if (number !== 0) {
      const row = rows + ((<usize>number) << 4);
      dot += load<f64>(row) * v;
      uu += load<f64>(row, 8);
    }
    vv += v * v;
  }
  for (let number: u32 = 1; number <= memoryClasses(); number++) {
    const symbol = classSymbol(number);
    if (isSeen(number) && load<u32>(countTable() + ((<usize>symbol) << 2)) === 0) {
      uu += load<f64>(rows + ((<usize>number) << 4), 8);
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
