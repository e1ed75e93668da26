/**
 * A fixed history of an agent with several processors, played over HTTP: something of every kind that a server stores. The same seed plays
 * the same calls. It may grow; states that were recorded with an earlier one keep their own answers.
 */

import { createHash } from "node:crypto";
import { manipulative, primitive } from "../object/genomes";
import { Random } from "../random";
import type { Server } from "../server/server";
import { MACHINE, MACHINE_GENES, playMachine, WEBHOOK_HOST } from "./machine";

/** Where the processor `far` would be. No program listens there while a history is played, so what it is told waits. */
export const FAR_HOST = "127.0.0.1:21839";

/** The settings that a history needs. */
export const ENVIRONMENT = {
  NOEMA_AGENTS: "kitchen",
  NOEMA_ALERT_HOSTS: WEBHOOK_HOST,
  NOEMA_ENDPOINT_HOSTS: FAR_HOST,
  NOEMA_ENDPOINT_KEYS: `${FAR_HOST}=secret`,
};

/** The host of the second agent. */
export const KITCHEN = "kitchen.localhost";

const SEED = 20;
const SEQUENCES = 30;
/** More than the store packs at once. */
const PACKED_MODELS = 4200;

/** Names that are hard to store, sort, print or transport. */
const SYMBOLS = [
  "tea",
  "milk",
  "bus",
  "train",
  "rain",
  "10",
  "2",
  "__proto__",
  "it's",
  '"',
  "\\",
  "\n",
  "nul\0nul",
  "\u{1F600}",
  "\u{10FFFF}",
  "\uFFEE",
  "e\u0301",
  "VECTOR|x",
];

/** A record as observe takes it. */
interface Gdf {
  strings: string[];
  vectors: number[][];
  emotives: Record<string, number>;
  metadata: Record<string, unknown>;
  unique_id: string;
}

/** The history under way: its random choices and the server. */
class History {
  readonly #server: Server;
  readonly #random = new Random(SEED);
  #observed = 0;

  constructor(server: Server) {
    this.#server = server;
  }

  call(call: string, body?: unknown): Promise<{ message: unknown }> {
    return this.#server.okay(call, body);
  }

  /** The same at the second agent. */
  callKitchen(call: string, body?: unknown): Promise<{ message: unknown }> {
    return this.#server.okay(call, body, { headers: { host: KITCHEN } });
  }

  /** Calls a service of `proto/` directly, in JSON. */
  async callService(processor: string, method: string, body: unknown): Promise<Record<string, string>> {
    const headers = { "x-processor-id": processor };
    const { status, text, json } = await this.#server.call(`POST /noema.v1.${method}`, body, { headers });
    if (status !== 200) throw new Error(`${method} answered HTTP ${status}: ${text}`);
    return json;
  }

