/**
 * Chooses the neighbours from the entries of all slots without sorting them: counts how many candidates are how
 * similar, which says from which similarity on they are neighbours, then how frequent the last of these are, and takes
 * the neighbours in the order of their slots. For models that are not long; others are sorted in `neighbours.ts`.
 */

import { longestModel } from "../corpus/corpus";
import { frequencyUpTo, greatestFrequency, SEGMENT_SLOTS, Segment, segmentAt, segmentCount } from "../corpus/segment";
import * as buffer from "../memory/buffer";
import { BUFFER_ALIGN, BUFFER_BYTES } from "../memory/buffer";
import { greatestLane } from "../memory/lanes";
import { BYTES, DOUBLES, HALVES } from "../memory/narrow";
import { ENTRIES_AT_ONCE, equalAmong, nearAmong, SHARED_WITH_NEWEST } from "./holders";
import {
  CANDIDATE_BYTES,
  chosenRoom,
  endChosen,
  FEW,
  leastOtherOf,
  MAX_NEIGHBOUR_SYMBOLS,
  MAX_NEWEST_NEIGHBOURS,
  MAX_OTHER_NEIGHBOURS,
  MAX_SIMILARITY,
} from "./neighbours";

/** Divides candidates into those that are chosen and others, by their similarity or their frequency. */
@unmanaged
class Cut {
  /** Whatever has more is chosen; what has just this is a tie. */
  least: u32;
  /** Number of ties that are not chosen; {@link ALL} if none is. */
  skipped: u32;
  /** Number of ties found so far, the oldest first. */
  ties: u32;
}

const ALL: u32 = u32.MAX_VALUE;
const CUT_BYTES: i32 = offsetof<Cut>();
/** By similarity: the candidates that hold a symbol of the newest event, and those that do not. */
const ofNewest: Cut = changetype<Cut>(memory.data(CUT_BYTES, 4));
const ofOthers: Cut = changetype<Cut>(memory.data(CUT_BYTES, 4));
/** By frequency: the ties of each of them. Of those that tie in this, too, the newest are chosen. */
const ofNewestTies: Cut = changetype<Cut>(memory.data(CUT_BYTES, 4));
const ofOtherTies: Cut = changetype<Cut>(memory.data(CUT_BYTES, 4));

/**
 * A word for each similarity, or each frequency of ties: the number of such candidates, first of the others, then of
 * the newest. All are 0 between questions.
 */
const tallied: usize = memory.data(BUFFER_BYTES, BUFFER_ALIGN);
/** Where those of the newest begin, and the shift that turns their bit of an entry into this number. */
const NEWEST: u32 = MAX_SIMILARITY + 1;
const NEWEST_SHIFT: u32 = 4;
/** Entries are tallied in turns here and in a second place this far behind, because most follow an equal one. */
const TALLIES_BYTES: usize = (<usize>NEWEST) << 3;
/** Greater frequencies are tallied as this. */
const MAX_TALLIED: u32 = MAX_SIMILARITY;

/** The greatest frequency of a candidate that is near enough. */
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
  const greatest = tallyAll(from, slots);
  selectedFrom = slots - tallyOf(0);
  cut(ofNewest, NEWEST, greatest, 0, MAX_NEWEST_NEIGHBOURS);
  cut(ofOthers, 0, greatest, leastOtherOf(greatest) - 1, MAX_OTHER_NEIGHBOURS);
  const few = leastOfFew(greatest);
  clearTallies(greatest);
  if ((hasTies(ofNewest) || hasTies(ofOthers)) && !cutTies(from, excluded)) {
    return false;
  }
  const room = chosenRoom();
  let to = room;
  mostFrequent = 0;
  for (let number: u32 = 0; number < segmentCount(); number++) {
    const base = number * SEGMENT_SLOTS;
    to = chooseIn(segmentAt(number), base, from + ((<usize>base) << 2), to, excluded);
  }
  endChosen(<u32>((to - room) / CANDIDATE_BYTES), greatest, few, mostFrequent);
  return true;
}

