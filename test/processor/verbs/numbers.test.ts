/** Numbers of records: what they become, what a memory keeps of them, and what is refused. */

import { describe, expect, test } from "vitest";
import type { Gdf } from "../../../src/gen/plain";
import type { Processor } from "../../../src/processor/processor";
import { exactSum, stepBin } from "../../oracle/bins";
import { MemoryStore } from "../../support/memory-store";
import { openProcessor } from "../../support/open-processor";
import { gdfOf } from "../../support/processor/calls";
import { Clocked } from "../../support/processor/clocked";
import { fc } from "../../support/property";

function gdf(numbers: Record<string, number>, strings: string[] = []): Gdf {
  return { ...gdfOf({ strings }), numbers: Object.entries(numbers).map(([name, value]) => ({ name, value })) };
}

const put = (processor: Processor, name: string, definition: object) =>
  processor.encoders.put(name, JSON.stringify(definition));

const observe = (processor: Processor, numbers: Record<string, number>, strings?: string[]) =>
  processor.memory.observe(gdf(numbers, strings), []).observed;

const memory = (processor: Processor) => processor.memory.getWorkingMemory().events.map(({ symbols }) => symbols);

/** The symbols of the numbers of one name, event by event, through a processor. */
function symbolsOf(definition: object, values: readonly number[]): string[] {
  const processor = openProcessor();
  put(processor, "x", definition);
  for (const x of values) observe(processor, { x });
  return memory(processor).flat();
}

describe("symbols", () => {
  test("follow the strings by name, and are sorted with them where SORT is on", () => {
    const processor = openProcessor();
    for (const name of ["b", "a", "\u{1F600}", "\uFFEE"]) put(processor, name, { kind: "step", size: 1 });
    const numbers = { b: 2.5, "\u{1F600}": 1, "\uFFEE": 1, a: -0.5 };
    observe(processor, numbers, ["z", "aa"]);
    processor.genes.change([{ name: "SORT", value: { value: { case: "flag", value: false } } }]);
    observe(processor, numbers, ["z", "aa"]);
    expect(memory(processor)).toEqual([
      ["a=-1", "aa", "b=2", "z", "\uFFEE=1", "\u{1F600}=1"],
      ["z", "aa", "a=-1", "b=2", "\uFFEE=1", "\u{1F600}=1"],
    ]);
    expect(processor.memory.getPercept().gdf?.numbers).toEqual(gdf(numbers).numbers);
  });

  test("stay in their bin until the number is beyond it by the hysteresis", () => {
    const values = [20.4, 20.6, 20.5, 20.61, 19.9, 20.1, 19.89, 19.99, 20.099];
    expect(symbolsOf({ kind: "step", size: 0.5, hysteresis: 0.1 }, values)).toEqual(
      ["20", "20.5", "20.5", "20.5", "19.5", "20", "19.5", "19.5", "19.5"].map((edge) => `x=${edge}`),
    );
  });

  test("are made on a change only where the encoder says so; a record without any is as one of emotives alone", () => {
    const processor = openProcessor();
    put(processor, "x", { kind: "edges", edges: [0, 10], on_change: true });
    observe(processor, { x: 1 }, ["a"]);
    observe(processor, { x: 20 });
    processor.memory.learn();
    expect(observe(processor, { x: 20 }).predictionMade).toBe(false);
    expect(memory(processor)).toEqual([]);
    expect(processor.time).toBe(3);
    expect(observe(processor, { x: 5 }).predictionMade).toBe(true);
    observe(processor, { x: 9 });
    expect(memory(processor)).toEqual([["x=0"]]);
    expect(processor.memory.getPredictions("").predictions).toHaveLength(1);
    observe(processor, { x: -1 });
    expect(memory(processor)).toEqual([["x=0"], ["x=-inf"]]);
  });

  test("are dropped when they are blacklisted, and their bins are kept", () => {
    const processor = openProcessor();
    put(processor, "x", { kind: "step", size: 1, on_change: true });
    processor.knowledge.addBlacklistedSymbols(["x=1"]);
    for (const x of [1, 1.5, 2]) observe(processor, { x });
    expect(memory(processor)).toEqual([["x=2"]]);
  });

  test("are no part of what a manipulative forwards but by predictions, and numbers are none", () => {
    const store = new MemoryStore();
    const processor = openProcessor(store);
    processor.relink([{ id: "m", fields: ["future"], targets: ["p2"] }]);
    put(processor, "x", { kind: "step", size: 1 });
    for (const x of [1, 2]) observe(processor, { x });
    processor.memory.learn();
    observe(processor, { x: 1 });
    const [event] = store.forwarded();
    expect(event?.symbols).toEqual([expect.stringMatching(/\|future\|x=2$/)]);
    expect(event).not.toHaveProperty("numbers");
  });
});

