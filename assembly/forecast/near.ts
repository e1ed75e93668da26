/**
 * The rule near, as V-SKNN has it: each neighbour votes for every symbol that it holds, and its vote is greater the
 * newer the context's events are that it shares symbols with. The same whatever is asked ahead. Names the outcomes,
 * too: on the way where votes are surely wanted, as both go over all symbols of all neighbours.
 */

import { eventsAt, lengthAt, placeOf, segmentOf, symbolAddress, symbolStart } from "../corpus/segment";
import { symbolEnd } from "../corpus/symbols";
import { countSteps, isOutOfSteps } from "../match/steps";
import * as buffer from "../memory/buffer";
import { BUFFER_ALIGN, BUFFER_BYTES } from "../memory/buffer";
import { BYTES, HALVES } from "../memory/narrow";
import { CONTEXT_EVENTS, contextEvents } from "./context";
import { EventKind, hasKinds, kindAt, kindSymbols, kindsFound, kindsOf } from "./event-kinds";
import { Candidate, nearestNeighbour, neighbourCount, neighbourSymbols } from "./neighbours";
import {
  addOutcome,
  beginOutcomes,
  endOutcomes,
  nameIf,
  nameIfNew,
  numberOf,
  numberTable,
  outcomeCount,
  UNNAMED,
} from "./outcomes";
import { MAX_PAIRED_OUTCOMES } from "./pairs";

/**
 * Maximum number of named symbols: the first of the neighbours, beginning with the nearest. Bounds the counting of a
 * forecast.
 */
export const MAX_NAMED_SYMBOLS: u32 = 8190;

/**
 * The ballot of each outcome, a long: the sum of its votes, a whole number below 2^53, and in the lowest bits the
 * number of the last neighbour that voted for it.
 */
const ballots: usize = memory.data(BUFFER_BYTES, BUFFER_ALIGN);
const VOTER_BITS: u64 = 11;
const VOTER_MASK: u64 = (1 << VOTER_BITS) - 1;
let sum: u64 = 0;
/** Whether the votes are counted. */
let isCounted: bool = false;
/** How many outcomes there may be. */
let most: u32 = 0;
/** The number of the naming of outcomes, above 0, by which kinds of events know whether their outcomes are current. */
let naming: u32 = 0;
/** Whether the outcomes are in the order in which neighbours hold them. */
let inOrder: bool = false;

/** A byte for each symbol: 1 if a neighbour holds it. */
const marks: usize = memory.data(BUFFER_BYTES, BUFFER_ALIGN);
/** With this many symbols of neighbours for each symbol, marking is faster than looking each up. */
const MANY_TIMES: u32 = 4;

/**
 * Names the outcomes, where the rule alike is alone in any order, as nothing is summed over them there. The steps are
 * those of the votes, too, whether or not they are wanted: how many a forecast takes does not depend on that.
 * @param isAlikeAlone if not, the votes are wanted, too: counting them on the way saves a pass
 */
export function nameOutcomes(isAlikeAlone: bool): void {
  if (outcomeCount() === 0) {
    countSteps(neighbourSymbols());
  }
  beginNaming();
  if (!isAlikeAlone) {
    countVotes();
  } else if (!hasKinds() && symbolEnd() <= MAX_NAMED_SYMBOLS && symbolEnd() <= neighbourSymbols() / MANY_TIMES) {
    inOrder = false;
    nameMarked();
  } else {
    for (let at: u32 = 0; at < neighbourCount() && outcomeCount() < most && !isOutOfSteps(); at++) {
      nameSymbolsOf(nearestNeighbour(at).slot);
    }
  }
}

/**
 * Names the outcomes that the nearest neighbours hold, in their order; none is named, and there is room for all.
 * @param models number of neighbours to read @param distinct number of outcomes, at which the search ends
 */
export function nameNearest(models: u32, distinct: u32): void {
  beginNaming();
  for (let at: u32 = 0; at < min(models, neighbourCount()) && outcomeCount() <= distinct; at++) {
    nameSymbolsOf(nearestNeighbour(at).slot);
  }
}

/**
 * Names the symbols of all kinds that were compared with a context, in any order; there is room for all symbols.
 * @param context its number
 */
export function nameCompared(context: u32): void {
  if (outcomeCount() === 0) {
    countSteps(neighbourSymbols());
  }
  beginNaming();
  inOrder = false;
  for (let number: u32 = 0; number < kindsFound(); number++) {
    const kind = kindAt(number);
    if (kind.context === context) {
      noteOutcomes(kind);
    }
  }
}

function beginNaming(): void {
  endOutcomes();
  most = min(min(symbolEnd(), neighbourSymbols()), MAX_NAMED_SYMBOLS) + 1;
  beginOutcomes(most);
  naming = max(1, naming + 1);
  sum = 0;
  isCounted = false;
  inOrder = true;
}

