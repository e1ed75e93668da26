/** The budget of a memory in bytes, over random lives: what it holds is what a count of its rows gives, and exactly what fits is taken. */

import { describe, expect, test } from "vitest";
import { Fault } from "../../../src/processor/ports/fault";
import type { StoredMemory } from "../../../src/processor/ports/store";
import { PoolingForecaster } from "../../../src/processor/prediction/estimator/pooling-forecaster";
import { Processor } from "../../../src/processor/processor";
import { type Budgets, DEFAULT_BUDGETS } from "../../../src/text/budgets";
import { OracleNeighbours } from "../../oracle/neighbours";
import { soleKernel } from "../../support/kernel/sole-kernel";
import { MemoryStore } from "../../support/memory-store";
import { gdfOf, geneChangesOf } from "../../support/processor/calls";
import { Random } from "../../support/random";

const encoder = new TextEncoder();

function open(store: MemoryStore, budgets: Partial<Budgets>): Processor {
  const matcher = soleKernel();
  const forecaster = new PoolingForecaster(matcher.forecastRules);
  const own = { store, matcher, neighbours: new OracleNeighbours(), forecaster };
  return Processor.open({ id: "p46b6b076c", name: "P1", ...own, budgets: { ...DEFAULT_BUDGETS, ...budgets } });
}

const jsonBytes = (text: string) => encoder.encode(JSON.stringify(text)).length - 2;

const vectorBytes = (components: ArrayLike<number>) => 18 + 25 * components.length;

/** What a memory holds, counted from what is stored of it. */
function recount(memory: StoredMemory | undefined): { events: number; waiting: number } {
  if (memory === undefined) return { events: 0, waiting: 0 };
  const { events, state, waiting } = memory;
  const held = events.filter(({ position }) => position >= state.memoryStart);
  const bytes = held.map(({ symbols, metadata }) =>
    symbols.reduce((sum, symbol) => sum + 3 + jsonBytes(symbol), 36 + jsonBytes(metadata)),
  );
  return {
    events: bytes.reduce((sum, each) => sum + each, 0),
    waiting: waiting.reduce((sum, { components }) => sum + vectorBytes(components), 0),
  };
}

const BUDGET = 700;

type Sent = Parameters<typeof gdfOf>[0];

/** A record of up to a third of the budget. */
function recordBy(random: Random): Sent {
  const strings = Array.from(
    { length: random.below(3) },
    () => ["a", "b\n", '"', "\u00e9", "\u{1F600}"][random.below(5)] ?? "",
  );
  const metadata = random.below(3) === 0 ? { m: "x\\".repeat(random.below(40)) } : {};
  const vectors = random.below(4) === 0 ? [[random.below(9), 1]] : [];
  return { strings: strings.map((text) => text.repeat(1 + random.below(20))), vectors, metadata };
}

const GENES = [
  { max_sequence_length: 0 },
  { max_sequence_length: 4, wm_resolution: "event" },
  { max_sequence_length: 9, wm_resolution: "symbol", wm_mode: "rolling" },
  { max_sequence_length: 3, wm_resolution: "event", wm_mode: "clear" },
  { max_sequence_length: 0, auto_learn_metric: "entropy", smoothness: 1 },
  { max_sequence_length: 0, auto_learn_metric: "wm_size" },
];

class Undone extends Error {}

/** What a verb would do without a budget: to the rows of a memory, and with them as they were afterwards. */
function unlimited(
  store: MemoryStore,
  session: string,
  verb: (processor: Processor) => unknown,
): StoredMemory | undefined {
  let after: StoredMemory | undefined;
  try {
    store.transaction(() => {
      verb(open(store, {}).in(session));
      after = store.memories.read(session);
      throw new Undone();
    });
  } catch (error) {
    if (!(error instanceof Undone)) throw error;
  }
  return after;
}

/** Whether a memory may be as it would be. Where it loses its oldest events by itself, only the newest vector must wait. */
function fits(store: MemoryStore, before: StoredMemory | undefined, after: StoredMemory | undefined): boolean {
  const { events, waiting } = recount(after);
  const was = recount(before);
  const isBySize = store.state()?.autolearn && (store.genes().auto_learn_metric ?? "wm_size") === "wm_size";
  if (events + waiting <= Math.max(BUDGET, was.events + was.waiting)) return true;
  if (isBySize || Number(store.genes().max_sequence_length ?? 0) === 0) return false;
  const newest = after?.waiting.at(-1);
  const isNew = newest !== undefined && newest.id !== before?.waiting.at(-1)?.id;
  return events + (isNew ? vectorBytes(newest.components) : 0) <= BUDGET;
}

/** A processor that lives at random, with its budget, and how often what happened. */
class Life {
  readonly store = new MemoryStore();
  readonly seen = { taken: 0, refused: 0, learned: 0 };
  readonly #random: Random;
  #processor = open(this.store, { memoryBytes: BUDGET });

  constructor(random: Random) {
    this.#random = random;
  }

