/**
 * The nearest neighbours of a context: the most similar of the candidates that hold a symbol of its newest event, and
 * of the others. Owns the candidates of both groups, and keeps only as many as it needs.
 */

import { longestModel, shortestModel } from "../corpus/corpus";
import {
  eventStart,
  eventsAt,
  lengthAt,
  placeOf,
  SEGMENT_SLOTS,
  segmentAt,
  segmentCount,
  segmentOf,
  symbolStart,
} from "../corpus/segment";
import * as buffer from "../memory/buffer";
import { BUFFER_ALIGN, BUFFER_BYTES } from "../memory/buffer";

/** The greatest similarity; a greater sum counts as this. */
export const MAX_SIMILARITY: u32 = 0x0fff;
/** Growth of the similarity when a symbol is half as frequent. */
export const SIMILARITY_STEPS: u32 = 8;
/** A model whose similarity is below the greatest one by this or more has no weight. */
const SIMILARITY_SPREAD: u32 = 10 * SIMILARITY_STEPS;
/** 2 to the power of 20 − n / 8, rounded down, for n from 0 to 7. */
const EIGHTHS: StaticArray<u32> = [1_048_576, 961_548, 881_743, 808_562, 741_455, 679_917, 623_487, 571_740];

/**
 * Bounds of the neighbours: those that hold a symbol of the newest event, those that do not, and the symbols of either
 * group. Neighbours are taken from the nearest on, the first one in any case.
 */
export const MAX_NEWEST_NEIGHBOURS: u32 = 1024;
export const MAX_OTHER_NEIGHBOURS: u32 = 512;
export const MAX_NEIGHBOUR_SYMBOLS: u32 = 1 << 19;
/** Room for candidates of a group, per neighbour. When it is full, only the nearest stay, and others must be nearer. */
const CANDIDATES_PER_NEIGHBOUR: u32 = 2;

/** A model that shares a symbol with the context. */
@unmanaged
export class Candidate {
  slot: u32;
  similarity: u16;
  /** The context's events that share a symbol with it, as bits; the lowest is the newest. */
  shared: u16;
  /** Number of its occurrences that count. */
  frequency: f64;
}

const CANDIDATE_SHIFT: usize = 4;
/** Bytes of a candidate. */
export const CANDIDATE_BYTES: usize = 1 << CANDIDATE_SHIFT;

/** The candidates of a group. */
@unmanaged
class Group {
  /** They are in the room with the newest first: if the oldest are added first, they fill it from its end on. */
  count: u32;
  /** Minimum similarity of a candidate, and minimum frequency of a candidate with just that similarity. */
  least: u32;
  leastFrequency: f64;
  /** The frequency of the candidate added first, and whether others differ from it. */
  oneFrequency: f64;
  hasFrequencies: bool;
  /** Maximum number of them that become neighbours. */
  most: u32;
  candidates: usize;
}

const GROUP_BYTES: i32 = offsetof<Group>();
const newestGroup: Group = changetype<Group>(memory.data(GROUP_BYTES, 8));
const otherGroup: Group = changetype<Group>(memory.data(GROUP_BYTES, 8));
const newestCandidates: usize = memory.data(BUFFER_BYTES, BUFFER_ALIGN);
const otherCandidates: usize = memory.data(BUFFER_BYTES, BUFFER_ALIGN);
/** Where candidates are sorted: all of a group, or the first half of a merge. */
const scratch: usize = memory.data(BUFFER_BYTES, BUFFER_ALIGN);

/** Bits of a sort key: a similarity's. Greater values are cut to the greatest key. */
const KEY_BITS: u32 = 12;
const MAX_KEY: u32 = MAX_SIMILARITY;
/** The kinds of keys: similarity, frequency, and the low and the high bits of a slot. */
const SIMILARITY: u32 = 0;
const FREQUENCY: u32 = 1;
const SLOT_LOW: u32 = 2;
const SLOT_HIGH: u32 = 3;
/** A word for each key: the number of candidates that have it, and then the index for the next one. */
const tallies: usize = memory.data(BUFFER_BYTES, BUFFER_ALIGN);

