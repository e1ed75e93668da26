/** The bytes of a model: what is just small enough can be learned in every way, listed, exported, backed up and loaded; what is larger in none. */

import { describe, expect, test } from "vitest";
import { MAX_MODEL_BYTES, modelBytes } from "../../../src/processor/knowledge/counting";
import { modelName } from "../../../src/processor/knowledge/names";
import type { Processor } from "../../../src/processor/processor";
import type { BackupPlace } from "../../../src/processor/verbs/backup/backup-page";
import { MAX_ANSWER_BYTES } from "../../../src/text/answer-bytes";
import { MemoryStore } from "../../support/memory-store";
import { openProcessor } from "../../support/open-processor";
import { gdfOf, geneChangesOf } from "../../support/processor/calls";
import { membersOf } from "../../support/processor/message-form";
import { add } from "../../support/processor/model-calls";

/** A symbol takes up to 2 MB; the last one fills the model. */
const SYMBOL_UNITS = 2_000_000;

/** Events whose model takes this many bytes, each with one symbol. */
function eventsOf(bytes: number): string[][] {
  const empty = modelBytes({ events: [[""]], emotives: [], metadata: ["{}"] });
  const events: string[][] = [];
  for (let left = bytes; left > 0; ) {
    const units = Math.min(SYMBOL_UNITS, left - empty);
    const isLastButOne = left - empty - units > 0 && left - empty - units < empty;
    const length = isLastButOne ? units - empty : units;
    events.push([String.fromCharCode(65 + events.length) + "x".repeat(length - 1)]);
    left -= empty + length;
  }
  return events;
}

const FITTING = eventsOf(MAX_MODEL_BYTES);
const TOO_LARGE = eventsOf(MAX_MODEL_BYTES + 1);

const observe = (processor: Processor, events: readonly string[][]) => {
  for (const strings of events) processor.memory.observe(gdfOf({ strings }), []);
};

const refusal = /would take 14680065 bytes with its symbols, metadata and emotives, and a model may take 14680064/;

const loaded = (events: string[][]) => ({
  name: modelName(events),
  sequence: events.map((symbols) => ({ symbols })),
  frequency: 1,
  emotives: [],
  metadataJson: [],
});

function load(processor: Processor, events: string[][], merge: boolean): void {
  const { loadId } = processor.knowledge.beginLoad("load");
  processor.knowledge.loadKnowledge({ loadId, models: [loaded(events)], vectors: [] });
  if (merge) processor.knowledge.mergeLoad(loadId);
  else processor.knowledge.commitLoad(loadId);
}

const WAYS: { readonly [way: string]: (processor: Processor, events: string[][]) => unknown } = {
  "add-model": (processor, events) => add(processor, { sequence: events }),
  "PUT model": (processor, events) => {
    const name = add(processor, { sequence: [["a"], ["b"]] });
    processor.knowledge.updateModel({ name, ...membersOf({ sequence: events }) });
  },
  load_kb: (processor, events) => load(processor, events, false),
  merge: (processor, events) => load(processor, events, true),
};

test("both sides of the bound are what they are taken for", () => {
  const bytes = (events: string[][]) => modelBytes({ events, emotives: [], metadata: events.map(() => "{}") });
  expect([bytes(FITTING), bytes(TOO_LARGE)]).toEqual([MAX_MODEL_BYTES, MAX_MODEL_BYTES + 1]);
});

describe.each(Object.entries(WAYS))("%s", (_, way) => {
  test("takes a model of the bound, and refuses a larger one", () => {
    const processor = openProcessor();
    way(processor, FITTING);
    const name = modelName(FITTING);
    expect(processor.knowledge.getModel(name).model?.sequence.length).toBe(FITTING.length);
    expect(() => way(openProcessor(), TOO_LARGE)).toThrow(refusal);
  });
});

/** What an emotive with a name of that many bytes adds to a model that is learned with it. */
const EMOTIVE_BYTES = modelBytes({ events: [], emotives: [{ name: "", values: [1] }], metadata: [] });

/** Most of a model waits in working memory, and the rest is the name of an emotive. */
const REMEMBERED = eventsOf(10_000_000);
const restOf = (bytes: number) => ({ ["e".repeat(bytes - 10_000_000 - EMOTIVE_BYTES)]: 1 });

test("learn takes what makes a model of the bound, and refuses more; clearing is a way out", () => {
  const processor = openProcessor();
  const remember = (bytes: number) => {
    observe(processor, REMEMBERED);
    processor.memory.observe(gdfOf({ emotives: restOf(bytes) }), []);
  };
  processor.modes.setPredicting(false);
  remember(MAX_MODEL_BYTES);
  const { model } = processor.memory.learn();
  expect(processor.knowledge.getModel(model).model?.sequence.length).toBe(REMEMBERED.length);
  processor.knowledge.deleteModel(model);
  remember(MAX_MODEL_BYTES + 1);
  expect(() => processor.memory.learn()).toThrow(refusal);
  expect(processor.memory.getWorkingMemory().events.length).toBe(REMEMBERED.length);
  processor.memory.clearWorkingMemory();
  observe(processor, [["a"], ["b"]]);
  expect(processor.memory.learn().model).not.toBe("");
});

