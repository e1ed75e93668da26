/**
 * Sends what costs most to take in: bodies of very many values, members, chunks or frames, and bodies that are kept open. While each is under
 * way others are served within a second, and memory stays bounded.
 */

import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { PROCESSOR } from "../../client.mjs";
import { quantile } from "../../report.mjs";
import { Server } from "../../server.mjs";
import { head, open, received, statusIn } from "../../sockets.mjs";
import { slowness, Wait } from "../../waiting.mjs";
import { BODIES, LARGE, MESSAGES, OBSERVE, PING } from "./intake-cases.mjs";

/** The longest that another client may wait, in milliseconds, when a body is refused and when it is accepted. */
const REFUSED_MS = 300;
const ACCEPTED_MS = 1000;
/** How much memory workerd may take besides what it had. The engine collects late what was parsed. */
const GROWTH_MEBIBYTES = 600;
const GROWTH_OF_VALUES_MEBIBYTES = 1200;
const PAUSE_MS = 10;
const ANSWER_MS = 60_000;
const MEBIBYTE = 2 ** 20;

/** What others experience: how long `GET /health` and observes take. */
class Others {
  #server;
  #client;
  #going = true;
  #done;
  waits = [];
  failures = [];

  static async begin(server) {
    const others = new Others();
    others.#server = server;
    others.#client = server.client({ connections: 1, timeoutMs: ANSWER_MS });
    await others.#call(1);
    others.#done = others.#calls();
    return others;
  }

  async #calls() {
    for (let count = 0; this.#going; count++) {
      const wait = new Wait(this.#server);
      try {
        await this.#call(count);
      } catch (error) {
        this.failures.push(error.message);
      }
      this.waits.push(wait.end());
      await sleep(PAUSE_MS);
    }
    this.#client.close();
  }

  async #call(count) {
    const path = count % 2 === 0 ? "/health" : `/${PROCESSOR}/sessions/others/observe`;
    const body = count % 2 === 0 ? undefined : { data: { strings: ["o"] } };
    const { status } = await this.#client.exchange({ method: body ? "POST" : "GET", path, body });
    if (status !== 200) throw new Error(`${path} is answered ${status}`);
    if (count % 100 === 99)
      await this.#client.exchange({ method: "POST", path: `/${PROCESSOR}/sessions/others/working-memory/clear` });
  }

  /** The longest wait since the last question, as the clock says and as it counts. */
  longest() {
    const waits = this.waits.splice(0);
    return {
      clock: quantile(
        waits.map(({ clock }) => clock),
        1,
      ),
      counts: quantile(
        waits.map(({ counts }) => counts),
        1,
      ),
    };
  }

  async end() {
    this.#going = false;
    await this.#done;
  }
}

/** Serves, lets others call, and watches memory while `attack` goes on. */
async function under(report, attack, growth = GROWTH_MEBIBYTES) {
  const server = await Server.start();
  const before = server.memory();
  let most = before;
  const timer = setInterval(() => {
    most = Math.max(most, server.memory());
  }, 50);
  const others = await Others.begin(server);
  const pids = server.workerds().join();
  try {
    await attack(server, others);
    await others.end();
    report.expect(others.failures.length === 0, "others are not served", others.failures[0]);
    report.expect(server.workerds().join() === pids, "workerd ended");
  } finally {
    clearInterval(timer);
    await server.discard();
  }
  report.figure("memory before, at most (MiB)", `${before.toFixed(0)}, ${most.toFixed(0)}`);
  report.expect(most - before < growth, "memory is not bounded", `${before} to ${most} MiB`);
}

/** Sends bodies one after another, and judges how long others wait for each. */
async function send(report, bodies) {
  await under(
    report,
    async (server, others) => {
      const client = server.client({ connections: 1, timeoutMs: ANSWER_MS });
      for (const [name, path, body, headers, method = "POST"] of bodies) {
        const bytes = Buffer.from(typeof body === "function" ? body() : body);
        const slow = slowness();
        await sleep(100);
        others.longest();
        const used = server.processorMs();
        let told = "";
        try {
          const { status, text, ms } = await client.exchange({ method, path, body: bytes, headers });
          told = `${status} in ${ms.toFixed(0)} ms: ${text.slice(0, 150)}`;
        } catch (error) {
          told = `no answer: ${error.message}`;
          report.fail(`${name}: no answer`, error.message);
        }
        await sleep(100);
        const { clock, counts } = others.longest();
        const isRefused = !told.startsWith("200");
        const figure = `${clock.toFixed(0)}, ${(server.processorMs() - used).toFixed(0)}, ${told}`;
        report.figure(`${name}: others wait at most (ms), processor time (ms), answer`, figure);
        const bound = (isRefused ? REFUSED_MS : ACCEPTED_MS) * slow;
        report.expect(counts <= bound, `${name}: others wait`, `${counts} ms, of ${bound}`);
      }
      client.close();
    },
    GROWTH_OF_VALUES_MEBIBYTES,
  );
}

/** Waits until a connection takes more, or is closed. */
async function drained(socket) {
  const waiting = new AbortController();
  const { signal } = waiting;
  const events = ["drain", "close"].map((event) => once(socket, event, { signal }).catch(() => {}));
  await Promise.race(events);
  waiting.abort();
}

