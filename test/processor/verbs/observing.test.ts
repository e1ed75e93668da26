import { expect, test } from "vitest";
import { Fault } from "../../../src/processor/ports/fault";
import type { Processor } from "../../../src/processor/processor";
import { MemoryStore } from "../../support/memory-store";
import { openProcessor } from "../../support/open-processor";
import { gdfOf, geneChangesOf } from "../../support/processor/calls";
import { eventsForm } from "../../support/processor/message-form";
import { readingsOf } from "../../support/processor/readings";
import { Random } from "../../support/random";

/** The name of the vector [1.000000, 2.000000]. */
const ONE_TWO = "VECTOR|35c150a74c97744bec564b4348a394a4059377e2";

function memoryOf(processor: Processor): string[][] {
  return eventsForm(processor.memory.getWorkingMemory().events);
}

function observed(processor: Processor, sent: Parameters<typeof gdfOf>[0]) {
  return processor.memory.observe(gdfOf(sent), []).observed;
}

function learned(processor: Processor, ...events: string[][]): string {
  for (const strings of events) observed(processor, { strings });
  return processor.memory.learn().model;
}

test("strings are sorted by code point, not by UTF-16 unit", () => {
  const processor = openProcessor();
  observed(processor, { strings: ["\u{1f600}", "\uffee", "b", "a", "\ud7ff"] });
  expect(memoryOf(processor)).toEqual([["a", "b", "\ud7ff", "\uffee", "\u{1f600}"]]);
  expect(processor.memory.getPercept().gdf?.strings).toEqual(["\u{1f600}", "\uffee", "b", "a", "\ud7ff"]);
  expect(processor.memory.getCognition().symbols).toEqual(["a", "b", "\ud7ff", "\uffee", "\u{1f600}"]);
});

test("several vectors are added, and vector symbols come before strings even when sorted", () => {
  const processor = openProcessor();
  observed(processor, {
    strings: ["A"],
    vectors: [
      [2, -0],
      [-1, 2],
    ],
  });
  expect(memoryOf(processor)).toEqual([[ONE_TWO, "A"]]);
});

test("unsorted, the nearest learned vectors come nearest first, ties oldest first, and then the vector itself", () => {
  const processor = openProcessor();
  processor.genes.change(geneChangesOf({ SORT: false, near_vector_count: 3 }));
  const names = [[3], [-1], [1], [0.5]].map((vector) => {
    observed(processor, { vectors: [vector] });
    return memoryOf(processor).at(-1)?.at(-1);
  });
  processor.memory.learn();
  observed(processor, { vectors: [[0]] });
  const [three, minusOne, one, half] = names;
  expect(memoryOf(processor)[0]?.slice(0, 3)).toEqual([half, minusOne, one]);
  expect(memoryOf(processor)[0]?.length).toBe(4);
  observed(processor, { vectors: [[1]] });
  expect(memoryOf(processor)[1]).toEqual([one, half, three]);
});

test("events that are no longer needed are given up", () => {
  const store = new MemoryStore();
  const processor = openProcessor(store);
  processor.genes.change(geneChangesOf({ max_sequence_length: 2 }));
  const stored = () => store.memories.read("")?.events.map(({ symbols }) => symbols.join());
  for (let at = 0; at < 100; at++) {
    observed(processor, { strings: [`s${at}`] });
    expect(memoryOf(processor).flat()).toEqual([`s${at - 1}`, `s${at}`].slice(at === 0 ? 1 : 0));
    expect(stored()).toEqual(memoryOf(processor).flat());
    expect(memoryOf(openProcessor(store))).toEqual(memoryOf(processor));
  }
  openProcessor(store).memory.learn();
  expect(stored()).toEqual([]);
});

test("blacklisted symbols are dropped, and with them the event when nothing else is in it", () => {
  const processor = openProcessor();
  processor.knowledge.addBlacklistedSymbols(["a", "a"]);
  observed(processor, { strings: ["a", "b"] });
  observed(processor, { strings: ["a"] });
  expect(memoryOf(processor)).toEqual([["b"]]);
  expect(processor.memory.getCognition().symbols).toEqual([]);
  expect(processor.time).toBe(2);
});

