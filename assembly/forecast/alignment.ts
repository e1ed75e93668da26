/**
 * Aligns the context with each event of the neighbours: computes the level and the order of agreement there. They do
 * not depend on the horizon, so a neighbour is aligned once in a forecast. All events of the context are compared at
 * once, a lane for each, the newest in lane 0.
 */

import {
  eventLength,
  eventStart,
  eventsAt,
  placeOf,
  Segment,
  segmentOf,
  symbolAddress,
  symbolStart,
} from "../corpus/segment";
import { classTable } from "../corpus/symbols";
import * as buffer from "../memory/buffer";
import { BUFFER_ALIGN, BUFFER_BYTES } from "../memory/buffer";
import { BYTES, HALVES } from "../memory/narrow";
import {
  agreementOf,
  CONTEXT_EVENTS,
  contextEvents,
  contextSerial,
  distinctIn,
  growthOf,
  lanesOf,
  laneTable,
  MAX_IN_LANE,
  mostDistinct,
  stepLanes,
  unknownLanes,
  wholeLanes,
} from "./context";
import { addToSum, EventKind, KIND_GROWTH, KIND_WHOLE, kindAt, kindIn, kindSymbols, kindsOf } from "./event-kinds";
import { areSorted, Candidate, neighbourAt, neighbourCount, neighbourEvents, sortNeighbours } from "./neighbours";

/** The alignment of a neighbour. */
@unmanaged
export class Alignment {
  /** Address of the {@link levelOf | code} of its first event; the codes of the others follow, a byte each. */
  codes: usize;
  /** Where its symbols start and end. */
  start: usize;
  end: usize;
  events: u32;
  /**
   * Its last event that shares a symbol with the context: the event's number, and the number of the model's symbols up
   * to its end.
   */
  shared: u32;
  sharedEnd: u32;
  /** Address of the kinds of its events, a half word each; 0 without kinds. */
  kinds: usize;
}

const ALIGNMENT_SHIFT: usize = 5;
/** For each neighbour, in the order of {@link neighbourAt}. */
const alignments: usize = memory.data(BUFFER_BYTES, BUFFER_ALIGN);
/** The codes of all events of aligned neighbours. */
const codes: usize = memory.data(BUFFER_BYTES, BUFFER_ALIGN);
/** Codes are read 16 at a time, so there is room for 16 more. */
const READ_AT_ONCE: usize = 16;
/** Number of aligned neighbours, and of their events. */
let aligned: u32 = 0;
let alignedEvents: usize = 0;

/** The order is the high half of a code. */
export const ORDER_SHIFT: u32 = 4;
/** The level is the low half, except the greatest level. */
export const LEVEL_MASK: u8 = 15;
/** A level is 16 units of agreement. */
const LEVEL_SHIFT: u32 = 4;
/** Greater agreements are stored as this. */
const MAX_AGREEMENT: u32 = 255;

/** For a large event: the number of symbols that it shares with each of the context's events, a word each. */
const shared: usize = memory.data(CONTEXT_EVENTS << 2, 16);
/**
 * A byte for each event of the context: what an event adds to the agreement with it, and whether it holds it as a
 * whole.
 */
const ownGrowth: usize = memory.data(16, 16);
const ownWhole: usize = memory.data(16, 16);

/** Begins a forecast, whose neighbours are chosen. */
export function beginAlignments(): void {
  aligned = 0;
  alignedEvents = 0;
  buffer.fit(alignments, (<usize>neighbourCount()) << ALIGNMENT_SHIFT);
  buffer.fit(codes, <usize>neighbourEvents() + READ_AT_ONCE);
}

/** Sorts all neighbours; the alignments of others than sorted ones are forgotten. */
export function sortAligned(): void {
  if (!areSorted()) {
    sortNeighbours();
    beginAlignments();
  }
}

/**
 * The alignment of a neighbour with the context.
 * @param at its place in the order of {@link neighbourAt}; those before it must have been requested already
 */
export function alignmentOf(at: u32): Alignment {
  if (at === aligned) {
    alignNext(neighbourAt(at), 0);
  }
  return alignmentAt(at);
}

/**
 * Adds the frequency of a neighbour whose events have kinds to the sums by kind and level of what follows each of its
 * events, without its alignment, in a context of fewer than {@link CONTEXT_EVENTS}: orders say nothing about levels there.
 * @param kinds of its events @param sums the address of the sums
 * @returns its last event that shares a symbol with the context
 */
