/** Predictions as symbols, and the events recorded for other processors. */

import { describe, expect, test } from "vitest";
import type { Prediction } from "../../../src/gen/plain";
import {
  ABSTRACTION_FIELDS,
  abstractionOf,
  MAX_EVENT_BYTES,
  MAX_EVENTS_BYTES,
  type Manipulative,
} from "../../../src/processor/prediction/manipulative";
import type { Processor } from "../../../src/processor/processor";
import { MemoryStore } from "../../support/memory-store";
import { openProcessor } from "../../support/open-processor";
import { gdfOf } from "../../support/processor/calls";

const ID = "p46b6b076c";

function prediction(name: string, members: Partial<Prediction> = {}): Prediction {
  const events = (...lists: string[][]) => lists.map((symbols) => ({ symbols }));
  return {
    name,
    frequency: 1,
    past: events(["p"], ["q", "q"]),
    present: events(["a", "b"], ["c"]),
    future: events(["f"], ["g", "g|h"]),
    matches: ["a", "a"],
    missing: ["b"],
    extras: ["x"],
    emotives: [],
    confidence: 0,
    confluence: 0,
    entropy: 0,
    evidence: 0,
    fragmentation: 0,
    grandHamiltonian: 0,
    hamiltonian: 0,
    itfdfSimilarity: 0,
    potential: 0,
    similarity: 0,
    snr: 0,
    ...members,
  };
}

describe("an ensemble as symbols", () => {
  test.each([
    ["name", ["m"]],
    ["past", ["p", "q", "q"]],
    ["present", ["a", "b", "c"]],
    ["future", ["f", "g", "g|h"]],
    ["missing", ["b"]],
    ["extras", ["x"]],
    ["matches", ["a", "a"]],
    ["classification", ["g", "g|h"]],
  ] as const)("has one for each value of %s", (field, values) => {
    expect(abstractionOf("p1", [prediction("m")], [field])).toEqual(
      values.map((value) => `PRIMITIVE|p1|m|${field}|${value}`),
    );
  });

  test("takes the last present event for a classification when there is no future", () => {
    expect(abstractionOf("p1", [prediction("m", { future: [] })], ["classification"])).toEqual([
      "PRIMITIVE|p1|m|classification|c",
    ]);
  });

  test("goes prediction by prediction in the ensemble's order, and field by field in the manipulative's", () => {
    expect(abstractionOf("p1", [prediction("m"), prediction("k")], ["missing", "name"])).toEqual([
      "PRIMITIVE|p1|m|missing|b",
      "PRIMITIVE|p1|m|name|m",
      "PRIMITIVE|p1|k|missing|b",
      "PRIMITIVE|p1|k|name|k",
    ]);
  });

  test("is empty without predictions, or when the field is empty", () => {
    expect(abstractionOf("p1", [], ABSTRACTION_FIELDS)).toEqual([]);
    expect(abstractionOf("p1", [prediction("m", { missing: [] })], ["missing"])).toEqual([]);
  });
});

function manipulative(id: string, fields: Manipulative["fields"], ...targets: string[]): Manipulative {
  return { id, fields, targets };
}

/** A processor that knows the sequence hello, world, and has these manipulatives. */
function withManipulatives(...manipulatives: Manipulative[]): {
  store: MemoryStore;
  processor: Processor;
  model: string;
} {
  const store = new MemoryStore();
  const processor = openProcessor(store);
  processor.relink(manipulatives);
  for (const each of ["hello", "world"]) processor.memory.observe(gdfOf({ strings: [each] }), []);
  return { store, processor, model: processor.memory.learn().model };
}

