/**
 * Plays clients that are slow or broken: half requests, bodies without end, readers that do not read, chunks that are none, and
 * connections that are reset in the middle. The server's memory stays bounded, others are served meanwhile, and it stops when told.
 */

import { setTimeout as sleep } from "node:timers/promises";
import { PROCESSOR } from "../client.mjs";
import { quantile } from "../report.mjs";
import { Server } from "../server.mjs";
import { head, open, openMany, received, statusIn } from "../sockets.mjs";
import { slowness, Wait } from "../waiting.mjs";

/** Others are to be answered within a second; the median tells a slow server from a slow moment of the machine. */
const MEDIAN_MS = 250;
const SLOWEST_MS = 2000;
const PAUSE_MS = 25;

const STOP_MS = 10_000;
const GROWTH_MEBIBYTES = 120;

const HALVES = 60;
/** An endless body may be read up to the limit of a body, and must not be kept beyond. It may be held twice: V8 collects late. */
const BODY_MEBIBYTES = 2 * 25;
const ENDLESS_MS = 20_000;
/** A client that takes this much of a body reads without end. */
const MAX_BYTES = 128 * 2 ** 20;
const CHUNK = "x".repeat(64 * 1024);
const READERS = 10;
const RESETS = 300;
/** About 30 MB as get_kb prints them: the system's own buffers take a good part of a smaller answer, so that no reader would stall. */
const MODELS = 60_000;
const MODELS_A_CALL = 4000;

const OBSERVE = `POST /${PROCESSOR}/observe`;
const CHUNKED = ["content-type: application/json", "transfer-encoding: chunked"];

/** What others experience while something goes on: how long their pings and observes take. */
class Others {
  #server;
  #client;
  #going = true;
  #waits = [];
  #failures = [];
  #done;

  /** Begins once the first call, which makes the processor, is answered. */
  static async begin(server) {
    const others = new Others();
    others.#server = server;
    others.#client = server.client({ connections: 1, timeoutMs: 10_000 });
    await others.#client.ask("GET ping");
    others.#done = others.#call();
    return others;
  }

  async #call() {
    for (let count = 0; this.#going; count++) {
      const wait = new Wait(this.#server);
      const [call, body] = count % 2 === 0 ? ["GET ping"] : ["POST observe", { data: { strings: ["o"] } }];
      try {
        await this.#client.ask(call, body);
        this.#waits.push(wait.end());
      } catch (error) {
        this.#failures.push(error.message);
      }
      if (count % 50 === 49) await this.#client.ask("POST working-memory/clear").catch(() => {});
      await sleep(PAUSE_MS);
    }
    this.#client.close();
  }

