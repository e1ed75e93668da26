/** The object is lost after every call that writes, and comes back from its rows the same. */

import { abortAllDurableObjects, env, runInDurableObject } from "cloudflare:test";
import { createClient } from "@connectrpc/connect";
import { describe, expect, test } from "vitest";
import { KnowledgeSection } from "../../src/gen/noema/v1/knowledge_service_pb";
import { PublicationService } from "../../src/gen/noema/v1/publication_service_pb";
import { createUnaryTransport } from "../../src/rpc/transport/unary-transport";
import { inSession, newProcessor, type ProcessorClient, viewOf } from "../support/object/clients";

type Call = (processor: ProcessorClient) => Promise<unknown>;

const gene = (name: string, value: boolean | number | string): Call => {
  const cases = { boolean: "flag", number: "number", string: "text" } as const;
  const change = { name, value: { value: { case: cases[typeof value as keyof typeof cases], value } as never } };
  return ({ genes }) => genes.changeGenes({ changes: [change] });
};

const observe =
  (strings: string[], more: object = {}): Call =>
  ({ memory }) =>
    memory.observe({ gdf: { strings, ...more } });

const learn: Call = ({ memory }) => memory.learn({});

/** The model of x and y, then y. */
const XY = "3df39c04abe2779b09b9e2a0bb2e3ebea9630e1b";

const sequenceOf = (...events: string[][]) => ({ events: events.map((symbols) => ({ symbols })) });

const addModel =
  (...events: string[][]): Call =>
  ({ knowledge }) =>
    knowledge.addModel({
      sequence: sequenceOf(...events),
      emotives: { emotives: [{ name: "joy", values: [-0, 0.1] }] },
    });

/** The name that comes first in the export. */
async function firstModel(knowledge: ProcessorClient["knowledge"]): Promise<string> {
  const { models } = await knowledge.exportKnowledge({ section: KnowledgeSection.MODELS });
  return models[0]?.name ?? "";
}

const update: Call = async ({ knowledge }) => {
  const { name } = await knowledge.updateModel({ name: XY, sequence: sequenceOf(["q"], ["y"]), frequency: 5 });
  expect(name).toMatch(/^[0-9a-f]{40}$/);
};

const deleteFirst: Call = async ({ knowledge }) => {
  const { deleted } = await knowledge.deleteModel({ name: await firstModel(knowledge) });
  expect(deleted).toBe(true);
};

/** Replaces the knowledge base by a part of itself, in two steps between which the object could be lost. */
const load: Call = async ({ knowledge }) => {
  const { models } = await knowledge.exportKnowledge({ section: KnowledgeSection.MODELS });
  const { vectors } = await knowledge.exportKnowledge({ section: KnowledgeSection.VECTORS });
  const { loadId } = await knowledge.beginLoad({});
  await knowledge.loadKnowledge({ loadId, models: models.slice(0, 1), vectors });
  await abortAllDurableObjects();
  await knowledge.loadKnowledge({ loadId, models: models.slice(1) });
  await knowledge.commitLoad({ loadId });
};