  /** What it holds in its fullest memory. */
  get held(): number {
    const held = ["", "one", "two"].map((session) => recount(this.store.memories.read(session)));
    return Math.max(...held.map(({ events, waiting }) => events + waiting));
  }

  /** Does something that no budget refuses, or observes. */
  liveOn(): void {
    const random = this.#random;
    const session = ["", "one", "two"][random.below(3)] ?? "";
    const drawn = random.below(100);
    const { memory } = this.#processor.in(session);
    if (drawn < 4) this.#processor.genes.change(geneChangesOf(GENES[random.below(GENES.length)] ?? {}));
    else if (drawn < 7) this.#processor.modes.setAutolearning(random.below(2) === 0);
    else if (drawn < 9) this.#processor = open(this.store, { memoryBytes: BUDGET });
    else if (drawn < 12) memory.clearWorkingMemory();
    else if (drawn < 15) this.seen.learned += memory.learn().model === "" ? 0 : 1;
    else if (drawn < 16) memory.endSession("one");
    else this.#observe(session, drawn < 25 ? 3 : 1);
  }

  #observe(session: string, count: number): void {
    const { store, seen } = this;
    const sequence = Array.from({ length: count }, () => gdfOf(recordBy(this.#random)));
    const verb = ({ memory }: Processor) => memory.observeSequence({ sequence, learn: false, clear: false });
    const before = store.memories.read(session);
    const expected = fits(store, before, unlimited(store, session, verb));
    const refusal = this.#try(session, verb);
    seen[refusal === "" ? "taken" : "refused"]++;
    // Of several records each must fit, and a later one may make room.
    if (count === 1) expect([refusal, expected]).toEqual([refusal, refusal === ""]);
    if (refusal === "") return;
    expect(store.memories.read(session)).toEqual(before);
    const { events, waiting } = recount(before);
    const said = Number(/it holds (\d+), and the observation adds [1-9]/.exec(refusal)?.[1] ?? events + waiting);
    if (count === 1) expect(said).toBe(events + waiting);
  }

  /** Runs a verb as the owner of a processor does. @returns the refusal; empty when there is none */
  #try(session: string, verb: (processor: Processor) => unknown): string {
    const { store } = this;
    const { changes } = store;
    const recorded = store.recorded.length;
    try {
      store.transaction(() => verb(this.#processor.in(session)));
      return "";
    } catch (error) {
      if (!(error instanceof Fault) || error.kind !== "too-large") throw error;
      if (store.recorded.length > recorded) this.#processor = open(store, { memoryBytes: BUDGET });
      else if (store.changes > changes) this.#processor = this.#processor.reread(session);
      return error.message;
    }
  }
}

test.each([1, 2])("a random life takes exactly what fits, and holds what a count gives, seed %i", (seed) => {
  const life = new Life(new Random(seed));
  const held = Array.from({ length: 300 }, () => {
    life.liveOn();
    return life.held;
  });
  expect(Math.max(...held)).toBeLessThanOrEqual(BUDGET);
  expect(Math.max(...held)).toBeGreaterThan(BUDGET - 50);
  expect(life.seen.taken).toBeGreaterThan(60);
  expect(life.seen.refused).toBeGreaterThan(20);
  expect(life.seen.learned).toBeGreaterThan(2);
});

describe("at the edge", () => {
  /** An event of exactly this many bytes, with one symbol. */
  const eventOf = (bytes: number) => gdfOf({ strings: ["x".repeat(bytes - 36 - 2 - 3)] });

  test("a memory takes its last byte, and no more; learned or cleared it takes as much again", () => {
    const store = new MemoryStore();
    const { memory } = open(store, { memoryBytes: 1_000 });
    memory.observe(eventOf(500), []);
    expect(() => memory.observe(eventOf(501), [])).toThrow(
      "a memory may hold 1000 bytes of events and waiting vectors (NOEMA_MEMORY_BYTES); it holds 500, and the observation adds 501: learn or " +
        "clear working memory, or limit it with the gene max_sequence_length",
    );
    memory.observe(eventOf(500), []);
    expect(recount(store.memories.read(""))).toEqual({ events: 1_000, waiting: 0 });
    expect(() => memory.observe(eventOf(42), [])).toThrow("it holds 1000, and the observation adds 42");
    expect(memory.learn().model).not.toBe("");
    memory.observe(eventOf(1_000), []);
    memory.clearWorkingMemory();
    expect(() => memory.observe(eventOf(1_001), [])).toThrow("it holds 0, and the observation adds 1001");
  });

  test("a memory that the gene max_sequence_length limits goes on, and the vectors that have waited longest are dropped", () => {
    const store = new MemoryStore();
    const processor = open(store, { memoryBytes: 2_000 });
    processor.genes.change(geneChangesOf({ max_sequence_length: 3, wm_resolution: "event" }));
    for (let at = 0; at < 50; at++) {
      processor.memory.observe(gdfOf({ strings: ["x".repeat(400)], vectors: [[at, 1, 2, 3]] }), []);
      expect(recount(store.memories.read("")).events + recount(store.memories.read("")).waiting).toBeLessThanOrEqual(
        2_000,
      );
    }
    const waiting = store.memories.read("")?.waiting.map(({ components }) => components[0]);
    expect(waiting?.at(-1)).toBe(49);
    expect(waiting?.length).toBeGreaterThan(1);
    expect(() => processor.memory.observe(gdfOf({ strings: ["x".repeat(1_200)] }), [])).toThrow("NOEMA_MEMORY_BYTES");
    processor.memory.learn();
    expect(processor.inspection.getStatus().status.vectors).toBe(waiting?.length);
  });

  test.each(["clear", "rolling"])("autolearn by size goes on (%s)", (mode) => {
    const processor = open(new MemoryStore(), { memoryBytes: 1_000 });
    processor.genes.change(geneChangesOf({ max_sequence_length: 3, wm_resolution: "event", wm_mode: mode }));
    processor.modes.setAutolearning(true);
    const learned = Array.from(
      { length: 20 },
      () => processor.memory.observe(eventOf(400), []).observed.autoLearnedModel,
    );
    expect(learned.filter((name) => name !== "").length).toBeGreaterThan(5);
  });
});

test("a memory that was too large to be read says so, and is left by a clear", () => {
  class Overfull extends MemoryStore {
    constructor() {
      super();
      const { memories } = this;
      const read = memories.read.bind(memories);
      memories.read = (session: string): StoredMemory | undefined => {
        const memory = read(session);
        const isRead = memory === undefined || recount(memory).events + recount(memory).waiting <= 1_000;
        return isRead ? memory : { ...memory, events: [], waiting: [], unreadBytes: 50_000_000 };
      };
    }
  }
  const store = new Overfull();
  for (const session of ["", "s"]) {
    const full = open(store, {}).in(session);
    for (let at = 0; at < 5; at++) full.memory.observe(gdfOf({ strings: [`${at}`.repeat(300)], vectors: [[at]] }), []);
  }
  for (const session of ["", "s"]) {
    const whole = open(store, {});
    const processor = whole.in(session);
    const { memory, inspection, modes } = processor;
    const message =
      "this memory takes 50000000 bytes, which an earlier version has stored; at most 33554432 are read: clear it";
    expect(inspection.getStatus().status).toMatchObject({ workingMemorySize: 10, numObserveCall: 5 });
    expect(processor.time).toBe(5);
    for (const refused of [
      () => memory.observe(gdfOf({ strings: ["a"] }), []),
      () => memory.observe(gdfOf({ emotives: { joy: 1 } }), []),
      () => memory.learn(),
      () => memory.getWorkingMemory(),
      () => memory.getPredictions(""),
      () => memory.getForecast(),
      () => memory.getCognition(),
    ]) {
      expect(refused).toThrow(message);
    }
    const which = session === "" ? "the processor's own memory takes" : 'the memory of the session "s" takes';
    const page = (section: "processor" | "sessions") => whole.readBackup({ snapshot: "b", section, after: "" });
    expect(() => {
      page("processor");
      page("sessions");
    }).toThrow(which);
    modes.setTargetClass("t");
    expect(memory.getPercept().gdf?.vectors).toEqual([{ components: [4] }]);
    memory.clearWorkingMemory();
    expect(memory.observe(gdfOf({ strings: ["a"] }), []).observed.awake).toBe(true);
    expect(memory.learn().model).toBe("");
  }
});

describe("status says which limits are nine tenths used or more", () => {
  const limitsOf = (processor: Processor) => processor.inspection.getStatus().status.nearLimits;
  const observe = (processor: Processor, ...strings: string[]) => processor.memory.observe(gdfOf({ strings }), []);

  test("of working memory, in symbols, until it is learned", () => {
    const processor = open(new MemoryStore(), { memorySymbols: 10 });
    for (let at = 0; at < 8; at++) observe(processor, "a");
    expect([limitsOf(processor), processor.memory.isNearlyFull]).toEqual([[], false]);
    observe(processor, "a");
    expect(limitsOf(processor)).toEqual([{ limit: "working_memory_symbols", most: 10, used: 9 }]);
    expect(processor.memory.isNearlyFull).toBe(true);
    expect(limitsOf(processor.in("s"))).toEqual([]);
    processor.memory.learn();
    expect([limitsOf(processor), processor.memory.isNearlyFull]).toEqual([[], false]);
  });

  test("of bytes and sessions, by name", () => {
    const processor = open(new MemoryStore(), { memoryBytes: 50, sessions: 1 });
    observe(processor, "abcdefgh");
    observe(processor.in("s"), "a");
    expect(limitsOf(processor)).toEqual([
      { limit: "sessions", most: 1, used: 1 },
      { limit: "working_memory_bytes", most: 50, used: 49 },
    ]);
  });
});