describe("an observation that leads to predictions", () => {
  test("is recorded for each manipulative and target in order, with emotives, identifier and path", () => {
    const { store, processor, model } = withManipulatives(
      manipulative("m1", ["name"], "t1", "t2"),
      manipulative("m2", ["missing"], "t1"),
      manipulative("m3", ["name"]),
      manipulative("m4", ["future"], "t2"),
    );
    const gdf = { ...gdfOf({ strings: ["hello"], emotives: { joy: 0.5 }, metadata: { a: 1 } }), uniqueId: "mine" };
    processor.memory.observe(gdf, ["from"]);
    const stations = ["from", `P1-${ID}-process`];
    const common = { session: "", emotives: [{ name: "joy", value: 0.5 }], uniqueId: "mine" };
    const [name, future] = [`PRIMITIVE|${ID}|${model}|name|${model}`, `PRIMITIVE|${ID}|${model}|future|world`];
    expect(store.forwarded()).toEqual([
      { target: "t1", symbols: [name], path: [...stations, "abstraction-m1"], ...common },
      { target: "t2", symbols: [name], path: [...stations, "abstraction-m1"], ...common },
      { target: "t2", symbols: [future], path: [...stations, "abstraction-m4"], ...common },
    ]);
  });

  test("tells nothing when an event, or all of them, would take more bytes than they may, and is taken all the same", () => {
    const symbol = "x".repeat(100_000);
    const told = (fields: Manipulative["fields"], targets: number) => {
      const names = Array.from({ length: targets }, (_, at) => `t${at}`);
      const { store, processor } = withManipulatives(manipulative("m1", fields, ...names));
      for (let at = 0; at < 18; at++) {
        processor.knowledge.addModel({ sequence: { events: [{ symbols: [symbol] }, { symbols: [`${at}`] }] } });
      }
      const observe = () => processor.memory.observe(gdfOf({ strings: [symbol] }), []);
      return { store, observe };
    };
    const fitting = told(["matches"], 2);
    fitting.observe();
    expect(JSON.stringify(fitting.store.forwarded()[0]?.symbols).length).toBeLessThanOrEqual(MAX_EVENT_BYTES);
    expect(JSON.stringify(fitting.store.forwarded()).length).toBeLessThanOrEqual(MAX_EVENTS_BYTES);
    for (const beyond of [told(["matches", "present"], 1), told(["matches"], 19)]) {
      const { observed, omitted } = beyond.observe();
      expect([observed.awake, observed.predictionMade, omitted.manipulatives]).toEqual([true, true, 1]);
      expect(beyond.store.forwarded()).toEqual([]);
      expect(beyond.store.memories.read("")?.state.time).toBe(3);
    }
  });

  test("tells nothing while as many bytes wait as may, and then goes on", () => {
    const { store, processor } = withManipulatives(manipulative("m1", ["name"], "t1"));
    const observe = () => processor.memory.observe(gdfOf({ strings: ["hello"] }), []).omitted.manipulatives;
    store.mostToTell = 100;
    expect([observe(), store.forwarded().length]).toEqual([1, 0]);
    store.mostToTell = 100_000;
    expect([observe(), store.forwarded().length]).toEqual([0, 1]);
  });

  test("counts what comes with the symbols, too: emotives, identifier and path share their row", () => {
    const { store, processor } = withManipulatives(manipulative("m1", ["name"], "t1"));
    const gdf = { ...gdfOf({ strings: ["hello"] }), uniqueId: "u".repeat(MAX_EVENT_BYTES) };
    expect(processor.memory.observe(gdf, []).omitted.manipulatives).toBe(1);
    expect(store.forwarded()).toEqual([]);
  });

  test("is the only kind that is forwarded", () => {
    const { store, processor } = withManipulatives(manipulative("m1", ["name"], "t1"));
    processor.memory.observe(gdfOf({ strings: ["unknown"] }), []);
    processor.memory.clearWorkingMemory();
    processor.memory.observe(gdfOf({ emotives: { joy: 1 } }), []);
    processor.modes.setPredicting(false);
    processor.memory.observe(gdfOf({ strings: ["hello"] }), []);
    processor.modes.setPredicting(true);
    processor.modes.setSleeping(true);
    processor.memory.observe(gdfOf({ strings: ["hello"] }), []);
    expect(store.forwarded()).toEqual([]);
  });

  test("is forwarded with the predictions from before autolearn", () => {
    const { store, processor, model } = withManipulatives(manipulative("m1", ["matches"], "t1"));
    processor.genes.change([{ name: "max_sequence_length", value: { value: { case: "number", value: 2 } } }]);
    processor.modes.setAutolearning(true);
    processor.memory.observeSequence({
      sequence: [gdfOf({ strings: ["hello"] }), gdfOf({ strings: ["world"] })],
      learn: false,
      clear: false,
    });
    expect(store.forwarded().map(({ symbols }) => symbols.length)).toEqual([1, 2]);
    expect(store.forwarded()[1]?.symbols[1]).toBe(`PRIMITIVE|${ID}|${model}|matches|world`);
  });

  test("reads and records nothing for others without a target", () => {
    const { store, processor } = withManipulatives();
    const [reads, recorded] = [store.reads, store.recorded.length];
    processor.memory.observe(gdfOf({ strings: ["hello"] }), []);
    expect(store.recorded.slice(recorded)).not.toContain("event-forwarded");
    expect(store.reads).toBe(reads);
  });
});