describe("a kept bin", () => {
  const HYSTERESIS = { kind: "step", size: 1, hysteresis: 0.5 };

  /** Goes into the bin of 1, does something, and observes 0.7, which is in the bin of 1 only for who remembers it. */
  function after(action: (processor: Processor) => unknown): string | undefined {
    const processor = openProcessor();
    put(processor, "x", HYSTERESIS);
    observe(processor, { x: 1.5 }, ["a"]);
    action(processor);
    observe(processor, { x: 0.7 });
    return memory(processor).at(-1)?.at(-1);
  }

  test.each<[string, (processor: Processor) => unknown, string]>([
    ["nothing", () => undefined, "x=1"],
    ["learn", (processor) => processor.memory.learn(), "x=1"],
    ["a record without numbers", (processor) => observe(processor, {}, ["b"]), "x=1"],
    ["the same encoder put again", (processor) => put(processor, "x", { ...HYSTERESIS, origin: 0 }), "x=1"],
    ["another encoder", (processor) => put(processor, "y", { kind: "step", size: 9 }), "x=1"],
    ["clear", (processor) => processor.memory.clearWorkingMemory(), "x=0"],
    ["clear-all-memory", (processor) => processor.memory.clearAllMemory(false), "x=0"],
    ["another definition", (processor) => put(processor, "x", { ...HYSTERESIS, hysteresis: 0.6 }), "x=0"],
    [
      "deleted and put again",
      (processor) => {
        processor.encoders.delete("x");
        put(processor, "x", HYSTERESIS);
      },
      "x=0",
    ],
    [
      "sleep",
      (processor) => {
        processor.modes.setSleeping(true);
        observe(processor, { x: 1.2 });
        processor.modes.setSleeping(false);
      },
      "x=0",
    ],
  ])("after %s", (_, action, symbol) => {
    expect(after(action)).toBe(symbol);
  });

  test("is a memory's own, whatever others observe, and lasts over restarts", () => {
    const step = fc.record({
      session: fc.constantFrom("", "a", "b"),
      value: fc.oneof(
        fc.integer({ min: -30, max: 30 }).map((tenths) => Number(`${tenths}e-1`)),
        fc.double({ min: -3, max: 3, noNaN: true }),
      ),
      does: fc.constantFrom("observe", "observe", "observe", "observe", "restart", "clear", "learn"),
    });
    const encoder = fc.record({
      size: fc.constantFrom(0.1, 0.5, 0.7),
      hysteresis: fc.constantFrom(0, 0.1, 0.3),
      on_change: fc.boolean(),
    });
    fc.assert(
      fc.property(encoder, fc.array(step, { minLength: 1, maxLength: 60 }), (encoder, life) => {
        const store = new MemoryStore();
        put(openProcessor(store), "x", { kind: "step", ...encoder });
        let processor = openProcessor(store);
        const expected = new Expected(encoder);
        for (const step of life) {
          if (step.does === "restart") processor = openProcessor(store);
          else expected.compare(processor, step);
        }
      }),
      { numRuns: 200 },
    );
  });
});

/** What the numbers of an encoder become in each memory, by exact fractions. */
class Expected {
  readonly #encoder: { readonly size: number; readonly hysteresis: number; readonly on_change: boolean };
  readonly #kept = new Map<string, { readonly from: number; readonly below: number }>();

  constructor(encoder: { readonly size: number; readonly hysteresis: number; readonly on_change: boolean }) {
    this.#encoder = encoder;
  }

