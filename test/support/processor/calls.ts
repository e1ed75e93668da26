/** Plays calls of the HTTP interface directly on a processor, for the conformance examples. */

import type { Gdf, GeneChange } from "../../../src/gen/plain";
import type { GeneValue } from "../../../src/processor/genes/genes";
import type { Processor } from "../../../src/processor/processor";
import { exportForm, loadAll, type SentKnowledge } from "./knowledge-form";
import * as form from "./message-form";

/** Makes one call and returns the message of the answer. */
type Call = (processor: Processor, body: never, argument: string) => unknown;

/** A record as clients send it. */
interface SentGdf {
  strings?: string[];
  vectors?: number[][];
  emotives?: Record<string, number>;
  metadata?: unknown;
}

function bare(name: string): string {
  return name.replace(/^MODEL\|/, "");
}

let records = 0;

/** Reads a record as the gateway does. */
export function gdfOf(sent: SentGdf): Gdf {
  records++;
  return {
    strings: sent.strings ?? [],
    vectors: (sent.vectors ?? []).map((components) => ({ components })),
    emotives: Object.entries(sent.emotives ?? {}).map(([name, value]) => ({ name, value })),
    metadataJson: JSON.stringify(sent.metadata ?? {}),
    uniqueId: `record-${records}`,
    command: "",
    numbers: [],
  };
}

function geneValue(value: boolean | number | string): GeneValue {
  if (typeof value === "boolean") return { value: { case: "flag", value } };
  return typeof value === "number" ? { value: { case: "number", value } } : { value: { case: "text", value } };
}

/** Reads requests to set genes as the gateway does. */
export function geneChangesOf(data: Record<string, boolean | number | string>): GeneChange[] {
  return Object.entries(data).map(([name, value]) => ({ name, value: geneValue(value) }));
}

function answering(message: string, change: (processor: Processor) => void): Call {
  return (processor) => {
    change(processor);
    return message;
  };
}

/** Calls by method and path; `*` is an argument. */
export const CALLS: Record<string, Call> = {
  "POST observe": (processor, body: { data: SentGdf }) =>
    form.observedForm(processor.memory.observe(gdfOf(body.data), []).observed),
  "POST learn": (processor) => {
    const { model } = processor.memory.learn();
    return model === "" ? null : `MODEL|${model}`;
  },
  "POST predictions": (processor) => processor.memory.getPredictions("").predictions.map(form.predictionForm),
  "GET working-memory": (processor) => form.eventsForm(processor.memory.getWorkingMemory().events),
  "POST working-memory/clear": answering("wm-cleared", (processor) => processor.memory.clearWorkingMemory()),
  "POST clear-all-memory": answering("all-cleared", (processor) => processor.memory.clearAllMemory(false)),
  "GET status": (processor) => form.statusForm(processor.inspection.getStatus().status, processor.time),
  "GET time": (processor) => String(processor.time),
  "GET percept-data": (processor) => form.perceptForm(processor.memory.getPercept()),
  "GET cognition-data": (processor) => form.cognitionForm(processor.memory.getCognition()),
  "POST predicting/start": answering("activated-predictions", (processor) => processor.modes.setPredicting(true)),
  "POST predicting/stop": answering("deactivated-predictions", (processor) => processor.modes.setPredicting(false)),
  "POST autolearning/start": answering("activated-autolearn", (processor) => processor.modes.setAutolearning(true)),
  "POST autolearning/stop": answering("deactivated-autolearn", (processor) => processor.modes.setAutolearning(false)),
  "POST sleeping/start": answering("asleep", (processor) => processor.modes.setSleeping(true)),
  "POST sleeping/stop": answering("awake", (processor) => processor.modes.setSleeping(false)),
  "POST set-target-class": (processor, body: { data: string } | undefined) => {
    processor.modes.setTargetClass(body?.data ?? "");
    return "set-target-class";
  },
  "POST clear-target-class": answering("cleared-target-class", (processor) => processor.modes.setTargetClass("")),
  "GET all-genes": (processor) => form.genesForm(processor.genes.get("").genes),
  "GET gene/*": (processor, _body, name) => processor.genes.get(name).genes[0]?.text,
  "POST genes/change": (processor, body: { data: Record<string, boolean | number | string> }) => {
    const { refusal } = processor.genes.change(geneChangesOf(body.data));
    return refusal === "" ? "updated-genes" : refusal;
  },
  "GET model/*": (processor, _body, name) => form.modelForm(processor.knowledge.getModel(bare(name)).model),
  "DELETE model/*": (processor, _body, name) =>
    processor.knowledge.deleteModel(bare(name)).deleted ? "deleted" : "model-not-found",
  "PUT model/*": (processor, body: { model: form.SentModel }, name) =>
    processor.knowledge.updateModel({ name: bare(name), ...form.membersOf(body.model) }).name ||
    "failed-to-update-model",
  "PUT add-model": (processor, body: form.SentModel & { vector?: number[] | null }) => ({
    name: processor.knowledge.addModel({ ...form.membersOf(body), vector: { components: body.vector ?? [] } }).name,
  }),
  "POST get-models-with-symbols": (processor, body: { data: string[] }) => ({
    model_list: processor.knowledge.findModels({ symbols: body.data, patterns: [] }).names,
  }),
  "POST get-models-with-patterns": (processor, body: { data: string[] }) => ({
    model_list: processor.knowledge.findModels({ symbols: [], patterns: body.data }).names,
  }),
  "DELETE symbols/remove": (processor, body: { data: string[] }) =>
    form.renamesForm(processor.knowledge.removeSymbols({ symbols: body.data, patterns: [] }).renames),
  "DELETE patterns/remove": (processor, body: { data: string[] }) =>
    form.renamesForm(processor.knowledge.removeSymbols({ symbols: [], patterns: body.data }).renames),
  "POST blacklisted-symbols/add": (processor, body: { data: string[] }) => {
    processor.knowledge.addBlacklistedSymbols(body.data);
    return "added-blacklisted-symbols";
  },
  "DELETE blacklisted-symbols/remove": (processor, body: { data: string[] }) =>
    processor.knowledge.removeBlacklistedSymbols(body.data).unknown.length === 0
      ? "removed-blacklisted-symbols"
      : "failed-to-remove-some-symbols-from-blacklist",
  "GET list-blacklisted-symbols": (processor) => processor.knowledge.listBlacklistedSymbols().symbols,
  "GET get_kb": (processor) => exportForm(processor),
  "POST load_kb": (processor, body: { data: SentKnowledge }) => {
    loadAll(processor, body.data);
    return "success";
  },
  "POST gene/increment-recall-threshold": (processor, body: { increment: number }) =>
    processor.genes.incrementRecallThreshold(body.increment).text,
};

/** Plays one call. @param path the path without the processor's id */
export function play(processor: Processor, method: string, path: string, body: unknown): unknown {
  const slash = path.indexOf("/");
  const call = CALLS[`${method} ${path}`] ?? CALLS[`${method} ${path.slice(0, slash)}/*`];
  if (call === undefined) throw new Error(`no call for ${method} ${path}`);
  return call(processor, body as never, decodeURIComponent(path.slice(slash + 1)));
}
