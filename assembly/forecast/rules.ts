/**
 * The rules, which give every outcome a probability for the events from `first` to `last` ahead. docs/forecast.md
 * states them. Owns the pass over all neighbours, and the counts of the rule behind.
 */

import { eventLength, eventStart, eventsAt, lengthAt, placeOf, Segment, segmentOf } from "../corpus/segment";
import { symbolFrequency } from "../corpus/symbols";
import { countSteps, isOutOfSteps } from "../match/steps";
import * as buffer from "../memory/buffer";
import { BUFFER_ALIGN, BUFFER_BYTES } from "../memory/buffer";
import { BYTES, HALVES } from "../memory/narrow";
import {
  Alignment,
  alignmentOf,
  hasSingles,
  LEVEL_MASK,
  levelOf,
  orderOf,
  sortAligned,
  sumLevels,
  summedAlignmentOf,
} from "./alignment";
import { AGREEMENTS, addCount, backOff, clearLevels, countedLevel, Level, MAX_LEVEL, MAX_ORDER } from "./back-off";
import { CONTEXT_EVENTS, contextEvents, contextSerial } from "./context";
import { kindAt, kindsOf } from "./event-kinds";
import { beginKindSums, kindSums, spreadKindSums } from "./kind-sums";
import { areNamed, countVotes, hasVotes, nameCompared, nameOutcomes, nearShare, outcomesOf } from "./near";
import { nearestNeighbour, neighbourAt, neighbourCount, strongestNeighbour, weightOf } from "./neighbours";
import {
  ALIKE,
  BEHIND,
  clearOutcomes,
  endOutcomes,
  NEAR,
  noteSupporter,
  numberOf,
  numberTable,
  ORDER,
  Outcome,
  outcomeAt,
  outcomeCount,
  outcomeIn,
  outcomesStart,
  probabilitiesStart,
  setProbability,
  symbolOf,
  UNNAMED,
} from "./outcomes";
import { areFew, beginPairs, countPairs, countSet, occurrencesIn, spreadPairs } from "./pairs";
import { beginWanted, countWanted, countWantedIn, isAnyWanted } from "./wanted";
import { countWindows, eventSymbol, lastShared, layOutWindows, nameInWindows, windowAt, windowCount } from "./windows";

/** A double for each outcome: its probability by the rule behind. */
const behind: usize = memory.data(BUFFER_BYTES, BUFFER_ALIGN);
/**
 * A double for each outcome: its probability by the levels of the rules order and alike; where the rule alike is alone,
 * in the end the one that it gives.
 */
const order: usize = memory.data(BUFFER_BYTES, BUFFER_ALIGN);
const alike: usize = memory.data(BUFFER_BYTES, BUFFER_ALIGN);

let first: u32 = 1;
let last: u32 = 1;
/** The number of the current occurrence, so that an outcome is counted once for each. */
let occurrence: u32 = 0;
/** The first occurrence in the current model. A model supports an outcome counted at or after it. */
let firstOccurrence: u32 = 0;
/** Sums over models: of W · n, of W · n · the events behind, and of W · n where the end comes first. */
let behindSum: f64 = 0;
let behindEvents: f64 = 0;
let behindEnds: f64 = 0;
let crowded: bool = false;
/** Whether all rules are wanted, also where an event that was counted holds several symbols. */
let whole: bool = false;
let fewAreNamed: bool = false;
/** Whether wanted symbols are being counted together. */
let countsWanted: bool = false;
/** The mass, of 1, that the rules with back-off leave to unnamed symbols. */
let orderRest: f64 = 0;
let alikeRest: f64 = 0;

/** The current model. */
let slot: u32 = 0;
let frequency: f64 = 0;
let events: u32 = 0;
let modelStart: usize = 0;
let modelEnd: usize = 0;

/** Whether one of the counted events holds more than one symbol. */
export function isCrowded(): bool {
  return crowded;
}

/** Whether a rule says something, if it was wanted. */
export function speaks(rule: u32): bool {
  if (rule === BEHIND) {
    return behindSum > 0;
  }
  return rule === NEAR ? hasVotes() : true;
}