/** A life in which every writing call occurs, with values that are easily lost. */
const LIFE: readonly (readonly [string, Call])[] = [
  [
    "observe",
    observe(["hello", "\0", "\u{1F600}"], { emotives: [{ name: "joy", value: -0 }], metadataJson: '{"b":1,"a":2}' }),
  ],
  [
    "observe again",
    observe(["world"], { uniqueId: "mine", command: "deprecated", emotives: [{ name: "joy", value: 0.1 }] }),
  ],
  ["learn", learn],
  ["observe what was learned", observe(["hello"])],
  ["observe emotives alone", observe([], { emotives: [{ name: "fear", value: 1 / 3 }] })],
  ["observe a vector", observe(["seen"], { vectors: [{ components: [0.1, -0, 5e-324] }] })],
  ["learn a vector", learn],
  ["observe a neighbour", observe([], { vectors: [{ components: [0.2, 1, 1] }] })],
  [
    "observe a sequence",
    ({ memory }) =>
      memory.observeSequence({ sequence: [{ strings: ["x", "y"] }, { strings: ["y"] }], learn: true, clear: true }),
  ],
  [
    "learn the same again",
    ({ memory }) => memory.observeSequence({ sequence: [{ strings: ["x", "y"] }, { strings: ["y"] }], learn: true }),
  ],
  ["change a switch", gene("SORT", false)],
  ["change a number", gene("prediction_threshold", 0.25)],
  ["change a word", gene("wm_resolution", "event")],
  ["limit memory", gene("max_sequence_length", 2)],
  ["increment the recall threshold", ({ genes }) => genes.incrementRecallThreshold({ increment: 0.05 })],
  ["stop predicting", ({ modes }) => modes.setPredicting({ on: false })],
  ["observe unpredicted", observe(["b", "a"])],
  ["start predicting", ({ modes }) => modes.setPredicting({ on: true })],
  ["learn by itself", ({ modes }) => modes.setAutolearning({ on: true })],
  ["observe until it learns", observe(["c"])],
  ["set a target class", ({ modes }) => modes.setTargetClass({ target: "y\0" })],
  ["observe with a target", observe(["x"])],
  ["clear the target class", ({ modes }) => modes.setTargetClass({ target: "" })],
  ["observe before sleep", observe(["x"])],
  ["fall asleep", ({ modes }) => modes.setSleeping({ on: true })],
  ["observe asleep", observe(["ignored"])],
  ["wake", ({ modes }) => modes.setSleeping({ on: false })],
  ["observe awake", observe(["x"])],
  ["clear working memory", ({ memory }) => memory.clearWorkingMemory({})],
  ["rename", ({ provisioning }) => provisioning.provision({ id: "p1", name: "P2" })],
  ["add a model", addModel(["hello", "\0"], ["world"], ["z"])],
  ["add another", addModel(["hello"], ["blocked"])],
  ["update a model", update],
  ["delete a model", deleteFirst],
  ["add a model again", addModel(["hello"], ["blocked"], ["k"])],
  ["remove symbols", ({ knowledge }) => knowledge.removeSymbols({ symbols: ["hello"] })],
  ["blacklist", ({ knowledge }) => knowledge.addBlacklistedSymbols({ symbols: ["blocked", "\0"] })],
  ["observe blacklisted", observe(["hello", "blocked", "k"])],
  ["take from the blacklist", ({ knowledge }) => knowledge.removeBlacklistedSymbols({ symbols: ["hello"] })],
  ["load what was exported", load],
  ["observe what was loaded", observe(["k"])],
  ["count what to forget", ({ knowledge }) => knowledge.forgetModels({ frequencyBelow: 2, dryRun: true })],
  ["forget", ({ knowledge }) => knowledge.forgetModels({ keepAtMost: 1 })],
  ["limit the models", gene("max_models", 1)],
  ["learn past the limit", addModel(["hello"], ["again"], ["k"])],
  ["begin a load", ({ knowledge }) => knowledge.beginLoad({})],
  ["clear all memory", ({ memory }) => memory.clearAllMemory({})],
  ["begin anew", observe(["hello"])],
];

describe.each([
  ["with its own memory", newProcessor],
  ["in a session", async () => inSession(await newProcessor(), "device \u{1F600} 1")],
])("a processor %s that is lost after every call that writes", (_, newOne) => {
  test("comes back the same", async () => {
    const processor = await newOne();
    for (const [step, call] of LIFE) {
      await call(processor);
      const before = await viewOf(processor);
      await abortAllDurableObjects();
      expect(await viewOf(processor), step).toStrictEqual(before);
    }
  });

  test("answers like one that is never lost", async () => {
    const kept = await newOne();
    const views: unknown[] = [];
    for (const [, call] of LIFE) {
      await call(kept);
      views.push(anonymous(await viewOf(kept)));
    }
    const lost = await newOne();
    for (const [at, [step, call]] of LIFE.entries()) {
      await call(lost);
      await abortAllDurableObjects();
      expect(anonymous(await viewOf(lost)), step).toEqual(views[at]);
    }
  });
});

/** A view without the identifiers that are drawn at random. */
function anonymous(view: object): unknown {
  return JSON.parse(JSON.stringify(view, (key, value) => (key === "uniqueId" ? "" : value)));
}

describe("a numbered message", () => {
  test.each(["", "press-7"])("takes effect with its number or not at all (session %j)", async (session) => {
    const { name, memory } = session === "" ? await newProcessor() : inSession(await newProcessor(), session);
    const about = () => ({ name, id: "" });
    const object = () => env.PROCESSORS.getByName(name);
    const { takePublications } = createClient(PublicationService, createUnaryTransport(object, about));
    const take = async (symbol: string, n: number) => {
      const publications = [{ session, frame: { n, observe: { gdfs: [{ strings: [symbol] }] } } }];
      const { outcomes } = await takePublications({ source: "a-uuid", publications });
      return outcomes.map(({ redelivered }) => redelivered);
    };
    const events = async () => (await memory.getWorkingMemory({})).events.map(({ symbols }) => symbols.join());
    const execute = (statement: string) =>
      runInDurableObject(object() as unknown as DurableObjectStub, (_, { storage }) => storage.sql.exec(statement));
    expect(await take("a", 1)).toEqual([false]);
    expect(await take("a", 1)).toEqual([true]);
    for (const event of ["INSERT", "UPDATE"]) {
      await execute(`CREATE TRIGGER no_${event} BEFORE ${event} ON publications BEGIN SELECT raise(ABORT, 'no'); END`);
    }
    await expect(take("b", 2)).rejects.toThrow();
    expect(await events()).toEqual(["a"]);
    for (const event of ["INSERT", "UPDATE"]) await execute(`DROP TRIGGER no_${event}`);
    expect([await take("b", 2), await take("b", 2)]).toEqual([[false], [true]]);
    await abortAllDurableObjects();
    expect([await take("b", 2), await take("c", 3)]).toEqual([[true], [false]]);
    expect(await events()).toEqual(["a", "b", "c"]);
  });
});