export function sumLevels(kinds: usize, events: u32, sums: usize, frequency: f64): u32 {
  const all = kindAt(0);
  const serial = contextSerial();
  let agreements = i8x16.splat(0);
  let shared: u32 = 0;
  // The sum of what follows level 0, which nothing reads, is that of the first event.
  let level: u32 = 0;
  for (let event: u32 = 0; event < events; event++) {
    const number = <u32>load<u16>(kinds + ((<usize>event) << 1));
    const kind = kindIn(all, number);
    if (kind.context !== serial) {
      compareKind(kind);
    }
    addToSum(sums, number, level, frequency);
    agreements = i8x16.add_sat_u(moved(agreements), v128.load(changetype<usize>(kind) + KIND_GROWTH));
    level = <u32>i8x16.extract_lane_u(agreements, 0) >> LEVEL_SHIFT;
    shared = kind.held !== 0 ? event : shared;
  }
  return shared;
}

/**
 * {@link alignmentOf} a neighbour whose events have kinds; adds its frequency to the sums by kind and level of what
 * follows each of its events. @param sums their address
 */
export function summedAlignmentOf(at: u32, sums: usize): Alignment {
  const neighbour = neighbourAt(at);
  if (at === aligned) {
    alignNext(neighbour, sums);
  } else {
    sumAligned(alignmentAt(at), sums, neighbour.frequency);
  }
  return alignmentAt(at);
}

function sumAligned(alignment: Alignment, sums: usize, frequency: f64): void {
  for (let event: usize = 1; event < <usize>alignment.events; event++) {
    const number = <u32>load<u16>(alignment.kinds + (event << 1));
    addToSum(sums, number, levelOf(<u32>load<u8>(alignment.codes + event - 1)), frequency);
  }
}

/** The level at an event: how much it and those before it agree with the context, 0 to 16 sixteenths, rounded down. */
export function levelOf(code: u32): u32 {
  // The agreement is 256 if all ten events agree, which a code stores as 255.
  return (code & LEVEL_MASK) + <u32>(orderOf(code) === CONTEXT_EVENTS);
}

/**
 * The order at an event: how many events, from it back, hold the context's events as a whole, from the newest back. An
 * unknown event of the context is held by any event, but does not count.
 */
export function orderOf(code: u32): u32 {
  return code >> ORDER_SHIFT;
}

/** Whether each event of a model holds a single symbol. */
export function hasSingles<T>(alignment: Alignment, segment: Segment): bool {
  const symbols = (alignment.end - alignment.start) / sizeof<T>();
  return symbols === <usize>alignment.events && segment.shortestEvent > 0;
}

function alignmentAt(at: u32): Alignment {
  return changetype<Alignment>(buffer.start(alignments) + ((<usize>at) << ALIGNMENT_SHIFT));
}

/** @param sums as in {@link alignKinds} */
function alignNext(neighbour: Candidate, sums: usize): void {
  const segment = segmentOf(neighbour.slot);
  const at = placeOf(neighbour.slot);
  const alignment = alignmentAt(aligned++);
  alignment.codes = buffer.start(codes) + alignedEvents;
  alignment.start = symbolAddress(segment, symbolStart(segment, at));
  alignment.end = symbolAddress(segment, symbolStart(segment, at + 1));
  alignment.events = eventsAt(segment, at);
  alignedEvents += <usize>alignment.events;
  alignment.kinds = kindsOf(neighbour.slot);
  if (alignment.kinds !== 0) {
    alignKinds(alignment, sums, neighbour.frequency);
    return;
  }
  const shift: u32 = segment.symbolShift;
  if (shift === BYTES) {
    align<u8>(alignment, segment, at);
  } else if (shift === HALVES) {
    align<u16>(alignment, segment, at);
  } else {
    align<u32>(alignment, segment, at);
  }
}

function align<T>(alignment: Alignment, segment: Segment, at: u32): void {
  if (hasSingles<T>(alignment, segment)) {
    alignSingles<T>(alignment, alignment.start, alignment.events);
  } else {
    alignEvents<T>(alignment, segment, eventStart(segment, at), alignment.start, alignment.events);
  }
}

/** Moves the lanes of an event on to the next one, where each of the context's events meets the one before it. */
function moved(lanes: v128): v128 {
  return i8x16.shuffle(lanes, i8x16.splat(0), 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16);
}

