/** After every writing call: the object is lost, comes back from its rows, and is the same. */

import { abortAllDurableObjects } from "cloudflare:test";
import { describe, expect, test } from "vitest";
import { newProcessor, type ProcessorClient, viewOf } from "./clients";

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

/** A life in which every writing call of the basic services occurs, with values that are easily lost. */
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
  ["clear all memory", ({ memory }) => memory.clearAllMemory({})],
  ["begin anew", observe(["hello"])],
];

describe("a processor that is lost after every writing call", () => {
  test("comes back the same", async () => {
    const processor = await newProcessor();
    for (const [step, call] of LIFE) {
      await call(processor);
      const before = await viewOf(processor);
      await abortAllDurableObjects();
      expect(await viewOf(processor), step).toStrictEqual(before);
    }
  });

  test("lives the same life as one that is never lost", async () => {
    const kept = await newProcessor();
    const views: unknown[] = [];
    for (const [, call] of LIFE) {
      await call(kept);
      views.push(anonymous(await viewOf(kept)));
    }
    const lost = await newProcessor();
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
