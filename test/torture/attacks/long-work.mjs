/**
 * Asks for work that takes long, one kind after the other, while another client asks another processor. Each request ends, with its answer
 * or with a refusal that names the budget, and no other client waits for it longer than a second.
 */

import { setTimeout as sleep } from "node:timers/promises";
import { genome } from "../client.mjs";
import { Server } from "../server.mjs";
import { slowness, Wait } from "../waiting.mjs";

/** How long others may wait: up to a hundred thousand models, and at a million. */
const WAIT_MS = 1000;
const WAIT_AT_A_MILLION_MS = 1500;
const PAUSE_MS = 10;

/** After this long, work that has no answer counts as work that does not end. */
const END_MS = 60_000;

const WORKER = "w1";
const OTHER = "o1";

/**
 * A refused request for which others waited too long is sent so often in all, and the shortest wait counts: work that takes too long takes
 * too long every time, and a busy machine does not.
 */
const TRIES = 3;

/** A processor's memory holds a million models, but not of a million symbols. Prime, so that no two of them are equal. */
const SYMBOLS = 99_991;

/** A refusal is the client's to understand: it has a status of its own and says a number. */
const REFUSALS = [400, 413, 422, 429, 503];

/** Asks another processor and the gateway again and again. Returns the longest wait when told to end. */
function watch(server) {
  const client = server.client({ processor: OTHER, timeoutMs: END_MS });
  let going = true;
  let longest = { clock: 0, counts: 0 };
  let failure = "";
  const done = (async () => {
    for (let count = 0; going && failure === ""; count++) {
      const wait = new Wait(server);
      const call = count % 2 === 0 ? "GET ping" : "POST observe";
      await client.ask(call, count % 2 === 0 ? undefined : { data: { strings: ["o"] } }).catch((error) => {
        failure = error.message;
      });
      const waited = wait.end();
      if (waited.counts > longest.counts) longest = waited;
      await sleep(PAUSE_MS);
    }
    client.close();
  })();
  return async () => {
    going = false;
    await done;
    return { longest, failure };
  };
}

/** Sends one request while another client watches. `slow` is how slow the machine was, before or after, whichever is more. */
async function watched(server, request, watchMs) {
  const slowBefore = slowness();
  const end = watch(server);
  await sleep(100);
  const client = server.client({ timeoutMs: END_MS });
  const began = performance.now();
  const answer = await client.exchange(request).catch((error) => ({ status: 0, text: error.message }));
  const took = performance.now() - began;
  await sleep(watchMs);
  const { longest, failure } = await end();
  client.close();
  return { answer, took, longest, failure, slow: Math.max(slowBefore, slowness()) };
}

const isRefusal = ({ status, text }) => REFUSALS.includes(status) && /\d/.test(JSON.parse(text).message ?? "");

/**
 * Has one request done while another client watches, and judges both.
 *
 * @param {string} part
 * @param {Server} server
 * @param {{ method: string, path: string, body?: unknown }} request
 * @param {{ waitMs?: number, watchMs?: number }} times how long others may wait, and how long they are watched after the answer
 */
async function judge(part, server, request, { report }, { waitMs = WAIT_MS, watchMs = 100 } = {}) {
  const isLate = ({ longest, slow }) => longest.counts > waitMs * slow;
  let found = await watched(server, request, watchMs);
  for (let tries = 1; tries < TRIES && isRefusal(found.answer) && found.failure === "" && isLate(found); tries++) {
    found = await watched(server, request, watchMs);
  }
  const { answer, took, longest, failure, slow } = found;
  const { status, text } = answer;
  report.figure(
    `${part}: status, took, others waited (ms)`,
    `${status}, ${took.toFixed(0)}, ${longest.clock.toFixed(0)}`,
  );
  report.expect(
    status === 200 || isRefusal(answer),
    `${part}: neither an answer nor a refusal that names the budget`,
    `${status} ${text.slice(0, 300)}`,
  );
  report.expect(failure === "", `${part}: others are not served`, failure);
  const shown = `${longest.clock.toFixed(0)} ms, of which ${longest.counts.toFixed(0)} count, on a machine ${slow.toFixed(1)} times as slow`;
  report.expect(!isLate(found), `${part}: others wait longer than ${waitMs} ms`, shown);
  report.expect(server.alive && server.workerds().length > 0, `${part}: the server ends`, server.output.slice(-300));
  return answer;
}

