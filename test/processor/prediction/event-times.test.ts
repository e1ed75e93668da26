/** When forecasts say that the next events come. */

import { describe, expect, test } from "vitest";
import type { Processor } from "../../../src/processor/processor";
import { openProcessor } from "../../support/open-processor";
import { gdfOf } from "../../support/processor/calls";

/** Observes events of one symbol each, with their times. */
function observe(processor: Processor, ...events: (readonly [string, number?])[]): void {
  for (const [symbol, time] of events) processor.memory.observe({ ...gdfOf({ strings: [symbol] }), time }, []);
}

function learn(processor: Processor, ...events: (readonly [string, number?])[]): void {
  observe(processor, ...events);
  processor.memory.learn();
}

const whenOf = (processor: Processor, horizon = 1, sequence?: string[][]) => {
  const asked = sequence === undefined ? {} : { sequence: { events: sequence.map((symbols) => ({ symbols })) } };
  return processor.memory.getForecast({ horizon, ...asked }).forecast.steps.map(({ when }) => when);
};

const same = (seconds: number) => ({ p10: seconds, p50: seconds, p90: seconds });

describe("when", () => {
  test("is what always was, to the millisecond, for each event ahead", () => {
    const processor = openProcessor();
    for (const start of [0, 1e9, 2e9]) learn(processor, ["a", start], ["b", start + 60.125], ["c", start + 90]);
    observe(processor, ["a", 5e8]);
    expect(whenOf(processor, 3)).toEqual([same(60.125), same(90), undefined]);
    observe(processor, ["b", 5e8 + 60]);
    expect(whenOf(processor)).toEqual([same(29.875)]);
    expect(whenOf(processor, 1, [["a"], ["b"]])).toEqual([same(29.875)]);
  });

  test("is unknown without knowledge, after an unknown event, at an end, and where no times were kept", () => {
    const processor = openProcessor();
    expect(whenOf(processor, 2)).toEqual([undefined, undefined]);
    learn(processor, ["a", 0], ["b", 60]);
    expect(whenOf(processor, 1, [["z"]])).toEqual([undefined]);
    expect(whenOf(processor, 1, [["b"]])).toEqual([undefined]);
    const other = openProcessor();
    other.knowledge.addModel({ sequence: { events: [{ symbols: ["a"] }, { symbols: ["b"] }] } });
    expect(whenOf(other, 1, [["a"]])).toEqual([undefined]);
    expect(other.memory.getForecast({ sequence: { events: [{ symbols: ["a"] }] } }).forecast.models).toBe(1);
  });

  test("has quantiles of what was, and models weigh by their frequency", () => {
    const processor = openProcessor();
    for (let run = 0; run < 20; run++) learn(processor, ["a", 0], ["b", run + 1]);
    expect(whenOf(processor, 1, [["a"]])).toEqual([{ p10: 2, p50: 10, p90: 18 }]);
    for (let run = 0; run < 80; run++) learn(processor, ["a", 0], ["c", 1000]);
    expect(whenOf(processor, 1, [["a"]])).toEqual([{ p10: 10, p50: 1000, p90: 1000 }]);
  });

  test("of an event that came earlier than the one before it is 0", () => {
    const processor = openProcessor();
    learn(processor, ["a", 100], ["b", 40], ["c", 130]);
    expect(whenOf(processor, 2, [["a"]])).toEqual([same(0), same(30)]);
  });

  test("follows the events before, the pause before, and the hour", () => {
    const processor = openProcessor();
    const many = (count: number, ...events: (readonly [string, number])[]) => {
      for (let run = 0; run < count; run++) learn(processor, ...events);
    };
    many(80, ["x", 0], ["a", 10], ["b", 20]);
    many(80, ["y", 0], ["a", 10], ["b", 1010]);
    expect(whenOf(processor, 1, [["x"], ["a"]])[0]?.p50).toBe(10);
    expect(whenOf(processor, 1, [["y"], ["a"]])[0]?.p50).toBe(1000);
    processor.memory.clearAllMemory(false);
    many(80, ["x", 0], ["a", 10], ["b", 20]);
    many(80, ["x", 0], ["a", 10_000], ["b", 11_000]);
    observe(processor, ["x", 0], ["a", 12_000]);
    expect(whenOf(processor)[0]?.p50).toBe(1000);
    processor.memory.clearAllMemory(false);
    many(80, ["a", 0], ["b", 10]);
    many(80, ["a", 8 * 3600], ["b", 8 * 3600 + 1000]);
    observe(processor, ["a", 7 * 86_400 + 8 * 3600]);
    expect(whenOf(processor)[0]?.p50).toBe(1000);
  });

  test("takes arrivals where records say no time", () => {
    const processor = openProcessor();
    learn(processor, ["a"], ["b"]);
    const [when] = whenOf(processor, 1, [["a"]]);
    expect(when?.p50).toBeGreaterThanOrEqual(0);
    expect(when?.p50).toBeLessThan(60);
  });

  test("counts events of several symbols by what they share", () => {
    const processor = openProcessor();
    const observed = (strings: string[], time: number) => processor.memory.observe({ ...gdfOf({ strings }), time }, []);
    for (let run = 0; run < 80; run++) {
      observed(["a", "p"], 0);
      observed(["b"], 10);
      processor.memory.learn();
      observed(["a", "q"], 0);
      observed(["b"], 1000);
      processor.memory.learn();
    }
    expect(whenOf(processor, 1, [["a", "p"]])[0]?.p50).toBe(10);
    expect(whenOf(processor, 1, [["a", "q"]])[0]?.p50).toBe(1000);
  });
});

test("a model keeps its times through renaming and removal of symbols", () => {
  const processor = openProcessor();
  learn(processor, ["a", 0], ["z", 5], ["b", 60]);
  processor.knowledge.removeSymbols({ symbols: ["z"], patterns: [] });
  expect(whenOf(processor, 1, [["a"]])).toEqual([same(60)]);
});