test("autolearn refuses the observation that would make a larger model, and clearing is a way out", () => {
  const store = new MemoryStore();
  const processor = openProcessor(store);
  processor.modes.setPredicting(false);
  processor.modes.setAutolearning(true);
  processor.genes.change(geneChangesOf({ max_sequence_length: REMEMBERED.length }));
  observe(processor, REMEMBERED.slice(0, -1));
  const last = gdfOf({ strings: REMEMBERED.at(-1) ?? [], emotives: restOf(MAX_MODEL_BYTES + 1) });
  expect(() => store.transaction(() => processor.memory.observe(last, []))).toThrow(refusal);
  const again = openProcessor(store);
  expect(again.time).toBe(REMEMBERED.length - 1);
  again.memory.clearWorkingMemory();
  observe(again, [["a"]]);
  expect(again.time).toBe(REMEMBERED.length);
});

test("what a model keeps beside its symbols counts, too, also when it is learned again", () => {
  const processor = openProcessor();
  const name = add(processor, { sequence: [["a"], ["b"]] });
  const emotives = (first: number) =>
    Object.fromEntries(Array.from({ length: 8 }, (_, at) => [`${first + at}`.padEnd(1_000_000, "x"), [1]]));
  add(processor, { sequence: [["a"], ["b"]], emotives: emotives(10) });
  expect(() => add(processor, { sequence: [["a"], ["b"]], emotives: emotives(50) })).toThrow(
    new RegExp(`the model ${name} would take \\d+ bytes`),
  );
  expect(() =>
    processor.knowledge.updateModel({ name, ...membersOf({ metadata: [{ note: "x".repeat(MAX_MODEL_BYTES) }] }) }),
  ).toThrow(`the model ${name} would take`);
});

describe("a larger model that an earlier version stored", () => {
  /** A processor whose store has such a model. */
  function opened(bytes: number): { processor: Processor; name: string; events: string[][] } {
    const events = eventsOf(bytes);
    const store = new MemoryStore();
    const first = openProcessor(store);
    add(first, { sequence: [["short"], ["other"]] });
    const name = add(first, { sequence: events.map(([symbol = ""]) => [symbol.slice(0, 1)]) });
    const row = store.knowledge.modelByName(name);
    const symbols = [...store.knowledge.symbols()].map(({ id, name: symbol }) => {
      const event = events.find(([long = ""]) => symbol.length === 1 && long.startsWith(symbol));
      return { id, name: event?.[0] ?? symbol };
    });
    if (row === undefined) throw new Error("the model was not stored");
    store.record({ kind: "symbols-removed", ids: symbols.map(({ id }) => id) });
    store.record({ kind: "symbols-added", symbols });
    store.record({ kind: "model-put", model: { ...row, name: modelName(events) } });
    return { processor: openProcessor(store), name: modelName(events), events };
  }

  test("is answered and exported as long as an answer holds it, and a backup names it", () => {
    const { processor, name } = opened(MAX_MODEL_BYTES + 1_000_000);
    expect(processor.knowledge.getModel(name).model?.name).toBe(name);
    const page = processor.knowledge.exportKnowledge({ section: "models", after: "", revision: 0 });
    expect(page.models.map((model) => model.name)).toContain(name);
    expect(() => backup(processor)).toThrow(`the model ${name}, which an earlier version stored, takes`);
    processor.knowledge.deleteModel(name);
    expect(backup(processor)).toBe(1);
  });

  test("is named where it can be neither answered nor exported; all else works, and it can be deleted or changed", () => {
    const { processor, name, events } = opened(MAX_ANSWER_BYTES + 1_000_000);
    const named = `the model ${name} takes`;
    expect(() => processor.knowledge.getModel(name)).toThrow(named);
    expect(() => processor.knowledge.listModels({ name: "", symbols: [], patterns: [] })).toThrow(named);
    expect(() => processor.knowledge.exportKnowledge({ section: "models", after: "", revision: 0 })).toThrow(named);
    processor.memory.observe(gdfOf({ strings: ["short"] }), []);
    expect(processor.memory.getPredictions("").predictions.length).toBe(1);
    expect(processor.knowledge.updateModel({ name, frequency: 3 })).toEqual({ name });
    const [first = ""] = events[0] ?? [];
    const { renames } = processor.knowledge.removeSymbols({ symbols: [first], patterns: [] });
    expect(renames.map(({ oldName }) => oldName)).toEqual([name]);
    expect(processor.knowledge.deleteModel(renames[0]?.newName ?? "")).toEqual({ deleted: true });
  });
});

/** Reads a whole backup. @returns how many models it has */
function backup(processor: Processor): number {
  let models = 0;
  let place: BackupPlace | undefined = { section: "processor", after: "" };
  while (place !== undefined) {
    const { records, next } = processor.readBackup({ ...place, snapshot: "backup" });
    models += records.filter(({ record }) => record.case === "model").length;
    place = next;
  }
  return models;
}

test("a backup brings a long blacklist in pages of one moment", () => {
  const processor = openProcessor();
  const symbols = Array.from({ length: 12 }, (_, at) => `${at}`.padEnd(300_000, "x"));
  processor.knowledge.addBlacklistedSymbols(symbols);
  const found: string[] = [];
  let pages = 0;
  for (let after = ""; ; pages++) {
    const { records, next } = processor.readBackup({ section: "processor", after, snapshot: "s" });
    for (const { record } of records) if (record.case === "blacklist") found.push(...record.value.symbols);
    if (pages === 0) processor.knowledge.removeBlacklistedSymbols(symbols);
    if (next?.section !== "processor") break;
    ({ after } = next);
  }
  expect(found).toEqual(symbols);
  expect(pages).toBeGreaterThan(5);
});
