/** What passes a threshold, which rows are one incident, and how bins are told as ranges. */

import { expect, test } from "vitest";
import { incidentsOf, type Scored, thresholdFor } from "../../src/cli/scoring/incidents";
import { reportOf } from "../../src/cli/scoring/report";
import type { Result } from "../../src/cli/scoring/scored";
import { type ShownEncoders, shownSymbol } from "../../src/cli/table/ranges";

const DAY = 86_400;

const rows = (bits: readonly number[], time?: (at: number) => number): Scored[] =>
  bits.map((each, at) => ({ bits: each, time: time?.(at), group: "" }));

test("rows that pass, fewer than 10 apart, are one incident, and those of another group are another", () => {
  const bits = Array.from({ length: 60 }, () => 1);
  for (const [at, value] of [
    [5, 20],
    [14, 30],
    [23, 20],
    [33, 50],
    [50, 19.9],
  ] as const)
    bits[at] = value;
  expect(incidentsOf(rows(bits), 20)).toEqual([
    { first: 5, last: 23, rows: [5, 14, 23], worst: 14 },
    { first: 33, last: 33, rows: [33], worst: 33 },
  ]);
  const grouped = rows([9, 9, 9, 0]).map((row, at) => ({ ...row, group: at < 1 ? "a" : "b" }));
  expect(incidentsOf(grouped, 0).map(({ rows: all }) => all)).toEqual([[0], [1, 2]]);
});

test("as many rows a day pass as are wanted, one a day where nothing is said, and one in a thousand without times", () => {
  const bits = Array.from({ length: 2_001 }, (_, at) => (at * 37) % 2_001);
  const daily = rows(bits, (at) => (at * 10 * DAY) / 2_000);
  const passing = (all: Scored[], perDay?: number) =>
    incidentsOf(all, thresholdFor(all, perDay).bits).flatMap((incident) => incident.rows).length;
  expect(passing(daily, 3)).toBe(30);
  expect(passing(daily)).toBe(10);
  expect(passing(daily, 0.01)).toBe(1);
  expect(passing(rows(bits))).toBe(2);
  expect(passing(rows([3]))).toBe(1);
  expect(passing([])).toBe(0);
});

test("a threshold that chooses itself lets no flood of equal rows pass, and none that were likely", () => {
  const passing = (bits: number[], count: number) => {
    const all = rows(bits, (at) => (at * DAY * count) / (bits.length - 1));
    return incidentsOf(all, thresholdFor(all, 1).bits).flatMap((incident) => incident.rows).length;
  };
  const constant = Array.from({ length: 5_000 }, () => 2);
  expect(passing([...constant, 40, 41], 5)).toBe(2);
  expect(passing([...constant.map(() => 0.01), 40], 5)).toBe(1);
  expect(
    passing(
      constant.map(() => 0.01),
      5,
    ),
  ).toBe(0);
  expect(passing([7, 7, 7, ...constant.map(() => 0.01)], 2)).toBe(3);
});

test("of a sequence, a report names the events that surprised most, where each symbol of it is known, too", () => {
  const events = [["login"], ["a", "b", "c", "d", "e", "f"], ["pay"], ["browse"], ["hack"]];
  const bits = [0.2, 3, 7, 1, 6.25];
  const verdict = {
    bits: 5.3,
    end: null,
    events: bits.map((each) => ({ bits: each, expected: [], unexpected: [] })),
    missing: [],
    excess: [],
    rank: 0.9,
  };
  const result = { ...rows([5.3])[0], line: 2, numbers: new Map(), sequence: { rows: 5, events, verdict } };
  const { incidents } = reportOf({
    title: "t",
    results: [result as Result],
    threshold: { bits: 5, why: "threshold" },
    incidents: incidentsOf([result as Result], 5),
    causes: new Map(),
    encoders: {},
    columns: [],
    isSequences: true,
  });
  expect(incidents[0]?.evidence.filter(({ items }) => items.length > 0)).toEqual([
    {
      title: "Most surprising",
      items: [
        { text: "event 3: pay", amount: "7.0 bits" },
        { text: "event 5: hack", amount: "6.3 bits" },
        { text: "event 2: a, b, c, d, e, …", amount: "3.0 bits" },
      ],
    },
  ]);
});

const COMMON = { hysteresis: 0, on_change: false };
const ENCODERS: ShownEncoders = {
  temp: { kind: "edges", edges: [18.5, 21, 1e21], ...COMMON },
  load: { kind: "auto", bins: 2, edges: [-1, 0], ...COMMON },
  gap: { kind: "elapsed", edges: [1, 5] },
  hour: { kind: "clock", of: "hour", step: 6, zone: "UTC" },
  young: { kind: "auto", bins: 2, ...COMMON },
  "a=b": { kind: "step", size: 0.1, origin: 0, ...COMMON },
};

test.each([
  ["temp=18.5", "temp 18.5 to 21"],
  ["temp=-inf", "temp below 18.5"],
  ["temp=1e+21", "temp 1e+21 and above"],
  ["temp=19", "temp=19"],
  ["temp=warm", "temp=warm"],
  ["load=-1", "load -1 to 0"],
  ["young=1", "young=1"],
  ["a=b=0.2", "a=b 0.2 to 0.3"],
  ["a=b=-0.1", "a=b -0.1 to 0"],
  ["toString=1", "toString=1"],
  ["gap=-inf", "gap below 1 s"],
  ["gap=1", "gap 1 to 5 s"],
  ["gap=5", "gap 5 s and above"],
  ["hour=6", "hour=6"],
  ["state", "state"],
  ["=1", "=1"],
])("%s is told as %s", (symbol, told) => {
  expect(shownSymbol(symbol, ENCODERS)).toBe(told);
});
