/**
 * A split processor answers every call as one that is not: random histories of calls of every kind go to both, and all
 * answers are the same, while heads and parts are lost in between.
 */

import { abortAllDurableObjects } from "cloudflare:test";
import { create } from "@bufbuild/protobuf";
import { expect, test } from "vitest";
import { GeneChangeSchema } from "../../../src/gen/noema/v1/gene_pb";
import { KnowledgeSection } from "../../../src/gen/noema/v1/knowledge_service_pb";
import { fanOutCounts, MAX_OPEN_CALLS } from "../../../src/object/parts/fan-out";
import { modelName } from "../../../src/processor/knowledge/names";
import { inSession, type ProcessorClient, processorNamed } from "../../support/object/clients";
import { Random } from "../../support/random";

/** What a call answers, or why it was refused. */
async function said(call: Promise<unknown>): Promise<string> {
  try {
    return JSON.stringify(await call);
  } catch (error) {
    return `refused: ${error instanceof Error ? error.message : error}`;
  }
}

function numberValue(value: number) {
  return { value: { case: "number" as const, value } };
}

type Call = (processor: ProcessorClient) => Promise<unknown>;

const SYMBOLS = Array.from({ length: 14 }, (_, at) => `s${at}`);

/** Random calls, of everything that a processor can do. */
class Calls {
  readonly #random: Random;
  #sent = 0;
  /** Names of models that were learned. */
  readonly #models: string[] = [];

  constructor(seed: number) {
    this.#random = new Random(seed);
  }

  noteModel(answer: string): void {
    const { model } = answer.startsWith("refused") ? {} : (JSON.parse(answer) as { model?: string });
    if (model) this.#models.push(model);
  }

