/**
 * Compares a sequence with all models, for the verdict on it (docs/sequences.md): first what the models hold and in
 * which order, then the probability that each gives the sequence's counts, and finally what the models with high
 * probabilities hold. The host has the formulas; the kernel counts whole numbers, and adds the host's terms in a fixed
 * order.
 */

import { inputStart } from "../abi/input";
import { liveModels, longestModel } from "../corpus/corpus";
import {
  eventLength,
  eventStart,
  eventsAt,
  frequencyAt,
  Segment,
  segmentAt,
  segmentCount,
  symbolAddress,
  symbolStart,
} from "../corpus/segment";
import { countTable, symbolEnd } from "../corpus/symbols";
import { reserveBytes } from "../memory/arena";
import * as buffer from "../memory/buffer";
import { BUFFER_ALIGN, BUFFER_BYTES } from "../memory/buffer";
import { BYTES, HALVES } from "../memory/narrow";
import { countFollowers, dropFollowers, wantFollowers } from "./followers";
import { countHaving } from "./having";
import { dropKinds, takeKinds } from "./kinds";
import {
  dropSequence,
  Held,
  hasCount,
  heldAt,
  heldBy,
  isComplete,
  numberAfter,
  numberCount,
  takeSequence,
} from "./sequence";

/** A model counts in units of 1/1,024 bit. */
const UNITS_PER_BIT: f64 = 1024;

/** What to do with each model. */
const COUNT: u32 = 0;
const WEIGH: u32 = 1;

/** The words of the input that outlast the call: the kinds, and the kind of each place. */
const words: usize = memory.data(BUFFER_BYTES, BUFFER_ALIGN);
/** A double for each symbol: the total frequency of the models whose first event holds it. */
const beginnings: usize = memory.data(BUFFER_BYTES, BUFFER_ALIGN);
/** Address in the input of a double for each symbol that the sequence lacks: the term of a model that holds it. */
let terms: usize = 0;
/** A {@link SymbolTerm} for each symbol: what is read of a model's symbols while it is weighed. */
const symbolTerms: usize = memory.data(BUFFER_BYTES, BUFFER_ALIGN);
/** Doubles, of the model that is weighed: what its symbols add. */
const added: usize = memory.data(BUFFER_BYTES, BUFFER_ALIGN);
/**
 * A double for each symbol that the sequence lacks: the total weight of the models that hold it. Empty until one is
 * added, because most verdicts need none.
 */
const holding: usize = memory.data(BUFFER_BYTES, BUFFER_ALIGN);
/**
 * Two doubles for each model of a part: its units and its frequency. Those of all parts, where there are few models.
 */
const weighed: usize = memory.data(BUFFER_BYTES, BUFFER_ALIGN);
const WEIGHED_SHIFT: usize = 4;
/** Maximum number of kept models: they take 2 MiB. Beyond it, some models are weighed each time they are asked for. */
const MAX_KEPT: u32 = 1 << 17;
/** Of a part, the models that are near enough to be evidence. */
const chosen: usize = memory.data(BUFFER_BYTES, BUFFER_ALIGN);
/** A word for each part that is kept, and one more: how many models those before it have. */
const partStarts: usize = memory.data(BUFFER_BYTES, BUFFER_ALIGN);
/** A word for each distinct symbol of a model, in the order of first appearance; and for each without a number. */
const distinct: usize = memory.data(BUFFER_BYTES, BUFFER_ALIGN);
const others: usize = memory.data(BUFFER_BYTES, BUFFER_ALIGN);

/** A model that is near enough. */
@unmanaged
class Chosen {
  /** Its units, which the host replaces by its weight. */
  units: f64;
  frequency: f64;
  place: u32;
}

const CHOSEN_BYTES: usize = (offsetof<Chosen>() + 7) & ~7;
/** Doubles from one to the next. */
export const CHOSEN_WIDTH: u32 = <u32>(CHOSEN_BYTES >> 3);

/** What a symbol adds to the logarithm of a model that holds it. */
@unmanaged
class SymbolTerm {
  /** The number of the last model that held it, above {@link COUNT_BITS} bits for how often it did so far. */
  held: u32;
  /** Whether the sequence has it: 1 or 0. From the second bit on the offset of what it has added. */
  isShared: u32;
  /** What it adds where the model holds it once. */
  once: f64;
}

