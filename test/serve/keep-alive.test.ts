/** A server silently closes a connection that was idle for 5 s. Tests this, and that scripts/demos/device.mjs copes with it. */

import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { resolve } from "node:path";
import { text } from "node:stream/consumers";
import { pathToFileURL } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { Server } from "../support/server/server";

/** The longest idle time after which a connection may be used again, as docs/devices.md says. */
const SAFE_IDLE_MS = 4000;
/** The idle time after which workerd closes a connection. */
const CLOSED_AFTER_MS = 5000;

const DEVICE = JSON.stringify(pathToFileURL(resolve("scripts/demos/device.mjs")).href);

/**
 * Runs a device in its own process, which observes several times. In between it computes without a pause, so it cannot notice that
 * a connection was closed: the hardest case.
 */
async function observeWithPauses(
  address: string,
  pausesMs: readonly number[],
): Promise<{ code: number; output: string }> {
  const script = `
    import { Device } from ${DEVICE};
    const device = new Device(${JSON.stringify(address)});
    await device.observe({ strings: ["a"] });
    for (const pauseMs of ${JSON.stringify(pausesMs)}) {
      const begin = Date.now();
      while (Date.now() - begin < pauseMs);
      await device.observe({ strings: ["a"] });
    }`;
  const args = ["--input-type=module", "--eval", script];
  const child = spawn(process.execPath, args, { stdio: ["ignore", "ignore", "pipe"] });
  onTestFinished(() => void child.kill("SIGKILL"));
  const [output, [code]] = await Promise.all([text(child.stderr), once(child, "exit")]);
  return { code, output };
}

test("scripts/demos/device.mjs reuses connections, but none that the server may be closing", async () => {
  const lastAnswers = new Map<Socket, number>();
  const idleMs: number[] = [];
  const server = createServer(({ socket }, answer) => {
    const last = lastAnswers.get(socket);
    if (last !== undefined) idleMs.push(performance.now() - last);
    answer.end('{"status":"okay","message":{}}', () => lastAnswers.set(socket, performance.now()));
  });
  // Like workerd, do not announce it in the answers.
  server.keepAliveTimeout = 0;
  await once(server.listen(0, "127.0.0.1"), "listening");
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const pauses = [0, SAFE_IDLE_MS + 200, 0];
  expect(await observeWithPauses(`http://127.0.0.1:${port}`, pauses)).toEqual({ code: 0, output: "" });
  expect(idleMs).toHaveLength(2);
  expect(Math.max(...idleMs)).toBeLessThan(SAFE_IDLE_MS);
});

test("scripts/demos/device.mjs observes every 5 s without a failure", async () => {
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