/** Address of what the rule alike gives each outcome, a double each, if it is alone; else 0. */
export function alikeStart(): usize {
  return isAlikeAlone() ? buffer.start(alike) : 0;
}

/** The mass, of 1, that a rule leaves to all unnamed symbols. */
export function restOf(rule: u32): f64 {
  if (rule === ORDER) {
    return orderRest;
  }
  return rule === ALIKE ? alikeRest : 0;
}

/** Mean number of events behind the last one that a model shares with the context; 0 without models. */
export function meanBehind(): f64 {
  return behindSum > 0 ? behindEvents / behindSum : 0;
}

/**
 * Counts the continuations in all neighbours for the events from `from` to `to` ahead, and computes each rule's
 * probabilities.
 * @param modelFrequencies their sum over all models @param symbolFrequencies their sum over all symbols
 * @param isWhole whether all rules are wanted in any case; else the rule alike is alone where an event that was counted
 *   holds several symbols, as nothing is pooled there
 * @param isSupported whether to find the models that support an outcome; otherwise they are undefined
 */
export function applyRules(
  from: u32,
  to: u32,
  modelFrequencies: f64,
  symbolFrequencies: f64,
  isWhole: bool,
  isSupported: bool,
): void {
  first = from;
  last = to;
  whole = isWhole;
  crowded = !isWhole && !isNearestSingle() && findCrowd();
  const areWindows = !isSupported && to === 1 && !isAnyWanted() && outcomeCount() === 0 && layOutWindows();
  const areKinds = !areWindows && isAlikeAlone() && !isSupported && to === 1 && beginKindSums();
  if (!areWindows && !areKinds) {
    sortAligned();
  }
  beginSums();
  if (areWindows) {
    nameInWindows();
  } else if (areKinds) {
    countKindSums();
    nameCompared(contextSerial());
  } else if (!areNamed(isAlikeAlone())) {
    nameOutcomes(isAlikeAlone());
  }
  beginCounts();
  if (areWindows) {
    countWindows();
    countBehindWindows();
  } else if (areKinds) {
    spreadKindSums(fewAreNamed, countsWanted);
  } else {
    countModels();
  }
  if (fewAreNamed) {
    spreadPairs();
  }
  alikeRest = backOff(AGREEMENTS, MAX_LEVEL, pseudoCountOf(modelFrequencies), alike);
  if (isAlikeAlone()) {
    setAlike(modelFrequencies, symbolFrequencies);
    return;
  }
  countVotes();
  orderRest = backOff(0, MAX_ORDER, 0, order);
  setProbabilities(modelFrequencies, symbolFrequencies);
}

/** Sets all sums over models to 0. */
function beginSums(): void {
  behindSum = 0;
  behindEvents = 0;
  behindEnds = 0;
}

/** Sets all counts of outcomes to 0. */
function beginCounts(): void {
  clearOutcomes();
  clearLevels();
  const bytes = (<usize>outcomeCount()) << 3;
  buffer.fit(behind, bytes);
  memory.fill(buffer.start(behind), 0, bytes);
  occurrence = 0;
  fewAreNamed = areFew();
  countsWanted = first === 1 && last === 1 && beginWanted(fewAreNamed);
  if (fewAreNamed) {
    beginPairs();
  }
}

/** Counts the continuations in each neighbour. */
function countModels(): void {
  for (let at: u32 = 0; at < neighbourCount() && !isOutOfSteps(); at++) {
    const neighbour = strongestNeighbour(at);
    slot = neighbour.slot;
    frequency = neighbour.frequency;
    countModel(segmentOf(slot), placeOf(slot), alignmentOf(at), <f64>weightOf(neighbour));
  }
}