const SYMBOL_TERM_SHIFT: usize = 4;
const COUNT_BITS: u32 = 8;
const MAX_COUNT: u32 = (1 << COUNT_BITS) - 1;
/** Limit of the numbers of models that {@link SymbolTerm.held} stores above a count. */
const MAX_NUMBERED: u32 = 1 << (32 - COUNT_BITS);

let base: f64 = 0;
/** The number of the model that is weighed. */
let models: u32 = 0;
let hasBeginnings: bool = false;
let hasSymbolTerms: bool = false;
/** Where the part that is read is among what is weighed, and how many of its models were read. */
let part: usize = 0;
let read: u32 = 0;

/**
 * Begins with a sequence. The input holds words: its distinct symbols, u32.MAX_VALUE for unknown ones; the count of
 * each; the kind of each event, from 1 on; the number of symbols of each kind; and their numbers, ascending, kind after
 * kind. {@link countCompared} must follow if counts are needed, and {@link endComparison} in any case.
 * @param numbers number of its distinct symbols @param events number of its events @param kinds number of kinds
 * @param wordCount number of words in the input @param complete whether the sequence has ended
 * @param begins whether the symbols of first events are counted
 */
export function beginComparison(
  numbers: u32,
  events: u32,
  kinds: u32,
  wordCount: u32,
  complete: bool,
  begins: bool,
): void {
  takeSequence(numbers, complete);
  const skipped = (<usize>numbers) << 3;
  const kept = ((<usize>wordCount) << 2) - skipped;
  buffer.fit(words, kept);
  memory.copy(buffer.start(words), inputStart() + skipped, kept);
  takeKinds(buffer.start(words) + ((<usize>events) << 2), kinds);
  wantFollowers(buffer.start(words), events);
  hasBeginnings = begins;
  // Room for one more, which is written in any case.
  buffer.fit(distinct, (<usize>longestModel() + 1) << 2);
  buffer.fit(others, (<usize>longestModel() + 1) << 2);
  fitZeros(beginnings, begins ? symbolEnd() : 0);
}

/** Counts what all models hold of the sequence, and in which order. */
export function countCompared(): void {
  countHaving();
  for (let number: u32 = 0; number < segmentCount(); number++) {
    readPart(number, COUNT);
  }
}

/** Address of a double for each symbol: the total frequency of the models that begin with it. */
export function beginningsStart(): usize {
  return buffer.start(beginnings);
}

/** Number of these doubles, and of those at {@link holdingStart}. */
export function symbolsCompared(): u32 {
  return symbolEnd();
}

/**
 * Takes the terms. The input holds doubles, and must keep them until the end: for each number, the term of a model that
 * has its count; if the sequence is complete, for each symbol that it lacks, the term of a model that holds it.
 * @param all the logarithm of an empty model, which shares nothing with the sequence
 */
export function takeTerms(all: f64): void {
  base = all;
  for (let number: u32 = 0; number < numberCount(); number++) {
    const one = heldAt(number);
    one.term = load<f64>(inputStart() + ((<usize>number) << 3));
    one.having = 0;
  }
  terms = inputStart() + ((<usize>numberCount()) << 3);
  buffer.truncate(holding, 0);
  buffer.truncate(partStarts, 0);
  buffer.appendZeros(partStarts, 4);
  if (keepsParts()) {
    buffer.fit(weighed, (<usize>liveModels()) << WEIGHED_SHIFT);
  }
  takeSymbolTerms();
}

/**
 * Computes the logarithm of what each model of a part makes of the sequence; returns how many models it has. The parts
 * are asked for in their order, and then perhaps again.
 */
export function weighPart(number: u32): u32 {
  if (number < keptParts()) {
    part = buffer.start(weighed) + ((<usize>partStart(number)) << WEIGHED_SHIFT);
    return partStart(number + 1) - partStart(number);
  }
  const before = keepsParts() ? partStart(number) : 0;
  if (!keepsParts()) {
    buffer.fit(weighed, (<usize>segmentAt(number).count) << WEIGHED_SHIFT);
  }
  part = buffer.start(weighed) + ((<usize>before) << WEIGHED_SHIFT);
  read = 0;
  readPart(number, WEIGH);
  if (keepsParts()) {
    store<u32>(buffer.append(partStarts, 4), before + read);
  }
  return read;
}

/** Two doubles for each model of the part that was asked for last: its logarithm in units, and its frequency. */
export function weighedStart(): usize {
  return part;
}

/**
 * Chooses the models of a part that have at least some units; returns how many there are. {@link gatherChosen} may
 * follow.
 */
