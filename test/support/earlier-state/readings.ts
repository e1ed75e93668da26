/** Every call that reads, of every processor of the history, with names of models, symbols and vectors that the processor knows. */

import type { Server } from "../server/server";
import type { Reading } from "./answers";
import { KITCHEN } from "./history";
import { MACHINE } from "./machine";

/** The calls that ask no processor in particular. */
export const AGENT_READINGS = [
  "GET /agent/ping",
  "GET /gaius-api/ping",
  "GET /connect",
  "GET /devices",
  "GET /keys",
  "GET /mqtt/routes",
] as const;

/**
 * The calls of one processor. `:name` stands for a name of what the processor knows. A test compares them with the table of operations,
 * which names the same parameters.
 */
export const PROCESSOR_READINGS = [
  "GET ping",
  "GET connect",
  "GET status",
  "GET name",
  "GET info",
  "GET time",
  "GET working-memory",
  "GET percept-data",
  "GET cognition-data",
  "GET all-genes",
  "GET gene/:gene",
  "GET list-blacklisted-symbols",
  "GET get_kb",
  "GET get_kb/raw",
  "GET model/:model",
  "GET prediction-ensemble-for-model/:model",
  "GET symbol/:symbol+",
  "GET vector",
  "GET sessions",
  "GET encoders",
  "GET encoders/:encoder",
  "GET alerts",
  "GET alerts/:alert",
  "GET history",
  "GET incidents",
  "GET incidents/:incident",
  "GET models",
  "GET symbols",
  "GET vectors",
] as const;

/** The most models, symbols and vectors of a processor that are read one by one. */
const MAX_NAMES = 6;
const GENES = ["recall_threshold", "SORT", "persistence", "classifier"];

/** The names in a knowledge base that are read one by one. */
interface Names {
  alert: string[];
  encoder: string[];
  gene: string[];
  incident: string[];
  model: string[];
  symbol: string[];
  vector: string[];
}

/** Some of the names, from the first to the last. */
function some(names: readonly string[]): string[] {
  const step = Math.max(1, Math.ceil(names.length / MAX_NAMES));
  return names.filter((_, at) => at % step === 0);
}

async function namesOf(server: Server, processor: Pick<Reading, "host"> & { id: string }): Promise<Names> {
  const { host } = processor;
  const headers = host === undefined ? {} : { host };
  const get = async (path: string) =>
    (await server.send({ method: "GET", path: `/${processor.id}/${path}`, headers })).json;
  const { models_kb, symbols_kb, vectors_kb } = await get("get_kb/raw");
  const [alert, encoder] = [await get("alerts"), await get("encoders")].map(({ message }) => Object.keys(message));
  const incident = (await get("incidents")).message.map(({ id }: { id: number }) => `${id}`);
  const [model, symbol, vector] = [models_kb, symbols_kb, vectors_kb].map((base) => some(Object.keys(base)));
  return {
    alert: alert ?? [],
    encoder: encoder ?? [],
    gene: GENES,
    incident: some(incident),
    model: model ?? [],
    symbol: symbol ?? [],
    vector: vector ?? [],
  };
}

/** The calls that a reading of the list stands for. */
function spelledOut(id: string, reading: string, names: Names): Reading[] {
  const [method = "", operation = ""] = reading.split(" ");
  if (operation === "vector") {
    return names.vector.map((name) => ({ call: `GET /${id}/vector`, body: { data: `VECTOR|${name}` } }));
  }
  const [, parameter] = /:(\w+)\+?$/.exec(operation) ?? [];
  if (parameter === undefined) return [{ call: `${method} /${id}/${operation}` }];
  return names[parameter as keyof Names].map((name) => ({
    call: `${method} /${id}/${operation.replace(/:\w+\+?$/, encodeURIComponent(name))}`,
  }));
}

/** The calls that read with POST, and those that take a body. */
function readingsWithBody(id: string, { model, symbol }: Names): Reading[] {
  return [
    { call: `POST /${id}/predictions` },
    { call: `POST /${id}/predictions`, body: { data: { unique_id: "last" } } },
    { call: `POST /${id}/forecast` },
    { call: `POST /${id}/forecast`, body: { data: { horizon: 5 } } },
    { call: `GET /${id}/get_kb`, body: { data: { lines: true } } },
    ...symbol.map((name) => ({ call: `POST /${id}/get-models-with-symbols`, body: { data: [name] } })),
    { call: `POST /${id}/get-models-with-patterns`, body: { data: ["[a-m].*"] } },
    { call: `GET /${id}/model/${"0".repeat(40)}` },
    ...model.slice(0, 1).map((name) => ({ call: `GET /${id}/model/MODEL%7C${name}` })),
  ];
}

/** What reads one memory, in each session of a processor. */
const SESSION_READINGS = ["status", "time", "working-memory", "percept-data", "cognition-data"];

/** The readings of all sessions of a processor. */
async function sessionReadings(server: Server, id: string, host: string | undefined): Promise<Reading[]> {
  const headers = host === undefined ? {} : { host };
  const { json } = await server.send({ method: "GET", path: `/${id}/sessions`, headers });
  const sessions: { name: string }[] = json.message;
  return sessions.flatMap(({ name }) =>
    SESSION_READINGS.map((reading) => ({ call: `GET /${id}/sessions/${encodeURIComponent(name)}/${reading}` })),
  );
}

/** The processors of the history that answer. */
const PROCESSORS: readonly (Pick<Reading, "host"> & { id: string })[] = [
  ...["p1", "p2", "p3", "p4", "p6", "p7", MACHINE].map((id) => ({ id })),
  { id: "P1", host: KITCHEN },
];

/** Every reading call for the state that a server has now. */
export async function readingsOf(server: Server): Promise<Reading[]> {
  const readings: Reading[] = AGENT_READINGS.flatMap((call) => [{ call }, { call, host: KITCHEN }]);
  for (const processor of PROCESSORS) {
    const names = await namesOf(server, processor);
    const { id, ...at } = processor;
    const calls = PROCESSOR_READINGS.flatMap((reading) => spelledOut(id, reading, names));
    const inSessions = await sessionReadings(server, id, at.host);
    readings.push(
      ...[...calls, ...readingsWithBody(id, names), ...inSessions].map((reading) => ({ ...reading, ...at })),
    );
  }
  return readings;
}
