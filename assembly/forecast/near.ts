/**
 * The rule near, as V-SKNN has it: each neighbour votes for every symbol that it holds, and its vote is greater the
 * newer the context's events are that it shares symbols with. The same whatever is asked ahead. Names the outcomes on
 * its way, as it goes over all symbols of all neighbours.
 */

import { lengthAt, placeOf, segmentOf, symbolAddress, symbolStart } from "../corpus/segment";
import { symbolEnd } from "../corpus/symbols";
import { countSteps, isOutOfSteps } from "../match/steps";
import * as buffer from "../memory/buffer";
import { BUFFER_ALIGN, BUFFER_BYTES } from "../memory/buffer";
import { BYTES, HALVES } from "../memory/narrow";
import { CONTEXT_EVENTS, contextEvents } from "./context";
import { Candidate, nearestNeighbour, neighbourCount, neighbourSymbols } from "./neighbours";
import { addOutcome, beginOutcomes, numberOf, numberTable, outcomeCount, UNNAMED } from "./outcomes";

/**
 * The most symbols that are named: the first of the neighbours, the nearest neighbour's first. It bounds what a
 * forecast counts.
 */
const MOST_NAMED: u32 = 8190;

/** The votes for an outcome. */
@unmanaged
class Ballot {
  /** Their sum: a whole number, so that none is added without a branch. */
  votes: u64;
  /** The number of the last neighbour that voted for it. */
  voter: u32;
}

const BALLOT_SHIFT: usize = 4;
const ballots: usize = memory.data(BUFFER_BYTES, BUFFER_ALIGN);
let sum: u64 = 0;

/** Names the outcomes, and counts the votes of all neighbours. */
export function countVotes(): void {
  const most = min(min(symbolEnd(), neighbourSymbols()), MOST_NAMED) + 1;
  beginOutcomes(most);
  buffer.fit(ballots, (<usize>most) << BALLOT_SHIFT);
  memory.fill(buffer.start(ballots), 0, (<usize>most) << BALLOT_SHIFT);
  sum = 0;
  for (let at: u32 = 0; at < neighbourCount() && !isOutOfSteps(); at++) {
    sum += votesOf(nearestNeighbour(at), at + 1, most);
  }
}

/** Whether there were votes. */
export function hasVotes(): bool {
  return sum > 0;
}

/** What the rule gives an outcome. */
export function nearShare(number: u32): f64 {
  return <f64>ballotIn(buffer.start(ballots), number).votes / <f64>max(1, sum);
}

function ballotIn(start: usize, number: u32): Ballot {
  return changetype<Ballot>(start + ((<usize>number) << BALLOT_SHIFT));
}

/** Counts the votes of a neighbour, which has a number of its own; returns their sum. */
function votesOf(neighbour: Candidate, voter: u32, most: u32): u64 {
  const segment = segmentOf(neighbour.slot);
  const at = placeOf(neighbour.slot);
  countSteps(lengthAt(segment, at));
  const from = symbolAddress(segment, symbolStart(segment, at));
  const end = symbolAddress(segment, symbolStart(segment, at + 1));
  const vote = <u64>voteOf(neighbour.shared) * <u64>neighbour.frequency;
  const shift: u32 = segment.symbolShift;
  if (shift === BYTES) {
    return vote * voteIn<u8>(from, end, vote, voter, most);
  }
  return (
    vote * (shift === HALVES ? voteIn<u16>(from, end, vote, voter, most) : voteIn<u32>(from, end, vote, voter, most))
  );
}

/** The sum over the shared events of how new each is, times how new the newest of them is. */
function voteOf(shared: u32): u32 {
  let sum: u32 = 0;
  for (let rest = shared; rest !== 0; rest &= rest - 1) {
    sum += contextEvents() - ctz(rest);
  }
  return sum * (CONTEXT_EVENTS - ctz(shared));
}

/** Votes for each distinct symbol; returns how many they are. */
function voteIn<T>(from: usize, end: usize, vote: u64, voter: u32, most: u32): u64 {
  const numbers = numberTable();
  const start = buffer.start(ballots);
  let count: u64 = 0;
  for (let at = from; at < end; at += sizeof<T>()) {
    const symbol = <u32>load<T>(at);
    let number = numberOf(numbers, symbol);
    if (number === UNNAMED && outcomeCount() < most) {
      number = addOutcome(symbol);
    }
    const ballot = ballotIn(start, number);
    // Without a branch, which would be mispredicted too often.
    const isNew = <u64>(ballot.voter !== voter);
    ballot.voter = voter;
    ballot.votes += vote & (0 - isNew);
    count += isNew;
  }
  return count;
}