/** Counts the continuations in each neighbour by kind. No outcome is named yet. */
function countKindSums(): void {
  const sums = kindSums();
  const isWhole = contextEvents() === CONTEXT_EVENTS;
  for (let at: u32 = 0; at < neighbourCount() && !isOutOfSteps(); at++) {
    const neighbour = neighbourAt(at);
    const segment = segmentOf(neighbour.slot);
    const place = placeOf(neighbour.slot);
    const all = eventsAt(segment, place);
    frequency = neighbour.frequency;
    const shared = isWhole
      ? summedAlignmentOf(at, sums).shared
      : sumLevels(kindsOf(neighbour.slot), all, sums, frequency);
    countSteps(lengthAt(segment, place));
    const weight = weightOf(neighbour);
    if (weight > 0) {
      shareBehind(all - shared - 1, <f64>weight);
    }
  }
}

/** Counts the neighbours, laid out as windows, and the events behind the last shared one of each. */
function countBehindWindows(): void {
  const numbers = numberTable();
  const start = buffer.start(behind);
  let all: f64 = 0;
  let allEvents: f64 = 0;
  let ends: f64 = 0;
  for (let at: u32 = 0; at < windowCount(); at++) {
    const window = windowAt(at);
    const number = window.frequency;
    const length = window.events;
    if (window.weight > 0) {
      const end = window.start + length;
      const next = lastShared(window) + 1;
      const weighted = <f64>window.weight * number;
      all += weighted;
      if (next === end) {
        ends += weighted;
        continue;
      }
      const rest = <f64>(end - next);
      allEvents += weighted * rest;
      const share = floor(<f64>window.weight / rest) * number;
      for (let event = next; event < end; event++) {
        const given = start + ((<usize>numberOf(numbers, eventSymbol(event))) << 3);
        store<f64>(given, load<f64>(given) + share);
      }
    }
  }
  behindSum = all;
  behindEvents = allEvents;
  behindEnds = ends;
}

/** Whether nothing but what the rule alike says is wanted, as far as it is known yet. */
function isAlikeAlone(): bool {
  return crowded && !whole;
}

/**
 * Whether each event of the nearest neighbour holds one symbol: probably others' do, too, and it is not worth a search
 * for an event that holds more.
 */
function isNearestSingle(): bool {
  if (neighbourCount() === 0) {
    return false;
  }
  const nearest = nearestNeighbour(0).slot;
  return lengthAt(segmentOf(nearest), placeOf(nearest)) === eventsAt(segmentOf(nearest), placeOf(nearest));
}

/** Whether one of the events that will be counted holds more than one symbol. */
function findCrowd(): bool {
  for (let at: u32 = 0; at < neighbourCount() && !isOutOfSteps(); at++) {
    const neighbour = neighbourAt(at);
    const alignment = alignmentOf(at);
    if (isCrowdIn(segmentOf(neighbour.slot), placeOf(neighbour.slot), alignment, weightOf(neighbour) > 0)) {
      return true;
    }
  }
  return false;
}

/** The same for one model. @param countsBehind whether the events behind the last shared one are counted, too */
function isCrowdIn(segment: Segment, at: u32, alignment: Alignment, countsBehind: bool): bool {
  const all = alignment.events;
  const rest = all - alignment.shared - 1;
  if (countsBehind && rest >= first && lengthAt(segment, at) - alignment.sharedEnd > rest) {
    return true;
  }
  const number = eventStart(segment, at);
  for (let event: u32 = 0; event + first < all; event++) {
    if ((load<u8>(alignment.codes + <usize>event) & LEVEL_MASK) !== 0) {
      const end = min(event + last + 1, all);
      let length: u32 = 0;
      for (let next = event + first; next < end; next++) {
        length += eventLength(segment, number + next);
      }
      if (length > end - event - first) {
        return true;
      }
    }
  }
  return false;
}

/**
 * The number of additional occurrences of a level of agreement with unknown outcomes. Its occurrences are only a sample
 * of what may follow, and the less was learned, the smaller the sample. It is the number of binary digits of the
 * models' frequencies.
 */
function pseudoCountOf(modelFrequencies: f64): f64 {
  let digits: f64 = 0;
  for (let left = modelFrequencies; left >= 1; left /= 2) {
    digits++;
  }
  return digits;
}

