/** When forecasts say that the next events come. */

import { describe, expect, test } from "vitest";
import { TimedModels } from "../../../src/processor/knowledge/timed-models";
import type { ModelRow, Reader } from "../../../src/processor/ports/store";
import { whenOf as eventTimes } from "../../../src/processor/prediction/event-times";
import type { Processor } from "../../../src/processor/processor";
import { oracleWhen, type TimedSequence } from "../../oracle/event-times";
import { MemoryStore } from "../../support/memory-store";
import { openProcessor } from "../../support/open-processor";
import { gdfOf } from "../../support/processor/calls";
import { Random } from "../../support/random";

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

/** What random models and questions are like. */
interface Shape {
  name: string;
  models: number;
  vocabulary: number;
  events: number;
  eventSymbols: number;
  runs: number;
  /** How far apart events are, milliseconds. */
  pause: number;
}

const SHAPES: readonly Shape[] = [
  { name: "few models", models: 6, vocabulary: 3, events: 4, eventSymbols: 1, runs: 3, pause: 6e7 },
  { name: "several symbols an event", models: 30, vocabulary: 6, events: 6, eventSymbols: 3, runs: 9, pause: 3e6 },
  { name: "equal times", models: 30, vocabulary: 2, events: 5, eventSymbols: 1, runs: 40, pause: 2 },
  { name: "more moments than count", models: 300, vocabulary: 2, events: 7, eventSymbols: 1, runs: 30, pause: 1e6 },
];

/** Models by id, from 1 on, as a store has them; every fifth keeps no times. */
class Learned {
  readonly models: TimedSequence[] = [];
  readonly #shape: Shape;
  readonly #random: Random;

  constructor(shape: Shape, random: Random) {
    this.#shape = shape;
    this.#random = random;
    for (let id = 1; id <= shape.models; id++) {
      const events = this.events(2);
      const runs = Array.from({ length: id % 5 === 0 ? 0 : 1 + random.below(shape.runs) }, () => this.times(events));
      this.models.push({ frequency: runs.length + random.below(3), events, runs });
    }
  }

  events(least: number): number[][] {
    const { eventSymbols, events, vocabulary } = this.#shape;
    const one = () =>
      Array.from({ length: 1 + this.#random.below(eventSymbols) }, () => this.#random.below(vocabulary));
    return Array.from({ length: least + this.#random.below(events) }, one);
  }

  /** Some go backwards. */
  times(events: readonly unknown[]): number[] {
    let time = 1e12 + this.#random.below(3e9);
    return events.map(() => {
      time += this.#random.below(this.#shape.pause) - (this.#random.below(9) === 0 ? this.#shape.pause : 0);
      return time;
    });
  }

  modelsById(ids: readonly number[]): ModelRow[] {
    return ids.map((id) => {
      const { frequency, events, runs } = this.models[id - 1] as TimedSequence;
      const parts = { emotives: [], metadata: [], learnedAt: undefined };
      const symbols = Uint32Array.from(events.flat());
      const lengths = Uint32Array.from(events, ({ length }) => length);
      const times = runs.length === 0 ? undefined : Float64Array.from(runs.flat());
      return { id, name: "", frequency, symbols, lengths, times, ...parts };
    });
  }
}

test.each(SHAPES)("when is to the last bit what the oracle says: $name", (shape) => {
  const random = new Random(7);
  const learned = new Learned(shape, random);
  const timed = new TimedModels({ knowledge: learned } as unknown as Reader);
  let known = 0;
  for (let question = 0; question < 30; question++) {
    const ids = learned.models.map((_, at) => at + 1).filter(() => random.below(8) > 0);
    const events = learned.events(1);
    const times = learned.times(events).map((time) => (random.below(6) === 0 ? undefined : time));
    const sequence = {
      symbols: Uint32Array.from(events.flat()),
      lengths: Uint32Array.from(events, ({ length }) => length),
    };
    const said = eventTimes({ ...sequence, times }, ids, (some) => timed.of(some), 3);
    const models = ids.map((id) => learned.models[id - 1] as TimedSequence);
    expect(said).toEqual(oracleWhen({ events, times }, models, 3));
    known += said.filter((when) => when !== undefined).length;
  }
  expect(known).toBeGreaterThan(30);
});

test("models are read only while moments are wanting", () => {
  const random = new Random(3);
  const learned = new Learned({ ...(SHAPES[3] as Shape), runs: 400 }, random);
  const asked: number[] = [];
  const timed = new TimedModels({
    knowledge: {
      modelsById: (ids: readonly number[]) => {
        asked.push(...ids);
        return learned.modelsById(ids);
      },
    },
  } as unknown as Reader);
  const ids = learned.models.map((_, at) => at + 1);
  const context = { symbols: Uint32Array.of(0), lengths: Uint32Array.of(1), times: [1e12] };
  expect(eventTimes(context, ids, (some) => timed.of(some), 1)).toHaveLength(1);
  expect(asked.length).toBeLessThan(100);
});

test("no model is read where none keeps times, and all that it takes where one does", () => {
  const store = new MemoryStore();
  const sequence = { events: [{ symbols: ["a"] }, { symbols: ["b"] }] };
  openProcessor(store).knowledge.addModel({ sequence });
  const processor = openProcessor(store);
  expect(whenOf(processor, 1, [["a"]])).toEqual([undefined]);
  const before = store.reads;
  const forecast = () => processor.memory.getForecast({ sequence: { events: [{ symbols: ["a"] }] } });
  expect(forecast().forecast.models).toBe(1);
  // The names of the models that it names are kept.
  expect(store.reads).toBe(before);
  learn(processor, ["a", 0], ["b", 60]);
  expect(whenOf(processor, 1, [["a"]])).toEqual([same(60)]);
  expect(whenOf(openProcessor(store), 1, [["a"]])).toEqual([same(60)]);
  processor.memory.clearAllMemory(false);
  processor.knowledge.addModel({ sequence });
  expect(whenOf(processor, 1, [["a"]])).toEqual([undefined]);
});
