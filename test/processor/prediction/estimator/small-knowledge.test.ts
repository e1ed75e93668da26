/**
 * Forecasts of what is hardly known, or known in an odd way: always numbers, never certain, and the obvious comes
 * first.
 */

import { describe, expect, test } from "vitest";
import { soleKernel } from "../../../support/kernel/sole-kernel";
import { openProcessor } from "../../../support/open-processor";
import { gdfOf } from "../../../support/processor/calls";

function taught(sequences: readonly string[][]) {
  const { memory } = openProcessor(undefined, soleKernel());
  for (const sequence of sequences) {
    memory.observeSequence({
      sequence: sequence.map((symbol) => gdfOf({ strings: [symbol] })),
      learn: true,
      clear: true,
    });
  }
  return memory;
}

type Memory = ReturnType<typeof taught>;

function forecastOf(memory: Memory, symbols: readonly string[], horizon = 10) {
  const sequence = { events: symbols.map((symbol) => ({ symbols: [symbol] })) };
  return memory.getForecast({ horizon, top: 1000, sequence }).forecast;
}

/**
 * Expects that all lists are probabilities, those of a step with its rest no more than 1 together, and that longer
 * horizons give no less.
 */
function expectSound(memory: Memory, symbols: readonly string[]): void {
  const { steps, within } = forecastOf(memory, symbols);
  for (const { none, symbols: listed } of steps) {
    const sum = listed.reduce((total, { probability }) => total + probability, none);
    expect(sum).toBeCloseTo(1, 9);
    expect(none).toBeGreaterThanOrEqual(0);
  }
  for (const { probability } of [...steps.flatMap((step) => step.symbols), ...within]) {
    expect(probability).toBeGreaterThan(0);
    expect(probability).toBeLessThanOrEqual(1);
  }
  const anywhere = new Map(within.map(({ symbol, probability }) => [symbol, probability]));
  for (const { symbol, probability } of steps.flatMap((step) => step.symbols)) {
    expect(anywhere.get(symbol)).toBeGreaterThanOrEqual(probability);
  }
}

const firstOf = (memory: Memory, symbols: readonly string[], step = 0) =>
  forecastOf(memory, symbols).steps[step]?.symbols[0]?.symbol;

const DAY = ["wake", "coffee", "bus", "work", "lunch", "walk", "dinner", "sleep"];

describe.each([1, 2, 3, 4, 7, 15, 31])("of a day that was learned %i times", (days) => {
  const memory = taught(new Array<string[]>(days).fill(DAY));

  test("every event is foreseen, one and two ahead", () => {
    for (let at = 1; at < DAY.length; at++) {
      expectSound(memory, DAY.slice(0, at));
      expect(firstOf(memory, DAY.slice(0, at))).toBe(DAY[at]);
      if (days > 1 && at + 1 < DAY.length) expect(firstOf(memory, DAY.slice(0, at), 1)).toBe(DAY[at + 1]);
    }
  });
});

test("models of one event say what they hold, and no step is certain", () => {
  const { memory, knowledge } = openProcessor(undefined, soleKernel());
  for (const symbol of ["a", "b", "c"]) knowledge.addModel({ sequence: { events: [{ symbols: [symbol] }] } });
  expectSound(memory, ["a"]);
  expectSound(memory, ["a", "b", "nothing that is known"]);
  expect(forecastOf(memory, ["z"])).toMatchObject({ models: 0, within: [] });
});

test("symbols that occur once each are foreseen where they stood", () => {
  const sequences = Array.from({ length: 12 }, (_, at) =>
    Array.from({ length: 6 }, (__, event) => `s${6 * at + event}`),
  );
  const memory = taught(sequences);
  for (const sequence of sequences) {
    for (let at = 1; at < 6; at++) {
      expectSound(memory, sequence.slice(0, at));
      expect(firstOf(memory, sequence.slice(0, at))).toBe(sequence[at]);
    }
  }
});

test("an end in every model comes where sequences end, and not in their middle", () => {
  const sequences = Array.from({ length: 40 }, (_, at) => [`start ${at % 3}`, "one", `two ${at % 4}`, "three", "end"]);
  const memory = taught(sequences);
  expectSound(memory, ["start 1", "one"]);
  expect(firstOf(memory, ["one", "two 1", "three"])).toBe("end");
  expect(firstOf(memory, ["start 1", "one", "two 2"])).toBe("three");
  expect(firstOf(memory, ["start 0"])).toBe("one");
});

test("ten steps within models of three events are ten lists, and the steps beyond their ends fall back to what occurs", () => {
  const memory = taught([
    ["a", "b", "c"],
    ["a", "b", "d"],
    ["b", "c", "a"],
  ]);
  expectSound(memory, ["a"]);
  const { steps } = forecastOf(memory, ["a", "b"]);
  expect(steps).toHaveLength(10);
  const [late, later] = [steps[8], steps[9]];
  expect(later).toEqual(late);
});

test("after an event that no model holds, the order says how often symbols occur, and all is sound", () => {
  const memory = taught([DAY, DAY, [...DAY].reverse()]);
  for (let at = 1; at < DAY.length; at++) expectSound(memory, [...DAY.slice(0, at), "unheard of"]);
});