function codeOf(agreements: v128, orders: v128): u8 {
  return <u8>codeFor(<u32>i8x16.extract_lane_u(agreements, 0), <u32>i8x16.extract_lane_u(orders, 0));
}

/** The code of an event. @param agreement of it and the events before it with the context, 0 to 256 */
export function codeFor(agreement: u32, order: u32): u32 {
  return (min(agreement, MAX_AGREEMENT) >> LEVEL_SHIFT) | (order << ORDER_SHIFT);
}

/** Aligns a model whose events hold one symbol each. */
function alignSingles<T>(alignment: Alignment, from: usize, events: u32): void {
  const table = classTable();
  const sets = laneTable();
  const growth = growthOf(1);
  const one = i8x16.splat(1);
  const wholes = i8x16.eq(wholeLanes(), one);
  const unknown = unknownLanes();
  const steps = stepLanes();
  const to = alignment.codes;
  let agreements = i8x16.splat(0);
  let orders = i8x16.splat(0);
  let last: u32 = 0;
  for (let event: u32 = 0; event < events; event++) {
    const held = load<u32>(table + ((<usize>load<T>(from + <usize>event * sizeof<T>())) << 2));
    const lanes = lanesOf(sets, held);
    agreements = i8x16.add_sat_u(moved(agreements), v128.and(lanes, growth));
    orders = v128.and(i8x16.add(moved(orders), steps), v128.or(v128.and(lanes, wholes), unknown));
    store<u8>(to + <usize>event, codeOf(agreements, orders));
    last = held !== 0 ? event : last;
  }
  alignment.shared = last;
  alignment.sharedEnd = last + 1;
}

/**
 * Aligns a model whose events have kinds.
 * @param sums 0, or the address of sums by kind and level to add the model's frequency to for each event after another
 */
function alignKinds(alignment: Alignment, sums: usize, frequency: f64): void {
  const unknown = unknownLanes();
  const steps = stepLanes();
  const all = kindAt(0);
  const serial = contextSerial();
  const kinds = alignment.kinds;
  const codes = alignment.codes;
  const events = <usize>alignment.events;
  let agreements = i8x16.splat(0);
  let orders = i8x16.splat(0);
  let length: u32 = 0;
  let shared: u32 = 0;
  let sharedEnd: u32 = 0;
  // The sum of what follows level 0, which nothing reads, is that of the first event.
  let level: u32 = 0;
  for (let event: usize = 0; event < events; event++) {
    const number = <u32>load<u16>(kinds + (event << 1));
    const kind = kindIn(all, number);
    if (kind.context !== serial) {
      compareKind(kind);
    }
    if (sums !== 0) {
      addToSum(sums, number, level, frequency);
    }
    const lanes = changetype<usize>(kind);
    agreements = i8x16.add_sat_u(moved(agreements), v128.load(lanes + KIND_GROWTH));
    const whole = v128.or(v128.load(lanes + KIND_WHOLE), unknown);
    orders = v128.and(i8x16.add(moved(orders), steps), whole);
    const code = <u32>codeOf(agreements, orders);
    store<u8>(codes + event, code);
    level = levelOf(code);
    length += kind.length;
    const isShared = kind.held !== 0;
    shared = isShared ? <u32>event : shared;
    sharedEnd = isShared ? length : sharedEnd;
  }
  alignment.shared = shared;
  alignment.sharedEnd = sharedEnd;
}

/** Compares a kind with the context. */
function compareKind(kind: EventKind): void {
  const from = kindSymbols(kind);
  kind.held = compare<u32>(from, from + ((<usize>kind.length) << 2));
  kind.context = contextSerial();
  v128.store(changetype<usize>(kind) + KIND_GROWTH, v128.load(ownGrowth));
  v128.store(changetype<usize>(kind) + KIND_WHOLE, v128.load(ownWhole));
}

