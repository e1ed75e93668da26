/** The tables of docs/guides/sequences-and-windows.md hold what a server answers. */

import { readFileSync } from "node:fs";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { ask } from "../support/server/processor-calls";
import { Server } from "../support/server/server";

const GUIDE = readFileSync("docs/guides/sequences-and-windows.md", "utf8");

let server: Server;

beforeAll(async () => {
  server = await Server.start();
});

afterAll(() => server.discard());

beforeEach(async () => {
  await ask(server, "POST clear-all-memory");
  await ask(server, "POST autolearning/stop");
  await ask(server, "POST genes/change", { data: { recall_threshold: 0.1, max_sequence_length: 0 } });
});

/** The cells of a table, row by row, its heading row first. */
function table(heading: string): string[][] {
  const [, rows = ""] = GUIDE.split(`\n${heading}`);
  const lines = `${heading}${rows}`.split("\n\n")[0]?.split("\n") ?? [];
  return lines
    .filter((_, index) => index !== 1)
    .map((line) =>
      line
        .split("|")
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );
}

const records = (symbols: Iterable<string>) => [...symbols].map((symbol) => ({ strings: [symbol] }));

interface Prediction {
  readonly future: readonly (readonly string[])[];
  readonly similarity: number;
}

/** What is predicted after events of one symbol each. */
async function predictions(symbols: readonly string[]): Promise<readonly Prediction[]> {
  const data = { sequence: symbols.map((symbol) => [symbol]), fields: ["future", "similarity"] };
  return (await ask(server, "POST predictions", { data })) as Prediction[];
}

const learn = (symbols: string) =>
  ask(server, "POST sequence-observe", { data: { clear: true, learn: true, sequence: records(symbols) } });

test("windows of different lengths", async () => {
  const CYCLE = [..."abcde"];
  const step = (at: number) => CYCLE[at % CYCLE.length] ?? "";
  const [, ...rows] = table("| window, in events |");
  expect(rows).toHaveLength(6);
  await ask(server, "POST autolearning/start");
  for (const [window = "", models = "", ...shares] of rows) {
    await ask(server, "POST clear-all-memory");
    await ask(server, "POST genes/change", { data: { max_sequence_length: Number(window), wm_resolution: "event" } });
    const sequence = records(Array.from({ length: 200 }, (_, at) => step(at)));
    await ask(server, "POST sequence-observe", { data: { sequence } });
    expect(await ask(server, "GET status")).toMatchObject({ models_kb: `{KB| objects: ${models}}` });
    for (const [index, share] of shares.entries()) {
      let right = 0;
      for (const from of CYCLE.keys()) {
        const question = Array.from({ length: index + 1 }, (_, at) => step(from + at));
        const [best] = await predictions(question);
        if (best?.future[0]?.[0] === step(from + question.length)) right++;
      }
      expect(`${right} of ${CYCLE.length}`, `window ${window}, ${index + 1} events`).toBe(share);
    }
  }
});

test("recall_threshold", async () => {
  for (const symbols of ["abcdefgh", "abxy", "hbqr", "az"]) await learn(symbols);
  const [[, ...thresholds] = [], [, ...counts] = []] = table("| recall_threshold | 0.1");
  expect(thresholds).toHaveLength(5);
  for (const [index, threshold] of thresholds.entries()) {
    await ask(server, "POST genes/change", { data: { recall_threshold: Number(threshold) } });
    expect(await predictions(["a", "b"]), threshold).toHaveLength(Number(counts[index]));
  }
});

test("a memory that grows longer", async () => {
  await learn("abxy");
  const [[, ...unknown] = [], [, ...similarities] = []] = table("| unknown events | 0");
  expect(unknown).toHaveLength(7);
  for (const [index, count] of unknown.entries()) {
    const symbols = Array.from({ length: Number(count) }, (_, at) => `unknown ${at}`);
    const [best] = await predictions(["a", "b", ...symbols]);
    const said = best === undefined ? "none" : String(Math.round(best.similarity * 1000) / 1000);
    expect(said, `${count} unknown events`).toBe(similarities[index]);
  }
});
