/**
 * Aligns the context with each event of one model, from its first to its last: the order and the level of agreement
 * there. Keeps what the last events shared, and nothing that grows with the model. `T` is what a symbol of the model's
 * segment takes.
 */

import { classTable } from "../corpus/symbols";
import { agreementOf, CONTEXT_EVENTS, contextEvents, distinctIn, laneSum, laneTable, MOST_IN_LANE } from "./context";

/** A level is 16 of the 256 parts of agreement. */
const LEVEL_SHIFT: u32 = 4;

/** As many events as are kept: a power of 2, and more than the context has. */
const KEPT: u32 = 16;
const LAST: u32 = KEPT - 1;
/**
 * Of the events that are not read a word: how much what was read makes them agree with the context, in 256ths. By
 * number, modulo {@link KEPT}. 0 for all others, also between models.
 */
const agreements: usize = memory.data(KEPT << 2, 16);
/** Of the events up to one a word: which of the context's events it holds as a whole, a bit each. */
const wholes: usize = memory.data(KEPT << 2, 16);
/** How many symbols a large event shares with each of the context's. */
const shared: usize = memory.data(CONTEXT_EVENTS << 2, 16);

let events: u32 = 0;
let holders: u32 = 0;
let level: u32 = 0;
let order: u32 = 0;

/** Begins with a model. @param count how many events it has; all of them must be read */
export function beginAlignment(count: u32): void {
  events = count;
}

/**
 * Which of the context's events share a symbol with the event that was read last, a bit each, the newest the lowest.
 */
export function heldThere(): u32 {
  return holders;
}

/** How much that event and those before it agree with the context, in sixteenths, rounded down. */
export function levelThere(): u32 {
  return level;
}

/** How many events, from it back, hold the context's events as a whole, from its newest back. */
export function orderThere(): u32 {
  return order;
}

/**
 * Reads the next event.
 * @param event its number, from 0 on
 * @param from where its symbols are
 * @param end where they end
 */
export function alignEvent<T>(event: u32, from: usize, end: usize): void {
  const whole =
    end - from > <usize>MOST_IN_LANE * sizeof<T>() ? alignLarge<T>(event, from, end) : alignSmall<T>(event, from, end);
  store<u32>(at(wholes, event), whole);
  level = load<u32>(at(agreements, event)) >> LEVEL_SHIFT;
  store<u32>(at(agreements, event), 0);
  order = 0;
  if ((whole & 1) !== 0) {
    const most = min(contextEvents(), event + 1);
    order = 1;
    while (order < most && ((load<u32>(at(wholes, event - order)) >> order) & 1) !== 0) {
      order++;
    }
  }
}

function at(table: usize, event: u32): usize {
  return table + ((<usize>(event & LAST)) << 2);
}

/** Compares an event with all of the context's; returns which of them it holds as a whole. */
function alignSmall<T>(event: u32, from: usize, end: usize): u32 {
  const table = classTable();
  const lanes = laneTable();
  let held: u32 = 0;
  let sums: u64 = 0;
  for (let symbol = from; symbol < end; symbol += sizeof<T>()) {
    const events = load<u32>(table + ((<usize>load<T>(symbol)) << 2));
    held |= events;
    sums += load<u64>(lanes + ((<usize>events) << 3));
  }
  holders = held;
  let whole: u32 = 0;
  for (let rest = held; rest !== 0; rest &= rest - 1) {
    const back = ctz(rest);
    whole |= noteShared(event, back, laneSum(sums, back));
  }
  return whole;
}

/** The same for an event of any size. */
function alignLarge<T>(event: u32, from: usize, end: usize): u32 {
  const table = classTable();
  memory.fill(shared, 0, CONTEXT_EVENTS << 2);
  holders = 0;
  for (let symbol = from; symbol < end; symbol += sizeof<T>()) {
    const events = load<u32>(table + ((<usize>load<T>(symbol)) << 2));
    holders |= events;
    for (let rest = events; rest !== 0; rest &= rest - 1) {
      const count = shared + ((<usize>ctz(rest)) << 2);
      store<u32>(count, load<u32>(count) + 1);
    }
  }
  let whole: u32 = 0;
  for (let rest = holders; rest !== 0; rest &= rest - 1) {
    const back = ctz(rest);
    whole |= noteShared(event, back, load<u32>(shared + ((<usize>back) << 2)));
  }
  return whole;
}

/** Adds what an event shares with one of the context's; returns that one's bit if it holds all of it. */
function noteShared(event: u32, back: u32, places: u32): u32 {
  const all = distinctIn(back);
  const count = min(places, all);
  if (event + back < events) {
    const agreement = at(agreements, event + back);
    store<u32>(agreement, load<u32>(agreement) + agreementOf(back, count));
  }
  return (<u32>(count === all)) << back;
}
