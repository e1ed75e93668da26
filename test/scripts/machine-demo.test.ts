/**
 * What the demo of a machine computes by itself: the telemetry, Markov chains, and how well scores tell faults; and the
 * numbers that the benchmark of surprise watches beside it.
 */

import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { atThreshold, averagePrecision, quantile } from "../../scripts/demos/detection.mjs";
import { symbolsOf } from "../../scripts/demos/machine-observer.mjs";
import { PER_DAY, readingsOf } from "../../scripts/demos/machine-telemetry.mjs";
import { likeliest, MarkovChain } from "../../scripts/demos/markov.mjs";
import { numbersOf } from "../bench/number-streams.mjs";
import { blocks } from "../support/docs/blocks";

describe("the telemetry", () => {
  test("is the same for the same seed, and has no faults unless they are wanted", () => {
    const day = readingsOf(PER_DAY, 5);
    expect(readingsOf(PER_DAY, 5)).toEqual(day);
    expect(readingsOf(PER_DAY, 6)).not.toEqual(day);
    expect(day.filter(({ fault }) => fault !== undefined)).toEqual([]);
    expect(new Set(day.map(({ state }) => state))).toEqual(
      new Set(["standby", "pump", "idle", "heat", "thin", "thick", "clean"]),
    );
  });

  test("has faults that show", () => {
    const [normal, faulty] = [readingsOf(20 * PER_DAY, 5), readingsOf(20 * PER_DAY, 5, 0.01)];
    const faults = faulty.filter(({ fault }) => fault !== undefined);
    expect(new Set(faults.map(({ fault }) => fault))).toEqual(new Set(["hot", "shaking", "weak", "alarm", "astray"]));
    expect(faults.length / faulty.length).toBeCloseTo(0.016, 2);
    for (const [at, { fault, ...reading }] of faulty.entries()) {
      const { fault: _, ...before } = normal[at] ?? { fault };
      if (fault === undefined) expect(reading).toEqual(before);
      else expect(reading).not.toEqual(before);
    }
  });
});

test("README.md shows readings that the demo watches, and says no figure of a run", () => {
  const [machine = ""] = blocks("README.md", "text");
  const watched = readingsOf(5 * PER_DAY, 3, 0.01);
  const line = /^day (\d+), (\d\d):(\d\d) {2}… bits {2}(.+), where (\w+) was expected \(fault: (\w+)\)$/;
  const lines = machine.trimEnd().split("\n");
  for (const shown of lines) {
    const [, day, hours, minutes, symbols = "", , fault] = line.exec(shown) ?? [];
    const reading = watched[(Number(day) - 1) * PER_DAY + 12 * Number(hours) + Number(minutes) / 5];
    expect([shown, reading?.fault]).toEqual([shown, fault]);
    expect(reading && symbolsOf(reading)).toEqual(expect.arrayContaining(symbols.split(" ")));
  }
  expect(lines.length).toBeGreaterThan(1);
  expect(readFileSync("README.md", "utf8")).not.toMatch(/\d (?:%|bits)/);
});

describe.each([true, false])("a stream of numbers that drifts: %s", (drifts) => {
  const days = (seed: number, faults: number) => numbersOf(20 * PER_DAY, seed, { drifts, faults });

  test("is the same for the same seed, and has no faults unless they are wanted", () => {
    const normal = days(5, 0);
    expect(days(5, 0)).toEqual(normal);
    expect(days(6, 0)).not.toEqual(normal);
    expect(normal.filter(({ fault }) => fault !== undefined)).toEqual([]);
  });

  test("has faults that show to who knows what comes next, and not by their range", () => {
    const [normal, faulty] = [days(5, 0), days(5, 0.1)];
    const values = normal.map(({ value }) => value);
    const [least, most] = [Math.min(...values), Math.max(...values)];
    const faults = faulty.flatMap(({ value, fault }) => (fault === undefined ? [] : [{ value, fault }]));
    expect(new Set(faults.map(({ fault }) => fault))).toEqual(
      new Set(["night by day", "frozen", "reversed", "missing step"]),
    );
    expect(faults.length / faulty.length).toBeGreaterThan(0.02);
    expect(faults.length / faulty.length).toBeLessThan(0.06);
    expect(faults.filter(({ value }) => value < least || value > most)).toEqual([]);
    // Behind a fault all is as it would have been.
    expect(faulty.filter(({ fault }, at) => fault === undefined && faulty[at]?.value !== normal[at]?.value)).toEqual(
      [],
    );
    const shown = faulty.filter(({ fault, value }, at) => fault !== undefined && value !== normal[at]?.value);
    expect(shown.length).toBeGreaterThan(0.6 * faults.length);
  });
});

describe("a Markov chain", () => {
  const taught = (order: number, text: string) => {
    const chain = new MarkovChain(order);
    for (const value of text) chain.add(value, true);
    return chain;
  };

  test("takes over, where it has seen little, what the shorter chain says", () => {
    // b twice and c once in 4 values of 3 kinds; each kind has a quarter of what is taken over, and so has the unknown.
    const { values, rest } = taught(0, "abbc").forecast();
    expect(values.get("b")).toBeCloseTo((2 + 3 / 4) / 7, 12);
    expect(values.get("a")).toBeCloseTo((1 + 3 / 4) / 7, 12);
    expect(rest).toBeCloseTo(3 / 4 / 7, 12);
    expect([...values.values()].reduce((sum, each) => sum + each, rest)).toBeCloseTo(1, 12);
  });

  test("looks back as far as its order", () => {
    const text = "xab yac ".repeat(5);
    const [one, two] = [1, 2].map((order) => taught(order, text));
    for (const chain of [one, two]) for (const value of "ya") chain?.add(value, false);
    expect(one?.forecast().values.get("b")).toBeCloseTo(one?.forecast().values.get("c") ?? 0, 12);
    expect(likeliest(two?.forecast() ?? { values: new Map() })).toBe("c");
    expect(likeliest(new MarkovChain(3).forecast())).toBeUndefined();
  });
});

describe("the area under precision and recall", () => {
  const scored = (faults: string) => [...faults].map((kind, at) => ({ score: -at, isFault: kind === "F" }));

  test("is the mean precision at the faults", () => {
    expect(averagePrecision(scored("FF.."))).toBe(1);
    expect(averagePrecision(scored("F.F."))).toBeCloseTo((1 + 2 / 3) / 2, 12);
    expect(averagePrecision(scored("...F"))).toBe(0.25);
  });

  test("lets equal scores stand or fall together", () => {
    expect(averagePrecision(scored("F...").map(({ isFault }) => ({ score: 1, isFault })))).toBe(0.25);
  });
});

test("a threshold has a precision and a recall", () => {
  const scored = [1, 2, 3, 4].map((score) => ({ score, isFault: score === 2 || score === 4 }));
  expect(atThreshold(scored, 2.5)).toEqual({ alarms: 2, precision: 0.5, recall: 0.5 });
  expect(atThreshold(scored, 9)).toEqual({ alarms: 0, precision: 1, recall: 0 });
  expect([0, 0.5, 0.75, 1].map((share) => quantile([4, 1, 3, 2], share))).toEqual([1, 3, 4, 4]);
});