/** How many of the nearest are sorted in any case. */
export const FEW: u32 = 24;
/** The similarity, frequency and slot of a neighbour that was chosen without sorting, as digits of one number. */
const SIMILARITY_DIGIT: f64 = 4_294_967_296;
const FREQUENCY_DIGIT: f64 = 1_048_576;
/** The greatest frequency that is a digit, and no slot reaches the digit of frequencies. */
const MAX_FREQUENCY: f64 = 4_095;

/**
 * The neighbours by similarity, then frequency, then newest first. Where they were chosen without sorting, only the
 * first {@link FEW}, until all are sorted.
 */
const nearest: usize = memory.data(BUFFER_BYTES, BUFFER_ALIGN);
/** The same neighbours by similarity, then newest first. */
const strongest: usize = memory.data(BUFFER_BYTES, BUFFER_ALIGN);
/** The same neighbours by slot; only if chosen so, or asked for. */
const slotted: usize = memory.data(BUFFER_BYTES, BUFFER_ALIGN);
/** Sorts them: a half word for each slot holds the neighbour's place among the nearest plus 1, or 0. */
const ranks: usize = memory.data(BUFFER_BYTES, BUFFER_ALIGN);
/** Maximum number of slots of that table: 128 KiB. */
const MAX_SORTED: u32 = 1 << 16;

/** Whether the newest candidates are added first. */
let isNewestFirst: bool = false;
/** Number of neighbours, whether all are sorted, and whether they were chosen without sorting. */
let count: u32 = 0;
let isSorted: bool = true;
let areSlotted: bool = false;
/** Whether the frequencies of neighbours that were chosen without sorting are digits. */
let haveDigits: bool = false;
let greatest: u32 = 0;
let symbols: u32 = 0;
let events: u32 = 0;

/**
 * Begins without candidates. {@link endCandidates} must follow.
 * @param newestFirst whether slots descend, else they ascend
 */
export function beginCandidates(newestFirst: bool): void {
  isNewestFirst = newestFirst;
  begin(newestGroup, MAX_NEWEST_NEIGHBOURS, newestCandidates);
  begin(otherGroup, MAX_OTHER_NEIGHBOURS, otherCandidates);
  symbols = 0;
  events = 0;
  areSlotted = false;
}

/** Adds a candidate that may become a neighbour. */
export function takeCandidate(slot: u32, similarity: u32, shared: u32, frequency: f64): void {
  const group = (shared & 1) !== 0 ? newestGroup : otherGroup;
  if (similarity <= group.least && isTooFar(group, similarity, frequency)) {
    return;
  }
  if (group.count === roomOf(group)) {
    makeRoom(group);
  }
  group.oneFrequency = group.count === 0 ? frequency : group.oneFrequency;
  group.hasFrequencies = group.hasFrequencies || frequency !== group.oneFrequency;
  group.count++;
  const candidate = candidateAt(firstOf(group), isNewestFirst ? group.count - 1 : 0);
  candidate.slot = slot;
  candidate.similarity = <u16>similarity;
  candidate.shared = <u16>shared;
  candidate.frequency = frequency;
}

/** The minimum similarity of a candidate that holds a symbol of the newest event. */
export function leastNewest(): u32 {
  return newestGroup.least;
}

/** The minimum similarity of a candidate that does not. */
export function leastOther(): u32 {
  return otherGroup.least;
}

/**
 * The least similarity of a further candidate that holds a symbol of the newest event, where the newest come first.
 * @param mostFrequent no further candidate is more frequent
 */
export function nextNewest(mostFrequent: f64): u32 {
  return nextOf(newestGroup, mostFrequent);
}

/** The same for one that does not. */
export function nextOther(mostFrequent: f64): u32 {
  return nextOf(otherGroup, mostFrequent);
}

