/** What records would make: the same events as when they are observed into an empty memory, and no change. */

import { expect, test } from "vitest";
import { MemoryStore } from "../../support/memory-store";
import { openProcessor } from "../../support/open-processor";
import { gdfOf, geneChangesOf } from "../../support/processor/calls";
import { fc } from "../../support/property";

const ENCODERS = {
  calm: { kind: "step", size: 1, hysteresis: 0.25 },
  change: { kind: "edges", edges: [0, 2], on_change: true },
  found: { kind: "auto", bins: 3 },
  gap: { kind: "elapsed", edges: [1, 5] },
  hour: { kind: "clock", of: "hour" },
};

const number = fc.integer({ min: -8, max: 8 }).map((eighths) => eighths / 2);
const vector = fc.tuple(number, number, number).map((components) => ({ components }));
const record = fc.record({
  strings: fc.array(fc.constantFrom("a", "b", "banned", "z"), { maxLength: 3 }),
  vectors: fc.array(vector, { maxLength: 2 }),
  numbers: fc.uniqueArray(fc.record({ name: fc.constantFrom("calm", "change", "found"), value: number }), {
    selector: ({ name }) => name,
    maxLength: 3,
  }),
  time: fc.integer({ min: 0, max: 100_000 }),
});

test.each(["CVC", "DVC"])("records would make the events that they make, with the classifier %s", (classifier) => {
  fc.assert(
    fc.property(fc.array(record, { maxLength: 8 }), fc.array(vector, { maxLength: 5 }), (records, learned) => {
      const store = new MemoryStore();
      const processor = openProcessor(store);
      processor.genes.change(geneChangesOf({ classifier }));
      for (const [name, definition] of Object.entries(ENCODERS)) {
        processor.encoders.put(name, JSON.stringify(definition));
      }
      processor.knowledge.addBlacklistedSymbols(["banned"]);
      for (const one of learned) {
        processor.memory.observe({ ...gdfOf({ strings: ["x", "y"] }), vectors: [one] }, []);
        processor.memory.learn();
      }
      const asked = records.map((one) => ({ ...gdfOf({}), ...one }));
      const before = store.changes;
      const { events } = processor.memory.getRecordSymbols(asked);
      expect(store.changes).toBe(before);
      processor.memory.clearWorkingMemory();
      for (const one of asked) processor.memory.observe(one, []);
      expect(events.filter(({ symbols }) => symbols.length > 0)).toEqual(processor.memory.getWorkingMemory().events);
      expect(events).toHaveLength(records.length);
    }),
    { numRuns: 40 },
  );
});

test("what observe refuses is refused", () => {
  const processor = openProcessor();
  const asked = (change: object) => () => processor.memory.getRecordSymbols([{ ...gdfOf({}), ...change }]);
  expect(asked({ numbers: [{ name: "n", value: 1 }] })).toThrow('the number "n" has no encoder');
  expect(asked({ vectors: [{ components: [1] }, { components: [1, 2] }] })).toThrow("the same number of components");
  expect(() =>
    processor.memory.getRecordSymbols(
      [1, 2].map((length) => ({ ...gdfOf({}), vectors: [{ components: Array(length).fill(1) }] })),
    ),
  ).toThrow("vectors must have 1 components");
});
