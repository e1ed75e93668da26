/** Copies the live models of one segment column by column, so that the host can read all models part by part. */

import * as buffer from "../memory/buffer";
import { BUFFER_ALIGN, BUFFER_BYTES } from "../memory/buffer";
import { tenant } from "../memory/tenant";
import {
  copySymbols,
  eventLength,
  eventStart,
  eventsAt,
  frequencyAt,
  lengthAt,
  Segment,
  segmentAt,
  segmentCount,
  symbolStart,
} from "./segment";

/** The columns: frequencies (doubles), then event counts, event lengths and symbols (words). */
const copied: usize = memory.data(BUFFER_BYTES, BUFFER_ALIGN);

let symbolCount: u32 = 0;
let eventCount: u32 = 0;

/** How many parts there are; a part may be without a model. */
export function partCount(): u32 {
  return segmentCount();
}

/** How many symbols all models have together. */
export function liveSymbols(): f64 {
  return tenant.liveSymbols;
}

/** Copies a part, the oldest models first; returns how many models it has. {@link endParts} must follow the last one. */
export function copyPart(number: u32): u32 {
  const segment = segmentAt(number);
  const models = countLive(segment);
  buffer.fit(copied, ((<usize>models) << 3) + ((<usize>models + eventCount + symbolCount) << 2));
  const frequencies = buffer.start(copied);
  const counts = frequencies + ((<usize>models) << 3);
  let length = counts + ((<usize>models) << 2);
  let symbol = length + ((<usize>eventCount) << 2);
  let at: usize = 0;
  for (let place: u32 = 0; place < segment.count; place++) {
    const frequency = frequencyAt(segment, place);
    if (frequency > 0) {
      const events = eventsAt(segment, place);
      store<f64>(frequencies + (at << 3), frequency);
      store<u32>(counts + (at << 2), events);
      for (let event: u32 = 0; event < events; event++) {
        store<u32>(length, eventLength(segment, eventStart(segment, place) + event));
        length += 4;
      }
      symbol = copySymbols(segment, symbolStart(segment, place), lengthAt(segment, place), symbol);
      at++;
    }
  }
  return models;
}

/** Where the columns of the part copied last start. */
export function copiedStart(): usize {
  return buffer.start(copied);
}

/** How many events its models have together. */
export function copiedEvents(): u32 {
  return eventCount;
}

/** How many symbols they have together. */
export function copiedSymbols(): u32 {
  return symbolCount;
}

/** Gives the memory of the copy back. */
export function endParts(): void {
  buffer.free(copied);
}

/** How many models of a segment are live; counts their events and symbols. */
function countLive(segment: Segment): u32 {
  let models: u32 = 0;
  symbolCount = 0;
  eventCount = 0;
  for (let place: u32 = 0; place < segment.count; place++) {
    if (frequencyAt(segment, place) > 0) {
      models++;
      symbolCount += lengthAt(segment, place);
      eventCount += eventsAt(segment, place);
    }
  }
  return models;
}
