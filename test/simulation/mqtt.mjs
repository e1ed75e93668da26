/** Plays plans of MQTT: see plan/mqtt.mjs. */

import { judgeMqtt } from "./check/mqtt.mjs";
import { send } from "./clients.mjs";
import { MqttClient } from "./mqtt/client.mjs";
import { ofProcessors } from "./readings.mjs";

const AGENT = [
  { id: "p1", name: "P1", targets: [] },
  { id: "p2", name: "P2", targets: [] },
];

/** Where devices publish that know nothing of Noema. */
const ROUTE = { topic: "line/+/+", processor: "{2}", session: "{3}", strings: ["v"] };

/** After this time a server that was lost has found out which connections it has lost, in simulated milliseconds. */
const QUIET_MS = 1_300_000;

/** How long what is under way needs when nothing goes wrong, in simulated milliseconds. */
const SETTLED_MS = 10_000;

/**
 * After this time no connection has a key that was deleted, in simulated milliseconds: when nothing goes wrong but that
 * objects leave memory; when calls are lost, and asked again; and when something comes late.
 */
const REVOKED_MS = 30_500;
const REVOKED_LATER_MS = 35_000;
const SURELY_REVOKED_MS = 90_000;

/** The faults by which something comes late, or is not stored. */
const LATE = new Set(["late-alarm", "late-call", "full-disk"]);

/** In which of these times keys are deleted in a plan. */
function revokedMs(steps) {
  const faults = steps.flatMap(({ faults }) => faults.map(({ fault }) => fault));
  if (faults.every((fault) => fault === "evict")) return REVOKED_MS;
  return faults.some((fault) => LATE.has(fault)) ? SURELY_REVOKED_MS : REVOKED_LATER_MS;
}

/** A client that hears what is retained. */
const RETAINED = {
  client: "retained",
  who: { client: "retained", style: "hearer", version: 5, isKept: false, expiryS: 0, keepAliveS: 0, window: 1 },
};
const RETAINED_FILTERS = [
  "noema/+/forecast",
  "noema/+/sessions/+/forecast",
  "noema/+/incident",
  "noema/+/sessions/+/incident",
];

async function settle({ world }) {
  await world.runUntil(world.scheduler.now + SETTLED_MS);
}

/** What a client hears that subscribes now. */
async function hearRetained(stage) {
  const steps = RETAINED_FILTERS.map((filter) => ({
    ...RETAINED,
    does: "subscribe",
    filter,
    qos: 1,
    pause: 0,
    faults: [],
  }));
  const pause = { ...RETAINED, does: "ping", pause: SETTLED_MS, faults: [] };
  const client = new MqttClient(stage.world, [...steps, pause]);
  await stage.until(client.run());
  client.end();
  return { heard: client.epochs.at(-1)?.heard ?? [], wrong: client.wrong };
}

/**
 * Observes something in each memory, over HTTP, when nothing goes wrong any more.
 *
 * @returns what those who subscribe must hear: `{ processor, session, symbol, at, step }`; step: what has observed it
 */
async function observeInAll(stage, memories, symbol) {
  const probes = [];
  for (const [processor, session] of memories) {
    const data = { strings: [symbol], vectors: [], emotives: {}, metadata: {}, unique_id: symbol };
    const step = { id: symbol, client: "prober", processor, session, call: "POST observe", body: { data } };
    probes.push({ processor, session, symbol, at: stage.world.scheduler.now, step });
    step.outcome = await stage.until(send(stage.world, step));
    if (step.outcome.status !== 200) throw new Error(`an observe was answered ${JSON.stringify(step.outcome)}`);
  }
  await settle(stage);
  return probes;
}

/** All come back, and hear what is left. */
async function meet(stage, clients) {
  await stage.until(Promise.all(clients.map((client) => client.comeBack())));
  await settle(stage);
}