/** Tallies all entries by their similarity; returns the greatest, 0 without candidates. */
function tallyAll(from: usize, slots: u32): u32 {
  const bytes = TALLIES_BYTES << 1;
  if (buffer.size(tallied) < bytes) {
    buffer.fit(tallied, bytes);
    memory.fill(buffer.start(tallied), 0, bytes);
  }
  const tallies = buffer.start(tallied);
  const end = from + ((<usize>slots) << 2);
  let most = i32x4.splat(0);
  for (let at = from; at < end; at += 16) {
    most = i32x4.max_u(most, v128.and(v128.load(at), i32x4.splat(MAX_SIMILARITY)));
    addOne(tallies, load<u32>(at));
    addOne(tallies + TALLIES_BYTES, load<u32>(at, 4));
    addOne(tallies, load<u32>(at, 8));
    addOne(tallies + TALLIES_BYTES, load<u32>(at, 12));
  }
  const greatest = greatestLane(most);
  joinTallies(0, greatest);
  joinTallies(NEWEST, greatest);
  return greatest;
}

/** Adds 1 to the tally of an entry's similarity. */
function addOne(tallies: usize, entry: u32): void {
  const tally = tallies + ((<usize>((entry & MAX_SIMILARITY) | groupOf(entry))) << 2);
  store<u32>(tally, load<u32>(tally) + 1);
}

/** Where the tallies of an entry's group begin. */
function groupOf(entry: u32): u32 {
  return (entry >> NEWEST_SHIFT) & NEWEST;
}

/** Adds the second tallies of a group, up to a number, to the first, and sets them back to 0. */
function joinTallies(first: u32, greatest: u32): void {
  const end = tallyAt(first + greatest + 1);
  for (let at = tallyAt(first); at < end; at += 16) {
    v128.store(at, i32x4.add(v128.load(at), v128.load(at + TALLIES_BYTES)));
    v128.store(at + TALLIES_BYTES, i32x4.splat(0));
  }
}

function tallyOf(number: u32): u32 {
  return load<u32>(tallyAt(number));
}

function tallyAt(number: u32): usize {
  return buffer.start(tallied) + ((<usize>number) << 2);
}

/** Sets all tallies back to 0. @param greatest none of a greater number is above 0 */
function clearTallies(greatest: u32): void {
  memory.fill(tallyAt(0), 0, (<usize>greatest + 1) << 2);
  memory.fill(tallyAt(NEWEST), 0, (<usize>greatest + 1) << 2);
}

/**
 * Finds where the greatest of some tallied candidates end.
 * @param first place of their tallies @param greatest none has more
 * @param least those that have this or less are not chosen @param most number of them to choose, if there are as many
 */
function cut(found: Cut, first: u32, greatest: u32, least: u32, most: u32): void {
  found.ties = 0;
  found.skipped = ALL;
  found.least = least;
  let chosen: u32 = 0;
  for (let number = greatest; number > least; number--) {
    const more = tallyOf(first + number);
    if (chosen + more > most) {
      found.least = number;
      found.ties = more;
      found.skipped = chosen + more - most;
      return;
    }
    chosen += more;
  }
}

/** Whether some of those that tie are chosen, and others are not. */
function hasTies(found: Cut): bool {
  return found.skipped !== ALL;
}