export function choosePart(number: u32, least: f64): u32 {
  weighPart(number);
  buffer.truncate(chosen, 0);
  const segment = segmentAt(number);
  let at = part;
  for (let place: u32 = 0; place < segment.count; place++) {
    if (frequencyAt(segment, place) > 0) {
      if (load<f64>(at) >= least) {
        const one = changetype<Chosen>(buffer.append(chosen, CHOSEN_BYTES));
        one.units = load<f64>(at);
        one.frequency = load<f64>(at + 8);
        one.place = place;
      }
      at += 1 << WEIGHED_SHIFT;
    }
  }
  return chosenCount();
}

/**
 * Doubles, {@link CHOSEN_WIDTH} for each model that was chosen last: first its units, in whose place the host puts its
 * weight, then its frequency.
 */
export function chosenStart(): usize {
  return buffer.start(chosen);
}

/** Adds the evidence of the models of a part that were chosen, which have weights in place of units. */
export function gatherChosen(number: u32): void {
  fitHolding();
  const segment = segmentAt(number);
  const shift: u32 = segment.symbolShift;
  for (let at: u32 = 0; at < chosenCount(); at++) {
    const one = changetype<Chosen>(buffer.start(chosen) + <usize>at * CHOSEN_BYTES);
    if (shift === BYTES) {
      gatherModel<u8>(segment, one.place, one.units);
    } else if (shift === HALVES) {
      gatherModel<u16>(segment, one.place, one.units);
    } else {
      gatherModel<u32>(segment, one.place, one.units);
    }
  }
}

function chosenCount(): u32 {
  return <u32>(buffer.size(chosen) / CHOSEN_BYTES);
}

function keepsParts(): bool {
  return liveModels() <= MAX_KEPT;
}

function keptParts(): u32 {
  return <u32>(buffer.size(partStarts) >> 2) - 1;
}

function partStart(number: u32): u32 {
  return load<u32>(buffer.start(partStarts) + ((<usize>number) << 2));
}

/**
 * Fills the table that models are weighed by, where it takes at most half of what is reserved for queries: a larger one
 * would take the place of models, and leave holes when it is freed.
 */
function takeSymbolTerms(): void {
  models = 0;
  const bytes = (<usize>symbolEnd()) << SYMBOL_TERM_SHIFT;
  // A model may take two numbers, and may be weighed twice.
  hasSymbolTerms = bytes <= reserveBytes() >> 1 && liveModels() < MAX_NUMBERED >> 2;
  if (!hasSymbolTerms) {
    return;
  }
  buffer.fit(added, (<usize>longestModel() + 1) << 3);
  buffer.fit(symbolTerms, bytes);
  for (let symbol: u32 = 0; symbol < symbolEnd(); symbol++) {
    const one = symbolTermAt(symbol);
    const after = numberAfter(symbol);
    one.held = 0;
    one.isShared = <u32>(after !== 0);
    if (after !== 0) {
      one.once = hasCount(heldBy(after), 1) ? heldBy(after).term : 0;
    } else {
      one.once = isComplete() ? load<f64>(terms + ((<usize>symbol) << 3)) : 0;
    }
  }
}

function symbolTermAt(symbol: u32): SymbolTerm {
  return changetype<SymbolTerm>(buffer.start(symbolTerms) + ((<usize>symbol) << SYMBOL_TERM_SHIFT));
}

/** Address of a double for each symbol that the sequence lacks: the total weight of the models that hold it. */
export function holdingStart(): usize {
  fitHolding();
  return buffer.start(holding);
}

/** Forgets the sequence, and frees all memory. */
export function endComparison(): void {
  dropFollowers();
  dropKinds();
  dropSequence();
  buffer.free(words);
  buffer.free(beginnings);
  buffer.free(holding);
  buffer.free(weighed);
  buffer.free(chosen);
  buffer.free(partStarts);
  buffer.free(symbolTerms);
  buffer.free(added);
  buffer.free(distinct);
  buffer.free(others);
}

function readPart(number: u32, what: u32): void {
  const segment = segmentAt(number);
  const shift: u32 = segment.symbolShift;
  for (let place: u32 = 0; place < segment.count; place++) {
    const frequency = frequencyAt(segment, place);
    if (frequency > 0) {
      if (shift === BYTES) {
        readModel<u8>(segment, place, frequency, what);
      } else if (shift === HALVES) {
        readModel<u16>(segment, place, frequency, what);
      } else {
        readModel<u32>(segment, place, frequency, what);
      }
      read++;
    }
  }
}

