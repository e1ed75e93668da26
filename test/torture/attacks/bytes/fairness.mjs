/**
 * Makes one processor work for as long as the limits allow, over streams and over HTTP, while others ask: another processor, the same one with
 * another key, and `/health`. Each is answered within about a second, and what the work was for is answered, too.
 */

import { setTimeout as sleep } from "node:timers/promises";
import { WebSocket } from "ws";
import { LOCAL_KEY } from "../../../../src/serve/settings.mjs";
import { genome } from "../../client.mjs";
import { quantile } from "../../report.mjs";
import { Server } from "../../server.mjs";
import { slowness, Wait } from "../../waiting.mjs";

const WORKER = "w1";
const OTHER = "o1";

/** How long others may wait for an answer, in milliseconds. */
const WAIT_MS = 1000;
const PAUSE_MS = 20;

/** After this long without an answer, an attack that nobody survives ends. */
const END_MS = 60_000;

/** So many equal symbols in memory and in a model take 9 million steps to match: 45 ms. */
const SYMBOLS = 3000;

/** So many take almost as many steps as one request may take. */
const MANY_SYMBOLS = 8000;

/** The contract allows this many frames under way. */
const UNDER_WAY = 250;

/** Frames of a stream that matches much. */
const FRAME = { observe: { strings: ["a"] }, predictions: { top: 1, fields: ["name"] }, brief: true };

/** An agent with a processor that has much to do for each request, and another one. */
async function prepare(server, symbols = SYMBOLS) {
  const client = server.client({ processor: WORKER, timeoutMs: END_MS });
  await client.askAt("POST", "/genome/hotswap", genome("fair", [{ id: WORKER }, { id: OTHER }]));
  await client.askAt("POST", `/${OTHER}/genes/change`, { data: { max_sequence_length: 5 } });
  await client.ask("POST genes/change", { data: { max_sequence_length: symbols } });
  await client.ask("PUT add-model", { sequence: [Array(symbols).fill("a"), ["b"]] });
  await client.ask("POST predicting/stop");
  await client.ask("POST sequence-observe", { data: { sequence: Array(symbols).fill({ strings: ["a"] }) } });
  await client.ask("POST predicting/start");
  client.close();
}

/** A key of the agent. */
async function keyOf(server, name, roles) {
  const client = server.client();
  const { key } = await client.askAt("POST", "/keys", { data: { name, roles } });
  client.close();
  return key;
}

/**
 * A stream that keeps as many frames under way as it may.
 *
 * @returns {Promise<{ answered: number, sent: number, code: number | undefined, end(): void }>} once it is open
 */
async function flood(server, { frame = FRAME, underWay = UNDER_WAY, key = LOCAL_KEY, session = "" } = {}) {
  const path = session === "" ? `/${WORKER}/stream` : `/${WORKER}/sessions/${session}/stream`;
  const url = server.address.replace(/^http/, "ws") + path;
  const socket = new WebSocket(url, ["noema.v1"], { headers: { "x-api-key": key } });
  const found = { answered: 0, sent: 0, code: undefined, refused: "", end: () => socket.terminate() };
  const send = () => {
    while (found.sent < found.answered + underWay) socket.send(JSON.stringify({ ...frame, n: ++found.sent }));
  };
  await new Promise((resolve, reject) => {
    socket.on("error", reject);
    socket.on("close", (code) => {
      found.code = code;
    });
    socket.on("message", (data) => {
      const said = JSON.parse(data);
      if (said.welcome === undefined) found.answered++;
      if (said.error !== undefined) found.refused = said.error.message;
      send();
      resolve();
    });
  });
  return found;
}

/** One connection that makes the same call again and again. */
function repeatCalls(server, call, body, key) {
  const client = server.client({ connections: 1, timeoutMs: END_MS });
  const found = { answered: 0, status: new Map(), end: undefined };
  let going = true;
  const [method, path] = call.split(" ");
  const headers = { "x-api-key": key };
  const done = (async () => {
    while (going) {
      const { status, headers: said } = await client
        .exchange({ method, path, body, headers })
        .catch(() => ({ status: 0, headers: {} }));
      found.answered++;
      found.status.set(status, (found.status.get(status) ?? 0) + 1);
      if (status === 503) await sleep(Number(said["retry-after"] ?? 1) * 1000);
      if (status === 0) await sleep(100);
    }
    client.close();
  })();
  found.end = async () => {
    going = false;
    await done;
  };
  return found;
}

/** Who asks while the attack is on: what, and with which key. */
function bystanders(key) {
  const observe = { data: { strings: ["o"] } };
  return [
    { name: "GET /health", call: "GET /health" },
    { name: "another processor's observe", call: `POST /${OTHER}/observe`, body: observe },
    { name: "the same, another key", call: `POST /${OTHER}/observe`, body: observe, key },
    {
      name: "the same processor in a session, another key",
      call: `POST /${WORKER}/sessions/s/observe`,
      body: observe,
      key,
    },
  ];
}

