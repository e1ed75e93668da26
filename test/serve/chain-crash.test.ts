/**
 * Kills the server while processors tell each other what they predict, again and again: what the first of a chain observed, the
 * last has observed too, once and in order.
 */

import { expect, onTestFinished, test } from "vitest";
import { genomeText, outlet, primitive } from "../support/object/genomes";
import { Server } from "../support/server/server";

const ROUNDS = 4;
const DEVICES = 4;
const STREAM_MS = 400;
const LONG_MS = 180_000;

/** What an observe adds to the last processor's memory when `symbol` is observed by the first. */
const EXTRA = /^PRIMITIVE\|p2\|\w+\|extras\|PRIMITIVE\|p1\|\w+\|extras\|(.*)$/;

/** Memory that holds one event of two symbols. */
const SHORT = { max_sequence_length: 2 };

const CHAIN = genomeText(
  primitive("p1", { ...SHORT, manipulatives: ["m1"] }),
  outlet("m1", "p1", ["p2"], ["name", "extras"]),
  primitive("p2", { ...SHORT, manipulatives: ["m2"] }),
  outlet("m2", "p2", ["p3"], ["extras"]),
  primitive("p3"),
);

async function ask(server: Server, call: string, body?: unknown): Promise<unknown> {
  const [method = "", path = ""] = call.split(" ");
  const { status, json, text } = await server.send({ method, path, body });
  if (status !== 200 || json.status !== "okay") throw new Error(`${call} answered HTTP ${status}: ${text}`);
  return json.message;
}

/** Has a processor know a symbol, so that it predicts whenever it sees it. */
async function teach(server: Server, processor: string, symbol: string): Promise<string> {
  const { name } = (await ask(server, `PUT /${processor}/add-model`, { sequence: [[symbol], ["then"]] })) as {
    name: string;
  };
  return name;
}

/** Observes one name after the other until the connection breaks. */
async function stream(server: Server, device: string, sent: Set<string>, answered: Set<string>): Promise<void> {
  for (let count = 0; ; count++) {
    const symbol = `${device}-${count}`;
    sent.add(symbol);
    try {
      await ask(server, "POST /p1/observe", { data: { strings: ["known", symbol] } });
    } catch {
      // The crash.
      return;
    }
    answered.add(symbol);
  }
}

/** What the last processor has heard of, in order, once it has heard all. */
async function heard(server: Server): Promise<string[]> {
  const observed = await ask(server, "GET /p1/time");
  await expect.poll(() => ask(server, "GET /p3/time"), { timeout: 60_000, interval: 100 }).toBe(observed);
  const events = (await ask(server, "GET /p3/working-memory")) as string[][];
  return events.map((symbols) => {
    expect(symbols).toHaveLength(1);
    return EXTRA.exec(symbols[0] ?? "")?.[1] ?? `not an extra: ${symbols[0]}`;
  });
}

test("a chain loses and doubles nothing in a crash", { timeout: LONG_MS }, async () => {
  const [sent, answered] = [new Set<string>(), new Set<string>()];
  let server = await Server.start();
  onTestFinished(() => server.discard());
  await ask(server, "POST /genome/hotswap", JSON.parse(CHAIN));
  const model = await teach(server, "p1", "known");
  await teach(server, "p2", `PRIMITIVE|p1|${model}|name|${model}`);
  for (let round = 0; round < ROUNDS; round++) {
    const devices = Array.from({ length: DEVICES }, (_, device) =>
      stream(server, `${round}-${device}`, sent, answered),
    );
    await new Promise((resolve) => setTimeout(resolve, STREAM_MS));
    await server.kill();
    await Promise.all(devices);
    server = await Server.start(server.stateDir);
    const all = await heard(server);
    expect(all.length).toBe(new Set(all).size);
    expect([...answered].filter((symbol) => !all.includes(symbol))).toEqual([]);
    expect(all.filter((symbol) => !sent.has(symbol))).toEqual([]);
    for (let device = 0; device < DEVICES; device++) {
      const own = all.filter((symbol) => symbol.startsWith(`${round}-${device}-`));
      expect(own).toEqual(own.map((_, count) => `${round}-${device}-${count}`));
    }
  }
  expect(answered.size).toBeGreaterThan(ROUNDS * DEVICES);
});