test("asleep, nothing changes", () => {
  const processor = openProcessor();
  observed(processor, { strings: ["a"] });
  processor.modes.setSleeping(true);
  const before = readingsOf(processor);
  expect(observed(processor, { strings: ["b"] })).toMatchObject({ awake: false, predictionMade: false });
  const request = { sequence: [gdfOf({ strings: ["b"] })], learn: true, clear: true };
  expect(processor.memory.observeSequence(request)).toMatchObject({ observed: [{ awake: false }], learnedModel: "" });
  expect(readingsOf(processor)).toEqual(before);
  expect(processor.memory.getPercept()).toEqual({ path: [] });
});

test.each([
  [{ strings: ["\ud800"] }, 'a string must be well-formed Unicode, got "\\ud800" with a lone surrogate'],
  [{ vectors: [[]] }, "a vector must have at least one component, got []"],
  [{ vectors: [[1, Number.NaN]] }, "component 1 of a vector must be a finite number, got NaN"],
  [{ vectors: [[1], [1, 2]] }, "the vectors of one record must have the same number of components, got 1 and 2"],
  [
    { vectors: [[1e308], [1e308]] },
    "vectors must have 2 components like those learned or waiting to be learned, got 1",
  ],
  [
    {
      vectors: [
        [1e308, 0],
        [1e308, 0],
      ],
    },
    "the sum of the vectors must stay finite, got Infinity in component 0",
  ],
  [{ emotives: { u: Number.NEGATIVE_INFINITY } }, 'emotive "u" must be a finite number, got -Infinity'],
  [
    { emotives: { u: 1.5e308 } },
    'the sum of emotive "u" since the last learn must stay finite, got 1.5e+308 on top of 1e+308',
  ],
  [{ metadata: [1] }, 'metadata must be a JSON object, got "[1]"'],
])("%j is refused, and nothing changes", (sent, sentence) => {
  const store = new MemoryStore();
  const processor = openProcessor(store);
  observed(processor, { vectors: [[1, 2]], emotives: { u: 1e308 } });
  const before = readingsOf(processor);
  const { changes } = store;
  expect(() => observed(processor, sent as never)).toThrow(sentence);
  const sequence = [gdfOf({ strings: ["fine"] }), gdfOf(sent as never)];
  expect(() => processor.memory.observeSequence({ sequence, learn: false, clear: false })).toThrow(sentence);
  expect(readingsOf(processor)).toEqual(before);
  expect(store.changes).toBe(changes);
});

test("an emotive given twice and metadata that is no JSON are refused", () => {
  const processor = openProcessor();
  const twice = {
    ...gdfOf({}),
    emotives: [
      { name: "u", value: 1 },
      { name: "u", value: 2 },
    ],
  };
  expect(() => processor.memory.observe(twice, [])).toThrow('each emotive may be given once, got "u" twice');
  expect(() => processor.memory.observe({ ...gdfOf({}), metadataJson: "{" }, [])).toThrow(
    'must be a JSON object, got "{"',
  );
  expect(() => processor.memory.observe(gdfOf({}), ["\udc00"])).toThrow(
    "an entry of the path must be well-formed Unicode",
  );
});

test("a sequence is observed record by record, cleared before and learned after", () => {
  const processor = openProcessor();
  const name = learned(processor, ["a"], ["b"]);
  observed(processor, { strings: ["x"] });
  const sequence = [gdfOf({ strings: ["a"] }), gdfOf({ emotives: { u: 1 } }), gdfOf({ strings: ["b"] })];
  const { observed: each, learnedModel } = processor.memory.observeSequence({ sequence, learn: true, clear: true });
  expect(each.map(({ predictionMade }) => predictionMade)).toEqual([true, false, true]);
  expect(each.map(({ uniqueId }) => uniqueId)).toEqual(sequence.map(({ uniqueId }) => uniqueId));
  expect(learnedModel).toBe(name);
  expect(processor.knowledge.getModel(name).model?.emotives).toEqual([{ name: "u", values: [1] }]);
  expect(processor.time).toBe(6);
});