  /** Does a step, and compares the symbols of an observation. */
  compare(processor: Processor, { session, value, does }: { session: string; value: number; does: string }): void {
    const { memory } = processor.in(session);
    if (does === "learn") memory.learn();
    else if (does === "clear") {
      memory.clearWorkingMemory();
      this.#kept.delete(session);
    } else {
      memory.observe(gdf({ x: value }), []);
      expect(memory.getCognition().symbols).toEqual(this.#symbols(session, value));
    }
  }

  #symbols(session: string, value: number): string[] {
    const { size, hysteresis, on_change: onChange } = this.#encoder;
    const before = this.#kept.get(session);
    const stays = before && exactSum(before.from, -hysteresis) <= value && value < exactSum(before.below, hysteresis);
    const bin = stays ? before : stepBin(size, 0, value);
    this.#kept.set(session, bin);
    return onChange && before?.from === bin.from ? [] : [`x=${bin.from}`];
  }
}

describe("an encoder that finds its edges", () => {
  const AUTO = { kind: "auto", bins: 8 };
  const SHOWN = { bins: 8, hysteresis: 0, kind: "auto", on_change: false };

  const shown = (processor: Processor) => {
    const [encoder] = processor.encoders.get("x").encoders;
    return JSON.parse(encoder?.encoderJson ?? "null") as { edges?: number[] };
  };

  const wave = (at: number) => 20 + 5 * Math.sin(at / 7);

  /** Observes numbers in turns in these memories. */
  function observeMany(processor: Processor, count: number, sessions: readonly string[] = [""], from = 0): void {
    for (let at = from; at < from + count; at++) {
      observe(processor.in(sessions[at % sessions.length] ?? ""), { x: wave(at) });
    }
  }

  test("makes no symbol of the first 200 numbers of all memories, then of every one, and shows its edges", () => {
    const store = new MemoryStore();
    const processor = openProcessor(store);
    put(processor, "x", AUTO);
    observeMany(processor, 199, ["", "a", "b"]);
    expect(shown(processor)).toEqual(SHOWN);
    observeMany(processor, 1, ["", "a", "b"], 199);
    const { edges = [], ...rest } = shown(processor);
    expect(rest).toEqual(SHOWN);
    for (const session of ["", "a", "b"]) expect(memory(processor.in(session))).toEqual([]);
    observe(processor.in("a"), { x: 20 });
    observe(processor.in("c"), { x: 1_000 });
    const from = edges.findLast((edge) => edge <= 20);
    expect(memory(processor.in("a"))).toEqual([[`x=${from}`]]);
    expect(memory(processor.in("c"))).toEqual([[`x=${edges.findLast((edge) => edge <= 1_000)}`]]);
    expect(shown(openProcessor(store))).toEqual({ ...SHOWN, edges });
    expect(store.memories.collectedNumbers().filter(({ session }) => session === "a")).toEqual([]);
  });

  test("keeps its edges when it is put again, as it was or as it is shown, and begins anew after another or DELETE", () => {
    const processor = openProcessor();
    put(processor, "x", AUTO);
    observeMany(processor, 200);
    const found = shown(processor);
    for (const again of [AUTO, { kind: "auto" }, found]) {
      expect(JSON.parse(put(processor, "x", again).encoderJson)).toEqual(found);
    }
    put(processor, "x", { ...AUTO, on_change: true });
    expect(shown(processor)).toEqual({ ...SHOWN, on_change: true });
    put(processor, "x", { ...AUTO, edges: [1, 2] });
    observe(processor, { x: 1.5 });
    expect(memory(processor)).toEqual([["x=1"]]);
    processor.encoders.delete("x");
    put(processor, "x", AUTO);
    observe(processor, { x: 1.5 });
    expect(shown(processor)).toEqual(SHOWN);
    observeMany(processor, 198);
    expect(shown(processor)).toEqual(SHOWN);
    observeMany(processor, 1);
    expect(shown(processor).edges).toBeDefined();
  });

  test("has hysteresis and on_change, as other encoders", () => {
    const processor = openProcessor();
    put(processor, "x", { ...AUTO, bins: 2, hysteresis: 1, on_change: true });
    for (let at = 0; at < 200; at++) observe(processor, { x: at });
    expect(shown(processor).edges).toContain(100);
    for (const x of [50, 100.5, 101.5, 99.5, 98, 120]) observe(processor, { x });
    expect(memory(processor).flat()).toEqual(["x=0", "x=100", "x=0", "x=100"]);
  });

  test("counts what was observed, and not what was refused, repeated or asleep", () => {
    const processor = openProcessor();
    put(processor, "x", AUTO);
    const delivery = { source: "device", number: 1 };
    for (let at = 0; at < 5; at++) processor.memory.observe(gdf({ x: at }), [], delivery);
    for (let at = 0; at < 5; at++) expect(() => observe(processor, { x: 1, y: 1 })).toThrow("has no encoder");
    processor.modes.setSleeping(true);
    for (let at = 0; at < 5; at++) observe(processor, { x: at });
    processor.modes.setSleeping(false);
    const sequence = Array.from({ length: 198 }, (_, at) => gdf({ x: at }));
    processor.memory.observeSequence({ sequence, learn: false, clear: true });
    expect(shown(processor)).toEqual(SHOWN);
    observe(processor, { x: 1 });
    expect(shown(processor).edges).toBeDefined();
  });

  test("keeps the numbers of a session that ends, of an expired one, and over clears", () => {
    const clocked = new Clocked();
    const { processor, store } = clocked;
    put(processor, "x", AUTO);
    observeMany(processor, 150, ["", "a", "b"]);
    processor.memory.endSession("a");
    clocked.pass(8 * 86_400);
    observeMany(processor, 20, ["b"], 150);
    processor.memory.clearWorkingMemory();
    processor.memory.clearAllMemory(false);
    observeMany(openProcessor(store), 29, ["d"], 170);
    expect(shown(openProcessor(store))).toEqual(SHOWN);
    observeMany(openProcessor(store), 1, ["d"], 199);
    expect(shown(openProcessor(store)).edges).toBeDefined();
  });

  test("finds the same edges, whatever memories observed, ended and restarted", () => {
    const whole = openProcessor();
    put(whole, "x", AUTO);
    observeMany(whole, 200);
    const step = fc.constantFrom(
      "observe a",
      "observe b",
      "observe b",
      "observe",
      "restart",
      "end a",
      "end b",
      "clear",
    );
    const does: { [step: string]: (processor: Processor, session: string) => void } = {
      clear: (processor) => processor.memory.clearWorkingMemory(),
      end: (processor, session) => processor.memory.endSession(session),
    };
    fc.assert(
      fc.property(fc.infiniteStream(step), (steps) => {
        const store = new MemoryStore();
        let processor = openProcessor(store);
        put(processor, "x", AUTO);
        for (let at = 0; at < 200; ) {
          const [what = "", session = ""] = String(steps.next().value).split(" ");
          if (what === "observe") observeMany(processor, 1, [session], at++);
          does[what]?.(processor, session);
          if (what === "restart") processor = openProcessor(store);
        }
        expect(shown(processor)).toEqual(shown(whole));
        expect(shown(openProcessor(store))).toEqual(shown(whole));
      }),
      { numRuns: 10 },
    );
  });

  test("moves what a memory collects to the encoders where a hundred of them and more collect at once", () => {
    const store = new MemoryStore();
    const processor = openProcessor(store);
    const names = Array.from({ length: 105 }, (_, at) => `x${at}`);
    for (const name of names) put(processor, name, AUTO);
    const sequence = Array.from({ length: 200 }, (_, at) => gdf(Object.fromEntries(names.map((name) => [name, at]))));
    for (const record of sequence.slice(0, 199)) processor.memory.observe(record, []);
    const kept = store.memories
      .collectedNumbers()
      .flatMap(({ collected }) => collected.flatMap(({ values }) => values));
    expect(kept.length).toBeLessThanOrEqual(20_000);
    const last = openProcessor(store);
    last.memory.observe(sequence[199] ?? gdf({}), []);
    const without = last.encoders.get("").encoders.filter(({ encoderJson }) => !encoderJson.includes("edges"));
    expect(without).toEqual([]);
  }, 300_000);
});