/** Resets the outcomes and all counts. */
export function endRules(): void {
  endOutcomes();
  clearLevels();
}

function countModel(segment: Segment, at: u32, alignment: Alignment, weight: f64): void {
  const shift: u32 = segment.symbolShift;
  if (shift === BYTES) {
    countIn<u8>(segment, at, alignment, weight);
  } else if (shift === HALVES) {
    countIn<u16>(segment, at, alignment, weight);
  } else {
    countIn<u32>(segment, at, alignment, weight);
  }
}

function countIn<T>(segment: Segment, at: u32, alignment: Alignment, weight: f64): void {
  modelStart = alignment.start;
  modelEnd = alignment.end;
  events = alignment.events;
  countSteps((modelEnd - modelStart) / sizeof<T>());
  firstOccurrence = occurrence + 1;
  if (events > first) {
    if (first === last && fewAreNamed && alignment.kinds !== 0) {
      countKinds(alignment.codes, alignment.kinds);
    } else if (first !== last || countsWanted || !hasSingles<T>(alignment, segment)) {
      countOccurrences<T>(segment, eventStart(segment, at), alignment.codes);
    } else if (fewAreNamed) {
      countFewSingles<T>(alignment.codes);
    } else {
      countSingles<T>(alignment.codes);
    }
  }
  if (weight > 0) {
    countBehind<T>(alignment, weight);
  }
}

/** Counts the continuations of each occurrence in a model whose events hold one symbol each, one event ahead. */
function countSingles<T>(codes: usize): void {
  const numbers = numberTable();
  const outcomes = outcomesStart();
  const ahead = modelStart + <usize>first * sizeof<T>();
  const counted = events - first;
  const now = ++occurrence;
  for (let from: u32 = 0; from < counted; from += 16) {
    for (let found = occurrencesIn(codes, from, counted); found !== 0; found &= found - 1) {
      const event = <usize>from + <usize>ctz(found);
      const code = <u32>load<u8>(codes + event);
      const number = numberOf(numbers, <u32>load<T>(ahead + event * sizeof<T>()));
      const outcome = outcomeIn(outcomes, number);
      noteSupporter(outcome, number, slot, outcome.occurrence !== now);
      outcome.occurrence = now;
      countOnly(countedLevel(AGREEMENTS + levelOf(code)), number);
      const order = orderOf(code);
      if (order > 0) {
        countOnly(countedLevel(order), number);
      }
    }
  }
}

/** {@link countSingles} when few outcomes are named. */
function countFewSingles<T>(codes: usize): void {
  noteFew(countPairs<T>(codes, events - first, modelStart + <usize>first * sizeof<T>(), frequency));
}

/** Notes that the model supports a set of outcomes, given as bits. */
function noteFew(continued: u64): void {
  const outcomes = outcomesStart();
  const now = ++occurrence;
  for (let rest = continued; rest !== 0; rest &= rest - 1) {
    const number = <u32>ctz(rest);
    const outcome = outcomeIn(outcomes, number);
    noteSupporter(outcome, number, slot, true);
    outcome.occurrence = now;
  }
}

/** Counts an occurrence that one symbol continues. */
function countOnly(level: Level, number: u32): void {
  addCount(level, number, frequency);
  level.occurrences += frequency;
}

/**
 * Counts the continuations of each occurrence, for any number of symbols and events. @param number of its first event
 */
function countOccurrences<T>(segment: Segment, number: u32, codes: usize): void {
  let start = modelStart + bytesUpTo<T>(segment, number, first);
  let end = modelStart + bytesUpTo<T>(segment, number, last + 1);
  let few: u64 = 0;
  for (let event: u32 = 0; event + first < events; event++) {
    const code = <u32>load<u8>(codes + <usize>event);
    if ((code & LEVEL_MASK) !== 0) {
      const width = min(event + last + 1, events) - (event + first);
      crowded = crowded || end - start > <usize>width * sizeof<T>();
      if (fewAreNamed) {
        few |= countFew<T>(code, start, end);
      } else {
        countContinuation<T>(code, start, end);
        if (countsWanted) {
          countWantedIn<T>(levelOf(code), start, end, frequency);
        }
      }
    }
    if (first === last) {
      start = end;
    } else {
      start += bytesOf<T>(segment, number + event + first);
    }
    end += event + last + 1 < events ? bytesOf<T>(segment, number + event + last + 1) : 0;
  }
  noteFew(few);
}