function readModel<T>(segment: Segment, place: u32, frequency: f64, what: u32): void {
  const from = symbolAddress(segment, symbolStart(segment, place));
  const end = symbolAddress(segment, symbolStart(segment, place + 1));
  if (what === COUNT) {
    const first = eventStart(segment, place);
    countFollowers<T>(segment, first, eventsAt(segment, place), from, end, frequency);
    if (hasBeginnings) {
      countBeginning<T>(from, from + <usize>eventLength(segment, first) * sizeof<T>(), frequency);
    }
  } else {
    const to = part + ((<usize>read) << WEIGHED_SHIFT);
    store<f64>(to, rounded(logarithmOf<T>(from, end) * UNITS_PER_BIT));
    store<f64>(to + 8, frequency);
  }
}

/** Counts the distinct symbols of a first event. */
function countBeginning<T>(from: usize, end: usize, frequency: f64): void {
  if (end - from === sizeof<T>()) {
    addTo(beginnings, <u32>load<T>(from), frequency);
    return;
  }
  for (let at = from; at < end; at += sizeof<T>()) {
    const symbol = <usize>load<T>(at);
    const met = countTable() + (symbol << 2);
    if (load<u32>(met) === 0) {
      store<u32>(met, 1);
      addTo(beginnings, <u32>symbol, frequency);
    }
  }
  for (let at = from; at < end; at += sizeof<T>()) {
    store<u32>(countTable() + ((<usize>load<T>(at)) << 2), 0);
  }
}

/** Lists the distinct symbols of a model in the order of first appearance, and counts each; returns their number. */
function listDistinct<T>(from: usize, end: usize): usize {
  const list = buffer.start(distinct);
  const counts = countTable();
  let length: usize = 0;
  for (let at = from; at < end; at += sizeof<T>()) {
    const symbol = <u32>load<T>(at);
    const count = counts + ((<usize>symbol) << 2);
    const before = load<u32>(count);
    store<u32>(count, before + 1);
    store<u32>(list + (length << 2), symbol);
    length += <usize>(before === 0);
  }
  return length;
}

/** Resets the count of a listed symbol to 0; returns it. */
function takeCount(symbol: u32): u32 {
  const at = countTable() + ((<usize>symbol) << 2);
  const count = load<u32>(at);
  store<u32>(at, 0);
  return count;
}

/** The logarithm that a model gives the sequence: adds first the shared symbols, then the others. */
function logarithmOf<T>(from: usize, end: usize): f64 {
  if (!hasSymbolTerms) {
    return logarithmOfMany<T>(from, end);
  }
  return hasRepeats<T>(from, end) ? logarithmOfRepeats<T>(from, end) : logarithmOfDistinct<T>(from, end);
}

/** Whether a model holds a symbol more than once. */
function hasRepeats<T>(from: usize, end: usize): bool {
  const table = buffer.start(symbolTerms);
  const now = ++models << COUNT_BITS;
  let repeats: u32 = 0;
  // Without a branch for each symbol, which would be mispredicted too often.
  for (let at = from; at < end; at += sizeof<T>()) {
    const one = changetype<SymbolTerm>(table + ((<usize>load<T>(at)) << SYMBOL_TERM_SHIFT));
    repeats |= <u32>(one.held === now);
    one.held = now;
  }
  return repeats !== 0;
}

/**
 * The same for a model that holds each symbol once. Goes over it twice and adds 0 for the symbols that are not meant,
 * which changes no sum.
 */
function logarithmOfDistinct<T>(from: usize, end: usize): f64 {
  const table = buffer.start(symbolTerms);
  let sum = base;
  for (let at = from; at < end; at += sizeof<T>()) {
    const one = changetype<SymbolTerm>(table + ((<usize>load<T>(at)) << SYMBOL_TERM_SHIFT));
    sum += masked(one.once, 0 - <u64>(one.isShared & 1));
  }
  if (isComplete()) {
    for (let at = from; at < end; at += sizeof<T>()) {
      const one = changetype<SymbolTerm>(table + ((<usize>load<T>(at)) << SYMBOL_TERM_SHIFT));
      sum += masked(one.once, <u64>(one.isShared & 1) - 1);
    }
  }
  return sum;
}

/** A number, or 0 where the mask is 0. */
function masked(value: f64, mask: u64): f64 {
  return reinterpret<f64>(reinterpret<u64>(value) & mask);
}