describe("refused, and nothing changes", () => {
  const NONE = 'the number "y" has no encoder: put one with PUT encoders/<name>; GET encoders lists them';

  function prepared(): Processor {
    const processor = openProcessor();
    put(processor, "x", { kind: "step", size: 1, on_change: true });
    observe(processor, { x: 1 });
    return processor;
  }

  test.each([Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY])("a number that is %d", (value) => {
    expect(() => observe(prepared(), { x: value })).toThrow(`number "x" must be a finite number, got ${value}`);
  });

  test("a name given twice, and one that is not well-formed", () => {
    const twice = { ...gdf({ x: 1 }), numbers: [...gdf({ x: 1 }).numbers, ...gdf({ x: 2 }).numbers] };
    expect(() => prepared().memory.observe(twice, [])).toThrow('each number may be given once, got "x" twice');
    expect(() => observe(prepared(), { "\ud800": 1 })).toThrow("the name of a number");
  });

  test("a number without an encoder, alone, in a sequence after good ones, in a frame, asleep", () => {
    const processor = prepared();
    const sequence = [gdf({ x: 2 }), gdf({ x: 3, y: 1 })];
    const request = { sequence, learn: true, clear: true };
    const before = [processor.time, memory(processor)];
    expect(() => observe(processor, { y: 1 })).toThrow(NONE);
    expect(() => processor.memory.observeSequence(request)).toThrow(NONE);
    expect(() => processor.memory.takeFrame(request)).toThrow(NONE);
    expect([processor.time, memory(processor)]).toEqual(before);
    processor.modes.setSleeping(true);
    expect(() => observe(processor, { y: 1 })).toThrow(NONE);
    expect(() => observe(openProcessor(), { y: 1 })).toThrow("this processor has no encoders");
  });

  test("but not what was taken before, whatever became of its encoder", () => {
    const processor = prepared();
    const delivery = { source: "device", number: 1 };
    processor.memory.observe(gdf({ x: 2 }), [], delivery);
    processor.encoders.delete("x");
    expect(processor.memory.observe(gdf({ x: 2 }), [], delivery).redelivered).toBe(true);
  });
});