  /** A record of one to three symbols; some have vectors, emotives and metadata, too. */
  gdf(): Gdf {
    const random = this.#random;
    const strings = Array.from({ length: 1 + random.below(3) }, () => random.pick(SYMBOLS));
    const vector = [random.below(6) / 2, -random.below(4), random.fraction()];
    this.#observed++;
    return {
      strings,
      vectors: random.below(4) === 0 ? [vector] : [],
      emotives: random.below(2) === 0 ? { joy: random.below(1000) / 7, "f\u00E9ar": -random.fraction() } : {},
      metadata: random.below(3) === 0 ? { "10": this.#observed, at: [null, { deep: "\u{1F680}" }] } : {},
      unique_id: `record-${this.#observed}`,
    };
  }

  /** One to four records. */
  sequence(): Gdf[] {
    return Array.from({ length: 1 + this.#random.below(4) }, () => this.gdf());
  }

  /** One of the sequences, when chance says to repeat one. */
  repeated(sequences: readonly Gdf[][]): Gdf[] | undefined {
    return sequences.length > 0 && this.#random.below(3) === 0 ? this.#random.pick(sequences) : undefined;
  }
}

/** The genome, as cytoscape nodes. */
function genome(...nodes: Record<string, unknown>[]) {
  return { agent: "simple", description: "state", elements: { nodes: nodes.map((data) => ({ data })) } };
}

const CHAIN = [
  manipulative("m2", "p2", ["p3"], ["classification", "name"]),
  primitive("p2", { manipulatives: ["m2"], max_predictions: 2, max_sequence_length: 12 }),
  primitive("p3", { max_sequence_length: 40, persistence: 2 }),
  primitive("p4", { max_predictions: 5 }),
] as const;

const FIRST_GENOME = genome(
  primitive("p1", { name: "First", manipulatives: ["m1"], max_predictions: 4, persistence: 3 }),
  manipulative("m1", "p1", ["p2"], ["name", "future", "missing"]),
  ...CHAIN,
  primitive("p5"),
);

const LAST_GENOME = genome(
  primitive("p1", { name: "Renamed", manipulatives: ["m1", "m3"], max_predictions: 4, persistence: 3 }),
  manipulative("m1", "p1", ["p2"], ["name", "future", "missing"]),
  manipulative("m3", "p1", ["p6"], ["name", "matches", "extras"]),
  ...CHAIN,
  primitive("p6"),
  // Apart from the chain, because what waits for `far` may hold up what follows it.
  primitive("p7", { manipulatives: ["m4"], max_sequence_length: 2 }),
  manipulative("m4", "p7", ["far"], ["extras"]),
  primitive("far", { endpoint: `http://${FAR_HOST}` }),
  primitive(MACHINE, MACHINE_GENES),
);

/** Processors of the last genome that can learn and predict something new. */
export const CHAINED = ["p1", "p2", "p3", "p4", "p6"] as const;

/** The sessions of p1, with names that are hard to store, sort or transport. */
export const SESSIONS = ["kitchen / 1", "\u{1F600}", "__proto__"] as const;

/** More sources of deliveries than stand in the state of a memory. */
const SOURCES = 20;

/** A call of an operation, such as `POST observe`, in a session of p1. */
export function inSession(session: string, call: string): string {
  return call.replace(" ", ` /p1/sessions/${encodeURIComponent(session)}/`);
}

const DIRECTIONS = [
  [1, 0],
  [0, 1],
  [-1, 0],
  [0, -1],
] as const;

/** The nodes of a genome with the processor that the last genome left out. */
export const WITH_RETIRED = [primitive("p3"), primitive("p5")] as const;

/** Observes and learns sequences, some of them again and again, so that frequencies and emotives grow. */
async function learnSequences(history: History): Promise<void> {
  const sequences: Gdf[][] = [];
  for (let round = 0; round < SEQUENCES; round++) {
    if (round === SEQUENCES / 2) {
      await history.call("POST /p1/genes/change", { data: { classifier: "DVC", near_vector_count: 2 } });
    }
    const sequence = history.repeated(sequences) ?? history.sequence();
    sequences.push(sequence);
    for (const data of sequence) await history.call("POST /p1/observe", { data });
    await history.call("POST /p1/learn");
  }
}

/** Changes models, symbols and the blacklist by hand. */
async function changeKnowledge(history: History): Promise<void> {
  const add = async (body: unknown) =>
    ((await history.call("PUT /p1/add-model", body)).message as { name: string }).name;
  const deleted = await add({ sequence: [["to"], ["delete"]], frequency: 2 });
  const renamed = await add({ sequence: [["to", "rename"]], frequency: 3, emotives: { joy: [1, 2, 3, 4] } });
  const changed = await add({ sequence: [["to"], ["change"]], vector: [1, -0.5, 2], metadata: [{ z: 1 }, {}] });
  await add({ sequence: [["twin"], ["end"]], frequency: 4, emotives: { joy: [5] } });
  await add({ sequence: [["twin", "unwanted"], ["end"]], frequency: 1, emotives: { joy: [6] } });
  await add({ sequence: [["unwanted", "kept"], ["pattern-1", "pattern-2"], ["kept"]] });
  await history.call(`DELETE /p1/model/MODEL%7C${deleted}`);
  await history.call(`PUT /p1/model/${renamed}`, { model: { sequence: [["renamed"], ["\u{1F600}"]] } });
  const model = { frequency: 9, emotives: { joy: [0.1, 0.2], calm: [-1e-7] }, metadata: [{ b: 2, a: "\0" }] };
  await history.call(`PUT /p1/model/${changed}`, { model });
  await history.call("DELETE /p1/symbols/remove", { data: ["unwanted"] });
  await history.call("DELETE /p1/patterns/remove", { data: ["pattern-\\d"] });
  await history.call("POST /p1/blacklisted-symbols/add", { data: ["noise", "nul\0", "second"] });
  await history.call("DELETE /p1/blacklisted-symbols/remove", { data: ["second"] });
}

/** A knowledge base of models with two events of one symbol, whose names Python prints without escapes. */
function manyModels(count: number) {
  const models = Array.from({ length: count }, (_, at) => {
    const sequence = [[`a${at % 70}`], [`b${Math.floor(at / 70)}`]];
    const printed = `[${sequence.map(([symbol]) => `['${symbol}']`).join(", ")}]`;
    const name = createHash("sha1").update(printed).digest("hex");
    return { emotives: {}, frequency: 1 + (at % 3), metadata: [{}, {}], name, sequence };
  });
  const models_kb = Object.fromEntries(models.map((model) => [model.name, model]));
  return { names: models.map(({ name }) => name), base: { metadata: {}, models_kb, symbols_kb: {}, vectors_kb: {} } };
}

/** Fills a processor with enough models that they are packed, then changes some of those and learns more. */
async function fillPacked(history: History): Promise<void> {
  const { names, base } = manyModels(PACKED_MODELS);
  await history.call("POST /p4/load_kb", base);
  for (const name of names.slice(0, 12)) await history.call(`PUT /p4/model/${name}`, { model: { frequency: 7 } });
  for (const name of names.slice(100, 106)) await history.call(`DELETE /p4/model/${name}`);
  for (const [first, second] of [
    ["a3", "b0"],
    ["a9", "b9"],
    ["new", "b1"],
    ["a1", "end"],
  ]) {
    for (const symbol of [first, second]) await history.call("POST /p4/observe", { data: { strings: [symbol] } });
    await history.call("POST /p4/learn");
  }
  await history.call("POST /p4/symbols/remove", { data: ["b5"] });
  await history.call("POST /p4/set-target-class", { data: "b9" });
  for (const symbol of ["a2", "b9"])
    await history.call("POST /p4/observe", { data: { strings: [symbol], unique_id: "p4" } });
}

/** Learns in a processor that the last genome does not have, and in another agent, which sleeps in the end. */
async function liveElsewhere(history: History): Promise<void> {
  await history.call("POST /p5/genes/change", { data: { recall_threshold: 0.7 } });
  for (const data of [history.gdf(), history.gdf()]) {
    await history.call("POST /p5/observe", { data });
    await history.callKitchen("POST /P1/observe", { data });
  }
  await history.call("POST /p5/learn");
  const sequence = [history.gdf(), history.gdf()];
  await history.callKitchen("POST /P1/sequence-observe", { data: { sequence, clear: false, learn: true } });
  for (const data of sequence) await history.callKitchen("POST /P1/observe", { data });
  await history.callKitchen("POST /P1/learn");
  await history.callKitchen("POST /P1/sleeping/start");
}

const LOADED = {
  metadata: {},
  models_kb: {
    "764dc599cc6df0c68c890aca836cc72dc1654b79": {
      emotives: { joy: [1.5, 2.5] },
      frequency: 2,
      metadata: [{ b: 1, a: 2 }, {}],
      name: "764dc599cc6df0c68c890aca836cc72dc1654b79",
      sequence: [["load", "ed"], ["kb"]],
    },
  },
  symbols_kb: {},
  vectors_kb: {
    "8523ac8438628a846a1bf7ae02c4c9a13e883573": {
      name: "8523ac8438628a846a1bf7ae02c4c9a13e883573",
      vector: [1, 2, 3, 4],
    },
  },
};

/** Leaves a load that was begun and neither committed nor aborted. */
async function leaveLoad(history: History): Promise<void> {
  const { loadId } = await history.callService("p3", "KnowledgeService/BeginLoad", {});
  const models = [{ name: LOADED.models_kb["764dc599cc6df0c68c890aca836cc72dc1654b79"].name, frequency: 1 }].map(
    (model) => ({ ...model, sequence: [{ symbols: ["load", "ed"] }, { symbols: ["kb"] }] }),
  );
  await history.callService("p3", "KnowledgeService/LoadKnowledge", { loadId, models });
}

/** What the processor `far` is told and has not heard, an event each. */
export const WAITING = ["first", "nul\0\u{1F600}", "third"] as const;

/** Predicts for a processor that cannot be reached. */
async function leaveEvents(history: History): Promise<void> {
  await history.call("PUT /p7/add-model", { sequence: [["known"], ["then"]] });
  for (const symbol of WAITING)
    await history.call("POST /p7/observe", { data: { strings: ["known", symbol], unique_id: symbol } });
}

/** Ends with working memory, vectors and emotives that are not learned yet. */
async function endInTheMiddle(history: History): Promise<void> {
  for (let record = 0; record < 5; record++) await history.call("POST /p1/observe", { data: history.gdf() });
  const last = { strings: ["tea", "noise", "nul\0nul"], vectors: [[0.5, -2, 0.25]], metadata: { last: true } };
  await history.call("POST /p1/observe", { data: { ...last, emotives: { joy: 1 / 3 }, unique_id: "last" } });
  await history.call("POST /p1/observe", { data: { emotives: { calm: 0.125 }, unique_id: "calm" } });
}

/** Four learned vectors and four that wait, equally far from others, so that their ages decide which is nearest. */
async function leaveTies(history: History): Promise<void> {
  await history.call("POST /p6/genes/change", { data: { near_vector_count: 1 } });
  for (const [at, vector] of DIRECTIONS.entries()) {
    await history.call("PUT /p6/add-model", { sequence: [["direction"], [`d${at}`]], vector });
  }
  for (const [at, [x = 0, y = 0]] of DIRECTIONS.entries()) {
    await history.call("POST /p6/observe", { data: { vectors: [[2 * x, 2 * y]], unique_id: `direction-${at}` } });
  }
}

/** Leaves sessions, which last for ever, in p1 and in those that it tells. */
async function liveInSessions(history: History): Promise<void> {
  for (const id of ["p1", "p2", "p3", "p6"]) {
    await history.call(`POST /${id}/genes/change`, { data: { session_ttl: 0 } });
  }
  for (const [at, session] of SESSIONS.entries()) {
    const call = (operation: string, body?: unknown) => history.call(inSession(session, `POST ${operation}`), body);
    for (let record = 0; record < 4; record++) await call("observe", { data: history.gdf() });
    if (at === 0) await call("learn");
    if (at === 1) await call("set-target-class", { data: "tea" });
    for (let source = 0; source < SOURCES; source++) {
      const delivery = { source: `source ${source}`, number: 1 };
      await call("observe", { data: { strings: [`from ${source}`], unique_id: "delivered" }, delivery });
    }
    await call("observe", { data: { ...history.gdf(), vectors: [[at, -at, 0.5]] } });
  }
  await history.call("POST /p1/sessions/ended/observe", { data: history.gdf() });
  await history.call("DELETE /p1/sessions/ended");
}

/** Plays the history on a server with an empty state folder and the settings {@link ENVIRONMENT}. Throws when a call fails. */
export async function playHistory(server: Server): Promise<void> {
  const history = new History(server);
  await history.call("POST /genome/hotswap", FIRST_GENOME);
  await history.call("POST /p3/load_kb", LOADED);
  await history.call("POST /p2/autolearning/start");
  await liveElsewhere(history);
  await learnSequences(history);
  await changeKnowledge(history);
  await fillPacked(history);
  const genes = { recall_threshold: 0.15, max_predictions: 5, prediction_sort_metric: "evidence", SORT: false };
  await history.call("POST /p1/genes/change", { data: genes });
  await history.call("POST /p1/gene/increment-recall-threshold", { increment: -0.05 });
  await history.call("POST /p2/genes/change", { data: { wm_resolution: "event", smoothness: 4 } });
  await history.call("POST /genome/hotswap", LAST_GENOME);
  await endInTheMiddle(history);
  await history.call("POST /p3/predicting/stop");
  await leaveTies(history);
  await leaveLoad(history);
  await leaveEvents(history);
  await liveInSessions(history);
  await playMachine(server);
}
