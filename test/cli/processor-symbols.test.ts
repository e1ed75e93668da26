/** The command line makes the symbols that the processor would make, of numbers and of times. */

import { expect, test } from "vitest";
import { Binning, type Encoder } from "../../src/cli/table/bins";
import { TimeSymbols } from "../../src/cli/table/time-symbols";
import { lessonOf } from "../../src/cli/training/lesson";
import { Encoders } from "../../src/processor/encoding/encoders";
import { MemoryStore } from "../support/memory-store";
import { fc } from "../support/property";

function processorEncoders(definitions: { readonly [name: string]: object }): Encoders {
  const encoders = new Encoders(new MemoryStore());
  for (const [name, definition] of Object.entries(definitions)) encoders.put(name, JSON.stringify(definition));
  return encoders;
}

test("of numbers that tremble around an edge, with hysteresis in decimals and on a change", () => {
  // In doubles, 0.8 - 0.1 is 0.7000000000000001.
  const values = fc.array(
    fc.integer({ min: -30, max: 30 }).map((tenths) => tenths / 10),
    { maxLength: 40 },
  );
  const hysteresis = fc.constantFrom(0, 0.1, 0.2, 0.3);
  const bins = fc.constantFrom<Encoder["bins"]>(
    { kind: "step", size: 0.8, origin: 0 },
    { kind: "step", size: 0.1, origin: 0.05 },
    { kind: "edges", edges: [-1.1, 0.8, 0.9, 2.3] },
  );
  fc.assert(
    fc.property(values, bins, hysteresis, fc.boolean(), (all, kind, margin, onChange) => {
      const encoders = processorEncoders({ x: { ...kind, hysteresis: margin, on_change: onChange } });
      const binning = new Binning("x", { bins: kind, hysteresis: margin, onChange });
      let kept = { session: "", bins: [], collected: [] } as Parameters<Encoders["encode"]>[1];
      for (const value of all) {
        const { symbols, ...next } = encoders.encode([{ name: "x", value }], kept);
        kept = { session: "", ...next };
        expect([binning.symbol(value)].filter((symbol) => symbol !== undefined)).toEqual(symbols);
      }
    }),
  );
});

test("of times, in zones with daylight saving, for times that go backwards, and in decimals", () => {
  const definitions = {
    gap: { kind: "elapsed", edges: [0.2, 60, 3_600] },
    hour: { kind: "clock", of: "hour", step: 6, zone: "Europe/Berlin" },
    month: { kind: "clock", of: "month", step: 5, zone: "UTC" },
    temp: { kind: "edges", edges: [1] },
  } as const;
  const encoders = processorEncoders(definitions);
  const shown = Object.fromEntries(encoders.all().map(({ name, text }) => [name, JSON.parse(text)]));
  const times = new TimeSymbols(shown);
  expect(times.names).toEqual(["gap", "hour", "month"]);
  const spring = Date.UTC(2026, 2, 29, 1) / 1_000;
  let before: number | undefined;
  const all = [0.1, 0.3, spring - 1, spring, spring - 1, spring + 0.2, 253_402_300_799];
  for (const time of all) {
    expect(times.next(time).sort()).toEqual([...encoders.encodeTime(() => ({ time, before }))].sort());
    before = time;
  }
  expect(times.next(undefined)).toEqual([]);
  times.clear();
  expect(times.next(0)).toEqual(["hour=0", "month=1"]);
});

test("the label of a group has the time of its last row", () => {
  const group = { name: "g", line: 2, targets: [], rows: [], label: "good" };
  const records = [
    { strings: ["a"], time: 5 },
    { strings: ["b"], time: 9 },
  ];
  expect(lessonOf({ ...group, records }).records.at(-1)).toEqual({ strings: ["good"], time: 9 });
  expect(lessonOf({ ...group, records: [{ strings: ["a"] }] }).records.at(-1)).toEqual({ strings: ["good"] });
});