/** Asks all bystanders' questions again and again, each on a connection of its own. */
async function watch(server, key, seconds) {
  const until = performance.now() + seconds * 1000;
  return Promise.all(
    bystanders(key).map(async ({ name, call, body, key: own = LOCAL_KEY }) => {
      const client = server.client({ connections: 1, timeoutMs: END_MS });
      const [method, path] = call.split(" ");
      const waits = [];
      const failures = [];
      while (performance.now() < until) {
        const wait = new Wait(server);
        const { status, text } = await client
          .exchange({ method, path, body, headers: { "x-api-key": own } })
          .catch((error) => ({ status: 0, text: error.message }));
        waits.push(wait.end());
        if (status !== 200) failures.push(`${status} ${text.slice(0, 200)}`);
        await sleep(PAUSE_MS);
      }
      client.close();
      return { name, waits, failures };
    }),
  );
}

/** Judges what the bystanders found. */
function judge(part, found, { report }, slow) {
  for (const { name, waits, failures } of found) {
    const clocks = waits.map(({ clock }) => clock);
    const shown = [0.5, 0.99, 1].map((share) => quantile(clocks, share).toFixed(0)).join(", ");
    report.figure(`${part}: ${name}: count, p50, p99, longest (ms)`, `${clocks.length}, ${shown}`);
    const most = Math.max(...waits.map(({ counts }) => counts));
    report.expect(failures.length === 0, `${part}: ${name}: not answered`, failures[0]);
    report.expect(most <= WAIT_MS * slow, `${part}: ${name}: waits longer than ${WAIT_MS} ms`, `${most.toFixed(0)} ms`);
  }
}

/** Runs an attack while others ask. `begin` starts it and returns what it does: each counts what was answered, and ends. */
async function during(part, context, begin, symbols) {
  const server = await Server.start();
  await prepare(server, symbols);
  const [other, attacker] = [
    await keyOf(server, "other", ["observe"]),
    await keyOf(server, "attacker", ["observe", "read"]),
  ];
  await watch(server, other, 0.2);
  const slow = slowness();
  const began = await begin(server, attacker);
  await sleep(200);
  const before = began.reduce((sum, { answered }) => sum + answered, 0);
  const found = await watch(server, other, context.sizes.watch);
  const after = began.reduce((sum, { answered }) => sum + answered, 0);
  context.report.figure(
    `${part}: answers to the attacker a second`,
    ((after - before) / context.sizes.watch).toFixed(1),
  );
  judge(part, found, context, Math.max(slow, slowness()));
  const codes = began.map(({ code }) => code).filter((code) => code !== undefined);
  context.report.expect(codes.length === 0, `${part}: a stream is closed`, String(codes[0]));
  context.report.expect(after > before, `${part}: nothing of the attacker is answered`);
  context.report.expect(server.alive && server.workerds().length > 0, `${part}: the server ends`, server.output);
  for (const one of began) await one.end();
  await server.discard();
}

const times = (count, make) => Promise.all(Array.from({ length: count }, (_, at) => make(at)));

/** Two streams with as many frames under way as they may have, 45 ms each. */
const twoStreams = (context) => during("two streams", context, (server, key) => times(2, () => flood(server, { key })));

/** One stream with few. */
const oneStream = (context) =>
  during("one stream", context, (server, key) => times(1, () => flood(server, { key, underWay: 20 })));

/** Many streams of one key at one processor. */
const manyStreams = (context) =>
  during("many streams", context, (server, key) =>
    times(context.sizes.streams, () => flood(server, { key, underWay: 20 })),
  );

/** One frame after the other, each with a thousand records and predictions. */
const largeFrames = (context) =>
  during("large frames", context, (server, key) => {
    const observe = Array(1000).fill({ strings: ["a"] });
    return times(2, () => flood(server, { key, underWay: 100, frame: { ...FRAME, observe, forecast: true } }));
  });

/** Requests that end at the budget of steps, over many connections. */
const calls = (context) =>
  during(
    "calls at the budget",
    context,
    async (server, key) =>
      Array.from({ length: 16 }, () => {
        const body = { data: { sequence: [Array(MANY_SYMBOLS).fill("a")], top: 1, fields: ["name"] } };
        return repeatCalls(server, `POST /${WORKER}/predictions`, body, key);
      }),
    MANY_SYMBOLS,
  );

/** The parts of the attack on time, each with its name. */
export const FAIRNESS = [
  { name: "two-streams", run: twoStreams },
  { name: "one-stream", run: oneStream },
  { name: "many-streams", run: manyStreams },
  { name: "large-frames", run: largeFrames },
  { name: "calls", run: calls },
];
