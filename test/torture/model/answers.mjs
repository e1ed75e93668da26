/** The HTTP face of the model: which operation a request names, and the envelope of its answer. */

import { Refused } from "./processor.mjs";
import { canonical, Raw } from "./text.mjs";

/** Metadata as text, from any client. */
function rawMetadata(metadata) {
  return metadata instanceof Raw ? metadata : new Raw(JSON.stringify(metadata ?? {}));
}

function gdfOf({ strings = [], vectors = [], emotives = {}, metadata, unique_id = "" }) {
  return { strings, vectors, emotives, metadata: rawMetadata(metadata), unique_id };
}

function modelOf({ metadata, vector, ...members }) {
  return {
    ...members,
    ...(metadata === undefined ? {} : { metadata: metadata.map(rawMetadata) }),
    ...(vector?.length > 0 ? { vector } : {}),
  };
}

/** A regular expression that must match a whole symbol. */
const wholly = (pattern) => {
  const expression = new RegExp(`^(?:${pattern})$`, "su");
  return (symbol) => expression.test(symbol);
};

const bare = (name) => decodeURIComponent(name).replace(/^MODEL\|/, "");

function loaded({ models_kb: models, vectors_kb: vectors = {} }) {
  const entries = models instanceof Map ? [...models.values()] : Object.values(models);
  const vectorEntries = vectors instanceof Map ? [...vectors.values()] : Object.values(vectors);
  return [entries.map(modelOf), vectorEntries.map(({ vector }) => vector)];
}

/** What to do by method and operation; the last argument is the rest of the path. */
const OPERATIONS = {
  "POST observe": (model, data) => model.observe(gdfOf(data)),
  "POST sequence-observe": (model, { sequence, learn = false, clear = false }) =>
    model.sequenceObserve({ sequence: sequence.map(gdfOf), learn, clear }),
  "POST learn": (model) => model.learn(),
  "POST predictions": (model, data) => model.predictions(data?.unique_id),
  "GET working-memory": (model) => model.workingMemory(),
  "POST working-memory/clear": (model) => model.clearWorkingMemory(),
  "POST clear-all-memory": (model, data) => model.clearAllMemory(data?.clear_blacklist === false),
  "GET percept-data": (model) => model.percept(),
  "GET cognition-data": (model) => model.cognition(),
  "GET status": (model) => model.status(),
  "GET time": (model) => String(model.time),
  "GET name": (model) => model.status().name,
  "POST predicting/start": (model) => model.setFlag("PREDICT", true, "activated-predictions"),
  "POST predicting/stop": (model) => model.setFlag("PREDICT", false, "deactivated-predictions"),
  "POST autolearning/start": (model) => model.setFlag("AUTOLEARN", true, "activated-autolearn"),
  "POST autolearning/stop": (model) => model.setFlag("AUTOLEARN", false, "deactivated-autolearn"),
  "POST sleeping/start": (model) => model.setFlag("SLEEPING", true, "asleep"),
  "POST sleeping/stop": (model) => model.setFlag("SLEEPING", false, "awake"),
  "POST set-target-class": (model, data) => {
    model.target = data;
    return "set-target-class";
  },
  "POST clear-target-class": (model) => {
    model.target = "";
    return "cleared-target-class";
  },
  "POST genes/change": (model, data) => model.changeGenes(data),
  "POST gene/increment-recall-threshold": (model, { increment }) => model.incrementRecallThreshold(increment),
  "GET all-genes": (model) => model.allGenes(),
  "GET gene": (model, _data, name) => model.gene(name),
  "GET model": (model, _data, name) => model.model(bare(name)),
  "DELETE model": (model, _data, name) => model.deleteModel(bare(name)),
  "PUT model": (model, data, name) => model.updateModel(bare(name), modelOf(data.model)),
  "PUT add-model": (model, data) => model.addModel(modelOf(data)),
  "POST get-models-with-symbols": (model, data) => model.modelsWith(data.map((name) => (symbol) => symbol === name)),
  "POST get-models-with-patterns": (model, data) => model.modelsWith(data.map(wholly)),
  "POST forget": (model, data) => model.forgetModels(data),
  "DELETE symbols/remove": (model, data) => model.forget(data),
  "DELETE patterns/remove": (model, data) => model.removeSymbols((symbol) => data.some((one) => wholly(one)(symbol))),
  "POST blacklisted-symbols/add": (model, data) => model.addToBlacklist(data),
  "DELETE blacklisted-symbols/remove": (model, data) => model.removeFromBlacklist(data),
  "GET list-blacklisted-symbols": (model) => model.blacklist,
  "GET symbol": (model, _data, name) => model.symbol(decodeURIComponent(name)),
  "GET vector": (model, data) => model.vector(data),
  "GET prediction-ensemble-for-model": (model, _data, name) => model.predictionsForModel(bare(name)),
  "GET get_kb": (model) => model.knowledge.base(),
  "POST load_kb": (model, data) => model.loadKnowledge(...loaded(data)),
  "POST load_kb?mode=merge": (model, data) => model.mergeKnowledge(...loaded(data)),
};

/** The operation that a path names, and what stands behind it. */
function find(method, path) {
  const whole = `${method} ${path.join("/")}`;
  if (OPERATIONS[whole] !== undefined) return [OPERATIONS[whole], ""];
  const [operation, ...rest] = path;
  return [OPERATIONS[`${method} ${operation}`], rest.join("/")];
}

/**
 * Answers a request as a server with this processor would.
 *
 * @param {import("./processor.mjs").ModelProcessor} model
 * @param {{ method: string, path: string, body?: any }} request its path begins with the processor's id
 * @returns {{ status: number, message: unknown, interval: number, uniqueId?: string }} the message is undefined when it is refused
 */
export function answer(model, { method, path, body }) {
  const [operation, rest] = find(method, path.split("/").slice(2));
  if (operation === undefined) throw new Error(`the model has no ${method} ${path}`);
  try {
    const message = operation(model, body?.data ?? body, rest);
    const uniqueId = path.endsWith("/observe") ? message.unique_id : undefined;
    return { status: 200, message, interval: model.time, uniqueId };
  } catch (error) {
    if (error instanceof Refused) return { status: error.http, message: undefined, interval: model.time };
    throw error;
  }
}

/** The envelope's text, without its time stamp. A refusal's sentence is its server's own. */
export function envelope(id, { message, interval, uniqueId, isRefused = message === undefined }) {
  const envelopes = {
    id,
    interval,
    message: isRefused ? "" : message,
    status: isRefused ? "failed" : "okay",
    time_stamp: 0,
  };
  return canonical(uniqueId === undefined ? envelopes : { ...envelopes, unique_id: uniqueId });
}

/** A member that sequence-observe's envelope has beyond the wire contract. */
const EXTRA_MEMBER = /"learned_model":(null|"[^"]*"),/;

/** A server's answer as the model writes its own: no time stamp, and no sentence where it refuses. */
export function comparable({ status, text }) {
  const timeless = text.replace(/"time_stamp":-?\d+/, '"time_stamp":0').replace(EXTRA_MEMBER, "");
  if (!text.includes('"status":"failed"')) return `${status} ${timeless}`;
  const { id, interval } = JSON.parse(text);
  return `${status} ${envelope(id, { interval, message: undefined })}`;
}
