/** Bodies over a real socket that are endless, halved or broken, and HEAD: everyone gets an answer, and the server stays bounded. */

import { connect, type Socket } from "node:net";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { PROCESSOR } from "../support/server/processor-calls";
import { Server } from "../support/server/server";

const KEY = "x-api-key: ABCD-1234";
const CHUNKED = "transfer-encoding: chunked";
const CHUNK = `10000\r\n${"x".repeat(65_536)}\r\n`;
const MIB = 1024 * 1024;

let server: Server;

beforeAll(async () => {
  server = await Server.start();
});

afterAll(() => server.discard());

function head(line: string, ...fields: string[]): string {
  return [`${line} HTTP/1.1`, "host: localhost", ...fields, "", ""].join("\r\n");
}

function open(): Socket {
  const { hostname, port } = new URL(server.address);
  const socket = connect(Number(port), hostname);
  socket.on("error", () => undefined);
  onTestFinished(() => void socket.destroy());
  return socket;
}

/** Expects that a body was refused because those of its key hold too much. */
function expectRefused(answer: string): void {
  expect(answer).toMatch(/^HTTP\/1.1 429 [\s\S]*\r\nRetry-After: 1\r\n/i);
  expect(answer).toContain("the bodies that this key is sending may take 67108864 bytes together; nothing was done");
}

/** Everything that comes until the server closes the connection. */
function untilClosed(socket: Socket): Promise<string> {
  return new Promise((resolve) => {
    let text = "";
    socket.on("data", (chunk: Buffer) => {
      text += chunk.toString("latin1");
    });
    socket.on("close", () => resolve(text));
  });
}

describe("a body without end is read as far as its limit, and then its connection is ended", () => {
  test.each([
    ["without a key", [CHUNKED], 500, 16 * MIB],
    ["with a key", [CHUNKED, KEY], 413, 48 * MIB],
  ])("%s", async (_, fields, status, most) => {
    const socket = open();
    const closed = untilClosed(socket);
    socket.write(head(`POST ${PROCESSOR}/observe`, ...fields));
    let sent = 0;
    // What fits into the buffers of both sides goes out without being read.
    while (!socket.destroyed && sent < 4 * most) {
      sent += CHUNK.length;
      if (!socket.write(CHUNK)) await Promise.race([new Promise((done) => socket.once("drain", done)), closed]);
    }
    // A client that goes on sending may be reset before it has read the answer.
    expect((await closed) || `HTTP/1.1 ${status} `).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    expect(sent).toBeLessThan(most);
  });
});

test("half a body without a key is answered after 2 s, and with a key after 10 s; then the connection is ended", async () => {
  const [stranger, known] = [open(), open()];
  const answers = [stranger, known].map(untilClosed);
  let isKnownAnswered = false;
  void answers[1]?.then(() => {
    isKnownAnswered = true;
  });
  stranger.write(`${head(`POST ${PROCESSOR}/observe`, "content-length: 40")}{"data":`);
  known.write(`${head(`POST ${PROCESSOR}/observe`, "content-length: 40", KEY)}{"data":`);
  expect(await answers[0]).toMatch(/^HTTP\/1.1 500 [\s\S]*X-API-KEY/);
  expect(isKnownAnswered).toBe(false);
  expect(await answers[1]).toMatch(/^HTTP\/1.1 400 [\s\S]*the body arrives too slowly/);
});

test("bodies of one key hold no more than they may together, and what those held whose clients left is free again", async () => {
  const BODY = 25 * MIB;
  const send = async (bytes: number) => {
    const socket = open();
    const closed = untilClosed(socket);
    socket.write(head(`POST ${PROCESSOR}/observe`, `content-length: ${BODY}`, KEY, "connection: close"));
    const block = Buffer.alloc(MIB, " ");
    for (let sent = 0; sent < bytes && !socket.destroyed; sent += MIB) {
      if (!socket.write(block)) await Promise.race([new Promise((done) => socket.once("drain", done)), closed]);
    }
    return { socket, closed };
  };
  // Both stay open with a MiB missing.
  const left = [await send(BODY - MIB), await send(BODY - MIB)];
  const { closed: refused } = await send(BODY);
  expectRefused(await refused);
  for (const { socket, closed } of left) {
    socket.destroy();
    await closed;
  }
  await expect
    .poll(async () => {
      const { socket, closed } = await send(BODY);
      const answer = await closed;
      socket.destroy();
      return answer.slice(0, 12);
    })
    .toBe("HTTP/1.1 400");
});

test("a body whose chunks are malformed is the client's mistake", async () => {
  const socket = open();
  const answer = untilClosed(socket);
  socket.write(`${head(`POST ${PROCESSOR}/observe`, CHUNKED, KEY)}zz\r\n{}\r\n0\r\n\r\n`);
  expect(await answer).toMatch(/^HTTP\/1.1 400 [\s\S]*the body is cut short/);
});

/** The raw answer to a HEAD. The server ends the connection 5 s after it, so a test asks all at once. */
function rawHead(path: string): Promise<string> {
  const socket = open();
  const answer = untilClosed(socket);
  socket.write(head(`HEAD ${PROCESSOR}/${path}`, KEY, "connection: close"));
  return answer;
}

test("HEAD has the headers of GET and no body, or is 405 with Allow where there is no GET", async () => {
  const [observe, ...answers] = await Promise.all(["observe", "status", "get_kb", "name"].map(rawHead));
  expect(observe).toMatch(/^HTTP\/1.1 405 [\s\S]*Allow: POST\r\n(?:.+\r\n)*\r\n$/);
  for (const [at, path] of ["status", "get_kb", "name"].entries()) {
    const get = await server.send({ method: "GET", path: `${PROCESSOR}/${path}` });
    const [headers, body] = answers[at]?.split("\r\n\r\n") ?? [];
    expect(headers).toMatch(/^HTTP\/1.1 200 /);
    expect(headers).toContain(`Content-Length: ${get.headers["content-length"]}`);
    expect(headers).toContain(`Content-Type: ${get.headers["content-type"]}`);
    expect(body).toBe("");
  }
});
