/**
 * Sends what costs most to take in: bodies of very many values, members, chunks or frames, and bodies that are kept open. While each is under
 * way others are served within a second, and memory stays bounded.
 */

import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { PROCESSOR } from "../../client.mjs";
import { head, open, received, statusIn } from "../../sockets.mjs";
import { slowness } from "../../waiting.mjs";
import { BODIES, LARGE, MESSAGES, OBSERVE, PING } from "./intake-cases.mjs";
import { LIMIT_MS, WAIT_MS } from "./target.mjs";

/** The longest that another client may wait when a body is refused, in milliseconds. */
const REFUSED_MS = 300;
/** How much memory workerd may take besides what it had. The engine collects late what was parsed. */
const GROWTH_OF_VALUES_MEBIBYTES = 1200;
const MEBIBYTE = 2 ** 20;

/** Sends bodies one after another, and judges how long others wait for each. */
const send = (bodies) => async (target) => {
  const { server, others } = target;
  for (const [name, path, body, headers, method = "POST"] of bodies) {
    const bytes = Buffer.from(typeof body === "function" ? body() : body);
    const slow = slowness();
    await sleep(100);
    others.longest();
    const used = server.processorMs();
    const { status, text } = await target.call(method, path, bytes, headers);
    await sleep(100);
    const { clock, counts } = others.longest();
    const times = `${clock.toFixed(0)}, ${(server.processorMs() - used).toFixed(0)}`;
    const answer = `${status} ${text.slice(0, 150)}`;
    target.figure(`${name}: others wait at most (ms), processor time (ms), answer`, `${times}, ${answer}`);
    const bound = (status === 200 ? WAIT_MS : REFUSED_MS) * slow;
    target.expect(counts <= bound, `${name}: others wait`, `${counts} ms, of ${bound}`);
  }
};

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
  const answer = received(socket, LIMIT_MS, (text) => text.includes("\r\n\r\n"));
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

/** Bodies in chunks of a byte to all that read one. */
async function chunks(target) {
  const { server, others, sizes } = target;
  const services = ["content-type: application/json", `x-processor-id: ${PROCESSOR}`];
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
    const status = await inChunks(server, path, { count: sizes.chunks, headers });
    const times = [others.longest().clock, server.processorMs() - used, performance.now() - began];
    const shown = times.map((ms) => ms.toFixed(0)).join(", ");
    target.figure(`${path}: others wait at most (ms), processor time (ms), time (ms), status`, `${shown}, ${status}`);
  }
}

/** Where bodies that never end go. */
const OPEN_PATHS = [OBSERVE, OBSERVE, `/${PROCESSOR}/load_kb`, PING];

/** One large body that never ends: almost all of it at once, and then a KiB every few seconds. Resolves to its status; 0 for none. */
async function endless(server, at, seconds) {
  const socket = await open(server.address);
  const answer = received(socket, seconds * 1000 + LIMIT_MS, (text) => text.includes("\r\n\r\n"));
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

/** Many large bodies that never end. What they held is free again afterwards, also of those whose clients left. */
async function openBodies(target) {
  const sent = Array.from({ length: 120 }, (_, at) => endless(target.server, at, target.sizes.open));
  const counts = {};
  for (const status of await Promise.all(sent)) counts[status] = (counts[status] ?? 0) + 1;
  target.figure("bodies by status; 0 are those that were still open", JSON.stringify(counts));
  await sleep(1000);
  const body = `{"data":{"strings":["a"],"unknown":"${"x".repeat(20 * MEBIBYTE)}"}}`;
  await target.succeed("POST", OBSERVE, body);
}

const withSession = true;

/** The attacks of this file. */
export const intake = [
  { name: "messages", attack: send(MESSAGES), growth: GROWTH_OF_VALUES_MEBIBYTES, withSession },
  { name: "values", attack: send(BODIES), growth: GROWTH_OF_VALUES_MEBIBYTES, withSession },
  { name: "chunks", attack: chunks, withSession },
  { name: "open", attack: openBodies, withSession },
];