describe("encoders", () => {
  test("are listed by name, are kept by clear-all-memory, and outlast a restart", () => {
    const store = new MemoryStore();
    const processor = openProcessor(store);
    for (const name of ["b", "\u{1F600}", "\uFFEE", "a"]) put(processor, name, { kind: "step", size: 1 });
    processor.memory.clearAllMemory(false);
    const names = openProcessor(store)
      .encoders.get("")
      .encoders.map(({ name }) => name);
    expect(names).toEqual(["a", "b", "\uFFEE", "\u{1F600}"]);
    expect(processor.encoders.get("c").encoders).toEqual([]);
  });

  test("are refused with a name that cannot be one, and beyond a thousand", () => {
    const processor = openProcessor();
    for (const name of ["", ".", "..", "a\nb", "x".repeat(129)]) {
      expect(() => put(processor, name, { kind: "step", size: 1 })).toThrow(
        "an encoder must have a name of 1 to 128 bytes",
      );
    }
    for (let at = 0; at < 1_000; at++) put(processor, `e${at}`, { kind: "step", size: 1 });
    expect(() => put(processor, "one more", { kind: "step", size: 1 })).toThrow("a processor may have 1000 encoders");
    put(processor, "e7", { kind: "step", size: 2 });
    expect(processor.encoders.get("").encoders).toHaveLength(1_000);
  });

  test("are refused when all of them take too much room", () => {
    const processor = openProcessor();
    const wide = (from: number) => ({
      kind: "edges",
      edges: Array.from({ length: 1_000 }, (_, at) => -(1_000_000 - at) / 1.000000000000007 - from * 1e7).sort(
        (a, b) => a - b,
      ),
    });
    const fill = () => {
      for (let at = 0; at < 400; at++) put(processor, `e${at}`, wide(at));
    };
    expect(fill).toThrow("the encoders of a processor may take 4000000 characters");
  });
});

test("a backup has the bins of the encoders that there are, not of those that were replaced or deleted", () => {
  const processor = openProcessor();
  for (const name of ["stays", "replaced", "deleted"]) put(processor, name, { kind: "step", size: 1, hysteresis: 0.1 });
  observe(processor, { stays: 1, replaced: 2, deleted: 3 });
  observe(processor.in("s"), { stays: 1, replaced: 2, deleted: 3 });
  put(processor, "replaced", { kind: "step", size: 2, hysteresis: 0.1 });
  processor.encoders.delete("deleted");
  const pages = [
    processor.readBackup({ section: "processor", after: "", snapshot: "s" }),
    processor.readBackup({ section: "sessions", after: "", snapshot: "s" }),
  ];
  const bins = pages
    .flatMap(({ records }) => records)
    .flatMap(({ record }) => (record.case === "memory" ? [record.value.bins.map(({ name }) => name)] : []));
  expect(bins).toEqual([["stays"], ["stays"]]);
});
