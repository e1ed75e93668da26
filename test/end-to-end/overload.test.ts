/** Many connections at once: each request is served, or refused at once with a time to wait; no connection is reset. */

import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { Server } from "../support/server/server";

const PROCESSOR = "/p46b6b076c";
const CONNECTIONS = 100;
const REQUESTS = 5;

/** As many calls as may always be under way. */
const LEAST = 16;

/** After this long, a call under way counts as slow, and no other than the least number may be. */
const SLOW_MS = 2_000;

const BODY = '{"data":{"strings":["a"]}}';

async function start(env: Record<string, string> = {}): Promise<Server> {
  const server = await Server.start(undefined, env);
  onTestFinished(() => server.discard());
  return server;
}

async function open({ address }: Server): Promise<Socket> {
  const { hostname, port } = new URL(address);
  const socket = connect(Number(port), hostname).on("error", () => {});
  onTestFinished(() => void socket.destroy());
  await once(socket, "connect");
  return socket;
}

function head(length: number): string {
  const fields = ["host: localhost", "x-api-key: ABCD-1234", `content-length: ${length}`];
  return [`POST ${PROCESSOR}/observe HTTP/1.1`, ...fields, "", ""].join("\r\n");
}

/** The answer to an observe; what came of it when the connection ends first. */
function observe(socket: Socket): Promise<string> {
  return new Promise((resolve) => {
    let text = "";
    const take = (chunk: Buffer) => {
      text += chunk.toString("latin1");
      const end = text.indexOf("\r\n\r\n");
      const length = Number(/content-length: (\d+)/i.exec(text)?.[1] ?? Number.POSITIVE_INFINITY);
      if (end < 0 || text.length < end + 4 + length) return;
      socket.off("data", take).off("close", ended);
      resolve(text);
    };
    const ended = () => resolve(`the connection ended: ${text}`);
    socket.on("data", take).on("close", ended);
    socket.write(`${head(BODY.length)}${BODY}`);
  });
}

test("what cannot be served soon is refused with 503 and Retry-After, and nothing was done for it", async () => {
  const server = await start({
    NOEMA_PROCESSOR_WAIT_MS: "1",
    NOEMA_SERVER_WAIT_MS: "1",
    NOEMA_BURST_CALLS: String(LEAST),
  });
  await server.okay("POST /p46b6b076c/genes/change", { data: { max_sequence_length: 5 } });
  const sockets = await Promise.all(Array.from({ length: CONNECTIONS }, () => open(server)));
  const answers: string[] = [];
  for (let round = 0; round < REQUESTS; round++) answers.push(...(await Promise.all(sockets.map(observe))));
  const served = answers.filter((answer) => answer.startsWith("HTTP/1.1 200 "));
  const refused = answers.filter((answer) => answer.startsWith("HTTP/1.1 503 "));
  expect(answers.filter((answer) => !/^HTTP\/1.1 (200|503) /.test(answer))).toEqual([]);
  expect(served.length).toBeGreaterThanOrEqual(LEAST);
  expect(refused.length).toBeGreaterThan(0);
  for (const answer of refused) {
    expect(answer).toMatch(/^retry-after: 1\r$/im);
    expect(answer).toMatch(
      /this (processor|server) has more calls than it can answer within a second; nothing was done/,
    );
  }
  expect((await server.okay("GET /p46b6b076c/time")).message).toBe(String(served.length));
});

test("clients that send slowly take no place", async () => {
  const server = await start();
  await server.okay("GET /p46b6b076c/ping");
  for (let count = 0; count < 2 * LEAST; count++) (await open(server)).write(`${head(100)}{"data":`);
  await new Promise((resolve) => setTimeout(resolve, SLOW_MS + 500));
  for (let count = 0; count < 2 * LEAST; count++)
    await server.okay("POST /p46b6b076c/observe", { data: { strings: [] } });
});