/** Chooses the neighbours. @param most the greatest similarity of a candidate */
export function endCandidates(most: u32): void {
  greatest = most;
  otherGroup.least = max(otherGroup.least, leastOtherOf(most));
  buffer.truncate(nearest, 0);
  choose(newestGroup);
  const newest = sizeOf(nearest);
  choose(otherGroup);
  count = sizeOf(nearest);
  if (newest > 0 && newest < count) {
    merge(buffer.start(nearest), 0, newest, count, true);
  }
  copyStrongest();
  isSorted = true;
}

/** The least similarity of a neighbour without a symbol of the newest event. @param most the greatest of a candidate */
export function leastOtherOf(most: u32): u32 {
  return most < SIMILARITY_SPREAD ? 1 : most - SIMILARITY_SPREAD + 1;
}

/** Where neighbours that are chosen without sorting go, in the order of their slots, and one more candidate. */
export function chosenRoom(): usize {
  buffer.fit(slotted, (<usize>(MAX_NEWEST_NEIGHBOURS + MAX_OTHER_NEIGHBOURS + 1)) << CANDIDATE_SHIFT);
  return buffer.start(slotted);
}

/**
 * Ends the choice of neighbours without sorting.
 * @param chosen their number @param most the greatest similarity of a candidate
 * @param leastOfFew a similarity that {@link FEW} of them have or exceed, if there are that many
 * @param mostFrequent the greatest frequency of the chosen
 */
export function endChosen(chosen: u32, most: u32, leastOfFew: u32, mostFrequent: f64): void {
  greatest = most;
  haveDigits = mostFrequent <= MAX_FREQUENCY;
  count = chosen;
  areSlotted = true;
  isSorted = false;
  buffer.truncate(slotted, (<usize>chosen) << CANDIDATE_SHIFT);
  countChosen();
  sortFew(leastOfFew);
  if (sizeOf(nearest) < min(count, FEW)) {
    sortNeighbours();
  }
}

/** Sorts all neighbours, unless they are sorted. */
export function sortNeighbours(): void {
  if (isSorted) {
    return;
  }
  isSorted = true;
  buffer.fit(nearest, buffer.size(slotted));
  buffer.fit(scratch, buffer.size(slotted));
  const start = buffer.start(nearest);
  for (let at: u32 = 0; at < count; at++) {
    copyCandidates(start + ((<usize>at) << CANDIDATE_SHIFT), buffer.start(slotted), count - 1 - at, 1);
  }
  sortByNearness(start, count, true);
  copyStrongest();
}

function copyStrongest(): void {
  buffer.fit(strongest, buffer.size(nearest));
  memory.copy(buffer.start(strongest), buffer.start(nearest), buffer.size(nearest));
  sortByStrength(buffer.start(strongest), count);
}

/** Counts the symbols and the events of neighbours that were chosen without sorting. */
function countChosen(): void {
  const length = longestModel();
  symbols = length === shortestModel() ? count * length : 0;
  events = symbols;
  if (symbols > 0 && areAllSingle()) {
    return;
  }
  symbols = 0;
  events = 0;
  for (let at: u32 = 0; at < count; at++) {
    const slot = slottedNeighbour(at).slot;
    symbols += lengthAt(segmentOf(slot), placeOf(slot));
    events += eventsAt(segmentOf(slot), placeOf(slot));
  }
}

/** Whether every event of every model holds one symbol. */
function areAllSingle(): bool {
  for (let number: u32 = 0; number < segmentCount(); number++) {
    const segment = segmentAt(number);
    if (segment.shortestEvent === 0 || symbolStart(segment, segment.count) !== eventStart(segment, segment.count)) {
      return false;
    }
  }
  return true;
}

