/**
 * The numbers of a prediction, evaluated in the order that gives the recorded doubles bit for bit. Owns the model being
 * scored, which was matched in full and whose present was found; nothing else may be matched before {@link endModel}.
 */

import { NUMBER_OF_BLOCKS, query } from "../abi/layout";
import { frequencyAt, lengthAt, Segment } from "../corpus/segment";
import { classTable } from "../corpus/symbols";
import {
  CONFIDENCE,
  CONFLUENCE,
  ENTROPY,
  EVIDENCE,
  FRAGMENTATION,
  GRAND_HAMILTONIAN,
  HAMILTONIAN,
  POTENTIAL,
  SIMILARITY,
  SNR,
} from "../gen/metrics";
import { blocks, matched } from "../match/outcome";
import { presentLength } from "../match/present";
import { classOccurrences, classSymbol, queryClasses, queryLength } from "../match/query-sequence";
import { countSteps } from "../match/steps";
import * as buffer from "../memory/buffer";
import { BUFFER_ALIGN, BUFFER_BYTES } from "../memory/buffer";
import { beginKept, isSeen, keptFrequencies } from "./kept";
import {
  countPresent,
  DISTINCT_BYTES,
  Distinct,
  distinctAt,
  distinctEnd,
  distinctStart,
  forgetPresentSymbols,
  isInPresent,
  probability,
} from "./present-symbols";
import { beginTerms, entropyTerm, grandTerm, shareTerm } from "./terms";

/** The weight of a class's symbol in the query; it is the same for every model. */
@unmanaged
class Weight {
  value: f64;
  squared: f64;
}

const WEIGHT_BYTES: usize = offsetof<Weight>();
/** A weight for each class; entry 0 is unused. */
const weights: usize = memory.data(BUFFER_BYTES, BUFFER_ALIGN);

let modelSegment: Segment = changetype<Segment>(0);
let modelPlace: u32 = 0;
let modelFrequency: f64 = 0;
/** The itfdf similarity, once it is known. */
let itfdf: f64 = 0;
let itfdfKnown: bool = false;

/** Prepares this room for the query, whose classes are known: weights, logarithms, and nothing kept yet. */
export function beginScoring(): void {
  buffer.truncate(weights, 0);
  buffer.append(weights, (<usize>queryClasses() + 1) * WEIGHT_BYTES);
  for (let number: u32 = 1; number <= queryClasses(); number++) {
    const weight = <f64>classOccurrences(number) * probability(classSymbol(number));
    weightOf(number).value = weight;
    weightOf(number).squared = weight * weight;
  }
  beginTerms(query.knownSymbols);
  beginKept();
}

/** Begins with the model matched last; {@link endModel} must follow. */
export function beginModel(segment: Segment, place: u32): void {
  // The cost of bounds and metrics.
  countSteps(<u64>queryClasses() + presentLength());
  modelSegment = segment;
  modelPlace = place;
  modelFrequency = frequencyAt(segment, place);
}

/** Ends with the model. */
export function endModel(): void {
  itfdfKnown = false;
  forgetPresentSymbols();
}

/**
 * The value of a metric of the model. Potential and itfdf similarity are right only when all kept models are counted.
 */
export function metricOf(metric: u32): f64 {
  switch (metric) {
    case SIMILARITY:
      return (2 * <f64>matched()) / <f64>(lengthAt(modelSegment, modelPlace) + queryLength());
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

/**
 * The potential for a given itfdf similarity. Rounding is monotonic, so a greater argument never gives a lesser
 * potential.
 */
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

/** Matching the matched span with the query again would find the same blocks, so the extras are what did not match. */
function snr(): f64 {
  return <f64>matched() / <f64>queryLength();
}

function entropy(): f64 {
  countPresent(modelSegment, modelPlace);
  let sum: f64 = 0;
  for (let at: u32 = 0; at < presentLength(); at++) {
    const entry = distinctAt(at);
    const p = entry.probability;
    sum += p > 0 ? entropyTerm(entry.symbol, p) : 0;
  }
  return sum;
}

function hamiltonian(): f64 {
  if (query.knownSymbols <= 1) {
    return 0;
  }
  countPresent(modelSegment, modelPlace);
  const length = presentLength();
  let sum: f64 = 0;
  for (let at: u32 = 0; at < length; at++) {
    sum += shareTerm(distinctAt(at).count, length);
  }
  return sum;
}

function grandHamiltonian(): f64 {
  if (query.knownSymbols <= 1) {
    return 0;
  }
  countPresent(modelSegment, modelPlace);
  let sum: f64 = 0;
  for (let at = distinctEnd(); at > distinctStart(); ) {
    at -= DISTINCT_BYTES;
    const entry = changetype<Distinct>(at);
    sum += entry.probability > 0 ? grandTerm(entry.symbol, entry.probability) : 0;
  }
  return sum;
}

function confluence(): f64 {
  countPresent(modelSegment, modelPlace);
  let product: f64 = 1;
  for (let at: u32 = 0; at < presentLength(); at++) {
    product *= distinctAt(at).probability;
  }
  return (modelFrequency / query.modelFrequencies) * (1 - product);
}

/**
 * From the cosine of query and present, weighted by probability. A symbol that is in no kept model's present has no
 * weight.
 */
function itfdfSimilarity(): f64 {
  countPresent(modelSegment, modelPlace);
  const table = classTable();
  let dot: f64 = 0;
  let uu: f64 = 0;
  let vv: f64 = 0;
  for (let at = distinctStart(); at < distinctEnd(); at += DISTINCT_BYTES) {
    const entry = changetype<Distinct>(at);
    const v = <f64>entry.count * entry.probability;
    const number = load<u32>(table + ((<usize>entry.symbol) << 2));
    if (number !== 0) {
      dot += weightOf(number).value * v;
      uu += weightOf(number).squared;
    }
    vv += v * v;
  }
  for (let number: u32 = 1; number <= queryClasses(); number++) {
    if (isSeen(number) && !isInPresent(classSymbol(number))) {
      uu += weightOf(number).squared;
    }
  }
  const denominator = sqrt(uu) * sqrt(vv);
  const cosine = denominator === 0 ? 0 : dot / denominator;
  return 1 - ((1 - cosine) * modelFrequency) / keptFrequencies();
}

/**
 * The cosine of the query and a present that consists of a class's symbol, with the same sums as in {@link
 * itfdfSimilarity}.
 */
export function cosineWithSymbol(number: u32): f64 {
  const p = probability(classSymbol(number));
  const dot = weightOf(number).value * p;
  let uu = weightOf(number).squared;
  for (let other: u32 = 1; other <= queryClasses(); other++) {
    if (other !== number && isSeen(other)) {
      uu += weightOf(other).squared;
    }
  }
  const denominator = sqrt(uu) * sqrt(p * p);
  return denominator === 0 ? 0 : dot / denominator;
}

function weightOf(number: u32): Weight {
  return changetype<Weight>(buffer.start(weights) + <usize>number * WEIGHT_BYTES);
}