/** The same for a model that holds some symbols more than once. */
function logarithmOfRepeats<T>(from: usize, end: usize): f64 {
  const table = buffer.start(symbolTerms);
  const first = buffer.start(added);
  const last = first + (((end - from) / sizeof<T>()) << 3) - 8;
  const now = ++models;
  // Shared symbols from the first double on, the others from the last one back.
  let shared = first;
  let other = last;
  for (let at = from; at < end; at += sizeof<T>()) {
    const symbol = <u32>load<T>(at);
    const one = changetype<SymbolTerm>(table + ((<usize>symbol) << SYMBOL_TERM_SHIFT));
    const isShared = one.isShared & 1;
    if (one.held >> COUNT_BITS !== now) {
      one.held = (now << COUNT_BITS) | 1;
      one.isShared = isShared | ((<u32>(shared - first)) << 1);
      // Both are written in any case: a branch here is mispredicted too often.
      store<f64>(shared, one.once);
      store<f64>(other, one.once);
      shared += (<usize>isShared) << 3;
      other -= (<usize>(1 - isShared)) << 3;
    } else if (isShared !== 0) {
      const count = (one.held & MAX_COUNT) + 1;
      if (count > MAX_COUNT) {
        return logarithmOfMany<T>(from, end);
      }
      one.held++;
      const own = heldBy(numberAfter(symbol));
      store<f64>(first + <usize>(one.isShared >> 1), hasCount(own, count) ? own.term : 0);
    }
  }
  let sum = base;
  for (let at = first; at < shared; at += 8) {
    sum += load<f64>(at);
  }
  for (let at = last; at > other; at -= 8) {
    sum += load<f64>(at);
  }
  return sum;
}

/** The same without a table, or for a model that holds a symbol more often than a count says. */
function logarithmOfMany<T>(from: usize, end: usize): f64 {
  const length = listDistinct<T>(from, end);
  const list = buffer.start(distinct);
  const absent = buffer.start(others);
  let shared: usize = 0;
  let left: usize = 0;
  for (let at: usize = 0; at < length; at++) {
    const symbol = load<u32>(list + (at << 2));
    const count = takeCount(symbol);
    const after = numberAfter(symbol);
    // Both are written in any case, because a branch here is mispredicted too often. They overwrite only what was
    // already read.
    store<u32>(absent + (left << 2), symbol);
    left += <usize>(after === 0);
    store<u32>(list + (shared << 2), after);
    shared += <usize>hasCount(heldBy(after), count);
  }
  let sum = base;
  for (let at: usize = 0; at < shared; at++) {
    sum += heldBy(load<u32>(list + (at << 2))).term;
  }
  if (isComplete()) {
    for (let at: usize = 0; at < left; at++) {
      sum += load<f64>(terms + ((<usize>load<u32>(absent + (at << 2))) << 3));
    }
  }
  return sum;
}

/** The nearest whole number, ties upwards, as the host rounds. */
function rounded(value: f64): f64 {
  const below = floor(value);
  return below + <f64>(value - below >= 0.5);
}

/** Adds what a model holds, times its weight. */
function gatherModel<T>(segment: Segment, place: u32, weight: f64): void {
  const from = symbolAddress(segment, symbolStart(segment, place));
  const end = symbolAddress(segment, symbolStart(segment, place + 1));
  const length = listDistinct<T>(from, end);
  for (let at: usize = 0; at < length; at++) {
    const symbol = load<u32>(buffer.start(distinct) + (at << 2));
    const count = takeCount(symbol);
    const number = numberAfter(symbol);
    if (number === 0) {
      addTo(holding, symbol, weight);
    } else {
      gatherCount(heldAt(number - 1), count, weight);
    }
  }
}

function gatherCount(one: Held, count: u32, weight: f64): void {
  if (hasCount(one, count)) {
    one.having += weight;
    one.havingTimes += weight * <f64>count;
  } else {
    one.otherTimes += weight * <f64>count;
  }
}

/** Adds to one of some doubles. */
function addTo(doubles: usize, at: u32, by: f64): void {
  const sum = buffer.start(doubles) + ((<usize>at) << 3);
  store<f64>(sum, load<f64>(sum) + by);
}

/** Makes room for {@link holding}, unless there is room already. */
function fitHolding(): void {
  if (buffer.size(holding) === 0) {
    fitZeros(holding, symbolEnd());
  }
}

function fitZeros(doubles: usize, length: u32): void {
  buffer.fit(doubles, (<usize>length) << 3);
  memory.fill(buffer.start(doubles), 0, (<usize>length) << 3);
}