/** Sorts the nearest of the chosen. @param least their least similarity */
function sortFew(least: u32): void {
  buffer.fit(nearest, (<usize>FEW + 1) << CANDIDATE_SHIFT);
  const start = buffer.start(nearest);
  let found: u32 = 0;
  for (let at: u32 = 0; at < count; at++) {
    const candidate = slottedNeighbour(at);
    if (candidate.similarity >= least && (found < FEW || precedes(candidate, candidateAt(start, FEW - 1), true))) {
      let place = min(found, FEW - 1);
      for (; place > 0 && precedes(candidate, candidateAt(start, place - 1), true); place--) {
        copyCandidates(start + ((<usize>place) << CANDIDATE_SHIFT), start, place - 1, 1);
      }
      copyCandidates(start + ((<usize>place) << CANDIDATE_SHIFT), changetype<usize>(candidate), 0, 1);
      found = min(found + 1, FEW);
    }
  }
  buffer.truncate(nearest, (<usize>found) << CANDIDATE_SHIFT);
}

/** Whether all are sorted. */
export function areSorted(): bool {
  return isSorted;
}

/** Number of neighbours. */
export function neighbourCount(): u32 {
  return count;
}

/**
 * A neighbour by rank: by similarity, then frequency, then newest first. One of the first {@link FEW}, or after {@link
 * sortNeighbours}.
 */
export function nearestNeighbour(at: u32): Candidate {
  return candidateIn(nearest, at);
}

/** A neighbour by rank: by similarity, then newest first. After {@link sortNeighbours}. */
export function strongestNeighbour(at: u32): Candidate {
  return candidateIn(strongest, at);
}

/** A neighbour: in the order of {@link strongestNeighbour} if they are sorted, else of their slots. */
export function neighbourAt(at: u32): Candidate {
  return candidateIn(isSorted ? strongest : slotted, at);
}

/** Sorts the neighbours for {@link slottedNeighbour} with a table of all slots, so there must not be many slots. */
export function sortBySlot(): bool {
  if (areSlotted && haveDigits) {
    return true;
  }
  sortNeighbours();
  areSlotted = false;
  const slots = segmentCount() * SEGMENT_SLOTS;
  if (slots > MAX_SORTED) {
    return false;
  }
  const bytes = (<usize>slots) << 1;
  buffer.fit(ranks, bytes);
  memory.fill(buffer.start(ranks), 0, bytes);
  for (let at: u32 = 0; at < count; at++) {
    store<u16>(buffer.start(ranks) + ((<usize>nearestNeighbour(at).slot) << 1), <u16>(at + 1));
  }
  buffer.fit(slotted, buffer.size(nearest));
  let to = buffer.start(slotted);
  const end = buffer.start(ranks) + bytes;
  for (let four = buffer.start(ranks); four < end; four += 8) {
    if (load<u64>(four) !== 0) {
      for (let rank = four; rank < four + 8; rank += 2) {
        const number = <u32>load<u16>(rank);
        if (number !== 0) {
          v128.store(to, v128.load(changetype<usize>(nearestNeighbour(number - 1))));
          to += (<usize>1) << CANDIDATE_SHIFT;
        }
      }
    }
  }
  return true;
}

/** A number that is greater for a {@link nearestNeighbour | nearer} neighbour, after {@link sortBySlot}. */
export function nearnessOf(neighbour: Candidate): f64 {
  const slot = neighbour.slot;
  if (!areSlotted) {
    return -(<f64>load<u16>(buffer.start(ranks) + ((<usize>slot) << 1)));
  }
  return <f64>neighbour.similarity * SIMILARITY_DIGIT + neighbour.frequency * FREQUENCY_DIGIT + <f64>slot;
}

/** A neighbour by its slot, the lowest first. */
export function slottedNeighbour(at: u32): Candidate {
  return candidateIn(slotted, at);
}

/** Number of their symbols together. */
export function neighbourSymbols(): u32 {
  return symbols;
}

/** Number of their events together. */
export function neighbourEvents(): u32 {
  return events;
}

/** The weight W of a neighbour, a whole number of at most 2^20; 0 if it is not similar enough. */
export function weightOf(neighbour: Candidate): u32 {
  const less = greatest - neighbour.similarity;
  return less >= SIMILARITY_SPREAD ? 0 : unchecked(EIGHTHS[less % SIMILARITY_STEPS]) >> (less / SIMILARITY_STEPS);
}