/** Counts the continuations of an occurrence when few outcomes are named; returns them as bits. */
function countFew<T>(code: u32, start: usize, end: usize): u64 {
  const numbers = numberTable();
  let continued: u64 = 0;
  for (let at = start; at < end; at += sizeof<T>()) {
    continued |= (<u64>1) << (<u64>numberOf(numbers, <u32>load<T>(at)));
  }
  countSet(code, continued, frequency);
  if (countsWanted) {
    countWanted(levelOf(code), continued, frequency);
  }
  return continued;
}

/** {@link countFew}, one event ahead, for events with kinds. */
function countKinds(codes: usize, kinds: usize): void {
  const ahead = kinds + ((<usize>first) << 1);
  const counted = events - first;
  let few: u64 = 0;
  for (let from: u32 = 0; from < counted; from += 16) {
    for (let found = occurrencesIn(codes, from, counted); found !== 0; found &= found - 1) {
      const event = <usize>from + <usize>ctz(found);
      const code = <u32>load<u8>(codes + event);
      const kind = kindAt(<u32>load<u16>(ahead + (event << 1)));
      const continued = outcomesOf(kind);
      crowded = crowded || kind.length > 1;
      few |= continued;
      countSet(code, continued, frequency);
      if (countsWanted) {
        countWanted(levelOf(code), continued, frequency);
      }
    }
  }
  noteFew(few);
}

/** Bytes of the symbols of up to `count` events from `from` on. */
function bytesUpTo<T>(segment: Segment, from: u32, count: u32): usize {
  let bytes: usize = 0;
  for (let event: u32 = 0; event < min(count, events); event++) {
    bytes += bytesOf<T>(segment, from + event);
  }
  return bytes;
}

/** Bytes of an event's symbols. */
function bytesOf<T>(segment: Segment, event: u32): usize {
  return <usize>eventLength(segment, event) * sizeof<T>();
}

/** Counts the symbols of the window after an occurrence, on its level of agreement and perhaps its order. */
function countContinuation<T>(code: u32, start: usize, end: usize): void {
  const numbers = numberTable();
  const outcomes = outcomesStart();
  const now = ++occurrence;
  const level = countedLevel(AGREEMENTS + levelOf(code));
  level.occurrences += frequency;
  const order = orderOf(code);
  if (order === 0 || isAlikeAlone()) {
    for (let at = start; at < end; at += sizeof<T>()) {
      const number = numberOf(numbers, <u32>load<T>(at));
      if (isNew(outcomeIn(outcomes, number), number, now)) {
        addCount(level, number, frequency);
      }
    }
    return;
  }
  const ordered = countedLevel(order);
  ordered.occurrences += frequency;
  for (let at = start; at < end; at += sizeof<T>()) {
    const number = numberOf(numbers, <u32>load<T>(at));
    if (isNew(outcomeIn(outcomes, number), number, now)) {
      addCount(level, number, frequency);
      addCount(ordered, number, frequency);
    }
  }
}

/** Notes that an occurrence of the model has an outcome; returns whether it is new. */
function isNew(outcome: Outcome, number: u32, now: u32): bool {
  const before = outcome.occurrence;
  if (before === now) {
    return false;
  }
  outcome.occurrence = now;
  noteSupporter(outcome, number, slot, before < firstOccurrence);
  return true;
}

