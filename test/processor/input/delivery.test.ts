import { expect, test } from "vitest";
import { Fault } from "../../../src/processor/ports/fault";
import { MemoryStore } from "../../support/memory-store";
import { openProcessor } from "../../support/open-processor";
import { gdfOf } from "../../support/processor/calls";

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