function sizeOf(list: usize): u32 {
  return <u32>(buffer.size(list) >> CANDIDATE_SHIFT);
}

function candidateIn(list: usize, at: u32): Candidate {
  return candidateAt(buffer.start(list), at);
}

function candidateAt(start: usize, at: u32): Candidate {
  return changetype<Candidate>(start + ((<usize>at) << CANDIDATE_SHIFT));
}

/** Where a group's candidates start. */
function firstOf(group: Group): usize {
  return changetype<usize>(candidateIn(group.candidates, isNewestFirst ? 0 : roomOf(group) - group.count));
}

function roomOf(group: Group): u32 {
  return CANDIDATES_PER_NEIGHBOUR * group.most;
}

/** Whether enough candidates come before one that is no more similar than the last of them. */
function isTooFar(group: Group, similarity: u32, frequency: f64): bool {
  if (similarity < group.least || frequency < group.leastFrequency) {
    return true;
  }
  return isNewestFirst && frequency === group.leastFrequency;
}

/** With less similarity every further candidate {@link isTooFar | is too far}. */
function nextOf(group: Group, mostFrequent: f64): u32 {
  return group.least + <u32>(mostFrequent <= group.leastFrequency);
}

function copyCandidates(to: usize, from: usize, at: u32, count: u32): void {
  memory.copy(to, from + ((<usize>at) << CANDIDATE_SHIFT), (<usize>count) << CANDIDATE_SHIFT);
}

function begin(group: Group, most: u32, candidates: usize): void {
  buffer.fit(candidates, (<usize>(CANDIDATES_PER_NEIGHBOUR * most)) << CANDIDATE_SHIFT);
  buffer.fit(scratch, (<usize>(CANDIDATES_PER_NEIGHBOUR * MAX_NEWEST_NEIGHBOURS)) << CANDIDATE_SHIFT);
  group.count = 0;
  group.least = 1;
  group.leastFrequency = 0;
  group.hasFrequencies = false;
  group.most = most;
  group.candidates = candidates;
}

/** Sorts a group's candidates; returns their address. */
function sortGroup(group: Group): usize {
  const start = firstOf(group);
  sortByNearness(start, group.count, group.hasFrequencies);
  return start;
}

/** Sorts by similarity, then frequency, if they differ; those that are equal stay as they are. */
function sortByNearness(start: usize, count: u32, haveFrequencies: bool): void {
  const most = haveFrequencies ? sortBy(FREQUENCY, start, count) : 0;
  sortBy(SIMILARITY, start, count);
  if (most === MAX_KEY) {
    // Frequencies greater than the greatest key are not sorted yet.
    sort(start, count, true);
  }
}

/** Sorts by similarity, then newest first. */
function sortByStrength(start: usize, count: u32): void {
  if (isByStrength(start, count)) {
    return;
  }
  sortBy(SLOT_LOW, start, count);
  const most = sortBy(SLOT_HIGH, start, count);
  sortBy(SIMILARITY, start, count);
  if (most === MAX_KEY) {
    sort(start, count, false);
  }
}

/** Whether candidates are sorted by similarity, then newest first, as they are when all are equally frequent. */
function isByStrength(start: usize, count: u32): bool {
  for (let at: u32 = 1; at < count; at++) {
    if (precedes(candidateAt(start, at), candidateAt(start, at - 1), false)) {
      return false;
    }
  }
  return true;
}

