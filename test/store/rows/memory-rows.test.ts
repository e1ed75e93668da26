/** The encoding of memories: everything comes back bit for bit. */

import { describe, expect, test } from "vitest";
import {
  eventsFromColumn,
  eventsToColumn,
  eventToText,
  stateFromColumns,
  stateToColumns,
  waitingFromColumn,
  waitingToBytes,
} from "../../../src/store/rows/memory-rows";
import {
  event,
  fullGdf,
  fullMemoryState,
  HARD_NUMBERS,
  HARD_TEXTS,
  nameOf,
  plainMemoryState,
  vector,
} from "../../support/store/rows";

/** The blob as SQLite gives it back: a buffer of its own. */
function bufferOf(bytes: Uint8Array): ArrayBuffer {
  return Uint8Array.from(bytes).buffer;
}

function roundTrip(state: ReturnType<typeof fullMemoryState>) {
  const { vectors, ...columns } = stateToColumns(state);
  const stored = vectors === null ? null : bufferOf(new Uint8Array(vectors as Uint8Array));
  return stateFromColumns({ ...columns, vectors: stored }, state.changedAt);
}

describe("the state of a memory", () => {
  test.each([
    ["full", fullMemoryState()],
    ["empty", plainMemoryState()],
    [
      "with the time of its last observation",
      fullMemoryState({
        percept: { gdf: { ...fullGdf(), time: 1_795_411_800.1234567 }, path: [], symbols: [] },
      }),
    ],
    [
      "with -0 and the smallest double",
      fullMemoryState({ pendingEmotives: HARD_NUMBERS.map((value, at) => ({ name: `${at}`, value })) }),
    ],
  ])("%s comes back", (_, state) => {
    expect(roundTrip(state)).toStrictEqual(state);
  });

  test("has its symbols once when they are the strings", () => {
    const gdf = {
      strings: HARD_TEXTS.slice(0, 8),
      vectors: [],
      emotives: [],
      metadataJson: "{}",
      uniqueId: "1",
      command: "",
      numbers: [],
    };
    const state = fullMemoryState({ percept: { gdf, path: [], symbols: [...gdf.strings] } });
    expect(JSON.parse(stateToColumns(state).state).percept.symbols).toBeNull();
    expect(roundTrip(state)).toStrictEqual(state);
  });
});

test("events come back, with metadata as it came", () => {
  const metadata = '{ "spaced":\t1.0,\n"10": -0, "a": "\\u001e" }';
  const events = HARD_TEXTS.map((text, at) =>
    event(7 + at, {
      symbols: [text, "b"],
      metadata: at === 3 ? metadata : "{}",
      ...(at % 3 === 0 ? {} : { time: at === 1 ? 0 : 1_795_412_820 + at / 7 }),
    }),
  );
  const column = eventsToColumn(7, events.map(eventToText));
  const read = eventsFromColumn(column);
  expect(read.map((one) => one.event)).toStrictEqual(events);
  expect(
    eventsToColumn(
      7,
      read.map(({ text }) => text),
    ),
  ).toBe(column);
});

test("waiting vectors come back, of any number of components", () => {
  const vectors = [
    vector(2 ** 40, { name: nameOf(2 ** 40), components: Float64Array.from(HARD_NUMBERS) }),
    vector(3, { components: Float64Array.of(1) }),
    vector(4, { components: Float64Array.of(-0, 1 / 3, 5e-324, 2) }),
  ];
  const parts = vectors.map(waitingToBytes);
  const column = Uint8Array.from(parts.flatMap((bytes) => [...bytes])).buffer;
  const read = waitingFromColumn(column);
  expect(read.map((one) => one.vector)).toStrictEqual(vectors);
  expect(read.map(({ bytes }) => bytes)).toStrictEqual(parts);
});
