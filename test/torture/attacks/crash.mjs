/**
 * Kills the server with SIGKILL at a random moment while several clients write, starts it again, and counts: every write that was
 * answered must be there once, every other one once or not at all, and none halved. What is learned in parts must also be in one part.
 */

import { setTimeout as sleep } from "node:timers/promises";
import { genome } from "../client.mjs";
import { Server } from "../server.mjs";

/** The processors that are written to, one for each way of writing. */
const PROCESSORS = {
  observe: { id: "p1" },
  sequence: { id: "p2" },
  learn: { id: "p3" },
  model: { id: "p4" },
  "learn in parts": { id: "p5", parts: 3 },
  "model in parts": { id: "p6", parts: 8 },
};
const CLIENTS_PER_PROCESSOR = 2;
const SEQUENCE_LENGTH = 3;
const SHORTEST_STREAM_MS = 20;
const LONGEST_STREAM_MS = 500;

const learn = (client, name) =>
  client.ask("POST sequence-observe", { data: { sequence: records(name), learn: true, clear: true } });
const addModel = (client, name) =>
  client.ask("PUT add-model", { sequence: records(name).map(({ strings }) => strings) });

/** A write by the name that it carries: every symbol of it begins with the name, so that what is there tells which write it is of. */
const WRITES = {
  observe: (client, name) => client.ask("POST observe", { data: { strings: [`${name}:0`, `${name}:1`] } }),
  sequence: (client, name) => client.ask("POST sequence-observe", { data: { sequence: records(name) } }),
  learn,
  model: addModel,
  "learn in parts": learn,
  "model in parts": addModel,
};

function records(name) {
  return Array.from({ length: SEQUENCE_LENGTH }, (_, at) => ({ strings: [`${name}:${at}`] }));
}

/** How many symbols a write stores. */
const symbolsOf = (kind) => (kind === "observe" ? 2 : SEQUENCE_LENGTH);

/** The events of a write as they must stand in memory or in a model. */
function eventsOf(kind, name) {
  return kind === "observe" ? [[`${name}:0`, `${name}:1`]] : records(name).map(({ strings }) => strings);
}

/** Writes one name after the other until the connection breaks. */
async function stream(server, kind, prefix, { sent, answered }, report) {
  const client = server.client({ processor: PROCESSORS[kind].id, timeoutMs: 10_000 });
  for (let count = 0; ; count++) {
    const name = `${prefix}.${count}`;
    sent.add(name);
    try {
      await WRITES[kind](client, name);
    } catch (error) {
      if (error.http !== undefined) report.fail(`a write was refused with HTTP ${error.http}`, error.message);
      return client.close();
    }
    answered.add(name);
  }
}

/** What stands where: the events of working memory, or those of all models. */
async function stored(client, kind) {
  if (kind === "observe" || kind === "sequence") return { events: await client.ask("GET working-memory"), models: [] };
  const { models_kb: models, symbols_kb: symbols, metadata } = await client.ask("GET get_kb");
  const list = Object.values(models);
  return { events: list.flatMap(({ sequence }) => sequence), models: list, symbols, metadata };
}

function checkKnowledge(kind, { models, symbols, metadata }, report) {
  const doubled = models.filter(({ frequency }) => frequency !== 1);
  report.expect(doubled.length === 0, `${kind}: a model was stored twice`, JSON.stringify(doubled[0]));
  const totals = [metadata.total_model_frequencies, metadata.total_symbol_frequencies];
  const counted = [models.length, models.reduce((sum, { length }) => sum + length, 0)];
  report.expect(
    `${totals}` === `${counted}`,
    `${kind}: counters disagree with models`,
    `${totals}, counted ${counted}`,
  );
  const known = Object.keys(symbols).length;
  report.expect(known === counted[1], `${kind}: symbols disagree with models`, `${known}, counted ${counted[1]}`);
}

