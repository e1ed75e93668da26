/**
 * Chooses the neighbours from the entries of all slots without sorting them: counts how many candidates are how
 * similar, which says from which similarity on they are neighbours, and takes these in the order of their slots. For
 * models that are neither long nor very frequent; others are sorted in `neighbours.ts`.
 */

import { longestModel } from "../corpus/corpus";
import { SEGMENT_SLOTS, Segment, segmentAt, segmentCount } from "../corpus/segment";
import * as buffer from "../memory/buffer";
import { BUFFER_ALIGN, BUFFER_BYTES } from "../memory/buffer";
import { BYTES, DOUBLES, HALVES } from "../memory/narrow";
import { SHARED_WITH_NEWEST } from "./holders";
import {
  CANDIDATE_BYTES,
  chosenRoom,
  endChosen,
  FEW,
  leastOtherOf,
  MAX_FREQUENCY,
  MAX_NEIGHBOUR_SYMBOLS,
  MAX_NEWEST_NEIGHBOURS,
  MAX_OTHER_NEIGHBOURS,
  MAX_SIMILARITY,
} from "./neighbours";

/** The candidates that hold a symbol of the newest event, or those that do not. */
@unmanaged
class Choice {
  /** A candidate of this similarity is one of the ties; one of a greater similarity is chosen. */
  least: u32;
  /** Number of ties that are not chosen, the oldest, and number of ties found so far. */
  skipped: u32;
  ties: u32;
  /** The least and the greatest frequency of the ties. */
  leastFrequency: f64;
  mostFrequency: f64;
}

const CHOICE_BYTES: i32 = offsetof<Choice>();
const ofNewest: Choice = changetype<Choice>(memory.data(CHOICE_BYTES, 8));
const ofOthers: Choice = changetype<Choice>(memory.data(CHOICE_BYTES, 8));

/** A word for each similarity, first those of the others, then of the newest. All are 0 between questions. */
const tallied: usize = memory.data(BUFFER_BYTES, BUFFER_ALIGN);
/** Where those of the newest begin, and the shift that turns their bit of an entry into this number. */
const NEWEST: u32 = MAX_SIMILARITY + 1;
const NEWEST_SHIFT: u32 = 4;

/** The greatest frequency of a model. */
let mostFrequent: f64 = 0;

/** Number of candidates, after {@link selectNeighbours}. */
export let selectedFrom: u32 = 0;

/**
 * Chooses the neighbours. Returns false, and has changed nothing, where they have to be sorted.
 * @param from address of the entries of all slots
 * @param excluded the slot of a model to count one occurrence less of, or -1
 */
export function selectNeighbours(from: usize, excluded: i32): bool {
  if (longestModel() > MAX_NEIGHBOUR_SYMBOLS / MAX_NEWEST_NEIGHBOURS) {
    return false;
  }
  const slots = segmentCount() * SEGMENT_SLOTS;
  tallyAll(from, slots);
  selectedFrom = slots - tallyOf(0);
  const greatest = greatestTallied();
  limit(ofNewest, NEWEST, greatest, 0, MAX_NEWEST_NEIGHBOURS);
  limit(ofOthers, 0, greatest, leastOtherOf(greatest) - 1, MAX_OTHER_NEIGHBOURS);
  const few = leastOfFew(greatest);
  memory.fill(tallyAt(0), 0, (<usize>greatest + 1) << 2);
  memory.fill(tallyAt(NEWEST), 0, (<usize>greatest + 1) << 2);
  const room = chosenRoom();
  let to = room;
  mostFrequent = 0;
  for (let number: u32 = 0; number < segmentCount(); number++) {
    const base = number * SEGMENT_SLOTS;
    const segment = segmentAt(number);
    const own = from + ((<usize>base) << 2);
    const shift: u32 = segment.frequencyShift;
    if (shift === BYTES) {
      to = chooseIn<u8>(segment, base, own, to, excluded);
    } else if (shift === HALVES) {
      to = chooseIn<u16>(segment, base, own, to, excluded);
    } else if (shift === DOUBLES) {
      to = chooseIn<f64>(segment, base, own, to, excluded);
    } else {
      return false;
    }
  }
  if (mostFrequent > MAX_FREQUENCY || isUnclear(ofNewest) || isUnclear(ofOthers)) {
    return false;
  }
  endChosen(<u32>((to - room) / CANDIDATE_BYTES), greatest, few);
  return true;
}

