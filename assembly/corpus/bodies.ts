/** Writes the events of models out, as another kernel takes them in. */

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
 * Writes the events of the models whose ids, doubles, are in the input: for each how many symbols it has, how many
 * events, its symbols and the length of each event, a word each; two zeros for one that is not there.
 * @returns how many words they are
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

/** Where they are. */
export function bodiesStart(): usize {
  return buffer.start(bodies);
}

/** Gives the memory of what was written back. */
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
