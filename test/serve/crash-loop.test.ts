/** Kills the server in the middle of a stream of observes, again and again: none that was answered may be lost, none may be halved. */

import { expect, onTestFinished, test } from "vitest";
import { ask } from "../support/server/processor-calls";
import { Server } from "../support/server/server";

const ROUNDS = 5;
const DEVICES = 4;
/** Long enough for some hundred observes. */
const STREAM_MS = 300;
const LONG_MS = 120_000;

/** What was sent, and what of it was answered. */
interface Record {
  sent: Set<string>;
  answered: Set<string>;
}

/** Observes one name after the other until the connection breaks. */
async function stream(server: Server, name: (count: number) => string, { sent, answered }: Record): Promise<void> {
  for (let count = 0; ; count++) {
    const symbol = name(count);
    sent.add(symbol);
    try {
      await ask(server, "POST observe", { data: { strings: [symbol, `${symbol}'`] } });
    } catch {
      // The crash.
      return;
    }
    answered.add(symbol);
  }
}

test("no answered observe is lost in a crash", { timeout: LONG_MS }, async () => {
  const record: Record = { sent: new Set(), answered: new Set() };
  let server = await Server.start();
  onTestFinished(() => server.discard());
  for (let round = 0; round < ROUNDS; round++) {
    const devices = Array.from({ length: DEVICES }, (_, device) =>
      stream(server, (count) => `${round}-${device}-${count}`, record),
    );
    await new Promise((resolve) => setTimeout(resolve, STREAM_MS));
    await server.kill();
    await Promise.all(devices);
    server = await Server.start(server.stateDir);
    const events = (await ask(server, "GET working-memory")) as string[][];
    const remembered = new Set(events.map(([symbol = ""]) => symbol));
    expect([...record.answered].filter((symbol) => !remembered.has(symbol))).toEqual([]);
    expect([...remembered].filter((symbol) => !record.sent.has(symbol))).toEqual([]);
    expect(events.filter(([symbol, mark]) => mark !== `${symbol}'`)).toEqual([]);
    expect(await ask(server, "GET time")).toBe(String(events.length));
  }
  expect(record.answered.size).toBeGreaterThan(ROUNDS * DEVICES);
});