/** Aligns any model. */
function alignEvents<T>(alignment: Alignment, segment: Segment, first: u32, start: usize, events: u32): void {
  const table = classTable();
  const sets = laneTable();
  const wholes = wholeLanes();
  const growth = growthOf(1);
  const second = mostDistinct() > 1 ? growthOf(2) : i8x16.splat(0);
  const unknown = unknownLanes();
  const steps = stepLanes();
  let agreements = i8x16.splat(0);
  let orders = i8x16.splat(0);
  let from = start;
  const ends = events - 1;
  for (let event: u32 = 0; event < ends; event++) {
    const length = <usize>eventLength(segment, first + event);
    const end = from + length * sizeof<T>();
    let held: u32 = 0;
    let grown: v128;
    let whole: v128;
    if (length === 2) {
      // Most events are small, and many have two symbols: this is {@link compare} for them.
      const one = load<u32>(table + ((<usize>load<T>(from)) << 2));
      const other = load<u32>(table + ((<usize>load<T>(from, sizeof<T>())) << 2));
      const lanes = lanesOf(sets, one);
      const others = lanesOf(sets, other);
      held = one | other;
      whole = i8x16.le_u(wholes, i8x16.neg(i8x16.add(lanes, others)));
      grown = i8x16.add(v128.and(v128.or(lanes, others), growth), v128.and(v128.and(lanes, others), second));
    } else {
      held = compare<T>(from, end);
      whole = v128.load(ownWhole);
      grown = v128.load(ownGrowth);
    }
    agreements = i8x16.add_sat_u(moved(agreements), grown);
    orders = v128.and(i8x16.add(moved(orders), steps), v128.or(whole, unknown));
    store<u8>(alignment.codes + <usize>event, codeOf(agreements, orders));
    if (held !== 0) {
      alignment.shared = event;
      alignment.sharedEnd = <u32>((end - start) / sizeof<T>());
    }
    from = end;
  }
  // Nothing follows the last event, so that its code says nothing.
  store<u8>(alignment.codes + <usize>ends, 0);
  let held: u32 = 0;
  for (; from < alignment.end; from += sizeof<T>()) {
    held |= load<u32>(table + ((<usize>load<T>(from)) << 2));
  }
  if (held !== 0) {
    alignment.shared = ends;
    alignment.sharedEnd = <u32>((from - start) / sizeof<T>());
  }
}

/**
 * Compares an event with all events of the context: what it adds to the agreement with each, and which it holds as a
 * whole.
 * @returns the events of the context that it shares a symbol with, as bits
 */
function compare<T>(from: usize, end: usize): u32 {
  const places = (end - from) / sizeof<T>();
  if (places > <usize>MAX_IN_LANE) {
    return compareLarge<T>(from, end);
  }
  const table = classTable();
  const sets = laneTable();
  let held: u32 = 0;
  let counts = i8x16.splat(0);
  for (let symbol = from; symbol < end; symbol += sizeof<T>()) {
    const events = load<u32>(table + ((<usize>load<T>(symbol)) << 2));
    held |= events;
    counts = i8x16.sub(counts, lanesOf(sets, events));
  }
  v128.store(ownWhole, i8x16.ge_u(counts, wholeLanes()));
  let growth = i8x16.splat(0);
  const most = min(<u32>places, mostDistinct());
  for (let count: u32 = 1; count <= most && v128.any_true(counts); count++) {
    growth = i8x16.add(growth, v128.and(i8x16.ne(counts, i8x16.splat(0)), growthOf(count)));
    counts = i8x16.sub_sat_u(counts, i8x16.splat(1));
  }
  v128.store(ownGrowth, growth);
  return held;
}

/** {@link compare} for an event of any size. */
function compareLarge<T>(from: usize, end: usize): u32 {
  const table = classTable();
  let held: u32 = 0;
  memory.fill(shared, 0, CONTEXT_EVENTS << 2);
  v128.store(ownGrowth, i8x16.splat(0));
  v128.store(ownWhole, i8x16.splat(0));
  for (let symbol = from; symbol < end; symbol += sizeof<T>()) {
    const events = load<u32>(table + ((<usize>load<T>(symbol)) << 2));
    held |= events;
    for (let rest = events; rest !== 0; rest &= rest - 1) {
      const count = shared + ((<usize>ctz(rest)) << 2);
      store<u32>(count, load<u32>(count) + 1);
    }
  }
  for (let back: u32 = 0; back < contextEvents(); back++) {
    const all = distinctIn(back);
    const count = min(load<u32>(shared + ((<usize>back) << 2)), all);
    store<u8>(ownGrowth + <usize>back, <u8>agreementOf(back, count));
    store<u8>(ownWhole + <usize>back, <u8>(count === all ? 0xff : 0));
  }
  return held;
}