function tallyAll(from: usize, slots: u32): void {
  const bytes = (<usize>NEWEST) << 3;
  if (buffer.size(tallied) < bytes) {
    buffer.fit(tallied, bytes);
    memory.fill(buffer.start(tallied), 0, bytes);
  }
  const tallies = buffer.start(tallied);
  const end = from + ((<usize>slots) << 2);
  for (let at = from; at < end; at += 4) {
    const entry = load<u32>(at);
    const tally = tallies + ((<usize>((entry & MAX_SIMILARITY) | ((entry >> NEWEST_SHIFT) & NEWEST))) << 2);
    store<u32>(tally, load<u32>(tally) + 1);
  }
}

function tallyOf(number: u32): u32 {
  return load<u32>(tallyAt(number));
}

function tallyAt(number: u32): usize {
  return buffer.start(tallied) + ((<usize>number) << 2);
}

/** The greatest similarity; 0 without candidates. */
function greatestTallied(): u32 {
  for (let end = MAX_SIMILARITY + 1; end > 0; end -= 4) {
    const least = end - 4;
    const four = v128.or(v128.load(tallyAt(least)), v128.load(tallyAt(NEWEST + least)));
    const any = <u32>i32x4.bitmask(i32x4.ne(four, i32x4.splat(0)));
    if (any !== 0) {
      return least + (31 - clz(any));
    }
  }
  return 0;
}

/** Finds out from which similarity on candidates are chosen. @param least those of this one or less are not, in any case */
function limit(choice: Choice, first: u32, greatest: u32, least: u32, most: u32): void {
  choice.ties = 0;
  choice.leastFrequency = Infinity;
  choice.mostFrequency = 0;
  choice.skipped = u32.MAX_VALUE;
  choice.least = least;
  let chosen: u32 = 0;
  for (let similarity = greatest; similarity > least; similarity--) {
    const more = tallyOf(first + similarity);
    if (chosen + more > most) {
      choice.least = similarity;
      choice.skipped = chosen + more - most;
      return;
    }
    chosen += more;
  }
}

/** A similarity that some of the nearest have or exceed: {@link FEW} of them, if there are that many candidates. */
function leastOfFew(greatest: u32): u32 {
  let similarity = greatest;
  for (let found: u32 = 0; similarity > 1; similarity--) {
    found += tallyOf(similarity) + tallyOf(NEWEST + similarity);
    if (found >= FEW) {
      break;
    }
  }
  return similarity;
}

/** Takes the neighbours of a segment. @param room where they go; returns the address after them */
function chooseIn<T>(segment: Segment, base: u32, from: usize, room: usize, excluded: i32): usize {
  const frequencies = segment.frequencies;
  const count = segment.count;
  let to = room;
  for (let place: u32 = 0; place < count; place++) {
    const entry = load<u32>(from + ((<usize>place) << 2));
    const frequency = <f64>load<T>(frequencies + <usize>place * sizeof<T>()) - <f64>(<i32>(base + place) === excluded);
    const isNewest = (entry & SHARED_WITH_NEWEST) !== 0;
    const similarity = entry & MAX_SIMILARITY;
    const least = select<u32>(ofNewest.least, ofOthers.least, isNewest);
    let isChosen = similarity > least;
    if (similarity === least && entry !== 0) {
      isChosen = takesTie(isNewest ? ofNewest : ofOthers, frequency);
    }
    // Written in any case, because a branch here is mispredicted too often. The halves of an entry are a candidate's.
    store<u64>(to, <u64>(base + place) | ((<u64>entry) << 32));
    store<f64>(to, frequency, 8);
    mostFrequent = max(mostFrequent, frequency);
    to += isChosen ? CANDIDATE_BYTES : 0;
  }
  return to;
}

/** Whether a tie is chosen: the newest are. */
function takesTie(choice: Choice, frequency: f64): bool {
  choice.ties++;
  choice.leastFrequency = min(choice.leastFrequency, frequency);
  choice.mostFrequency = max(choice.mostFrequency, frequency);
  return choice.ties > choice.skipped;
}

/** Whether the frequency decides which ties are chosen. */
function isUnclear(choice: Choice): bool {
  return choice.skipped < choice.ties && choice.leastFrequency !== choice.mostFrequency;
}
