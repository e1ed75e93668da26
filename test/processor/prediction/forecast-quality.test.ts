/** Forecasts of generated sequences are as right as they can be: one kind where the last symbols decide, one where what is shared decides. */

import { expect, test } from "vitest";
import wasm from "../../../build/kernel.wasm";
import { endsFold } from "../../bench/forecast-data";
import { measure } from "../../bench/forecast-sets";
import { soleKernel } from "../../support/kernel/sole-kernel";
import { openProcessor } from "../../support/open-processor";
import { gdfOf } from "../../support/processor/calls";
import { Random } from "../../support/random";

/** A machine that goes round, and now and then jumps. */
function machine(random: Random): string[][] {
  const cycle = [1, 1, 1, 2, 2, 3, 3, 3, 3, 4, 5, 5, 6, 6, 6, 7];
  let at = 0;
  return Array.from({ length: 280 }, () =>
    Array.from({ length: 20 }, () => {
      at = random.below(50) === 0 ? random.below(cycle.length) : (at + 1) % cycle.length;
      return `state ${cycle[at]}`;
    }),
  );
}

/** Things of one topic in any order, then the topic. */
function topics(random: Random): string[][] {
  return Array.from({ length: 280 }, () => {
    const topic = random.below(20);
    const things = Array.from({ length: 6 }, () => `thing ${(topic * 7 + random.below(9)) % 140}`);
    return [...things, `topic ${topic}`];
  });
}

/** What a processor says of the last symbols of generated sequences. @param window how many symbols before them it is given */
function measured(sequences: string[][], window: number) {
  const read = (_: unknown, fold: number) => endsFold(sequences, fold, 1, window);
  const set = { name: "generated", files: [], folds: 3, ahead: 1, list: 0, read };
  const [quality] = measure(wasm, set, { textOf: () => "", folds: 3, part: 1 });
  if (quality === undefined) throw new Error("nothing was measured");
  return quality;
}

test("where the last symbols decide, as right as the source allows", () => {
  const { accuracy, calibrationError } = measured(machine(new Random(1)), 10);
  expect(accuracy).toBeGreaterThan(0.9);
  expect(calibrationError).toBeLessThan(0.12);
});

test("where what is shared decides, in any order, nearly always right", () => {
  expect(measured(topics(new Random(2)), 6).accuracy).toBeGreaterThan(0.85);
});

const WORKDAY = ["alarm", "coffee", "bus", "work", "lunch", "work", "bus", "dinner", "film", "sleep"];
const HOLIDAY = ["sun", "coffee", "paper", "walk", "lunch", "nap", "dinner", "film", "sleep"];

/** A processor that has learned days of which now and then something is left out. All end alike, so ends do not tell which rule is right before them. */
function routine(days: number) {
  const { memory } = openProcessor(undefined, soleKernel());
  for (let day = 0; day < days; day++) {
    const events = (day % 7 > 4 ? HOLIDAY : WORKDAY).filter((_, at) => (day * 7 + at * 5) % 11 !== 0);
    for (const event of events) memory.observe(gdfOf({ strings: [event] }), []);
    memory.learn();
  }
  return memory;
}

test.each([
  10, 21, 100, 500,
])("in a routine of %i days, what comes next comes first, however far the day has got", (days) => {
  const memory = routine(days);
  for (let at = 2; at < WORKDAY.length; at++) {
    const events = WORKDAY.slice(0, at).map((symbol) => ({ symbols: [symbol] }));
    const { forecast } = memory.getForecast({ horizon: 1, top: 3, sequence: { events } });
    expect(forecast.steps[0]?.symbols[0], `after ${WORKDAY.slice(0, at)}`).toMatchObject({ symbol: WORKDAY[at] });
    expect(forecast.steps[0]?.symbols[0]?.probability).toBeGreaterThan(days < 20 ? 0.4 : 0.5);
  }
});

test.each([
  11, 21, 100,
])("in a routine of %i days, what comes two events ahead comes first, though all days end alike", (days) => {
  const memory = routine(days);
  for (let at = 2; at + 2 <= WORKDAY.length; at++) {
    const events = WORKDAY.slice(0, at).map((symbol) => ({ symbols: [symbol] }));
    const { forecast } = memory.getForecast({ horizon: 2, top: 3, sequence: { events } });
    expect(forecast.steps[1]?.symbols[0]?.symbol, `after ${WORKDAY.slice(0, at)}`).toBe(WORKDAY[at + 1]);
  }
});

test("a day that was learned twice is known by heart, also two events ahead", () => {
  const day = "wake coffee shower bus work mail work lunch walk work bus shop dinner film read sleep".split(" ");
  const { memory } = openProcessor(undefined, soleKernel());
  for (let learned = 0; learned < 2; learned++) {
    for (const event of day) memory.observe(gdfOf({ strings: [event] }), []);
    memory.learn();
  }
  for (let at = 1; at + 2 <= day.length; at++) {
    const events = day.slice(0, at).map((symbol) => ({ symbols: [symbol] }));
    const { forecast } = memory.getForecast({ horizon: 2, top: 3, sequence: { events } });
    const symbols = forecast.steps.map((step) => step.symbols[0]?.symbol);
    expect(symbols, `after ${day.slice(0, at)}`).toEqual(day.slice(at, at + 2));
  }
});