/** Asks the parts of a processor: they must have each model once, and find the newest. */
async function checkParts(kind, client, models, report) {
  const { parts } = await client.ask("GET info");
  const held = parts.reduce((sum, part) => sum + part.models, 0);
  report.expect(held === models.length, `${kind}: parts disagree with models`, `${held}, stored ${models.length}`);
  const { name, sequence } = models.at(-1);
  const found = await client.ask("POST predictions", { data: { sequence: sequence.slice(0, -1) } });
  report.expect(found[0]?.name === name, `${kind}: a model is not predicted`, `${name}, predicted ${found[0]?.name}`);
}

/** Holds what is stored against what was sent and answered. */
function check(kind, found, { sent, answered }, report) {
  const counts = new Map();
  for (const [symbol = ""] of found.events) {
    const [name = ""] = symbol.split(":");
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  const text = JSON.stringify(found.models.length > 0 ? found.models.map(({ sequence }) => sequence) : found.events);
  for (const name of sent) {
    const events = eventsOf(kind, name);
    const count = counts.get(name) ?? 0;
    if (count === 0) report.expect(!answered.has(name), `${kind}: an acknowledged write is lost`, name);
    else if (count < events.length) report.fail(`${kind}: a write is halved`, `${name}: ${count} events`);
    else if (count > events.length) report.fail(`${kind}: a write is doubled`, `${name}: ${count} events`);
    else report.expect(text.includes(JSON.stringify(events).slice(1, -1)), `${kind}: a write is torn apart`, name);
  }
  const strange = [...counts.keys()].find((name) => !sent.has(name));
  report.expect(strange === undefined, `${kind}: something is stored that was not sent`, strange);
}

/** Writes, kills, starts again, counts. Returns the server that runs then. */
async function round(server, number, times, { random, report }) {
  const kinds = Object.keys(PROCESSORS);
  const written = Object.fromEntries(kinds.map((kind) => [kind, { sent: new Set(), answered: new Set() }]));
  const streams = kinds.flatMap((kind) =>
    Array.from({ length: CLIENTS_PER_PROCESSOR }, (_, client) =>
      stream(server, kind, `${number}.${client}`, written[kind], report),
    ),
  );
  await sleep(SHORTEST_STREAM_MS + random.below(LONGEST_STREAM_MS - SHORTEST_STREAM_MS));
  await server.kill();
  await Promise.all(streams);
  const again = await Server.start({ stateDir: server.stateDir });
  for (const kind of kinds) {
    const client = again.client({ processor: PROCESSORS[kind].id });
    const found = await stored(client, kind).catch((error) => {
      report.fail(`${kind}: what is stored cannot be read`, error.message);
      return { events: [], models: [] };
    });
    check(kind, found, written[kind], report);
    if (found.models.length > 0) checkKnowledge(kind, found, report);
    if (found.models.length > 0 && "parts" in PROCESSORS[kind]) await checkParts(kind, client, found.models, report);
    if (kind === "observe") {
      times.observed += found.events.length;
      const time = Number(await client.ask("GET time"));
      report.expect(time === times.observed, "the time is not the number of observes", `${time}, ${times.observed}`);
      await client.ask("POST working-memory/clear");
    } else {
      await client.ask("POST clear-all-memory");
    }
    client.close();
    report.count("acknowledged writes", written[kind].answered.size);
    report.count("acknowledged symbols", written[kind].answered.size * symbolsOf(kind));
  }
  return again;
}

async function run(context) {
  const { report, sizes, deadline } = context;
  let server = await Server.start();
  const client = server.client();
  const primitives = Object.values(PROCESSORS);
  await client.askAt("POST", "/genome/hotswap", genome("crash", primitives));
  // Not about predictions: they only make long memories slow.
  for (const { id } of primitives) await client.askAt("POST", `/${id}/predicting/stop`);
  client.close();
  const times = { observed: 0 };
  for (let number = 0; number < sizes.rounds && performance.now() < deadline; number++) {
    server = await round(server, number, times, context);
    report.count("kills");
  }
  await server.discard();
}

/** The attack. */
export const crash = {
  name: "crash",
  about: "SIGKILL at random moments under concurrent writes: acknowledged writes are there once, whole",
  parts: ["writes"],
  sizes: { short: { rounds: 8, seconds: 90 }, long: { rounds: 200, seconds: 900 } },
  run,
};
