/** The time of events: what encoders make of it, when they do, and what a memory keeps of it. */

import { describe, expect, test } from "vitest";
import type { Processor } from "../../../src/processor/processor";
import { MemoryStore } from "../../support/memory-store";
import { openProcessor } from "../../support/open-processor";
import { gdfOf } from "../../support/processor/calls";

const put = (processor: Processor, name: string, definition: object) =>
  processor.encoders.put(name, JSON.stringify(definition));

function observe(processor: Processor, strings: string[], time?: number, numbers: Record<string, number> = {}) {
  const named = Object.entries(numbers).map(([name, value]) => ({ name, value }));
  return processor.memory.observe({ ...gdfOf({ strings }), numbers: named, time }, []).observed;
}

const memory = (processor: Processor) => processor.memory.getWorkingMemory().events.map(({ symbols }) => symbols);

/** A processor with an encoder `gap` of the elapsed time. */
function withGap(store?: MemoryStore): Processor {
  const processor = openProcessor(store);
  put(processor, "gap", { kind: "elapsed" });
  return processor;
}

/** 2026-11-23T05:47:00Z, a Monday. */
const MONDAY = 1_795_412_820;

describe("a clock", () => {
  test.each([
    [{ of: "month" }, "c=11"],
    [{ of: "month", step: 3 }, "c=10"],
    [{ of: "month", step: 12 }, "c=1"],
    [{ of: "day" }, "c=23"],
    [{ of: "day", step: 7 }, "c=22"],
    [{ of: "weekday" }, "c=1"],
    [{ of: "weekday", step: 5 }, "c=1"],
    [{ of: "hour" }, "c=5"],
    [{ of: "hour", step: 6 }, "c=0"],
    [{ of: "minute", step: 15 }, "c=45"],
    [{ of: "minute", step: 60 }, "c=0"],
    [{ of: "hour", zone: "Europe/Berlin" }, "c=6"],
    [{ of: "minute", zone: "Asia/Kathmandu", step: 5 }, "c=30"],
  ])("%j makes %s", (definition, symbol) => {
    const processor = openProcessor();
    put(processor, "c", { kind: "clock", ...definition });
    observe(processor, ["a"], MONDAY);
    expect(memory(processor)).toEqual([["a", symbol]]);
  });

  test("reads the arrival of a record without a time", () => {
    const processor = openProcessor();
    put(processor, "h", { kind: "clock", of: "month" });
    observe(processor, ["a"]);
    const [[, symbol = ""] = []] = memory(processor);
    expect(symbol).toMatch(/^h=([1-9]|1[0-2])$/);
  });
});

describe("elapsed time", () => {
  test("is in the bin of the seconds since the event before, nothing for the first", () => {
    const processor = withGap();
    for (const time of [100, 100, 100.5, 101.5, 107, 106, 253_402_300_799, 0]) observe(processor, ["a"], time);
    const made = memory(processor).map((event) => event.slice(1).join());
    expect(made).toEqual(["", "gap=-inf", "gap=-inf", "gap=1", "gap=5", "gap=-inf", "gap=604800", "gap=-inf"]);
  });

  test("is computed in decimal", () => {
    const processor = openProcessor();
    put(processor, "gap", { kind: "elapsed", edges: [0.2] });
    for (const time of [0.1, 0.3, MONDAY + 0.1, MONDAY + 0.3]) observe(processor, ["a"], time);
    expect(memory(processor).at(1)).toEqual(["a", "gap=0.2"]);
    expect(memory(processor).at(3)).toEqual(["a", "gap=0.2"]);
  });

  test.each<[string, (processor: Processor) => unknown, string[]]>([
    ["nothing", () => undefined, ["b", "gap=5"]],
    ["a record without symbols, whenever it happened", (processor) => observe(processor, [], 9), ["b", "gap=5"]],
    [
      "sleep",
      (processor) => {
        processor.modes.setSleeping(true);
        processor.modes.setSleeping(false);
      },
      ["b"],
    ],
    ["learn", (processor) => processor.memory.learn(), ["b"]],
    ["clear", (processor) => processor.memory.clearWorkingMemory(), ["b"]],
    ["clear-all-memory", (processor) => processor.memory.clearAllMemory(false), ["b"]],
  ])("after %s", (_, action, expected) => {
    const processor = withGap();
    observe(processor, ["a", "z"], 4);
    action(processor);
    observe(processor, ["b"], 10);
    expect(memory(processor).at(-1)).toEqual(expected);
  });

  test("goes on where autolearning keeps the last event", () => {
    const processor = withGap();
    processor.genes.change([{ name: "max_sequence_length", value: { value: { case: "number", value: 4 } } }]);
    processor.modes.setAutolearning(true);
    for (const time of [0, 10, 20, 30]) observe(processor, ["a"], time);
    expect(memory(processor).at(-1)).toEqual(["a", "gap=5"]);
  });

  test("outlasts a restart, and memories that say no times make no symbol", () => {
    const store = new MemoryStore();
    observe(withGap(store), ["a"], 4);
    const again = openProcessor(store);
    observe(again, ["b"], 10);
    expect(memory(again)).toEqual([["a"], ["b", "gap=5"]]);
  });
});

