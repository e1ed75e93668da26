/** The symbols of numbers are those of the wire contract. */

import { describe, expect, test } from "vitest";
import { Binning, type Encoder, quantileEdges } from "../../src/cli/table/bins";
import { type NumberRule, numberRule } from "../../src/cli/table/number-rule";
import { fc } from "../support/property";

function encoder(text: string): Encoder {
  const rule: NumberRule = numberRule("x", text);
  if (!("bins" in rule)) throw new Error("the edges are not known yet");
  return rule;
}

const symbol = (rule: string, value: number) => new Binning("temp", encoder(rule)).symbol(value);

describe("steps", () => {
  test.each([
    ["step=0.5", 21.3, "temp=21"],
    ["step=0.5", 21.5, "temp=21.5"],
    ["step=0.5", -0.1, "temp=-0.5"],
    ["step=0.5", -0, "temp=0"],
    // 0.3 / 0.1 is 2.9999999999999996, and 3 * 0.1 is 0.30000000000000004.
    ["step=0.1", 0.3, "temp=0.3"],
    ["step=0.1", 0.7, "temp=0.7"],
    ["step=0.1", 0.29999999999999993, "temp=0.2"],
    ["step=0.1,origin=0.05", 0.35, "temp=0.35"],
    ["step=10,origin=5", 4, "temp=-5"],
    ["step=10,origin=5", 15, "temp=15"],
    ["step=1e-7", 2.5e-7, "temp=2e-7"],
    ["step=1e20", 1e21, "temp=1e+21"],
  ])("%s: %d is %s", (rule, value, expected) => {
    expect(symbol(rule, value)).toBe(expected);
  });

  test("the edge is the greatest one that is not above the number", () => {
    const sizes = fc.constantFrom(0.1, 0.25, 0.3, 0.5, 1, 7, 0.001);
    fc.assert(
      fc.property(sizes, fc.double({ min: -1e6, max: 1e6, noNaN: true }), (size, value) => {
        const edge = Number(symbol(`step=${size}`, value)?.slice("temp=".length));
        const k = Math.round(edge / size);
        const decimals = String(size).split(".")[1]?.length ?? 0;
        expect(edge).toBe(Number((k * size).toFixed(decimals)) + 0);
        expect(edge).toBeLessThanOrEqual(value);
        expect(Number(((k + 1) * size).toFixed(decimals))).toBeGreaterThan(value);
      }),
    );
  });

  test("a number too far from the origin is refused", () => {
    expect(() => symbol("step=1e-300", 1e300)).toThrow("1e+300 is too far from 0 for steps of 1e-300");
  });
});

describe("edges", () => {
  test.each([
    [0.999, "temp=-inf"],
    [1, "temp=1"],
    [4.9, "temp=2"],
    [5, "temp=5"],
    [1e9, "temp=5"],
  ])("of 1, 2, 5: %d is %s", (value, expected) => {
    expect(symbol("edges=1,2,5", value)).toBe(expected);
  });
});

test("hysteresis keeps the last bin [a, b) while a - h <= x < b + h, until it is cleared", () => {
  const binning = new Binning("x", encoder("step=1,hysteresis=0.25"));
  const seen = [1.5, 2.2, 0.75, 2.25, 1.9, 1.74].map((value) => binning.symbol(value));
  expect(seen).toEqual(["x=1", "x=1", "x=1", "x=2", "x=2", "x=1"]);
  binning.clear();
  expect(binning.symbol(2.2)).toBe("x=2");
});

test("on-change makes a symbol of another bin only, and of the first number", () => {
  const binning = new Binning("x", encoder("edges=0,10,on-change"));
  expect([5, 6, 12, 13, -1, 5].map((value) => binning.symbol(value))).toEqual([
    "x=0",
    undefined,
    "x=10",
    undefined,
    "x=-inf",
    "x=0",
  ]);
  binning.clear();
  expect(binning.symbol(6)).toBe("x=0");
});

describe("quantiles", () => {
  test("put as many values into each bin", () => {
    const values = Array.from({ length: 100 }, (_, index) => 99 - index);
    expect(quantileEdges(values, 4)).toEqual([25, 50, 75]);
  });

  test("have fewer edges where values repeat, and none that nothing is below, but for equal values", () => {
    expect(quantileEdges([1, 1, 1, 1, 2, 3], 3)).toEqual([2]);
    expect(quantileEdges([7, 7, 7], 8)).toEqual([7]);
    expect(quantileEdges([], 8)).toEqual([]);
  });
});

test.each([
  ["step=0", "a step above 0"],
  ["step=-1", "a step above 0"],
  ["step=1e999", "a step above 0"],
  ["edges=1,1", "edges in ascending order"],
  ["edges=2,1", "edges in ascending order"],
  ["auto=1", "auto=<2 to 100>"],
  ["auto=101", "auto=<2 to 100>"],
  ["auto=x", "auto[=<bins>], step=<size>"],
  ["quantiles=1", "auto[=<bins>], step=<size>[,origin=<number>], edges=<number>,<number>,… or quantiles=<2 to 1000>"],
  ["step=1,hysteresis=-1", "a hysteresis of 0 or more"],
  ["step=0x10", "auto[=<bins>], step=<size>"],
  ["edges=1,2,origin=1", "auto[=<bins>], step=<size>"],
  ["step=1,step=2", "auto[=<bins>], step=<size>"],
  ["", "auto[=<bins>], step=<size>"],
])("--number x:%s is refused", (text, accepted) => {
  expect(() => numberRule("x", text)).toThrow(`--number x:${text} is not accepted; accepted is ${accepted}`);
});
