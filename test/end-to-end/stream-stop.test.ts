/** A stop does not wait for streams: their clients are told at once, and those that are gone without a word delay nothing. */

import { request } from "node:http";
import { expect, onTestFinished, test } from "vitest";
import { PROCESSOR } from "../support/server/processor-calls";
import { openDeaf } from "../support/server/raw-stream";
import { Server } from "../support/server/server";
import { ServedStream } from "../support/server/stream";

/** The time that a stop would take if it waited for streams, in seconds. */
const STOP_SECONDS = 60;

/** A stop may take no longer, in milliseconds. It takes half a second, and on a busy machine longer. */
const STOP_MS = 30_000;

async function start(): Promise<Server> {
  const server = await Server.start(undefined, { NOEMA_STOP_SECONDS: String(STOP_SECONDS) });
  onTestFinished(() => server.discard());
  return server;
}

const open = (server: Server, session: string) =>
  ServedStream.open(server.address, `${PROCESSOR}/sessions/${session}/stream?source=device`);

test("with 100 open streams, of which some have never sent anything and three are gone, does not wait for them and closes them with 1001", async () => {
  const server = await start();
  const streams = await Promise.all(Array.from({ length: 100 }, (_, at) => open(server, `s${at}`)));
  for (const [at, stream] of streams.entries()) {
    await stream.next();
    if (at % 2 === 0) await stream.ask({ n: 1, observe: { strings: ["kept"] }, brief: true });
  }
  for (let at = 0; at < 3; at++) await openDeaf(server.address, `${PROCESSOR}/sessions/gone-${at}/stream`);
  const before = Date.now();
  expect(await server.stop()).toBe(0);
  expect(Date.now() - before).toBeLessThan(STOP_MS);
  for (const stream of streams) {
    expect(await stream.untilClosed()).toBe(1001);
    expect(stream.reason).toBe("the server stops");
  }
  expect(server.output).toBe("");
  const next = await Server.start(server.stateDir);
  onTestFinished(() => next.discard());
  const stream = await open(next, "s0");
  expect(await stream.next()).toEqual({ welcome: { interval: 1, last: 1 } });
  stream.socket.close();
});

test.each([
  "SIGTERM",
  "SIGINT",
] as const)("by %s, which reaches workerd, too, answers the request under way", async (signal) => {
  const server = await start();
  const stream = await open(server, "s");
  await stream.next();
  const outgoing = request(`${server.address}${PROCESSOR}/observe`, {
    method: "POST",
    headers: { "x-api-key": "ABCD-1234" },
  });
  const status = new Promise((resolve, reject) => {
    outgoing.once("response", (response) => resolve(response.resume().statusCode)).once("error", reject);
  });
  outgoing.write('{"data": {"strings": ');
  await server.okay(`GET ${PROCESSOR}/time`);
  const before = Date.now();
  server.signalAll(signal);
  expect(await stream.untilClosed()).toBe(1001);
  outgoing.end('["late"]}}');
  expect(await status).toBe(200);
  expect(await server.ended()).toBe(0);
  expect(Date.now() - before).toBeLessThan(STOP_MS);
});

test("is begun by no one else: the address at which the Worker is told is nothing to other clients", async () => {
  const server = await start();
  const stream = await open(server, "s");
  await stream.next();
  for (const key of ["ABCD-1234", "no"]) {
    const answer = await server.call("PUT /stop", undefined, { key, headers: { "x-request-id": "0" } });
    expect(answer.status).toBe(key === "no" ? 500 : 404);
  }
  expect(await stream.ask("ping")).toBe("pong");
  stream.socket.close();
});

test("after a SIGTERM to workerd alone, which says nothing of it, closes the streams and starts workerd again", async () => {
  const server = await start();
  const stream = await open(server, "s");
  await stream.next();
  await stream.ask({ n: 1, observe: { strings: ["kept"] }, brief: true });
  const { workerdPid } = server;
  process.kill(workerdPid, "SIGTERM");
  expect(await stream.untilClosed()).toBe(1001);
  await expect.poll(() => server.workerdPid, { timeout: 30_000 }).not.toBe(workerdPid);
  expect(server.output).toBe(
    "workerd ended by itself (exit code 0). The server starts again in 0.1 s; all that it answered is stored.\n",
  );
  const next = await open(server, "s");
  expect(await next.next()).toEqual({ welcome: { interval: 1, last: 1 } });
  next.socket.close();
});