describe("symbols of time", () => {
  test("are added to each record that makes another symbol, and to no other", () => {
    const processor = withGap();
    put(processor, "h", { kind: "clock", of: "hour" });
    put(processor, "x", { kind: "step", size: 1, on_change: true });
    processor.knowledge.addBlacklistedSymbols(["quiet"]);
    observe(processor, [], 0);
    observe(processor, ["quiet"], 0);
    observe(processor, [], 0, { x: 1 });
    observe(processor, [], 3600, { x: 1 });
    observe(processor, ["a"], 7200, { x: 1 });
    observe(processor, ["quiet"], 7200, { x: 2 });
    expect(memory(processor)).toEqual([
      ["h=0", "x=1"],
      ["a", "gap=3600", "h=2"],
      ["gap=-inf", "h=2", "x=2"],
    ]);
    expect(processor.memory.getPercept().gdf?.strings).toEqual(["quiet"]);
  });

  test("follow the strings by name, among those of numbers, and the blacklist drops them", () => {
    const processor = withGap();
    put(processor, "h", { kind: "clock", of: "hour" });
    for (const name of ["a", "z"]) put(processor, name, { kind: "step", size: 1 });
    processor.genes.change([{ name: "SORT", value: { value: { case: "flag", value: false } } }]);
    observe(processor, ["y", "b"], 0, { z: 1, a: 1 });
    processor.knowledge.addBlacklistedSymbols(["h=0"]);
    observe(processor, ["y"], 60, { z: 1 });
    expect(memory(processor)).toEqual([
      ["y", "b", "a=1", "h=0", "z=1"],
      ["y", "gap=60", "z=1"],
    ]);
  });

  test("come and go with their encoders", () => {
    const processor = withGap();
    observe(processor, ["a"], 0);
    processor.encoders.delete("gap");
    observe(processor, ["a"], 5);
    put(processor, "gap", { kind: "elapsed", edges: [2] });
    observe(processor, ["a"], 8);
    put(processor, "gap", { kind: "step", size: 1 });
    observe(processor, ["a"], 9, { gap: 7 });
    expect(memory(processor)).toEqual([["a"], ["a"], ["a", "gap=2"], ["a", "gap=7"]]);
  });

  test("are not those of a number of the name", () => {
    const processor = withGap();
    expect(() => observe(processor, ["a"], 0, { gap: 1 })).toThrow(
      'the number "gap" has an encoder of the kind elapsed, which reads the time of events: give the number another name',
    );
    expect([processor.time, memory(processor)]).toEqual([0, []]);
  });

  test("are all that time does to models", () => {
    const [timed, plain] = [openProcessor(), openProcessor()];
    for (const [processor, times] of [
      [timed, [5, 1e9]],
      [plain, [undefined, undefined]],
    ] as const) {
      observe(processor, ["a"], times[0]);
      observe(processor, ["b"], times[1]);
    }
    expect(timed.memory.learn()).toEqual(plain.memory.learn());
  });
});
