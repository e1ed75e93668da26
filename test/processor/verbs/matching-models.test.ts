/** How many models recall thresholds would let match: as many as predictions would find with that threshold, and nothing changes. */

import { describe, expect, test } from "vitest";
import type { Processor } from "../../../src/processor/processor";
import { MemoryStore } from "../../support/memory-store";
import { openProcessor } from "../../support/open-processor";
import { gdfOf, geneChangesOf } from "../../support/processor/calls";
import { readingsOf } from "../../support/processor/readings";
import { fc } from "../../support/property";

const event = fc.array(fc.constantFrom("a", "b", "c", "d", "e", "unknown"), { minLength: 1, maxLength: 4 });
const sequence = fc.array(event, { minLength: 1, maxLength: 5 });

const world = fc.record({
  models: fc.array(sequence, { maxLength: 12 }),
  observed: fc.array(event, { maxLength: 5 }),
  asked: fc.option(sequence, { nil: undefined }),
  target: fc.constantFrom("", "", "a", "nowhere"),
  /** Tenths, and what lies between. */
  thresholds: fc.array(
    fc.oneof(
      fc.integer({ min: 0, max: 10 }).map((n) => n / 10),
      fc.double({ min: 0, max: 1, noNaN: true }),
    ),
    {
      minLength: 1,
      maxLength: 6,
    },
  ),
});

const eventsOf = (events: string[][]) => ({ events: events.map((symbols) => ({ symbols })) });

function taught(models: string[][][]): { processor: Processor; store: MemoryStore } {
  const store = new MemoryStore();
  const processor = openProcessor(store);
  for (const events of models) processor.knowledge.addModel({ sequence: eventsOf(events) });
  // Of these the count knows nothing.
  processor.genes.change(geneChangesOf({ recall_threshold: 0.4, max_predictions: 1, prediction_threshold: 1000 }));
  return { processor, store };
}

test("each count is how many predictions there are with that threshold and without a limit", () => {
  fc.assert(
    fc.property(world, ({ models, observed, asked, target, thresholds }) => {
      const { processor, store } = taught(models);
      processor.modes.setTargetClass(target);
      for (const strings of observed) processor.memory.observe(gdfOf({ strings }), []);
      const question = asked === undefined ? {} : { sequence: eventsOf(asked) };
      const before = readingsOf(processor);
      const { changes } = store;
      const answer = processor.memory.countMatchingModels({ ...question, recallThresholds: thresholds });
      expect([readingsOf(processor), store.changes]).toEqual([before, changes]);
      processor.genes.change(geneChangesOf({ max_predictions: 10_000, prediction_threshold: 0 }));
      const counts = thresholds.map((threshold) => {
        processor.genes.change(geneChangesOf({ recall_threshold: threshold }));
        return processor.memory.getPredictions("", question).predictions.length;
      });
      const distinct = new Set(models.map((events) => JSON.stringify(events)));
      expect(answer).toEqual({ counts, recallThresholds: thresholds, models: distinct.size });
    }),
    { numRuns: 300 },
  );
});

describe("a question", () => {
  const { processor } = taught([[["a"], ["b"]]]);

  test("without thresholds is about each hundredth", () => {
    const { recallThresholds, counts } = processor.memory.countMatchingModels({ sequence: eventsOf([["a"]]) });
    expect(recallThresholds).toHaveLength(101);
    expect([recallThresholds[7], recallThresholds.at(-1)]).toEqual([0.07, 1]);
    // 2 × 1 / 3
    expect(counts.lastIndexOf(1)).toBe(66);
    expect(counts.indexOf(0)).toBe(67);
  });

  test("names a threshold that is none", () => {
    const ask = (...recallThresholds: number[]) => processor.memory.countMatchingModels({ recallThresholds });
    expect(() => ask(0.5, 1.5)).toThrow("recall_thresholds[1] must be a number from 0 to 1, got 1.5");
    expect(() => ask(Number.NaN)).toThrow("recall_thresholds[0] must be a number from 0 to 1");
    expect(() => ask(...Array.from({ length: 1001 }, () => 0))).toThrow("at most 1000 numbers, got 1001");
  });
});