test("a record of a sequence is matched with what the records before it have taught", () => {
  const random = new Random(7);
  const some = (most: number) =>
    Array.from({ length: 1 + random.below(most) }, () => random.pick(["a", "b", "c", "d"]));
  for (let round = 0; round < 200; round++) {
    const genes = {
      recall_threshold: 0,
      max_sequence_length: 1 + random.below(4),
      wm_resolution: random.pick(["event", "symbol"]),
      prediction_threshold: random.pick([0, 0.5, 1]),
      prediction_threshold_metric: random.pick([
        "grand_hamiltonian",
        "entropy",
        "confluence",
        "potential",
        "hamiltonian",
      ]),
      prediction_threshold_direction: random.pick([true, false]),
    };
    const sequence = Array.from({ length: 6 }, () => gdfOf({ strings: some(3) }));
    const [whole, single] = [openProcessor(), openProcessor()];
    for (const processor of [whole, single]) {
      processor.genes.change(geneChangesOf(genes));
      processor.modes.setAutolearning(true);
    }
    const one = sequence.map((gdf) => single.memory.observe(gdf, []).observed);
    expect(whole.memory.observeSequence({ sequence, learn: false, clear: false }).observed).toEqual(one);
    expect(readingsOf(whole)).toEqual(readingsOf(single));
  }
});

test("after a clear, a sequence may hold vectors of another length than the waiting ones", () => {
  const processor = openProcessor();
  observed(processor, { vectors: [[1, 2]] });
  const sequence = [gdfOf({ vectors: [[1]] })];
  expect(() => processor.memory.observeSequence({ sequence, learn: false, clear: false })).toThrow(
    "must have 2 components",
  );
  processor.memory.observeSequence({ sequence, learn: false, clear: true });
  expect(processor.memory.getWorkingMemory().events.length).toBe(1);
});

test("a warm observation reads nothing and makes one record", () => {
  const store = new MemoryStore();
  const processor = openProcessor(store);
  learned(processor, ["a"], ["b"], ["c"]);
  observed(processor, { strings: ["a"] });
  const reads = store.reads;
  store.recorded.length = 0;
  expect(observed(processor, { strings: ["b"] }).predictionMade).toBe(true);
  expect(observed(processor, { strings: ["new"], vectors: [], emotives: { u: 1 } }).predictionMade).toBe(true);
  expect(store.reads).toBe(reads);
  expect(store.recorded).toEqual(["memory", "memory"]);
});

test("warm predictions read nothing", () => {
  const store = new MemoryStore();
  const processor = openProcessor(store);
  learned(processor, ["a"], ["b"], ["c"]);
  observed(processor, { strings: ["a"] });
  processor.memory.getPredictions("");
  const reads = store.reads;
  processor.memory.getPredictions("");
  observed(processor, { strings: ["b"] });
  expect(processor.memory.getPredictions("").predictions.length).toBe(1);
  expect(store.reads).toBe(reads);
});

test("the path ends in the processor's own entry, with its name at that time", () => {
  const processor = openProcessor();
  processor.rename("P7");
  processor.memory.observe(gdfOf({ strings: ["a"] }), ["P1-p1-process", "abstraction-m1"]);
  expect(processor.memory.getPercept().path).toEqual(["P1-p1-process", "abstraction-m1", "P7-p46b6b076c-process"]);
});

test("a delivered record is observed once, and a refused one does not count as taken", () => {
  const store = new MemoryStore();
  const processor = openProcessor(store);
  const record = gdfOf({ strings: ["hello"] });
  const delivery = { source: "s", number: 7 };
  expect(() =>
    store.transaction(() => processor.memory.observe({ ...record, metadataJson: "5" }, [], delivery)),
  ).toThrow(Fault);
  expect(processor.memory.observe(record, [], delivery)).toMatchObject({
    redelivered: false,
    observed: { awake: true },
  });
  const time = processor.time;
  expect(processor.memory.observe(record, [], delivery).redelivered).toBe(true);
  expect(openProcessor(store).memory.observe(record, [], { source: "s", number: 6 }).redelivered).toBe(true);
  expect(openProcessor(store).memory.observe(record, [], { source: "t", number: 6 }).redelivered).toBe(false);
  expect(processor.time).toBe(time);
});