  async judge(part, report) {
    this.#going = false;
    await this.#done;
    const slow = slowness();
    const shown = (times) => `${quantile(times, 0.5).toFixed(1)}, ${quantile(times, 1).toFixed(0)}`;
    const counts = this.#waits.map((wait) => wait.counts);
    const clocks = shown(this.#waits.map(({ clock }) => clock));
    report.figure(`${part}: others' calls, median, slowest (ms)`, `${counts.length}, ${clocks}`);
    report.expect(this.#failures.length === 0, `${part}: others are not served`, this.#failures[0]);
    const quick = quantile(counts, 0.5) <= MEDIAN_MS * slow && quantile(counts, 1) <= SLOWEST_MS * slow;
    const detail = `median, slowest ${clocks} ms, of which count ${shown(counts)}`;
    report.expect(counts.length > 0 && quick, `${part}: others wait`, detail);
  }
}

/** The most memory that workerd takes while something goes on. */
class Memory {
  #server;
  #most = 0;
  #timer;

  constructor(server) {
    this.#server = server;
    this.before = server.memory();
    this.#timer = setInterval(() => this.#look(), 50);
  }

  #look() {
    this.#most = Math.max(this.#most, this.#server.memory());
  }

  judge(part, report, growth = GROWTH_MEBIBYTES) {
    clearInterval(this.#timer);
    this.#look();
    const figures = [this.before, this.#most].map((mebibytes) => mebibytes.toFixed(0)).join(", ");
    report.figure(`${part}: memory before, at most (MiB)`, figures);
    report.expect(this.#most < this.before + growth, `${part}: memory is not bounded`, `${figures} MiB`);
  }
}

/** Stops a server and sees that it ends in time with what it acknowledged. */
async function stopInTime(part, server, { report }) {
  const client = server.client();
  await client.ask("POST working-memory/clear");
  await client.ask("POST observe", { data: { strings: ["last"] } });
  client.close();
  const took = await server.stop(STOP_MS);
  report.figure(`${part}: a stop takes (ms)`, took);
  report.expect(took <= STOP_MS, `${part}: SIGTERM does not end the server within ${STOP_MS} ms`);
  const again = await Server.start({ stateDir: server.stateDir });
  const memory = JSON.stringify(await again.client().ask("GET working-memory"));
  report.expect(memory === '[["last"]]', `${part}: a stop loses an acknowledged write`, memory);
  return again;
}

/** Heads without an end, and bodies of which half came. */
async function halves(server, context) {
  const others = await Others.begin(server);
  const memory = new Memory(server);
  const sockets = await openMany(server.address, HALVES);
  for (const [at, socket] of sockets.entries()) {
    const whole = `${head(OBSERVE, ["content-length: 40"])}{"data":{"strings":["half"`;
    socket.write(at % 2 === 0 ? whole : whole.slice(0, 10 + at));
  }
  await sleep(2000);
  await others.judge("halves", context.report);
  memory.judge("halves", context.report);
  const again = await stopInTime("halves", server, context);
  for (const socket of sockets) socket.destroy();
  return again;
}

/** Writes chunks until the other side says or does something. */
async function pour(socket, fields, key) {
  socket.write(head(OBSERVE, fields, { key }));
  const answer = received(socket, ENDLESS_MS, (text) => statusIn(text) > 0);
  const end = performance.now() + ENDLESS_MS;
  let poured = 0;
  const chunk = `${CHUNK.length.toString(16)}\r\n${CHUNK}\r\n`;
  while (performance.now() < end && poured < MAX_BYTES && !socket.destroyed) {
    if (socket.write(chunk)) await sleep(0);
    else await Promise.race([new Promise((resolve) => socket.once("drain", resolve)), sleep(100)]);
    poured += CHUNK.length;
    // A server that has answered may go on reading for a while, for the client's sake, but not for ever.
  }
  const { text } = await answer;
  return { poured, status: statusIn(text) };
}

async function endless(part, key, server, { report, sizes: { bodies } }) {
  const others = await Others.begin(server);
  const memory = new Memory(server);
  const sockets = await openMany(server.address, bodies);
  const outcomes = await Promise.all(sockets.map((socket) => pour(socket, CHUNKED, key)));
  for (const socket of sockets) socket.destroy();
  await others.judge(part, report);
  memory.judge(part, report, GROWTH_MEBIBYTES + (bodies - 1) * BODY_MEBIBYTES);
  const mebibytes = outcomes.reduce((sum, { poured }) => sum + poured, 0) / 2 ** 20;
  const statuses = outcomes.map(({ status }) => status || "none").join(" ");
  report.figure(`${part}: endless bodies, poured (MiB), answers`, `${bodies}, ${mebibytes.toFixed(1)}, ${statuses}`);
  const isBounded = outcomes.every(({ poured }) => poured < MAX_BYTES);
  report.expect(isBounded, `${part}: a body without end is read without end`, JSON.stringify(outcomes));
  return server;
}

/** Gives the processor a knowledge base that does not fit into a socket's buffers. */
async function fill(client) {
  for (let from = 0; from < MODELS; from += MODELS_A_CALL) {
    const sequence = Array.from({ length: MODELS_A_CALL }, (_, at) => from + at).map((at) => ({
      strings: [`symbol ${at} of a knowledge base that is as long as it need be`, `next ${at}`],
    }));
    await client.ask("POST predicting/stop");
    await client.ask("POST genes/change", { data: { max_sequence_length: 2 } });
    await client.ask("POST autolearning/start");
    await client.ask("POST sequence-observe", { data: { sequence } });
  }
  await client.ask("POST autolearning/stop");
  await client.ask("POST working-memory/clear");
}

/** Readers that ask for the knowledge base and then read nothing. */
async function readers(server, context) {
  const { report } = context;
  const client = server.client();
  await fill(client);
  const { text } = await client.exchange({ method: "GET", path: `/${PROCESSOR}/get_kb` });
  client.close();
  const others = await Others.begin(server);
  const memory = new Memory(server);
  const sockets = await openMany(server.address, READERS);
  for (const socket of sockets) {
    socket.pause();
    socket.write(head(`GET /${PROCESSOR}/get_kb`));
  }
  await sleep(3000);
  const held = Math.max(0, server.memory() - memory.before);
  report.figure(
    "readers: knowledge base, held for 10 stalled readers (MiB)",
    [text.length / 2 ** 20, held].map((n) => n.toFixed(1)).join(", "),
  );
  await others.judge("readers", report);
  // Half of what ten readers would hold if each held the whole answer; what V8 has not collected yet is in it, too.
  memory.judge("readers", report, (READERS * text.length) / 2 ** 21);
  const again = await stopInTime("readers", server, context);
  for (const socket of sockets) socket.destroy();
  return again;
}

/** Bodies whose chunks are no chunks: the client's mistake. */
async function chunks(server, { report }) {
  const bodies = [
    "zz\r\n{}\r\n0\r\n\r\n",
    "-2\r\n{}\r\n",
    "2\r\n{}0\r\n\r\n",
    "ffffffffffffffff\r\n{}",
    "5\r\n{}\r\n0\r\n\r\n",
  ];
  for (const body of bodies) {
    const socket = await open(server.address);
    socket.write(`${head(OBSERVE, CHUNKED)}${body}`);
    const { text, how } = await received(socket, 5000, (so) => so.includes("\r\n\r\n"));
    socket.destroy();
    const shown = `${JSON.stringify(body)}: ${text.slice(-250)}`;
    report.expect(statusIn(text) < 500, `chunks: broken ones are answered with ${statusIn(text)}`, shown);
    // This one promises a chunk so large that the server may wait for it.
    const mayWait = body.startsWith("f");
    report.expect(how !== "time" || mayWait, "chunks: broken ones are not answered", shown);
  }
  return server;
}

/** Connections that are reset in the middle of what they send, or of what they get. */
async function resets(server, { report, random }) {
  const others = await Others.begin(server);
  const memory = new Memory(server);
  const requests = [
    `${head(OBSERVE, ["content-length: 400"])}{"data":`,
    `${head(OBSERVE, CHUNKED)}5\r\n{"dat`,
    head(`GET /${PROCESSOR}/get_kb`),
    head(`POST /${PROCESSOR}/predictions`, ["content-length: 0"]).repeat(3),
    OBSERVE,
  ];
  for (let done = 0; done < RESETS; done += 10) {
    const sockets = await openMany(server.address, 10);
    for (const socket of sockets) socket.write(random.pick(requests));
    await sleep(10 + random.below(40));
    for (const socket of sockets) socket.resetAndDestroy();
  }
  await sleep(1000);
  await others.judge("resets", report);
  memory.judge("resets", report);
  return server;
}

const PARTS = {
  halves,
  "endless-with-key": (...args) => endless("endless-with-key", undefined, ...args),
  "endless-without-key": (...args) => endless("endless-without-key", null, ...args),
  readers,
  chunks,
  resets,
};

async function run(context) {
  for (const part of context.parts) {
    const server = await Server.start({ env: { NOEMA_STOP_SECONDS: String(context.sizes.stop) } });
    const before = String(server.workerds());
    const after = await PARTS[part](server, context);
    const lives = after !== server || String(server.workerds()) === before;
    context.report.expect(lives, `${part}: the server ended`, server.output.slice(-500));
    await after.discard();
  }
}

/** The attack. */
export const slowClients = {
  name: "slow-clients",
  about:
    "half requests, endless bodies, readers that stall, broken chunks, resets: bounded memory, others served, a stop in time",
  parts: Object.keys(PARTS),
  // 8 s are the default. Less makes the short form shorter.
  sizes: { short: { bodies: 1, stop: 3, seconds: 60 }, long: { bodies: 3, stop: 8, seconds: 120 } },
  run,
};
