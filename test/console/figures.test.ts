/** Numbers, times and ranges as people say them. */

import { describe, expect, test } from "vitest";
import type { ShownEncoders } from "../../src/cli/table/ranges";
import { ago, chance, likelihood, rarity, short, whole, wholeChance } from "../../src/console/parts/figures";
import { roundedEdges, shownRounded } from "../../src/console/parts/rounded-ranges";

test.each([
  [0, "0%", "practically impossible"],
  [0.0004, "< 0.1%", "practically impossible"],
  [0.004, "0.4%", "0.4%"],
  [0.5, "50%", "50%"],
  [0.9749, "97%", "97%"],
  [0.996, "99.6%", "99.6%"],
  [0.9999, "> 99.9%", "practically certain"],
  [1, "100%", "practically certain"],
])("a probability of %d is %s in a column, and %s in a sentence", (probability, column, sentence) => {
  expect([chance(probability), likelihood(probability)]).toEqual([column, sentence]);
});

test.each([0, 7, 999, 1000, 12_345.5, 1_234_567, 99.5, -3, -1234.4])("%d is written as Intl writes it", (value) => {
  const written = new Intl.NumberFormat("en", { maximumFractionDigits: 0 }).format(value);
  expect(whole(value)).toBe(written);
});

test.each([
  [0.01234, "0.012"],
  [12.34, "12.3"],
  [-1999.6, "-2,000"],
])("%d is short as %s", (value, text) => {
  expect(short(value)).toBe(text);
});

test.each([
  [0, "0%"],
  [0.004, "< 1%"],
  [0.9749, "97%"],
  [0.9936, "99%"],
  [0.9999, "> 99%"],
  [1, "100%"],
])("a probability of %d is %s in a column of whole per cents", (probability, text) => {
  expect(wholeChance(probability)).toBe(text);
});

test.each([
  [1, "50% likely"],
  [10, "1 in 1,000"],
  [19.9, "1 in 980,000"],
  [88, "practically impossible"],
])("%d bits are %s", (bits, words) => {
  expect(rarity(bits)).toBe(words);
});

test("a moment is told by its distance, and after a week by its date", () => {
  const now = Date.UTC(2026, 10, 23, 12);
  const past = (seconds: number) => ago(now - 1000 * seconds, now);
  expect([past(0), past(59), past(60), past(3599), past(3600), past(86_399), past(86_400), past(200_000)]).toEqual([
    "just now",
    "just now",
    "1 min ago",
    "59 min ago",
    "1 h ago",
    "23 h ago",
    "1 day ago",
    "2 days ago",
  ]);
  expect([past(7 * 86_400), past(-3600)].every((text) => /\d{4}|\d{2}/.test(text) && !text.includes("ago"))).toBe(true);
});

describe("bins", () => {
  const encoder = { kind: "auto", bins: 4, hysteresis: 0, on_change: false } as const;
  const encoders: ShownEncoders = { temp: { ...encoder, edges: [0.18512345, 0.8640001, 1.9671234] } };

  test.each([
    ["temp=0.8640001", "temp 0.864 to 1.967"],
    ["temp=-inf", "temp below 0.185"],
    ["temp=1.9671234", "temp 1.967 and above"],
    ["temp=7", "temp=7"],
    ["temp=", "temp="],
    ["other=1", "other=1"],
  ])("%s is %s", (symbol, shown) => {
    expect(shownRounded(symbol, encoders)).toBe(shown);
  });

  test("keep the order of their edges, each edge near itself", () => {
    const edges = [-1e9, -3.3333, 0.001, 0.00100001, 20.69, 20.7, 1e6 + 0.123, 1e300];
    const rounded = roundedEdges(edges);
    expect([...rounded].sort((a, b) => a - b)).toEqual(rounded);
    expect(new Set(rounded).size).toBe(edges.length);
    expect(roundedEdges([2.71234])).toEqual([2.71]);
  });
});
