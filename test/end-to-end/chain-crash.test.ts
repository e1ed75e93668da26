/**
 * Kills the server while processors tell each other what they predict, again and again: the last processor of a chain has observed
 * what the first one has, each event once and in order.
 */

import { expect, onTestFinished, test } from "vitest";
import { genomeText, manipulative, primitive } from "../support/object/genomes";
import { crashWhileObserving, devicePrefixes, type Observed } from "../support/server/crash";
import { Server } from "../support/server/server";

const ROUNDS = 4;
const LONG_MS = 180_000;
/** The relay tries again after one second, then two, up to a minute. */
const DELIVERY_MS = 60_000;

/** What an observe adds to the last processor's memory when `symbol` is observed by the first. */
const EXTRA = /^PRIMITIVE\|p2\|\w+\|extras\|PRIMITIVE\|p1\|\w+\|extras\|(.*)$/;

/** Memory that holds one event of two symbols. */
const SHORT = { max_sequence_length: 2 };

const CHAIN = genomeText(
  primitive("p1", { ...SHORT, manipulatives: ["m1"] }),
  manipulative("m1", "p1", ["p2"], ["name", "extras"]),
  primitive("p2", { ...SHORT, manipulatives: ["m2"] }),
  manipulative("m2", "p2", ["p3"], ["extras"]),
  primitive("p3"),
);

/** Teaches a processor a symbol, so that it predicts whenever it sees it. Returns the model's name. */
async function teach(server: Server, processor: string, symbol: string): Promise<string> {
  const { message } = await server.okay(`PUT /${processor}/add-model`, { sequence: [[symbol], ["then"]] });
  return message.name;
}

/** The symbols that the last processor has heard of, in order, once it has heard of all. */
async function heard(server: Server): Promise<string[]> {
  const message = async (call: string) => (await server.okay(call)).message;
  const observed = await message("GET /p1/time");
  await expect.poll(() => message("GET /p3/time"), { timeout: DELIVERY_MS, interval: 100 }).toBe(observed);
  const events: string[][] = await message("GET /p3/working-memory");
  return events.map((symbols) => {
    expect(symbols).toHaveLength(1);
    return EXTRA.exec(symbols[0] ?? "")?.[1] ?? `not an extra: ${symbols[0]}`;
  });
}

test("a chain loses and doubles nothing in a crash", { timeout: LONG_MS }, async () => {
  const observed: Observed = { sent: new Set(), answered: new Set() };
  const call = "POST /p1/observe";
  const dataOf = (symbol: string) => ({ strings: ["known", symbol] });
  let server = await Server.start();
  onTestFinished(() => server.discard());
  await server.okay("POST /genome/hotswap", JSON.parse(CHAIN));
  const model = await teach(server, "p1", "known");
  await teach(server, "p2", `PRIMITIVE|p1|${model}|name|${model}`);
  for (let round = 0; round < ROUNDS; round++) {
    const prefix = `${round}`;
    server = await crashWhileObserving({ server, call, dataOf, prefix, observed });
    const all = await heard(server);
    expect(all.length).toBe(new Set(all).size);
    expect([...observed.answered].filter((symbol) => !all.includes(symbol))).toEqual([]);
    expect(all.filter((symbol) => !observed.sent.has(symbol))).toEqual([]);
    for (const device of devicePrefixes(prefix)) {
      const own = all.filter((symbol) => symbol.startsWith(device));
      expect(own).toEqual(own.map((_, count) => `${device}${count}`));
    }
  }
});