/** The least that a candidate has that is chosen or ties. */
function leastNear(found: Cut): u32 {
  return found.least + <u32>!hasTies(found);
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

/** Finds out from which frequency on ties are chosen; returns false if that is too great to be tallied. */
function cutTies(from: usize, excluded: i32): bool {
  if (areEquallyFrequent()) {
    chooseNewest(ofNewestTies, ofNewest);
    chooseNewest(ofOtherTies, ofOthers);
    return true;
  }
  let most: u32 = 0;
  for (let number: u32 = 0; number < segmentCount(); number++) {
    const base = number * SEGMENT_SLOTS;
    most = max(most, tallyTies(segmentAt(number), base, from + ((<usize>base) << 2), excluded));
  }
  cut(ofNewestTies, NEWEST, most, 0, ofNewest.ties - ofNewest.skipped);
  cut(ofOtherTies, 0, most, 0, ofOthers.ties - ofOthers.skipped);
  clearTallies(most);
  const isClear = ofNewestTies.least < MAX_TALLIED && ofOtherTies.least < MAX_TALLIED;
  ofNewestTies.ties = 0;
  ofOtherTies.ties = 0;
  return isClear;
}

/** Whether all models have the frequency 1; false where it takes long to find out. */
function areEquallyFrequent(): bool {
  for (let number: u32 = 0; number < segmentCount(); number++) {
    if (greatestFrequency(segmentAt(number)) > 1) {
      return false;
    }
  }
  return true;
}

/** Chooses the newest of ties of the frequency 1. */
function chooseNewest(found: Cut, bySimilarity: Cut): void {
  found.least = 1;
  found.skipped = bySimilarity.skipped;
  found.ties = 0;
}

/** Tallies the ties of a segment by frequency; returns the greatest one. */
function tallyTies(segment: Segment, base: u32, from: usize, excluded: i32): u32 {
  const similarityOfNewest = i32x4.splat(similarityOfTies(ofNewest));
  const similarityOfOthers = i32x4.splat(similarityOfTies(ofOthers));
  let most: u32 = 0;
  for (let first: u32 = 0; first < segment.count; first += ENTRIES_AT_ONCE) {
    const at = from + ((<usize>first) << 2);
    for (let ties = equalAmong(at, similarityOfNewest, similarityOfOthers); ties !== 0; ties &= ties - 1) {
      const place = first + ctz(ties);
      const isExcluded = <u32>(<i32>(base + place) === excluded);
      const frequency = min(frequencyUpTo(segment, place, MAX_TALLIED + 1) - isExcluded, MAX_TALLIED);
      const tally = tallyAt(frequency | groupOf(load<u32>(from + ((<usize>place) << 2))));
      store<u32>(tally, load<u32>(tally) + 1);
      most = max(most, frequency);
    }
  }
  return most;
}

/** The similarity of ties; one that no entry has where all are chosen or none is. */
function similarityOfTies(found: Cut): u32 {
  return hasTies(found) ? found.least : NEWEST;
}

/** Takes the neighbours of a segment. @param room where they go; returns the address after them */
function chooseIn(segment: Segment, base: u32, from: usize, room: usize, excluded: i32): usize {
  const shift: u32 = segment.frequencyShift;
  if (shift === BYTES) {
    return chooseAmong<u8>(segment, base, from, room, excluded);
  }
  if (shift === HALVES) {
    return chooseAmong<u16>(segment, base, from, room, excluded);
  }
  return shift === DOUBLES
    ? chooseAmong<f64>(segment, base, from, room, excluded)
    : chooseAmong<u32>(segment, base, from, room, excluded);
}

function chooseAmong<T>(segment: Segment, base: u32, from: usize, room: usize, excluded: i32): usize {
  const leastOfNewest = i32x4.splat(leastNear(ofNewest));
  const leastOfOthers = i32x4.splat(leastNear(ofOthers));
  const frequencies = segment.frequencies;
  const count = segment.count;
  let to = room;
  let most = mostFrequent;
  for (let first: u32 = 0; first < count; first += ENTRIES_AT_ONCE) {
    const at = from + ((<usize>first) << 2);
    for (let near = nearAmong(at, leastOfNewest, leastOfOthers); near !== 0; near &= near - 1) {
      const place = first + ctz(near);
      const entry = load<u32>(from + ((<usize>place) << 2));
      const own = <f64>load<T>(frequencies + <usize>place * sizeof<T>());
      const frequency = own - <f64>(<i32>(base + place) === excluded);
      const isNewest = (entry & SHARED_WITH_NEWEST) !== 0;
      const isTie = (entry & MAX_SIMILARITY) === select<Cut>(ofNewest, ofOthers, isNewest).least;
      const isChosen = <u32>!isTie | takesTie(select<Cut>(ofNewestTies, ofOtherTies, isNewest), isTie, frequency);
      // Written in any case, because a branch here is mispredicted too often. The halves of an entry are a candidate's.
      store<u64>(to, <u64>(base + place) | ((<u64>entry) << 32));
      store<f64>(to, frequency, 8);
      most = max(most, frequency);
      to += CANDIDATE_BYTES * <usize>isChosen;
    }
  }
  mostFrequent = most;
  return to;
}

/** 1 if a candidate is chosen whose similarity ties, else 0. Without branches, as above. */
function takesTie(found: Cut, isTie: bool, frequency: f64): u32 {
  const isEqual = <u32>isTie & <u32>(frequency === <f64>found.least);
  found.ties += isEqual;
  return (isEqual & <u32>(found.ties > found.skipped)) | (<u32>isTie & <u32>(frequency > <f64>found.least));
}
