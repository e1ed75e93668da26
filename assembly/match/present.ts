/** The present of the model matched last: the whole events from its first matched symbol to its last. */

import { eventLength, eventStart, Segment } from "../corpus/segment";

let firstEvent: u32 = 0;
let eventEnd: u32 = 0;
let firstSymbol: u32 = 0;
let symbolEnd: u32 = 0;

/** Finds the present of the model at a place; `first` and `last` are its first and its last matched position. */
export function findPresent(segment: Segment, place: u32, first: u32, last: u32): void {
  let event = eventStart(segment, place);
  let end = eventLength(segment, event);
  const events = event;
  while (end <= first) {
    event++;
    end += eventLength(segment, event);
  }
  firstEvent = event - events;
  firstSymbol = end - eventLength(segment, event);
  while (end <= last) {
    event++;
    end += eventLength(segment, event);
  }
  eventEnd = event - events + 1;
  symbolEnd = end;
}

/** Index of the first event of the present. */
export function presentStart(): u32 {
  return firstEvent;
}

/** Index of the event after the present. */
export function presentEnd(): u32 {
  return eventEnd;
}

/** The model position where the present starts. */
export function presentFrom(): u32 {
  return firstSymbol;
}

/** The model position after the present. */
export function presentTo(): u32 {
  return symbolEnd;
}

/** Number of symbols of the present. */
export function presentLength(): u32 {
  return symbolEnd - firstSymbol;
}
