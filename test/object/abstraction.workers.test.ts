/** Processors that observe what others predict, in real objects: chains and fan-out. */

import { runInDurableObject } from "cloudflare:test";
import { afterEach, describe, expect, test } from "vitest";
import {
  forgetAgent,
  fresh,
  hotswap,
  listener,
  memoryOf,
  observe,
  pair,
  processor,
  stubOf,
  symbol,
  teach,
  waitingFor,
} from "../support/object/agents";
import { genomeText, manipulative, primitive } from "../support/object/genomes";

afterEach(forgetAgent);

/** When the alarm of a processor rings, epoch milliseconds; `null` when it will not. */
function alarmOf(id: string): Promise<number | null> {
  return runInDurableObject(stubOf(id), (_, { storage }) => storage.getAlarm());
}

describe("a prediction", () => {
  test("is observed by another processor before the observation is answered, with emotives and path", async () => {
    const { p1, p2 } = await pair("name", "future");
    const model = await teach(p1, "hello", "world");
    await processor(p1).memory.observe({
      gdf: {
        strings: ["hello"],
        emotives: [{ name: "joy", value: 0.5 }],
        metadataJson: '{"kept":"here"}',
        uniqueId: "mine",
      },
    });
    expect(await memoryOf(p2)).toEqual([[symbol(p1, model, "name", model)], [symbol(p1, model, "future", "world")]]);
    const { gdf, path } = await processor(p2).memory.getPercept({});
    expect(gdf).toMatchObject({ emotives: [{ name: "joy", value: 0.5 }], metadataJson: "{}", uniqueId: "mine" });
    expect(path).toEqual([`P of ${p1}-${p1}-process`, `abstraction-m1-${p1}`, `P of ${p2}-${p2}-process`]);
    await observe(p1, "world");
    // Nothing is expected after world, so the future says nothing.
    expect((await memoryOf(p2)).length).toBe(3);
    expect(await waitingFor(p1)).toBe(0);
  });

  test("is not sent when there is none, when only emotives are observed, or when predicting is off", async () => {
    const { p1, p2 } = await pair("name");
    await teach(p1, "hello", "world");
    await observe(p1, "unknown");
    await processor(p1).memory.clearWorkingMemory({});
    await observe(p1, "hello");
    expect((await memoryOf(p2)).length).toBe(1);
    await processor(p1).memory.observe({ gdf: { emotives: [{ name: "joy", value: 1 }] } });
    await processor(p1).modes.setPredicting({ on: false });
    await observe(p1, "hello");
    expect((await memoryOf(p2)).length).toBe(1);
  });

  test("is sent for each record of a sequence, and before an automatic learn", async () => {
    const { p1, p2 } = await pair("name");
    const model = await teach(p1, "a", "b");
    await processor(p1).modes.setAutolearning({ on: true });
    const two = { name: "max_sequence_length", value: { value: { case: "number" as const, value: 2 } } };
    await processor(p1).genes.changeGenes({ changes: [two] });
    const sequence = ["a", "b", "unknown"].map((each) => ({ strings: [each] }));
    const { observed } = await processor(p1).memory.observeSequence({ sequence });
    expect(observed.map(({ autoLearnedModel }) => autoLearnedModel)).toEqual(["", model, expect.any(String)]);
    expect((await memoryOf(p2)).length).toBe(observed.filter(({ predictionMade }) => predictionMade).length);
  });

  test("goes down a chain, and to several processors at once", async () => {
    const [p1, p2, p3, p4] = [fresh("p1"), fresh("p2"), fresh("p3"), fresh("p4")] as const;
    await hotswap(
      genomeText(
        primitive(p1, { manipulatives: [`m1-${p1}`] }),
        manipulative(`m1-${p1}`, p1, [p2, p4], ["future"]),
        primitive(p2, { manipulatives: [`m2-${p1}`] }),
        manipulative(`m2-${p1}`, p2, [p3, p4], ["future"]),
        listener(p3),
        listener(p4),
      ),
    );
    const first = await teach(p1, "a", "b");
    const [told, then] = [symbol(p1, first, "future", "b"), "then"];
    const second = await teach(p2, told, then);
    await observe(p1, "a");
    const further = symbol(p2, second, "future", then);
    expect(await memoryOf(p2)).toEqual([[told]]);
    expect(await memoryOf(p3)).toEqual([[further]]);
    // P2 observes first, and sends its own prediction before it answers.
    expect(await memoryOf(p4)).toEqual([[further], [told]]);
    const { path } = await processor(p3).memory.getPercept({});
    expect(path).toEqual([
      `P of ${p1}-${p1}-process`,
      `abstraction-m1-${p1}`,
      `P of ${p2}-${p2}-process`,
      `abstraction-m2-${p1}`,
      `P of ${p3}-${p3}-process`,
    ]);
  });

  test("arrives in order and once, however many calls observe at the same time", async () => {
    const { p1, p2 } = await pair("name", "extras");
    const model = await teach(p1, "a", "b");
    await observe(p1, "a");
    await processor(p2).memory.clearWorkingMemory({});
    await Promise.all(Array.from({ length: 20 }, (_, at) => observe(p1, `x${at}`)));
    const memory = await memoryOf(p1);
    const extras = memory.slice(1).map((_, at) => memory.slice(1, at + 2).flat());
    const told = await memoryOf(p2);
    expect(told.filter((_, at) => at % 2 === 0)).toEqual(
      extras.slice(0, told.length / 2).map(() => [symbol(p1, model, "name", model)]),
    );
    expect(told.filter((_, at) => at % 2 === 1)).toEqual(
      extras.slice(0, told.length / 2).map((all) => all.map((value) => symbol(p1, model, "extras", value))),
    );
    expect(told.length).toBeGreaterThan(10);
  });

  test("costs a processor without manipulatives neither an alarm nor a row", async () => {
    const { p2 } = await pair("name");
    await teach(p2, "a", "b");
    await observe(p2, "a");
    expect(await alarmOf(p2)).toBe(null);
    expect(await waitingFor(p2)).toBe(0);
  });
});