/** Makes a key that may do what clients do. @returns {Promise<{ id: string, text: string }>} */
async function makeKey(stage, name) {
  const body = { data: { name, roles: ["read", "observe", "learn", "manage"] } };
  const { status, text } = await stage.until(
    send(stage.world, { id: `key ${name}`, call: "POST keys", path: "/keys", body }),
  );
  if (status !== 200) throw new Error(`a key of the simulation was answered ${status}: ${text}`);
  const { id, key } = JSON.parse(text).message;
  return { id, text: key };
}

/** Deletes the keys of clients that are connected. @returns {Promise<string[]>} which are still, after the time in which none may be */
async function revokeAll(stage, clients, keys) {
  const wrong = clients.map(async (client) => {
    const key = keys.get(client.name);
    if (key === undefined || client.isGone) return undefined;
    const told = client.revoked(REVOKED_MS);
    await send(stage.world, { id: `no key ${client.name}`, call: "DELETE keys", path: `/keys/${key.id}` });
    return told;
  });
  return (await stage.until(Promise.all(wrong))).filter((sentence) => sentence !== undefined);
}

/** The server is lost once more while nothing is under way. */
async function restart(stage, clients) {
  await stage.until(Promise.all(clients.map((client) => client.leave())));
  await settle(stage);
  stage.world.kill();
  await settle(stage);
}

/** What is to be read of the memories of clients, before more is observed in them. */
const readingsOf = (memories) => [
  ...memories.flatMap(([processor, name]) => ofProcessors([processor], [name], CALLS, [])),
  ...ofProcessors(["p2"], ["wills"], ["GET working-memory"], []),
  ...ofProcessors(["p1", "p2"], [""], ["POST forecast"], ["GET get_kb"]),
];

/** Plays a plan, and judges it: see areas.mjs. */
export async function playMqtt(stage, { steps, program }) {
  const { world } = stage;
  await stage.setUp(program, AGENT);
  const put = { id: "route", call: "PUT mqtt/routes", path: "/mqtt/routes/line", body: { data: ROUTE } };
  const { status, text } = await stage.until(send(world, put));
  if (status !== 200) throw new Error(`the route of the simulation was answered ${status}: ${text}`);
  const byClient = new Map();
  for (const step of steps) byClient.set(step.client, [...(byClient.get(step.client) ?? []), step]);
  const keys = new Map();
  for (const [client, [{ who }]] of byClient) if (who.isIssued) keys.set(client, await makeKey(stage, client));
  // After this time a key that was made works everywhere.
  if (keys.size > 0) await settle(stage);
  const clients = [...byClient].map(([client, own]) => new MqttClient(world, own, keys.get(client), revokedMs(steps)));
  await stage.until(Promise.all(clients.map((client) => client.run())));
  await stage.quiet(QUIET_MS);
  const memories = clients.map(({ name, who }) => [who.processor, name]);
  const end = await stage.read(readingsOf(memories));
  await restart(stage, clients);
  const kept = await observeInAll(stage, memories, "while-away");
  await meet(stage, clients);
  const met = await observeInAll(stage, memories, "while-there");
  const counts = clients.map((client) => client.heardSurely);
  await restart(stage, clients);
  await meet(stage, clients);
  const isRepeated = (client, at) => client.who.isKept && client.heardSurely > counts[at];
  const again = clients.filter(isRepeated).map(({ name }) => `${name} heard again what it had acknowledged`);
  const revoked = await revokeAll(stage, clients, keys);
  for (const client of clients) client.end();
  const { heard, wrong } = await hearRetained(stage);
  const latest = await stage.read(ofProcessors(["p1", "p2"], [""], ["POST forecast"], []));
  wrong.push(
    ...again,
    ...revoked,
    ...judgeMqtt({ clients, steps, end, world, retained: heard, latest, probes: { kept, met } }),
  );
  return { wrong, end: [...end, ...[...kept, ...met].map(({ step }) => step), ...latest] };
}

const CALLS = ["GET working-memory", "GET time"];
