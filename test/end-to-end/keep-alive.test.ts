/**
 * A server silently closes a connection that was idle for 5 s. Tests this, and that the client copes with it. Takes 30 s: connections have
 * to be idle for that time, several times.
 */

import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { text } from "node:stream/consumers";
import { expect, onTestFinished, test } from "vitest";
import { Server } from "../support/server/server";

/** The longest idle time after which a connection may be used again, as docs/devices.md says. */
const SAFE_IDLE_MS = 4000;
/** The idle time after which workerd closes a connection. */
const CLOSED_AFTER_MS = 5000;

/**
 * Runs a device in its own process, which observes several times. In between it computes without a pause, so it cannot notice that
 * a connection was closed: the hardest case.
 */
async function observeWithPauses(
  address: string,
  pausesMs: readonly number[],
): Promise<{ code: number; output: string }> {
  const script = `
    import { connect, observe, processor } from "noema/client";
    const p1 = processor(connect({ address: ${JSON.stringify(address)}, key: "ABCD-1234" }), "P1");
    await observe(p1, { strings: ["a"] });
    for (const pauseMs of ${JSON.stringify(pausesMs)}) {
      // So that the connection is known to be free.
      await new Promise((rested) => setTimeout(rested, 20));
      const begin = Date.now();
      while (Date.now() - begin < pauseMs);
      await observe(p1, { strings: ["a"] });
    }`;
  const args = ["--input-type=module", "--eval", script];
  const child = spawn(process.execPath, args, { stdio: ["ignore", "ignore", "pipe"] });
  onTestFinished(() => void child.kill("SIGKILL"));
  const [output, [code]] = await Promise.all([text(child.stderr), once(child, "exit")]);
  return { code, output };
}

test("the client sends again what was cut off because the server had closed the connection", async () => {
  const sockets = new Set<Socket>();
  const keys: unknown[] = [];
  const server = createServer(({ socket, headers }, answer) => {
    keys.push(headers["idempotency-key"]);
    // The second request on a connection is read and never answered.
    if (sockets.has(socket)) return socket.destroy();
    sockets.add(socket);
    return answer.end('{"status":"okay","message":{}}');
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  expect(await observeWithPauses(`http://127.0.0.1:${port}`, [0])).toEqual({ code: 0, output: "" });
  // Two observes, the second of which was sent twice.
  expect(keys).toHaveLength(3);
  expect(keys[2]).toBe(keys[1]);
  expect(keys[1]).not.toBe(keys[0]);
});

test("the client observes every 5 s without a failure", async () => {
  const server = await Server.start();
  onTestFinished(() => server.discard());
  const pauses = [CLOSED_AFTER_MS, CLOSED_AFTER_MS];
  expect(await observeWithPauses(server.address, pauses)).toEqual({ code: 0, output: "" });
  expect((await server.okay("GET /p46b6b076c/working-memory")).message).toEqual([["a"], ["a"], ["a"]]);
});

test("a server closes an idle connection after 5 s and does not announce it", async () => {
  const server = await Server.start();
  onTestFinished(() => server.discard());
  const { hostname, port } = new URL(server.address);
  const socket = connect(Number(port), hostname);
  onTestFinished(() => void socket.destroy());
  const before = performance.now();
  socket.write("GET /agent/ping HTTP/1.1\r\nhost: localhost\r\nx-api-key: ABCD-1234\r\nconnection: keep-alive\r\n\r\n");
  const [answer] = await once(socket, "data");
  expect(String(answer)).toMatch(/^HTTP\/1.1 200 /);
  expect(String(answer)).not.toMatch(/^keep-alive:/im);
  await once(socket.resume(), "end");
  expect(performance.now() - before).toBeGreaterThan(SAFE_IDLE_MS);
});
