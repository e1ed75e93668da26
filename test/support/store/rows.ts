/** Rows for tests, with the values that databases like to lose. */

import type { Gdf } from "../../../src/gen/plain";
import type { IncidentRow } from "../../../src/processor/ports/incident";
import type {
  Change,
  EventRow,
  MemoryState,
  ModelRow,
  State,
  SymbolRow,
  VectorRow,
} from "../../../src/processor/ports/store";

/** Texts that must come back as they went: NUL, quotes, combining and astral characters, nothing, much. */
export const HARD_TEXTS = [
  "",
  "\0",
  "a\0b",
  'quote " and \\',
  "e\u0301",
  "\u{1F600}",
  "\uFFFD",
  "\u2028",
  "x".repeat(70_000),
];

/** Doubles that must come back bit for bit. */
export const HARD_NUMBERS = [0, -0, 0.1, 1 / 3, -1e-7, 5e-324, 1e21, Number.MAX_VALUE, 2 ** 53];

/** The name with a number in it: 40 hex digits, in the order of the numbers. */
export function nameOf(number: number): string {
  return number.toString(16).padStart(40, "0");
}

/** A record with everything in it. */
export function fullGdf(): Gdf {
  return {
    strings: [...HARD_TEXTS],
    vectors: [{ components: [...HARD_NUMBERS] }, { components: [1] }, { components: [2, -0] }],
    emotives: HARD_NUMBERS.map((value, at) => ({ name: `emotive ${HARD_TEXTS[at % 8]} ${at}`, value })),
    metadataJson: '{"b":1,"a":{"10":null,"2":"\\u0000"}}',
    uniqueId: "record \0 1",
    command: "deprecated",
    numbers: [
      { name: "temp", value: -0 },
      { name: "__proto__", value: 5e-324 },
    ],
  };
}

/** A shared state in which no two members are alike. */
export function fullState(): State {
  return {
    predict: true,
    autolearn: false,
    sleeping: true,
    awakeSince: 1_700_000_000_124,
    vectorDimensionality: 3,
    totals: { modelFrequencies: 10, memberFrequencies: 11, symbolFrequencies: 12 },
    nextModelId: 13,
    revision: 14,
    forecastRecord: [],
    learnScores: { count: 0, latest: [] },
  };
}

/** The state of a memory in which no two members are alike. */
export function fullMemoryState(change: Partial<MemoryState> = {}): MemoryState {
  return {
    time: 2 ** 53 - 1,
    observeCalls: 2,
    target: "a\0class",
    lastLearned: nameOf(7),
    emotives: [{ name: "joy", value: -0 }],
    pendingEmotives: [
      { name: "\u{1F600}", value: 0.1 },
      { name: "", value: 5e-324 },
    ],
    percept: { gdf: fullGdf(), path: ["P1-p46b6b076c-process"], symbols: ["b", "a", "a"] },
    memoryStart: 4,
    memoryEnd: 9,
    ensembleStart: 5,
    ensembleEnd: 8,
    symbols: 6,
    waitingStart: 15,
    waitingEnd: 17,
    changedAt: 1_700_000_000_123,
    lastObserved: 1_700_000_000,
    arrivals: [1_700_000_000_122, 40, 41, 0, 39, 86, 1],
    bins: [
      { name: "temp", encoder: 3, from: Number.NEGATIVE_INFINITY, below: -0.5 },
      { name: "hum=%", encoder: 1, from: 40, below: Number.POSITIVE_INFINITY },
    ],
    sources: [
      { sender: "client", source: "a \0 device", number: 18 },
      { sender: "processor", source: "a \0 device", number: 2 ** 53 - 1 },
    ],
    risen: [19, 3],
    collected: [
      { encoder: 4, values: [20.5, -5e-324, 1e300] },
      { encoder: 7, values: [0] },
    ],
    running: [
      {
        id: 20,
        alert: 21,
        last: 22,
        events: 23,
        to: 24.5,
        bits: 25.25,
        causes: [{ symbol: "b\u001e", bits: 26 }],
        expected: [{ symbol: "a", probability: 5e-324 }],
        first: [{ interval: 27, time: 28, bits: 29, symbols: ["\u{1F600}"] }],
        worst: [{ interval: 30, time: 31, symbols: [] }],
        units: 32,
      },
    ],
    thresholds: [{ alert: 33, numbers: [34, -0.5, 1e300] }],
    history: [
      { interval: 35, time: 36.5, bits: undefined, symbols: ["a", "a"], numbers: [{ name: "t", value: -0 }] },
      { interval: 37, time: 38, bits: 39, symbols: [], numbers: [] },
    ],
    ...change,
  };
}

/** The state of a memory that has observed nothing. */
export function plainMemoryState(change: Partial<MemoryState> = {}): MemoryState {
  return {
    time: 0,
    observeCalls: 0,
    target: "",
    lastLearned: "",
    emotives: [],
    pendingEmotives: [],
    percept: undefined,
    memoryStart: 0,
    memoryEnd: 0,
    ensembleStart: 0,
    ensembleEnd: 0,
    symbols: 0,
    waitingStart: 0,
    waitingEnd: 0,
    changedAt: 0,
    lastObserved: undefined,
    arrivals: [],
    sources: [],
    risen: [],
    running: [],
    thresholds: [],
    history: [],
    bins: [],
    collected: [],
    ...change,
  };
}

/** The record of a memory. */
export function memoryChange(
  session: string,
  state: MemoryState,
  change: Partial<Extract<Change, { kind: "memory" }>> = {},
): Extract<Change, { kind: "memory" }> {
  return { kind: "memory", session, state, events: [], waiting: [], clean: false, ...change };
}

/** An event. */
export function event(position: number, change: Partial<EventRow> = {}): EventRow {
  return { position, symbols: [`symbol ${position}`], metadata: "{}", ...change };
}

/** A model of three events. */
export function model(id: number, change: Partial<ModelRow> = {}): ModelRow {
  return {
    id,
    name: nameOf(1000 - id),
    frequency: id + 1,
    symbols: Uint32Array.of(0, id, 0x8000_0000 - 1, 2),
    lengths: Uint32Array.of(1, 2, 1),
    emotives: [],
    metadata: ["{}", "{}", "{}"],
    learnedAt: 1_700_000_000 + id,
    ...change,
  };
}

/** A symbol. */
export function symbol(id: number, change: Partial<SymbolRow> = {}): SymbolRow {
  return { id, name: `symbol ${id}`, ...change };
}

/** A vector. */
export function vector(id: number, change: Partial<VectorRow> = {}): VectorRow {
  return { id, name: nameOf(500 - id), components: Float64Array.of(id, -0, 1 / 3), ...change };
}

/** An incident in which no two members are alike. */
export function incidentRow(change: Partial<IncidentRow> = {}): IncidentRow {
  return {
    id: 3,
    alert: "odd",
    session: "s",
    verdict: "fault",
    note: "a note",
    isLearned: true,
    isRunning: false,
    events: 4,
    from: 5.5,
    to: 6.25,
    interval: 7,
    bits: 8.125,
    causes: [{ symbol: "x", bits: 9 }],
    expected: [{ symbol: "\u{1F600}", probability: 0.5 }],
    evidence: [{ symbols: ["a"] }, { interval: 10, time: 11, bits: 12, symbols: ["b", "a"] }],
    thresholds: [{ alert: 13, numbers: [14, 0.5] }],
    ...change,
  };
}
