/** Writes out the events of models, in the form in which another kernel takes them in. */

import { inputStart } from "../abi/input";
import * as buffer from "../memory/buffer";
import { BUFFER_ALIGN, BUFFER_BYTES } from "../memory/buffer";
import { slotOf } from "./corpus";
import {
  copySymbols,
  eventLength,
  eventStart,
  eventsAt,
  lengthAt,
  placeOf,
  Segment,
  segmentOf,
  symbolStart,
} from "./segment";

const bodies: usize = memory.data(BUFFER_BYTES, BUFFER_ALIGN);

/**
 * Writes the events of the models whose ids are in the input, as doubles. For each, in words: number of symbols, number
 * of events, the symbols, and the length of each event; two zeros for a missing model.
 * @returns number of words
 */
export function writeBodies(count: u32): u32 {
  buffer.truncate(bodies, 0);
  for (let at: u32 = 0; at < count; at++) {
    const slot = slotOf(load<f64>(inputStart() + ((<usize>at) << 3)));
    if (slot < 0) {
      buffer.appendZeros(bodies, 8);
    } else {
      writeBody(segmentOf(<u32>slot), placeOf(<u32>slot));
    }
  }
  return <u32>(buffer.size(bodies) >> 2);
}

/** Their address. */
export function bodiesStart(): usize {
  return buffer.start(bodies);
}

/** Frees the memory of what was written. */
export function dropBodies(): void {
  buffer.free(bodies);
}

function writeBody(segment: Segment, place: u32): void {
  const length = lengthAt(segment, place);
  const events = eventsAt(segment, place);
  const to = buffer.append(bodies, (<usize>(2 + length + events)) << 2);
  store<u32>(to, length);
  store<u32>(to, events, 4);
  let words = copySymbols(segment, symbolStart(segment, place), length, to + 8);
  for (let at = eventStart(segment, place); at < eventStart(segment, place + 1); at++, words += 4) {
    store<u32>(words, eventLength(segment, at));
  }
}