/** The agent of a part: one processor that works, one for others, and what else it needs. */
async function agent(server, primitives = [{ id: WORKER }], manipulatives = []) {
  const client = server.client();
  await client.askAt("POST", "/genome/hotswap", genome("long", [{ id: OTHER }, ...primitives], manipulatives));
  await client.askAt("POST", `/${OTHER}/genes/change`, { data: { max_sequence_length: 5 } });
  await client.askAt("POST", `/${OTHER}/observe`, { data: { strings: ["o"] } });
  client.close();
}

const at = (call, body) => {
  const [method, operation] = call.split(" ");
  return { method, path: `/${WORKER}/${operation}`, body };
};

/** A manipulative that tells targets the name and the future of each prediction. */
function abstraction(id, primitive, targets) {
  return {
    id,
    primitive,
    name: "abstraction",
    mtype: "output",
    genes: { field: { value: ["name"] }, primitives: { value: targets }, sources: {} },
  };
}

async function patterns(server, context) {
  await agent(server);
  const client = server.client({ processor: WORKER });
  const strings = Array.from({ length: 200 }, (_, count) => `${"a".repeat(100)}${count}`);
  await client.ask("POST observe", { data: { strings } });
  await client.ask("POST learn");
  const many = Array(200).fill(".{0,1000}");
  await judge("patterns, many", server, at("POST get-models-with-patterns", { data: many }), context);
  await judge("patterns, one", server, at("POST get-models-with-patterns", { data: [many.join("")] }), context);
}

/** A genome in which every level tells the next twice: 2^n deliveries. */
async function doubling(server, context) {
  const levels = context.sizes.levels;
  const name = (level) => (level === 0 ? WORKER : `level${level}`);
  const links = (level) => (level < levels ? [`a${level}`, `b${level}`] : []);
  const primitives = Array.from({ length: levels + 1 }, (_, level) => ({
    id: name(level),
    manipulatives: links(level),
  }));
  const manipulatives = Array.from({ length: levels }, (_, level) =>
    links(level).map((id) => abstraction(id, name(level), [name(level + 1)])),
  ).flat();
  const chain = primitives.map(({ id }) => id);
  await fanOut("genome-doubling", server, primitives, manipulatives, chain, context);
}

/** One processor that tells very many. */
async function fan(server, context) {
  const targets = Array.from({ length: context.sizes.targets }, (_, count) => `t${count}`);
  const primitives = [{ id: WORKER, manipulatives: ["m"] }, ...targets.map((id) => ({ id }))];
  await fanOut("fan-out", server, primitives, [abstraction("m", WORKER, targets)], [WORKER], context);
}

/** Puts a genome in service, or sees it refused, and makes predictions that travel through all of it. */
async function fanOut(part, server, primitives, manipulatives, chain, context) {
  await agent(server);
  const client = server.client({ timeoutMs: END_MS });
  const body = genome("long", [{ id: OTHER }, ...primitives], manipulatives);
  const answer = await judge(part, server, { method: "POST", path: "/genome/hotswap", body }, context);
  if (answer.status !== 200) return;
  let symbol = "x";
  for (const id of chain) {
    // Whatever it is told is the beginning of a model that it knows, so that it predicts, too.
    const { name } = await client.askAt("PUT", `/${id}/add-model`, { sequence: [[symbol], ["z"]] });
    symbol = `PRIMITIVE|${id}|${name}|name|${name}`;
  }
  // What travels on after the answer takes its time as well.
  await judge(`${part}, observe`, server, at("POST observe", { data: { strings: ["x"] } }), context, { watchMs: 5000 });
  const told = chain.at(-1) ?? "";
  if (chain.length > 1)
    context.report.figure(`${part}: observes of the last level`, await client.askAt("GET", `/${told}/time`));
  client.close();
}

/** One symbol very many times over. */
async function sequence(server, context) {
  await agent(server);
  const records = Array.from({ length: context.sizes.records }, () => ({ strings: ["s"] }));
  await judge("sequence", server, at("POST sequence-observe", { data: { sequence: records } }), context);
  await judge("sequence, learn", server, at("POST learn"), context);
}

