/** How long others wait while WebSockets are full of tiny frames. */

import { once } from "node:events";
import { createConnection, type Socket } from "node:net";
import { expect, onTestFinished, vi } from "vitest";
import type { WebSocket } from "ws";

const WAIT = { timeout: 60_000, interval: 1 };

/** First byte of the frame with which the server may end a connection. */
const CLOSE = 0x88;

/**
 * Sends frames over WebSockets all at once, and calls `/health` over another connection as soon as the first are answered.
 *
 * @param sockets open ones, which end here
 * @param frames whole masked frames
 * @param answersIn how many answers there are in bytes that the server sent; a fraction where one arrives in pieces
 * @param expected number of answers after which a socket is over
 * @returns the times until `/health` was answered, and until all sockets were over, in milliseconds
 */
export async function floodBesideHealth(
  address: string,
  sockets: readonly WebSocket[],
  frames: Buffer,
  answersIn: (bytes: Buffer) => number,
  expected: number,
): Promise<{ healthMs: number; allMs: number }> {
  const { hostname, port } = new URL(address);
  const asking = createConnection({ host: hostname, port: Number(port) });
  onTestFinished(() => void asking.destroy());
  let begun = 0;
  let over = 0;
  for (const { _socket: socket } of sockets as unknown as { _socket: Socket }[]) {
    let answers = 0;
    socket.removeAllListeners("data");
    socket.on("data", (bytes) => {
      begun++;
      answers += answersIn(bytes);
      if (answers >= expected || bytes.includes(CLOSE)) socket.destroy();
    });
    socket.on("close", () => over++);
    socket.write(frames);
  }
  await vi.waitUntil(() => begun > 0, WAIT);
  const began = performance.now();
  asking.write("GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n");
  const [answer] = await once(asking, "data");
  const healthMs = performance.now() - began;
  expect(String(answer)).toMatch(/^HTTP\/1.1 200 /);
  await vi.waitUntil(() => over === sockets.length, WAIT);
  return { healthMs, allMs: performance.now() - began };
}