/** Sorts by descending key, stably; returns the greatest key. */
function sortBy(kind: u32, start: usize, count: u32): u32 {
  let least: u32 = MAX_KEY;
  let most: u32 = 0;
  for (let at: u32 = 0; at < count; at++) {
    const key = keyOf(candidateAt(start, at), kind);
    least = min(least, key);
    most = max(most, key);
  }
  if (least >= most) {
    return most;
  }
  buffer.fit(tallies, (<usize>most + 1) << 2);
  const tallied = buffer.start(tallies);
  memory.fill(tallied, 0, (<usize>most + 1) << 2);
  for (let at: u32 = 0; at < count; at++) {
    const tally = tallied + ((<usize>keyOf(candidateAt(start, at), kind)) << 2);
    store<u32>(tally, load<u32>(tally) + 1);
  }
  let before: u32 = 0;
  for (let less: u32 = 0; less <= most - least; less++) {
    const tally = tallied + ((<usize>(most - less)) << 2);
    const more = load<u32>(tally);
    store<u32>(tally, before);
    before += more;
  }
  const sorted = buffer.start(scratch);
  for (let at: u32 = 0; at < count; at++) {
    const candidate = candidateAt(start, at);
    const tally = tallied + ((<usize>keyOf(candidate, kind)) << 2);
    const to = load<u32>(tally);
    store<u32>(tally, to + 1);
    v128.store(changetype<usize>(candidateAt(sorted, to)), v128.load(changetype<usize>(candidate)));
  }
  copyCandidates(start, sorted, 0, count);
  return most;
}

function keyOf(candidate: Candidate, kind: u32): u32 {
  if (kind === SIMILARITY) {
    return candidate.similarity;
  }
  if (kind === FREQUENCY) {
    return <u32>min(candidate.frequency, <f64>MAX_KEY);
  }
  return kind === SLOT_LOW ? candidate.slot & MAX_KEY : min(candidate.slot >> KEY_BITS, MAX_KEY);
}

/** Keeps only the nearest candidates. */
function makeRoom(group: Group): void {
  const start = sortGroup(group);
  const last = candidateAt(start, group.most - 1);
  group.least = last.similarity;
  group.leastFrequency = last.frequency;
  group.count = group.most;
  copyCandidates(firstOf(group), start, 0, group.count);
}

/** Adds the nearest of a group to the neighbours. */
function choose(group: Group): void {
  const start = sortGroup(group);
  const most = min(group.count, group.most);
  let together: u32 = 0;
  let chosen: u32 = 0;
  while (chosen < most && candidateAt(start, chosen).similarity >= group.least) {
    const slot = candidateAt(start, chosen).slot;
    const length = lengthAt(segmentOf(slot), placeOf(slot));
    if (chosen > 0 && together + length > MAX_NEIGHBOUR_SYMBOLS) {
      break;
    }
    together += length;
    events += eventsAt(segmentOf(slot), placeOf(slot));
    chosen++;
  }
  symbols += together;
  copyCandidates(buffer.append(nearest, (<usize>chosen) << CANDIDATE_SHIFT), start, 0, chosen);
}

/** Whether one precedes another: by similarity, then perhaps by frequency, then newest first. */
function precedes(one: Candidate, other: Candidate, byFrequency: bool): bool {
  if (one.similarity !== other.similarity) {
    return one.similarity > other.similarity;
  }
  if (byFrequency && one.frequency !== other.frequency) {
    return one.frequency > other.frequency;
  }
  return one.slot > other.slot;
}

/** Merge sort, bottom up; runs already in order cost little. */
function sort(start: usize, count: u32, byFrequency: bool): void {
  for (let width: u32 = 1; width < count; width <<= 1) {
    for (let from: u32 = 0; from + width < count; from += width << 1) {
      const middle = from + width;
      if (precedes(candidateAt(start, middle), candidateAt(start, middle - 1), byFrequency)) {
        merge(start, from, middle, min(middle + width, count), byFrequency);
      }
    }
  }
}

/** Merges two adjacent sorted runs. */
function merge(start: usize, from: u32, middle: u32, end: u32, byFrequency: bool): void {
  const first = buffer.start(scratch);
  const count = middle - from;
  copyCandidates(first, start, from, count);
  let one: u32 = 0;
  let other = middle;
  for (let to = from; one < count; to++) {
    const isOther = other < end && precedes(candidateAt(start, other), candidateAt(first, one), byFrequency);
    const next = isOther ? candidateAt(start, other++) : candidateAt(first, one++);
    v128.store(changetype<usize>(candidateAt(start, to)), v128.load(changetype<usize>(next)));
  }
}
