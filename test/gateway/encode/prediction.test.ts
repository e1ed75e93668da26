import { create } from "@bufbuild/protobuf";
import { describe, expect, it, vi } from "vitest";
import { KnowledgeService } from "../../../src/gen/noema/v1/knowledge_service_pb";
import { GetPredictionsResponseSchema, MemoryService } from "../../../src/gen/noema/v1/memory_service_pb";
import type { Processor } from "../../../src/processor/processor";
import { withColumns, withFields } from "../../../src/rpc/services/memory/prediction-fields";
import { okay, STAMP, TestGateway, timeless } from "../../support/gateway/test-gateway";
import { openProcessor } from "../../support/open-processor";
import { gdfOf } from "../../support/processor/calls";

const { getPredictions } = MemoryService.method;
const { getPredictionsForModel } = KnowledgeService.method;

const ODD = ['"quoted"', "back\\slash", "line\nbreak", "\u00e9", "\u{1f600}", "\u2028", "", " "];

function live(processor: Processor, ...events: string[][]): void {
  for (const strings of events) processor.memory.observe(gdfOf({ strings }), []);
}

/** A processor that predicts several models, with repeated and odd symbols, extras, missing symbols and emotives. */
function experienced(): Processor {
  const processor = openProcessor();
  const emotives = {
    emotives: [
      { name: "joy", values: [1, 2] },
      { name: 'J"oy', values: [-0.1] },
    ],
  };
  processor.knowledge.addModel({
    sequence: { events: [{ symbols: ["p", "p"] }, { symbols: ["a", "a", "m"] }, { symbols: ["b"] }, { symbols: ODD }] },
    emotives,
  });
  processor.knowledge.addModel({ sequence: { events: [{ symbols: ["a"] }, { symbols: ["x"] }, { symbols: ["b"] }] } });
  processor.knowledge.addModel({
    sequence: { events: [...ODD, "b"].map((symbol) => ({ symbols: [symbol] })) },
    emotives,
  });
  live(processor, ["a", "new"], ["b", ...ODD], ["new"]);
  return processor;
}

async function told(answer: Parameters<TestGateway["answer"]>[1], rpc = getPredictions): Promise<string> {
  const gateway = new TestGateway();
  gateway.answer(rpc, { stamp: STAMP, ...answer });
  const heeded = await gateway.ask("POST", "/P1/predictions");
  expect(gateway.lastOf(rpc)).toMatchObject({ uniqueId: "", packed: true });
  return timeless(heeded.text);
}

describe("a packed ensemble", () => {
  it("is written byte for byte like the plain one that an older processor sends", async () => {
    const processor = experienced();
    const plain = processor.memory.getPredictions("");
    expect(plain.predictions.length).toBe(3);
    expect(
      plain.predictions.some(({ emotives, missing, extras }) => emotives.length * missing.length * extras.length),
    ).toBe(true);
    expect(await told(processor.memory.getPackedPredictions(""))).toBe(await told(plain));
  });

  it("is written with some members as the plain one is, from columns that lack the others", async () => {
    const processor = experienced();
    const { predictions } = processor.memory.getPredictions("");
    const { packed } = processor.memory.getPackedPredictions("");
    const all = JSON.parse((await told({ predictions })).replace(":T}", ":0}")).message as Record<string, unknown>[];
    const members = Object.keys(all[0] ?? {});
    expect(members).toHaveLength(21);
    for (const fields of [...members.map((name) => [name]), ["past", "snr"], ["type", "name", "matches", "extras"]]) {
      const wanted = all.map((one) =>
        Object.fromEntries(Object.entries(one).filter(([name]) => fields.includes(name))),
      );
      for (const answer of [
        { predictions },
        withFields({ predictions }, fields),
        { packed },
        withColumns({ packed }, fields),
      ]) {
        const gateway = new TestGateway();
        gateway.answerWith(getPredictions, () =>
          create(GetPredictionsResponseSchema, Object.assign(answer, { stamp: STAMP })),
        );
        const { json } = await gateway.ask("POST", "/P1/predictions", { body: { fields } });
        expect([fields, json.message]).toEqual([fields, wanted]);
      }
    }
  });

  it("is written as an empty list when it is empty", async () => {
    expect(await told(experienced().memory.getPackedPredictions("another"))).toBe(okay("[]"));
    expect(await told(openProcessor().memory.getPackedPredictions(""))).toBe(okay("[]"));
  });

  it("is written for a model too", async () => {
    const processor = experienced();
    const [best] = processor.memory.getPredictions("").predictions;
    const name = best?.name ?? "";
    const texts: string[] = [];
    for (const reply of [
      processor.knowledge.getPredictionsForModel(name),
      processor.knowledge.getPackedPredictionsForModel(name),
    ]) {
      const gateway = new TestGateway();
      gateway.answer(getPredictionsForModel, { stamp: STAMP, ...reply });
      texts.push(timeless((await gateway.ask("GET", `/P1/prediction-ensemble-for-model/MODEL|${name}`)).text));
      expect(gateway.lastOf(getPredictionsForModel)).toMatchObject({ name, packed: true });
    }
    expect(texts[0]).toContain(name);
    expect(texts[1]).toBe(texts[0]);
  });

  it.each([
    "symbols",
    "eventLengths",
    "eventSymbols",
    "futureCounts",
    "emotives",
    "snr",
  ] as const)("is refused whole when %s is cut short", async (column) => {
    const logged = vi.spyOn(console, "error").mockReturnValue(undefined);
    // A second of its own: the log of an isolate writes few lines in one, and other files have failed requests, too.
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 2_000 });
    const { packed } = experienced().memory.getPackedPredictions("");
    const gateway = new TestGateway();
    gateway.answer(getPredictions, { stamp: STAMP, packed: { ...packed, [column]: packed[column].slice(1) } });
    const { status, json } = await gateway.ask("POST", "/P1/predictions");
    expect([status, json.status]).toEqual([500, "failed"]);
    expect(String(logged.mock.calls)).toContain("gateway/encode/prediction");
    vi.useRealTimers();
    logged.mockRestore();
  });
});