  #event(): string[] {
    // Some symbols are far more frequent than others.
    const one = () => this.#random.pick(SYMBOLS.slice(0, 1 + this.#random.below(SYMBOLS.length)));
    return Array.from({ length: 1 + this.#random.below(3) }, one);
  }

  #gdf() {
    const strings = this.#event();
    const emotives = this.#random.below(6) === 0 ? [{ name: "joy", value: this.#random.below(100) / 7 }] : [];
    return { strings, emotives, uniqueId: `u${++this.#sent}`, metadataJson: "", time: 1_000_000 + 60 * this.#sent };
  }

  #sequence() {
    return { events: Array.from({ length: 1 + this.#random.below(4) }, () => ({ symbols: this.#event() })) };
  }

  #gene() {
    const number = (name: string, value: number) => create(GeneChangeSchema, { name, value: numberValue(value) });
    const text = (name: string, ...texts: string[]) =>
      create(GeneChangeSchema, { name, value: { value: { case: "text", value: this.#random.pick(texts) } } });
    return this.#random.pick([
      number("recall_threshold", this.#random.below(8) / 10),
      number("max_predictions", 1 + this.#random.below(20)),
      text("prediction_sort_metric", "potential", "itfdf_similarity", "entropy", "confluence"),
      text("prediction_threshold_metric", "potential", "evidence", "hamiltonian"),
      number("prediction_threshold", this.#random.below(20) / 10),
      number("max_models", this.#random.pick([0, 0, 25])),
      number("max_sequence_length", this.#random.pick([0, 6])),
    ]);
  }

  #session(call: Call): Call {
    const session = this.#random.pick(["", "", "a", "b"]);
    return (processor) => call(session === "" ? processor : inSession(processor, session));
  }

  next(): { call: Call; kind: string } {
    const gdf = this.#gdf();
    const sequence = this.#sequence();
    const [symbol = ""] = this.#event();
    const explain = this.#random.below(3) === 0;
    const gdfs = Array.from({ length: 1 + this.#random.below(4) }, () => this.#gdf());
    const asked = this.#random.below(2) === 0 ? { sequence } : {};
    const model = this.#models.length > 0 ? this.#random.pick(this.#models) : "none";
    const top = 1 + this.#random.below(5);
    const horizon = 1 + this.#random.below(4);
    const gene = this.#gene();
    const models = [sequence, this.#sequence()].map(({ events }) => ({
      name: modelName(events.map(({ symbols }) => symbols)),
      sequence: events,
      frequency: top,
    }));
    const merge: Call = async ({ knowledge }) => {
      const { loadId } = await knowledge.beginLoad({});
      await knowledge.loadKnowledge({ loadId, models });
      await knowledge.mergeLoad({ loadId });
      return { merged: models.length };
    };
    const alert = { name: symbol, when: { when: { case: "surpriseAbove" as const, value: top } } };
    const kinds: [number, string, Call][] = [
      [30, "observe", ({ memory }) => memory.observe({ gdf, explain })],
      [14, "learn", ({ memory }) => memory.learn({})],
      [
        8,
        "sequence",
        ({ memory }) => memory.observeSequence({ sequence: gdfs, learn: explain, clear: top === 1, explain }),
      ],
      [9, "predictions", ({ memory }) => memory.getPredictions({ ...asked, top })],
      [4, "packed", ({ memory }) => memory.getPredictions({ packed: true })],
      [8, "forecast", ({ memory }) => memory.getForecast({ ...asked, horizon, top })],
      [4, "explained prediction", ({ memory }) => memory.explainPrediction({ model, ...asked })],
      [4, "explained forecast", ({ memory }) => memory.explainForecast({ symbol, horizon, ...asked })],
      [4, "explained surprise", ({ memory }) => memory.explainSurprise({ event: { symbols: [symbol] }, ...asked })],
      [4, "counts", ({ memory }) => memory.countMatchingModels(asked)],
      [4, "surprise of a sequence", ({ memory }) => memory.getSequenceSurprise({ sequence, complete: explain })],
      [2, "cognition", ({ memory }) => memory.getCognition({})],
      [2, "working memory", ({ memory }) => memory.getWorkingMemory({})],
      [2, "status", ({ inspection }) => inspection.getStatus({})],
      [2, "predictions of a model", ({ knowledge }) => knowledge.getPredictionsForModel({ name: model })],
      [2, "model", ({ knowledge }) => knowledge.getModel({ name: model })],
      [2, "added model", ({ knowledge }) => knowledge.addModel({ sequence })],
      [1, "deleted model", ({ knowledge }) => knowledge.deleteModel({ name: model })],
      [1, "removed symbols", ({ knowledge }) => knowledge.removeSymbols({ patterns: [`${symbol}x?`] })],
      [1, "forgotten models", ({ knowledge }) => knowledge.forgetModels({ keepAtMost: 40 })],
      [2, "target", ({ modes }) => modes.setTargetClass({ target: explain ? symbol : "" })],
      [3, "genes", ({ genes }) => genes.changeGenes({ changes: [gene] })],
      [1, "cleared", ({ memory }) => memory.clearWorkingMemory({})],
      [3, "merged load", merge],
      [2, "alert", ({ alerts }) => alerts.putAlert(alert)],
      [2, "incidents", ({ incidents }) => incidents.listIncidents({})],
      [1, "autolearn", ({ modes }) => modes.setAutolearning({ on: explain })],
    ];
    let left = this.#random.below(kinds.reduce((sum, [weight]) => sum + weight, 0));
    for (const [weight, kind, call] of kinds) {
      left -= weight;
      if (left < 0) return { kind, call: this.#session(call) };
    }
    throw new Error("no call was drawn");
  }
}

/** A processor of this many parts, in an agent of its own. */
async function processorOf(parts: number): Promise<ProcessorClient> {
  const agent = `split-${crypto.randomUUID()}`;
  const processor = processorNamed(`${agent}/p1`);
  await processor.provisioning.provision({ id: "p1", name: "P1", agent: "", parts });
  return processor;
}

/** What time it is, and who is asked, is no part of an answer. */
function plain(answer: string): string {
  return answer.replace(/"learnedAt":\d+/g, '"learnedAt":0');
}

async function compare(seed: number, counts: readonly number[], calls: number, lose: number): Promise<void> {
  const random = new Random(seed + 1);
  const drawn = new Calls(seed);
  const whole = await processorOf(1);
  const split = await Promise.all(counts.map(processorOf));
  for (let made = 0; made < calls; made++) {
    const { kind, call } = drawn.next();
    const expected = plain(await said(call(whole)));
    for (const [at, processor] of split.entries()) {
      expect(plain(await said(call(processor))), `${kind}, call ${made} to ${counts[at]} parts, seed ${seed}`).toBe(
        expected,
      );
    }
    if (kind === "learn") drawn.noteModel(expected);
    if (lose > 0 && random.below(lose) === 0) await abortAllDurableObjects();
  }
  for (const section of [KnowledgeSection.MODELS, KnowledgeSection.SYMBOLS, KnowledgeSection.VECTORS]) {
    const exported = (processor: ProcessorClient) => said(processor.knowledge.exportKnowledge({ section }));
    const expected = plain(await exported(whole));
    for (const processor of split) expect(plain(await exported(processor))).toBe(expected);
  }
}

test("a split processor answers as one that is not", async () => {
  await compare(1, [2, 16], 55, 0);
});

test("and so it does when all objects are lost between calls", async () => {
  await compare(2, [8], 70, 12);
  expect(fanOutCounts.mostOpen).toBeLessThanOrEqual(MAX_OPEN_CALLS);
});

test("a load without a record of forecasts is graded when it is answered", async () => {
  const random = new Random(9);
  const models = Array.from({ length: 120 }, () => {
    const events = Array.from({ length: 4 }, () => ({ symbols: [random.pick(SYMBOLS)] }));
    return { name: modelName(events.map(({ symbols }) => symbols)), sequence: events, frequency: 1 };
  });
  const different = [...new Map(models.map((model) => [model.name, model])).values()];
  const answers: string[] = [];
  for (const parts of [1, 3]) {
    const { knowledge, memory } = await processorOf(parts);
    const { loadId } = await knowledge.beginLoad({});
    await knowledge.loadKnowledge({ loadId, models: different });
    await knowledge.commitLoad({ loadId });
    const sequence = { events: ["s1", "s0"].map((symbol) => ({ symbols: [symbol] })) };
    answers.push(await said(memory.getForecast({ sequence, horizon: 2, top: 5 })));
    await knowledge.addModel({ sequence });
    answers.push(await said(memory.getForecast({ sequence, horizon: 2, top: 5 })));
  }
  expect(answers.slice(2)).toEqual(answers.slice(0, 2));
});

test("objects that were parts of another number are filled anew", async () => {
  const processor = await processorOf(2);
  const sequenceOf = (...symbols: string[]) => ({ events: symbols.map((symbol) => ({ symbols: [symbol] })) });
  for (const last of ["c", "d", "e", "f", "g"]) {
    await processor.knowledge.addModel({ sequence: sequenceOf("a", "b", last) });
  }
  const asked = () => said(processor.memory.getPredictions({ sequence: sequenceOf("a", "b") }));
  const expected = await asked();
  expect(expected).toContain('"g"');
  for (const parts of [3, 1, 4]) {
    await processor.provisioning.retire({});
    await processor.provisioning.provision({ id: "p1", name: "P1", agent: "", parts });
    expect(await asked()).toBe(expected);
  }
});