/** Counts a model with `rest` events behind the last shared one; returns what each place of these gets, if any does. */
function shareBehind(rest: u32, weight: f64): f64 {
  behindSum += weight * frequency;
  behindEvents += weight * frequency * <f64>rest;
  if (rest < first) {
    behindEnds += weight * frequency;
    return 0;
  }
  return floor((weight * <f64>min(last - first + 1, rest)) / <f64>rest) * frequency;
}

/** Divides a model's weight among the events behind the last one that it shares with the context. */
function countBehind<T>(alignment: Alignment, weight: f64): void {
  const rest = events - alignment.shared - 1;
  const sharedEnd = modelStart + <usize>alignment.sharedEnd * sizeof<T>();
  const share = shareBehind(rest, weight);
  if (rest < first) {
    return;
  }
  crowded = crowded || modelEnd - sharedEnd > <usize>rest * sizeof<T>();
  const numbers = numberTable();
  const outcomes = outcomesStart();
  const start = buffer.start(behind);
  const now = ++occurrence;
  if (isAlikeAlone()) {
    for (let at = sharedEnd; at < modelEnd; at += sizeof<T>()) {
      const number = numberOf(numbers, <u32>load<T>(at));
      isNew(outcomeIn(outcomes, number), number, now);
    }
    return;
  }
  for (let at = sharedEnd; at < modelEnd; at += sizeof<T>()) {
    const number = numberOf(numbers, <u32>load<T>(at));
    isNew(outcomeIn(outcomes, number), number, now);
    const given = start + ((<usize>number) << 3);
    store<f64>(given, load<f64>(given) + share);
  }
}

/** Sets what the rule alike gives each outcome, as {@link setProbabilities} does, in a table of its own. */
function setAlike(modelFrequencies: f64, symbolFrequencies: f64): void {
  const width = <f64>(last - first + 1);
  const all = modelFrequencies + symbolFrequencies;
  const start = buffer.start(alike);
  let named: f64 = 0;
  for (let number: u32 = 1; number < outcomeCount(); number++) {
    const expected = min(all, width * symbolFrequency(symbolOf(number)));
    const given = start + ((<usize>number) << 3);
    named += expected;
    store<f64>(given, min(1, load<f64>(given) + alikeRest * (expected / all)));
  }
  store<f64>(start, min(1, alikeRest * (min(all, width * modelFrequencies) / all)));
  outcomeAt(UNNAMED).support = 0;
  alikeRest *= max(0, 1 - named / all);
}

/**
 * Sets each rule's probability of each outcome. The mass that a rule's lowest level leaves is divided by how often
 * symbols occur at all.
 */
function setProbabilities(modelFrequencies: f64, symbolFrequencies: f64): void {
  const width = <f64>(last - first + 1);
  const all = modelFrequencies + symbolFrequencies;
  const start = probabilitiesStart();
  // A whole number: 0, or at least 1.
  const behindAll = max(1, behindSum);
  let named: f64 = 0;
  for (let number: u32 = 1; number < outcomeCount(); number++) {
    const expected = min(all, width * symbolFrequency(symbolOf(number)));
    const base = expected / all;
    named += expected;
    setProbability(start, number, ORDER, givenIn(order, number) + orderRest * base);
    setProbability(start, number, BEHIND, givenIn(behind, number) / behindAll);
    setProbability(start, number, ALIKE, givenIn(alike, number) + alikeRest * base);
    setProbability(start, number, NEAR, nearShare(number));
  }
  // From here on, the end takes the number of the unnamed symbols, which continue nothing.
  const end = min(all, width * modelFrequencies) / all;
  setProbability(start, UNNAMED, ORDER, orderRest * end);
  setProbability(start, UNNAMED, BEHIND, behindEnds / behindAll);
  setProbability(start, UNNAMED, ALIKE, alikeRest * end);
  setProbability(start, UNNAMED, NEAR, 0);
  outcomeAt(UNNAMED).support = 0;
  const unnamed = max(0, 1 - named / all);
  orderRest *= unnamed;
  alikeRest *= unnamed;
}

function givenIn(given: usize, number: u32): f64 {
  return load<f64>(buffer.start(given) + ((<usize>number) << 3));
}
