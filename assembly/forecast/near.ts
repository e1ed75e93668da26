/**
 * The rule near, as V-SKNN has it: each neighbour votes for every symbol that it holds, and its vote is greater the newer the context's events are that it
 * shares symbols with. The same whatever is asked ahead. Names the outcomes on its way, as it goes over all symbols of all neighbours.
 */

import { lengthAt, placeOf, segmentOf, symbolAddress, symbolStart } from "../corpus/segment";
import { classTable, symbolEnd } from "../corpus/symbols";
import { countSteps, isOutOfSteps } from "../match/steps";
import * as buffer from "../memory/buffer";
import { BUFFER_ALIGN, BUFFER_BYTES } from "../memory/buffer";
import { BYTES, HALVES } from "../memory/narrow";
import { CONTEXT_EVENTS, contextEvents } from "./context";
import { Candidate, nearestNeighbour, neighbourCount, neighbourSymbols } from "./neighbours";
import {
  addOutcome,
  beginOutcomes,
  NEAR,
  numberOf,
  numberTable,
  outcomeCount,
  outcomeIn,
  outcomesStart,
  probabilitiesStart,
  setProbability,
  UNNAMED,
} from "./outcomes";

/** The first so many different symbols of the neighbours, the nearest one's first, are named. So what a forecast counts has a bound. */
const MOST_NAMED: u32 = 8190;

/** A double for each outcome: the sum of the votes for it. */
const votes: usize = memory.data(BUFFER_BYTES, BUFFER_ALIGN);
let sum: f64 = 0;

/** Names the outcomes, and counts the votes of all neighbours. */
export function countVotes(): void {
  const most = min(min(symbolEnd(), neighbourSymbols()), MOST_NAMED) + 1;
  beginOutcomes(most);
  buffer.fit(votes, (<usize>most) << 3);
  memory.fill(buffer.start(votes), 0, (<usize>most) << 3);
  sum = 0;
  for (let at: u32 = 0; at < neighbourCount() && !isOutOfSteps(); at++) {
    countModel(nearestNeighbour(at), at + 1, most);
  }
}

/** Whether there were votes. */
export function isVoted(): bool {
  return sum > 0;
}

/** Sets the probabilities of the rule. */
export function setNear(): void {
  const start = probabilitiesStart();
  for (let number: u32 = 0; number < outcomeCount(); number++) {
    const share = sum > 0 && number !== UNNAMED ? load<f64>(buffer.start(votes) + ((<usize>number) << 3)) / sum : 0;
    setProbability(start, number, NEAR, share);
  }
}

/** @param number counts the models, so that each votes once for an outcome */
function countModel(neighbour: Candidate, number: u32, most: u32): void {
  const segment = segmentOf(neighbour.slot);
  const at = placeOf(neighbour.slot);
  countSteps(lengthAt(segment, at));
  const from = symbolAddress(segment, symbolStart(segment, at));
  const end = symbolAddress(segment, symbolStart(segment, at + 1));
  const shift: u32 = segment.symbolShift;
  let voted: u32 = 0;
  let vote: f64 = 0;
  if (shift === BYTES) {
    vote = voteOf(sharedIn<u8>(from, end)) * neighbour.frequency;
    voted = voteIn<u8>(from, end, vote, number, most);
  } else if (shift === HALVES) {
    vote = voteOf(sharedIn<u16>(from, end)) * neighbour.frequency;
    voted = voteIn<u16>(from, end, vote, number, most);
  } else {
    vote = voteOf(sharedIn<u32>(from, end)) * neighbour.frequency;
    voted = voteIn<u32>(from, end, vote, number, most);
  }
  sum += vote * <f64>voted;
}

/** Which of the context's events share a symbol with a model, a bit each, the newest the lowest. */
function sharedIn<T>(from: usize, end: usize): u32 {
  const table = classTable();
  let shared: u32 = 0;
  for (let at = from; at < end; at += sizeof<T>()) {
    shared |= load<u32>(table + ((<usize>load<T>(at)) << 2));
  }
  return shared;
}

/** The sum over the shared events of how new each is, times how new the newest of them is. */
function voteOf(shared: u32): f64 {
  let sum: u32 = 0;
  for (let rest = shared; rest !== 0; rest &= rest - 1) {
    sum += contextEvents() - ctz(rest);
  }
  return <f64>(sum * (CONTEXT_EVENTS - ctz(shared)));
}

/** Votes for each distinct symbol; returns how many they are. */
function voteIn<T>(from: usize, end: usize, vote: f64, number: u32, most: u32): u32 {
  const numbers = numberTable();
  const outcomes = outcomesStart();
  const start = buffer.start(votes);
  let count: u32 = 0;
  for (let at = from; at < end; at += sizeof<T>()) {
    const symbol = <u32>load<T>(at);
    let outcome = numberOf(numbers, symbol);
    if (outcome === UNNAMED && outcomeCount() < most) {
      outcome = addOutcome(symbol);
    }
    const entry = outcomeIn(outcomes, outcome);
    if (entry.occurrence !== number) {
      entry.occurrence = number;
      const given = start + ((<usize>outcome) << 3);
      store<f64>(given, load<f64>(given) + vote);
      count++;
    }
  }
  return count;
}