/** As many equal symbols in memory as in a model. */
async function equalSymbols(server, context) {
  await agent(server);
  const client = server.client({ processor: WORKER, timeoutMs: END_MS });
  const strings = Array(context.sizes.symbols).fill("s");
  await judge("equal-symbols, add-model", server, at("PUT add-model", { sequence: [strings] }), context);
  await client.ask("POST predicting/stop");
  await judge("equal-symbols, observe", server, at("POST observe", { data: { strings } }), context);
  await client.ask("POST predicting/start");
  await judge("equal-symbols, observe again", server, at("POST observe", { data: { strings: ["s"] } }), context);
  await judge("equal-symbols, predictions", server, at("POST predictions"), context);
  client.close();
}

/** A body of one long list, of the wrong kind. */
async function bigList(server, context) {
  await agent(server);
  const list = `[${"[],".repeat(context.sizes.mebibytes * 349_525)}[]]`;
  await judge("big-list", server, at("POST observe", `{"data":{"strings":${list}}}`), context);
  await judge("big-list, symbols", server, at("POST get-models-with-symbols", `{"data":${list}}`), context);
}

/** What takes long because there is much: reads of a large knowledge base. */
async function manyModels(server, context) {
  const { models } = context.sizes;
  await agent(server);
  const client = server.client({ processor: WORKER, timeoutMs: END_MS });
  await client.ask("POST predicting/stop");
  await client.ask("POST genes/change", { data: { max_sequence_length: 2 } });
  await client.ask("POST autolearning/start");
  const step = 2000;
  for (let from = 0; from < models; from += step) {
    // Two events make a model, the second of which begins the next.
    const records = Array.from({ length: step }, (_, count) => ({
      strings: [`s${(from + count) % 5000}`, `t${(from + count) % SYMBOLS}`],
    }));
    await client.ask("POST sequence-observe", { data: { sequence: records } });
  }
  await client.ask("POST autolearning/stop");
  await client.ask("POST working-memory/clear");
  await client.ask("POST predicting/start");
  await client.ask("POST genes/change", { data: { max_sequence_length: 0 } });
  const waitMs = models > 100_000 ? WAIT_AT_A_MILLION_MS : WAIT_MS;
  const requests = {
    observe: at("POST observe", { data: { strings: ["s1", "s2", "s3", "t4"] } }),
    predictions: at("POST predictions"),
    "get-models-with-symbols": at("POST get-models-with-symbols", { data: ["s1"] }),
    "get-models-with-patterns": at("POST get-models-with-patterns", { data: ["s.*1"] }),
    "symbols/remove": at("POST symbols/remove", { data: ["s1"] }),
    get_kb: at("GET get_kb"),
    "clear-all-memory": at("POST clear-all-memory"),
  };
  for (const [name, request] of Object.entries(requests)) {
    await judge(`many-models, ${name}`, server, request, context, { waitMs });
  }
  client.close();
}

const PARTS = {
  patterns,
  "genome-doubling": doubling,
  "fan-out": fan,
  sequence,
  "equal-symbols": equalSymbols,
  "big-list": bigList,
  "many-models": manyModels,
};

async function run(context) {
  for (const part of context.parts) {
    const server = await Server.start();
    try {
      await PARTS[part](server, context);
    } catch (error) {
      context.report.fail(`${part}: broke off`, error.message);
    }
    // A server that still works on something is not asked, it is killed.
    await server.discard(2000);
  }
}

/** The attack. */
export const longWork = {
  name: "long-work",
  about:
    "requests that ask for very much work: an answer or a refusal that names the budget, while others wait 1 s at most",
  parts: Object.keys(PARTS),
  sizes: {
    short: { levels: 10, targets: 500, records: 52_000, symbols: 48_000, mebibytes: 16, models: 10_000, seconds: 120 },
    long: {
      levels: 12,
      targets: 3000,
      records: 64_000,
      symbols: 48_000,
      mebibytes: 16,
      models: 1_000_000,
      seconds: 1200,
    },
  },
  run,
};
