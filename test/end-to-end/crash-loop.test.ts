/** Kills the server while devices observe, again and again: no answered observe may be lost, and none may be halved. */

import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
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

/** What `npm run check-state` says of a state whose server is down: its exit code and its lines. */
function checkState({ stateDir }: Server): [code: number | null, text: string] {
  const script = fileURLToPath(new URL("../../scripts/check-state.mjs", import.meta.url));
  const env = { ...process.env, STATE_DIR: stateDir };
  const { status, stdout, stderr } = spawnSync(process.execPath, [script], { env, encoding: "utf8" });
  return [status, stdout + stderr];
}

/** A model as an export has it. */
interface Model {
  frequency: number;
  sequence: string[][];
}

/** The counters of a symbol as an export has them. */
interface Counters {
  frequency: number;
  model_member_frequency: number;
}

/** The counters of all symbols and their sums, counted from the models. */
function recount(models: readonly Model[]) {
  const symbols: Record<string, Counters> = {};
  for (const { frequency, sequence } of models) {
    const all = sequence.flat();
    for (const symbol of new Set(all)) {
      const counted = symbols[symbol] ?? { frequency: 0, model_member_frequency: 0 };
      counted.frequency += frequency * all.filter((each) => each === symbol).length;
      counted.model_member_frequency += frequency;
      symbols[symbol] = counted;
    }
  }
  const sum = (values: number[]) => values.reduce((total, value) => total + value, 0);
  const counters = Object.values(symbols);
  const totals = {
    total_model_frequencies: sum(models.map(({ frequency }) => frequency)),
    total_symbol_frequencies: sum(counters.map(({ frequency }) => frequency)),
    total_symbols_in_models_frequencies: sum(counters.map((each) => each.model_member_frequency)),
  };
  return { symbols, totals };
}

test("after a crash in the middle of learning, in sessions too, counters equal a recount", async () => {
  let server = await Server.start();
  onTestFinished(() => server.discard());
  for (let round = 0; round < ROUNDS; round++) {
    const observed: Observed = { sent: new Set(), answered: new Set() };
    const session = round % 2 === 0 ? "" : "/sessions/device 1".replace(" ", "%20");
    const call = `POST ${PROCESSOR}${session}/sequence-observe`;
    // Some models come again and again, most are new; all share a symbol.
    const dataOf = (symbol: string) => ({
      sequence: [{ strings: [symbol.endsWith("7") ? "known" : symbol] }, { strings: ["shared", "shared"] }],
      learn: true,
      clear: true,
    });
    let checked: unknown;
    const end = async (running: Server) => {
      await running.kill();
      checked = checkState(running);
    };
    server = await crashWhileObserving({ server, call, dataOf, prefix: `${round}`, observed, end });
    expect(checked).toEqual([0, expect.stringMatching(/^ok {7}processor simple/m)]);
    const { models_kb, symbols_kb, metadata } = (await server.okay(`GET ${PROCESSOR}/get_kb`)).message;
    const counted = recount(Object.values(models_kb as Record<string, Model>));
    const symbols = Object.values(symbols_kb as Record<string, { name: string; features: Counters }>);
    expect(Object.fromEntries(symbols.map(({ name, features }) => [name, features]))).toEqual(counted.symbols);
    expect(metadata).toMatchObject(counted.totals);
    const learned = new Set(Object.keys(counted.symbols));
    expect([...observed.answered].filter((symbol) => !symbol.endsWith("7") && !learned.has(symbol))).toEqual([]);
  }
});
