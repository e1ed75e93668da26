/** Kills the server while devices observe, again and again: no answered observe may be lost, and none may be halved. */

import { expect, onTestFinished, test } from "vitest";
import { crashWhileObserving, type Observed } from "../support/server/crash";
import { ask, PROCESSOR } from "../support/server/processor-calls";
import { Server } from "../support/server/server";

const ROUNDS = 5;

test("no answered observe is lost in a crash", async () => {
  const observed: Observed = { sent: new Set(), answered: new Set() };
  const call = `POST ${PROCESSOR}/observe`;
  const dataOf = (symbol: string) => ({ strings: [symbol, `${symbol}'`] });
  let server = await Server.start();
  onTestFinished(() => server.discard());
  for (let round = 0; round < ROUNDS; round++) {
    server = await crashWhileObserving({ server, call, dataOf, prefix: `${round}`, observed });
    const events = (await ask(server, "GET working-memory")) as string[][];
    const remembered = new Set(events.map(([symbol = ""]) => symbol));
    expect([...observed.answered].filter((symbol) => !remembered.has(symbol))).toEqual([]);
    expect([...remembered].filter((symbol) => !observed.sent.has(symbol))).toEqual([]);
    expect(events.filter(([symbol, mark]) => mark !== `${symbol}'`)).toEqual([]);
    expect(await ask(server, "GET time")).toBe(String(events.length));
  }
});
