/**
 * Runs of windows: models in slots next to each other, each of which has as many symbols as the one before, and the same
 * ones shifted by one. A rolling memory learns such models. Found once for each model, and kept until slots change
 * (`slot-changes.ts`). Runs end where segments end.
 */

import * as buffer from "../memory/buffer";
import { BUFFER_ALIGN, BUFFER_BYTES } from "../memory/buffer";
import { SEGMENT_SLOTS, Segment, segmentAt, segmentCount, symbolAddress, symbolStart } from "./segment";
import { slotChanges } from "./slot-changes";

/** Maximum number of slots with runs: they take 256 KiB. */
const MAX_SLOTS: u32 = 1 << 17;

/** A half word for each slot: the place of the first model of its run. */
const firsts: usize = memory.data(BUFFER_BYTES, BUFFER_ALIGN);

/** The segments and the models of the last of them that are known, and how many of all begin a run. */
let segments: u32 = 0;
let places: u32 = 0;
let runs: u32 = 0;
/** The {@link slotChanges} before them. */
let changes: u32 = 0;

/** Finds the runs of models that were added. Returns false if there are too many slots. */
export function findRuns(): bool {
  const count = segmentCount();
  const slots = count * SEGMENT_SLOTS;
  if (slots > MAX_SLOTS) {
    return false;
  }
  const bytes = (<usize>slots) << 1;
  if (buffer.size(firsts) < bytes) {
    buffer.append(firsts, bytes - buffer.size(firsts));
  }
  if (changes !== slotChanges()) {
    changes = slotChanges();
    segments = 0;
    places = 0;
    runs = 0;
  }
  for (let number: u32 = max(segments, 1) - 1; number < count; number++) {
    const segment = segmentAt(number);
    const row = buffer.start(firsts) + ((<usize>(number * SEGMENT_SLOTS)) << 1);
    for (let place: u32 = number + 1 === segments ? places : 0; place < segment.count; place++) {
      const goesOn = place > 0 && isNext(segment, place);
      const first = goesOn ? load<u16>(row + ((<usize>(place - 1)) << 1)) : <u16>place;
      store<u16>(row + ((<usize>place) << 1), first);
      runs += <u32>!goesOn;
    }
    segments = number + 1;
    places = segment.count;
  }
  return true;
}

/** Number of runs, after {@link findRuns}. */
export function runCount(): u32 {
  return runs;
}

/** The place of the first model of a slot's run, after {@link findRuns}. */
export function runStart(slot: u32): u32 {
  return load<u16>(buffer.start(firsts) + ((<usize>slot) << 1));
}

/** Whether a model has as many symbols as the one before, and the same ones shifted by one. @param place above 0 */
function isNext(segment: Segment, place: u32): bool {
  const before = symbolStart(segment, place - 1);
  const start = symbolStart(segment, place);
  const length = start - before;
  if (length === 0 || symbolStart(segment, place + 1) - start !== length) {
    return false;
  }
  const shift: u32 = segment.symbolShift;
  const from = symbolAddress(segment, before + 1);
  const bytes = (<usize>(length - 1)) << shift;
  return areEqual(from, from + bytes, bytes);
}

function areEqual(one: usize, other: usize, bytes: usize): bool {
  if (bytes >= 16) {
    for (let at: usize = 0; at + 16 < bytes; at += 16) {
      if (v128.any_true(v128.xor(v128.load(one + at), v128.load(other + at)))) {
        return false;
      }
    }
    // The last ones, some of them once more.
    return !v128.any_true(v128.xor(v128.load(one + bytes - 16), v128.load(other + bytes - 16)));
  }
  if (bytes >= 8) {
    const last = bytes - 8;
    return load<u64>(one) === load<u64>(other) && load<u64>(one + last) === load<u64>(other + last);
  }
  for (let at: usize = 0; at < bytes; at++) {
    if (load<u8>(one + at) !== load<u8>(other + at)) {
      return false;
    }
  }
  return true;
}