/** Whether the outcomes are named as they have to be. @param isAlikeAlone as in {@link nameOutcomes} */
export function areNamed(isAlikeAlone: bool): bool {
  return outcomeCount() > 0 && (isAlikeAlone || inOrder);
}

/** Names the symbols of all neighbours in the order of the symbols. There is room for all symbols. */
function nameMarked(): void {
  const end = <usize>symbolEnd();
  buffer.fit(marks, end);
  const start = buffer.start(marks);
  memory.fill(start, 0, end);
  for (let at: u32 = 0; at < neighbourCount() && !isOutOfSteps(); at++) {
    markSymbolsOf(nearestNeighbour(at).slot, start);
  }
  const numbers = numberTable();
  for (let symbol: usize = 0; symbol < end; symbol++) {
    nameIf(numbers, <u32>symbol, load<u8>(start + symbol));
  }
}

function markSymbolsOf(slot: u32, marks: usize): void {
  const segment = segmentOf(slot);
  const at = placeOf(slot);
  const from = symbolAddress(segment, symbolStart(segment, at));
  const end = symbolAddress(segment, symbolStart(segment, at + 1));
  const shift: u32 = segment.symbolShift;
  if (shift === BYTES) {
    markIn<u8>(from, end, marks);
  } else if (shift === HALVES) {
    markIn<u16>(from, end, marks);
  } else {
    markIn<u32>(from, end, marks);
  }
}

function markIn<T>(from: usize, end: usize, marks: usize): void {
  for (let at = from; at < end; at += sizeof<T>()) {
    store<u8>(marks + <usize>load<T>(at), 1);
  }
}

/** Whether neighbours may hold symbols that are not named, because there is no room for more outcomes. */
export function hasUnnamed(): bool {
  return outcomeCount() === most;
}

/** Counts the votes of all neighbours, where they are not counted yet. */
export function countVotes(): void {
  if (isCounted) {
    return;
  }
  beginVotes();
  for (let at: u32 = 0; at < neighbourCount() && !isOutOfSteps(); at++) {
    sum += votesOf(nearestNeighbour(at), at + 1);
  }
}

/** Begins to count votes. {@link addVotes} counts them if not {@link countVotes}. */
export function beginVotes(): void {
  isCounted = true;
  buffer.fit(ballots, (<usize>most) << 3);
  memory.fill(buffer.start(ballots), 0, (<usize>most) << 3);
}

/** Adds the votes of some neighbours for an outcome. */
export function addVotes(number: u32, votes: u64): void {
  const ballot = ballotIn(buffer.start(ballots), number);
  store<u64>(ballot, load<u64>(ballot) + (votes << VOTER_BITS));
  sum += votes;
}

/** Whether there were votes, where they are counted. */
export function hasVotes(): bool {
  return sum > 0;
}

/** What the rule gives an outcome. The votes are counted. */
export function nearShare(number: u32): f64 {
  return <f64>(load<u64>(ballotIn(buffer.start(ballots), number)) >> VOTER_BITS) / <f64>max(1, sum);
}

function ballotIn(start: usize, number: u32): usize {
  return start + ((<usize>number) << 3);
}

/** Names the symbols of a model. */
function nameSymbolsOf(slot: u32): void {
  const segment = segmentOf(slot);
  const at = placeOf(slot);
  const kinds = kindsOf(slot);
  if (kinds !== 0) {
    nameKinds(kinds, eventsAt(segment, at));
    return;
  }
  const from = symbolAddress(segment, symbolStart(segment, at));
  const end = symbolAddress(segment, symbolStart(segment, at + 1));
  const shift: u32 = segment.symbolShift;
  if (shift === BYTES) {
    nameIn<u8>(from, end);
  } else if (shift === HALVES) {
    nameIn<u16>(from, end);
  } else {
    nameIn<u32>(from, end);
  }
}

function nameIn<T>(from: usize, end: usize): void {
  const numbers = numberTable();
  const length = <u32>((end - from) / sizeof<T>());
  if (outcomeCount() + length < most) {
    // Without a branch, which would be mispredicted too often.
    for (let at = from; at < end; at += sizeof<T>()) {
      nameIfNew(numbers, <u32>load<T>(at));
    }
    return;
  }
  for (let at = from; at < end; at += sizeof<T>()) {
    numberFor(numbers, <u32>load<T>(at));
  }
}

function nameKinds(kinds: usize, events: u32): void {
  for (let event: u32 = 0; event < events; event++) {
    const kind = kindAt(<u32>load<u16>(kinds + ((<usize>event) << 1)));
    if (kind.naming !== naming) {
      noteOutcomes(kind);
    }
  }
}