/** A body in chunks of a byte, as fast as the connection takes it. Resolves to the status of the answer. */
async function inChunks(server, path, { count, headers = ["content-type: application/json"], size = 1 }) {
  const socket = await open(server.address);
  const answer = received(socket, ANSWER_MS, (text) => text.includes("\r\n\r\n"));
  socket.write(head(`POST ${path}`, [...headers, "transfer-encoding: chunked"]));
  const ended = answer.then(() => true);
  const chunk = `${size.toString(16)}\r\n${" ".repeat(size)}\r\n`;
  const block = Buffer.from(chunk.repeat(10_000));
  for (let sent = 0; sent < count && !socket.destroyed; sent += 10_000) {
    if (socket.write(block)) continue;
    if (await Promise.race([drained(socket).then(() => false), ended])) break;
  }
  if (!socket.destroyed) socket.write("0\r\n\r\n");
  const { text } = await answer;
  socket.destroy();
  return statusIn(text);
}

async function chunks({ report, sizes }) {
  const count = sizes?.chunks ?? 2_000_000;
  const services = [`content-type: application/json`, `x-processor-id: ${PROCESSOR}`];
  await under(report, async (server, others) => {
    for (const [path, headers] of [
      [OBSERVE, undefined],
      [PING, services],
      [`/${PROCESSOR}/load_kb`, undefined],
      ["/restore", undefined],
      ["/nothing/here", undefined],
    ]) {
      others.longest();
      const used = server.processorMs();
      const began = performance.now();
      const status = await inChunks(server, path, { count, headers });
      const { clock, counts } = others.longest();
      const figure = `${clock.toFixed(0)}, ${server.processorMs() - used}, ${(performance.now() - began).toFixed(0)}, ${status}`;
      report.figure(`${path}: others wait at most (ms), processor time (ms), time (ms), status`, figure);
      report.expect(counts <= ACCEPTED_MS * slowness(), `${path}: others wait`, `${counts} ms`);
    }
  });
}

/** Where bodies that never end go. */
const OPEN_PATHS = [OBSERVE, OBSERVE, `/${PROCESSOR}/load_kb`, PING];

/** One large body that never ends: almost all of it at once, and then a KiB every few seconds. Resolves to its status; 0 for none. */
async function endless(server, at, seconds) {
  const socket = await open(server.address);
  const answer = received(socket, seconds * 1000 + ANSWER_MS, (text) => text.includes("\r\n\r\n"));
  const isChunked = at % 2 === 1;
  const framed = (text) => (isChunked ? `${text.length.toString(16)}\r\n${text}\r\n` : text);
  const path = OPEN_PATHS[at % OPEN_PATHS.length];
  const length = isChunked ? "transfer-encoding: chunked" : `content-length: ${LARGE}`;
  socket.write(head(`POST ${path}`, ["content-type: application/json", `x-processor-id: ${PROCESSOR}`, length]));
  socket.write(framed(path.endsWith("load_kb") ? '["' : " "));
  const block = framed(" ".repeat(64 * 1024));
  for (let sent = 0; sent < LARGE - MEBIBYTE && !socket.destroyed; sent += block.length) {
    if (socket.write(block)) continue;
    if (await Promise.race([drained(socket).then(() => false), answer.then(() => true)])) break;
  }
  const end = performance.now() + seconds * 1000;
  let status = 0;
  const told = answer.then(({ text }) => {
    status = statusIn(text);
  });
  while (performance.now() < end && !socket.destroyed && status === 0) {
    socket.write(framed(" ".repeat(1024)));
    await Promise.race([sleep(4000), told]);
  }
  socket.destroy();
  return status;
}

async function openBodies({ report, sizes }) {
  await under(report, async (server, others) => {
    const sent = Array.from({ length: 120 }, (_, at) => endless(server, at, sizes?.open ?? 30));
    const counts = {};
    for (const status of await Promise.all(sent)) counts[status] = (counts[status] ?? 0) + 1;
    report.figure("bodies by status; 0 are those that were still open", JSON.stringify(counts));
    const { clock, counts: waited } = others.longest();
    report.figure("others wait at most (ms)", clock);
    report.expect(waited <= ACCEPTED_MS * slowness(), "others wait", `${waited} ms`);
    // What the bodies held is free again, also of those whose clients left.
    await sleep(1000);
    const client = server.client({ connections: 1, timeoutMs: ANSWER_MS });
    const body = `{"data":{"strings":["a"],"unknown":"${"x".repeat(20 * MEBIBYTE)}"}}`;
    const { status, text } = await client.exchange({ method: "POST", path: OBSERVE, body });
    report.expect(status === 200, "a large body is refused afterwards", `${status} ${text.slice(0, 200)}`);
    client.close();
  });
}

/** The attacks of this file: each with its name, and what it does with a report. */
export const INTAKE = [
  { name: "messages", run: ({ report }) => send(report, MESSAGES) },
  { name: "values", run: ({ report }) => send(report, BODIES) },
  { name: "chunks", run: chunks },
  { name: "open", run: openBodies },
];