/** Counts the votes of a neighbour, identified by the number `voter`; returns their sum. */
function votesOf(neighbour: Candidate, voter: u32): u64 {
  const segment = segmentOf(neighbour.slot);
  const at = placeOf(neighbour.slot);
  const from = symbolAddress(segment, symbolStart(segment, at));
  const end = symbolAddress(segment, symbolStart(segment, at + 1));
  const vote = <u64>voteOf(neighbour.shared) * <u64>neighbour.frequency;
  const kinds = kindsOf(neighbour.slot);
  if (kinds !== 0 && min(most, outcomeCount() + lengthAt(segment, at)) <= MAX_PAIRED_OUTCOMES) {
    return vote * voteForKinds(kinds, eventsAt(segment, at), vote);
  }
  const shift: u32 = segment.symbolShift;
  if (shift === BYTES) {
    return vote * voteIn<u8>(from, end, vote, voter);
  }
  return vote * (shift === HALVES ? voteIn<u16>(from, end, vote, voter) : voteIn<u32>(from, end, vote, voter));
}

/** The vote of a neighbour: the sum of its shared events' recency, times the recency of the newest of them. */
export function voteOf(shared: u32): u32 {
  // The sum of the events' numbers, a binary digit of these numbers at a time: a loop over the events is slower.
  const backs =
    popcnt(shared & 0b1010101010) +
    (popcnt(shared & 0b0011001100) << 1) +
    (popcnt(shared & 0b0011110000) << 2) +
    (popcnt(shared & 0b1100000000) << 3);
  return (contextEvents() * popcnt(shared) - backs) * (CONTEXT_EVENTS - ctz(shared));
}

/** Votes for each distinct symbol; returns their number. */
function voteIn<T>(from: usize, end: usize, vote: u64, voter: u32): u64 {
  if (min(most, outcomeCount() + <u32>((end - from) / sizeof<T>())) <= MAX_PAIRED_OUTCOMES) {
    return voteForFew<T>(from, end, vote);
  }
  const numbers = numberTable();
  const start = buffer.start(ballots);
  const own = (vote << VOTER_BITS) | <u64>voter;
  let count: u64 = 0;
  for (let at = from; at < end; at += sizeof<T>()) {
    const ballot = ballotIn(start, numberFor(numbers, <u32>load<T>(at)));
    // Without a branch, which would be mispredicted too often.
    const before = load<u64>(ballot);
    const isNew = <u64>((before & VOTER_MASK) !== <u64>voter);
    store<u64>(ballot, before + ((own - (before & VOTER_MASK)) & (0 - isNew)));
    count += isNew;
  }
  return count;
}

/** {@link voteIn} if few outcomes are named, and stay few. */
function voteForFew<T>(from: usize, end: usize, vote: u64): u64 {
  const numbers = numberTable();
  let set: u64 = 0;
  for (let at = from; at < end; at += sizeof<T>()) {
    set |= (<u64>1) << (<u64>numberFor(numbers, <u32>load<T>(at)));
  }
  return voteForSet(set, vote);
}

/** {@link voteForFew} for a model whose events have kinds. */
function voteForKinds(kinds: usize, events: u32, vote: u64): u64 {
  let set: u64 = 0;
  for (let event: u32 = 0; event < events; event++) {
    const kind = kindAt(<u32>load<u16>(kinds + ((<usize>event) << 1)));
    if (kind.naming !== naming) {
      noteOutcomes(kind);
    }
    set |= kind.outcomes;
  }
  return voteForSet(set, vote);
}

/** The outcomes that an event of a kind holds, as bits. All its symbols are named, and there are few outcomes. */
export function outcomesOf(kind: EventKind): u64 {
  if (kind.naming !== naming) {
    noteOutcomes(kind);
  }
  return kind.outcomes;
}

/** Names the symbols of a kind. Where more outcomes than few are named, its bits say nothing, and are not asked for. */
function noteOutcomes(kind: EventKind): void {
  const numbers = numberTable();
  const from = kindSymbols(kind);
  const end = from + ((<usize>kind.length) << 2);
  let set: u64 = 0;
  for (let at = from; at < end; at += 4) {
    set |= (<u64>1) << (<u64>numberFor(numbers, load<u32>(at)));
  }
  kind.outcomes = set;
  kind.naming = naming;
}

/** Votes for the outcomes of a set of bits; returns their number. */
function voteForSet(set: u64, vote: u64): u64 {
  const start = buffer.start(ballots);
  for (let rest = set; rest !== 0; rest &= rest - 1) {
    const ballot = ballotIn(start, <u32>ctz(rest));
    store<u64>(ballot, load<u64>(ballot) + (vote << VOTER_BITS));
  }
  return popcnt(set);
}

/** The number of a symbol, naming it if necessary and possible. */
function numberFor(numbers: usize, symbol: u32): u32 {
  const number = numberOf(numbers, symbol);
  return number === UNNAMED && outcomeCount() < most ? addOutcome(symbol) : number;
}
