/**
 * docs/predictions.md is right: its example gives the predictions that it shows, and its formulas give their numbers. So is the example of docs/forecast.md, and the
 * table of constants in docs/forecast-results.md.
 */

import { readFileSync } from "node:fs";
import { runInNewContext } from "node:vm";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ESTIMATOR } from "../../src/processor/prediction/estimator/settings";
import { log, log2 } from "../../src/processor/prediction/logarithms";
import { matchingBlocks } from "../oracle/sequence-matcher";
import { ask } from "../support/server/processor-calls";
import { Server } from "../support/server/server";

const START_MS = 120_000;
const PAGE = readFileSync("docs/predictions.md", "utf8");
const FORECAST_PAGE = readFileSync("docs/forecast.md", "utf8");
const RESULTS_PAGE = readFileSync("docs/forecast-results.md", "utf8");

interface Prediction {
  readonly [metric: string]: unknown;
  readonly name: string;
  readonly past: string[][];
  readonly present: string[][];
  readonly future: string[][];
  readonly matches: string[];
  readonly missing: string[];
  readonly extras: string[];
  readonly frequency: number;
}

interface Call {
  readonly call: string;
  // biome-ignore lint/suspicious/noExplicitAny: the page's own JSON
  readonly body: any;
}

/** The calls of a page in order, each a method, a path and a body. */
function calls(page = PAGE): Call[] {
  const blocks = [...page.matchAll(/^```calls\n(.*?)^```/gms)].map(([, lines = ""]) => lines);
  return [...blocks.join("").matchAll(/^(\w+ \S+) ?(.*)$/gm)].map(([, call = "", body]) => ({
    call,
    body: body ? JSON.parse(body) : undefined,
  }));
}

/** The predictions that the page shows. */
function shown(): Prediction[] {
  return [...PAGE.matchAll(/^```json\n(.*?)^```/gms)].map(([, json = ""]) => JSON.parse(json));
}

/** The cells of the rows that begin with a word in backticks, below a heading row; `\|` is a bar in a cell. */
function rowsUnder(heading: string, page = PAGE): Map<string, string[]> {
  const from = page.indexOf(heading);
  expect(from, heading).toBeGreaterThan(-1);
  const lines = page.slice(from).split("\n\n")[0]?.split("\n").slice(2) ?? [];
  const cells = lines.map((line) => line.split(/(?<!\\)\|/).map((cell) => cell.trim()));
  return new Map(cells.map(([, first = "", ...rest]) => [first.replaceAll("`", ""), rest.slice(0, -1)]));
}

/** What an expression of the page comes to. */
function value(expression: string): number {
  const { log2, log: ln, sqrt } = Math;
  return runInNewContext(expression.replaceAll("`", ""), { log2, ln, sqrt });
}

let server: Server;
let predictions: Prediction[];

beforeAll(async () => {
  server = await Server.start();
  let answer: unknown;
  for (const { call, body } of calls()) answer = await ask(server, call, body);
  predictions = answer as Prediction[];
}, START_MS);

afterAll(() => server.discard());

function predicting(future: string): Prediction {
  const found = predictions.find((one) => one.future.flat().includes(future));
  if (found === undefined) throw new Error(`nothing predicts ${future}`);
  return found;
}

/** What was learned, by the page's calls alone. */
function learned(): { sequence: string[][]; frequency: number }[] {
  const models = new Map<string, { sequence: string[][]; frequency: number }>();
  for (const { body } of calls().filter(({ call }) => call.endsWith("sequence-observe"))) {
    const sequence: string[][] = body.data.sequence.map(({ strings }: { strings: string[] }) => strings);
    const key = JSON.stringify(sequence);
    models.set(key, { sequence, frequency: (models.get(key)?.frequency ?? 0) + 1 });
  }
  return [...models.values()];
}

const memory: string[] = calls()
  .filter(({ call }) => call === "POST observe")
  .flatMap(({ body }) => body.data.strings);

const sum = (values: number[]) => values.reduce((total, one) => total + one, 0);
const count = (list: readonly string[], symbol: string) => list.filter((one) => one === symbol).length;

/** What the page counts in everything learned: each occurrence of a symbol, and each symbol once per learning of a model. */
function totals() {
  const models = learned();
  const occurrences: string[] = models.flatMap(({ sequence, frequency }) =>
    Array(frequency).fill(sequence.flat()).flat(),
  );
  const members = sum(models.map(({ sequence, frequency }) => new Set(sequence.flat()).size * frequency));
  return { models, occurrences, members, N: new Set(occurrences).size };
}

/** The matching blocks of a prediction's model and memory. */
function blocksOf({ past, present, future }: Prediction) {
  const model = [...past, ...present, ...future].flat();
  const ids = [...new Set([...model, ...memory])];
  const numbered = (list: string[]) => Uint32Array.from(list, (symbol) => ids.indexOf(symbol));
  return matchingBlocks(numbered(model), numbered(memory));
}

/** The numbers of a prediction by the page's formulas, from what was learned and observed. */
function byFormula(prediction: Prediction): Record<string, number> {
  const { models, occurrences, members, N } = totals();
  const p = (symbol: string) => count(occurrences, symbol) / members;
  const model = [...prediction.past, ...prediction.present, ...prediction.future].flat();
  const present = prediction.present.flat();
  const f = prediction.frequency;
  const F = sum(predictions.map((one) => one.frequency));
  const m = prediction.matches.length;
  const ids = [...new Set([...model, ...memory])];
  const blocks = blocksOf(prediction).length;
  const weighed = new Set(predictions.flatMap((one) => [...one.matches, ...one.missing]));
  const weight = (list: string[], symbol: string) => (weighed.has(symbol) ? count(list, symbol) * p(symbol) : 0);
  const u = ids.map((symbol) => weight(memory, symbol));
  const v = ids.map((symbol) => weight(present, symbol));
  const norm = (vector: number[]) => Math.sqrt(sum(vector.map((one) => one * one)));
  const cosine = sum(u.map((one, i) => one * (v[i] ?? 0))) / (norm(u) * norm(v));
  const evidence = m / model.length;
  const confidence = m / present.length;
  const snr = m / (m + prediction.extras.length);
  const itfdf_similarity = 1 - ((1 - cosine) * f) / F;
  const entropyOf = (share: number) => (-share * log(share)) / log(N);
  return {
    similarity: (2 * m) / (model.length + memory.length),
    evidence,
    confidence,
    snr,
    fragmentation: blocks - 1,
    entropy: sum(present.map((symbol) => -p(symbol) * log2(p(symbol)))),
    hamiltonian: sum(present.map((symbol) => entropyOf(count(present, symbol) / present.length))),
    grand_hamiltonian: sum([...new Set(present)].map((symbol) => entropyOf(p(symbol)))),
    confluence: (f / sum(models.map((one) => one.frequency))) * (1 - present.reduce((all, one) => all * p(one), 1)),
    itfdf_similarity,
    potential: (evidence + confidence) * snr + itfdf_similarity + 1 / blocks,
    frequency: f,
  };
}

describe("the example", () => {
  test("gives the predictions that the page shows, in the order that it says", () => {
    expect(predictions.map(({ future }) => future)).toEqual([[["radio"]], [["paper"]], [["work"]]]);
    expect([predictions[0], predictions[2]]).toEqual(shown());
  });

  test("has a tie, which the newest model wins", () => {
    const { name: _, future: __, ...radio } = predicting("radio");
    const { name: ___, future: ____, ...paper } = predicting("paper");
    expect(radio).toEqual(paper);
  });

  test("gives morning's cuts", () => {
    const morning = predicting("work");
    const events = (list: string[][]) => list.map((event) => `[${event.join(", ")}]`).join(" ");
    const cuts = [...rowsUnder("| member | meaning | morning |")].map(([member, cells]) => [member, cells.at(-1)]);
    expect(Object.fromEntries(cuts)).toEqual({
      matches: morning.matches.join(", "),
      present: events(morning.present),
      past: events(morning.past),
      future: events(morning.future),
      missing: morning.missing.join(", "),
      extras: morning.extras.join(", "),
    });
  });

  test("has the models that the page lists", () => {
    const rows = [...rowsUnder("| model | sequence | frequency |").values()];
    const models = learned().map(({ sequence, frequency }) => [
      sequence.map((event) => `[${event.join(", ")}]`).join(" "),
      String(frequency),
    ]);
    expect(rows).toEqual(models);
  });
});

describe("the numbers", () => {
  const formulas = rowsUnder("| member | formula | range | how to read it |");
  const byHand = rowsUnder("| member | morning | | radio | |");

  test("are all explained, and all worked by hand", () => {
    const [prediction = {}] = shown();
    const metrics = Object.entries(prediction).flatMap(([name, one]) => (typeof one === "number" ? [name] : []));
    expect([...formulas.keys()].sort()).toEqual(metrics);
    expect([...byHand.keys()].sort()).toEqual(metrics);
  });

  test.each([...byHand])("%s comes to what the page says", (metric, [morning = "", half, radio = "", other]) => {
    for (const [future, expression, printed] of [
      ["work", morning, half],
      ["radio", radio, other],
    ] as const) {
      const answered = predicting(future)[metric] as number;
      expect(value(expression)).toBeCloseTo(answered, 13);
      expect(printed).toBe(String(Number(answered.toFixed(4))));
    }
  });

  test.each([...formulas.keys()])("%s follows its formula", (metric) => {
    for (const prediction of predictions) {
      expect(byFormula(prediction)[metric]).toBeCloseTo(prediction[metric] as number, 13);
    }
  });

  test("in the text are right", () => {
    const text = PAGE.replace(/\s+/g, " ");
    const { occurrences, members, N } = totals();
    const morning = predicting("work");
    const flat = [...morning.past, ...morning.present, ...morning.future].flat();
    const of = (symbol: string) => count(occurrences, symbol);
    const frequencies = predictions.map(({ frequency }) => frequency).sort((a, b) => b - a);
    const unscaled = (symbols: string[]) =>
      sum([...new Set(symbols)].map((one) => (count(symbols, one) * of(one)) ** 2));
    for (const said of [
      `\`${flat.join(" ")}\`, ${flat.length} symbols`,
      `\`${memory.join(" ")}\`, ${memory.length} symbols`,
      `${blocksOf(morning).length} blocks, ${morning.matches.length} matched symbols`,
      `Here that sum is ${members}`,
      `\`coffee\` was learned ${of("coffee")} times`,
      `p(coffee) = ${of("coffee")}/${members}`,
      `p(milk) = p(bus) = ${of("milk")}/${members}`,
      `so p(rain) = ${of("rain")}`,
      `in all models: ${N} here`,
      `cuts off later: ${frequencies.join(" + ")} = ${sum(frequencies)}`,
      `common divisor ${members} is left out`,
      `coffee ${of("coffee")}, bus ${of("bus")} (squares sum to ${unscaled(memory)};`,
      `milk ${of("milk")}, bus ${of("bus")} (${unscaled(morning.present.flat())})`,
    ]) {
      expect(text).toContain(said);
    }
    expect(of("milk")).toBe(of("bus"));
  });

  test("of emotives are means", () => {
    const [, expression = "", mean = ""] = /`joy`\s+is\s+(`.*?`)\s+=\s+([\d.]+)/.exec(PAGE) ?? [];
    expect(value(expression)).toBe(Number(mean));
    expect(predicting("work").emotives).toEqual({ joy: Number(mean) });
  });

  test("sort otherwise by another metric", async () => {
    await ask(server, "POST genes/change", { data: { prediction_sort_metric: "similarity" } });
    const [first] = (await ask(server, "POST predictions")) as Prediction[];
    expect(first?.future).toEqual([["work"]]);
  });

  test("leave out of F what is not of the target class", async () => {
    await ask(server, "POST set-target-class", { data: "work" });
    const [only, ...others] = (await ask(server, "POST predictions")) as Prediction[];
    expect(others).toEqual([]);
    const before = 1 - (predicting("work").itfdf_similarity as number);
    // Its frequency is half of F before and all of it now.
    expect(1 - (only?.itfdf_similarity as number)).toBeCloseTo(before * 2, 13);
  });
});

describe("the memory that is predicted from", () => {
  const futures = async () => ((await ask(server, "POST predictions")) as Prediction[]).map(({ future }) => future);

  test("stays what it was when only emotives are observed, and is none after others", async () => {
    await ask(server, "POST clear-target-class");
    await ask(server, "POST working-memory/clear");
    expect(await futures()).toEqual([]);
    await ask(server, "POST observe", { data: { strings: ["coffee"] } });
    const before = await futures();
    expect(before.length).toBeGreaterThan(0);
    await ask(server, "POST observe", { data: { emotives: { joy: 1 } } });
    await ask(server, "POST predicting/stop");
    expect(await futures()).toEqual(before);
    await ask(server, "POST observe", { data: { strings: ["bus"] } });
    expect(await futures()).toEqual([]);
  });

  test("is none on observations that predict_on_nth_event skips", async () => {
    await ask(server, "POST predicting/start");
    await ask(server, "POST working-memory/clear");
    await ask(server, "POST genes/change", { data: { predict_on_nth_event: 2 } });
    await ask(server, "POST observe", { data: { strings: ["coffee"] } });
    expect(await futures()).toEqual([]);
    await ask(server, "POST observe", { data: { strings: ["bus"] } });
    expect((await futures()).length).toBeGreaterThan(0);
  });

  test("is as observed though autolearning cleared it", async () => {
    await ask(server, "POST autolearning/start");
    await ask(server, "POST genes/change", { data: { predict_on_nth_event: 1, max_sequence_length: 2 } });
    await ask(server, "POST working-memory/clear");
    await ask(server, "POST observe", { data: { strings: ["coffee", "milk"] } });
    expect(await ask(server, "GET working-memory")).toEqual([]);
    expect((await futures()).length).toBeGreaterThan(0);
  });
});

describe("docs/forecast.md", () => {
  test("shows what its example answers", async () => {
    await ask(server, "POST autolearning/stop");
    await ask(server, "POST genes/change", { data: { max_sequence_length: 0 } });
    await ask(server, "POST clear-all-memory");
    let answer: unknown;
    for (const { call, body } of calls(FORECAST_PAGE)) answer = await ask(server, call, body);
    const [json = ""] = [...FORECAST_PAGE.matchAll(/^```json\n(.*?)^```/gms)].map(([, block]) => block);
    expect(answer).toEqual(JSON.parse(json));
  });
});

describe("docs/forecast-results.md", () => {
  test("states every constant of the estimator as it is", () => {
    const heading = "| constant | value |";
    const [table = ""] = RESULTS_PAGE.slice(RESULTS_PAGE.indexOf(heading)).split("\n\n");
    // The others are constants of the kernel.
    const ofCode = [...rowsUnder(heading, RESULTS_PAGE)].filter(([names]) =>
      table.includes(`| \`${names.split(" ")[0]}\``),
    );
    const stated = ofCode.map(([names, [values = ""] = []]) => {
      const all = values.replaceAll(",", "").split(" and ").map(Number);
      return names.split(" and ").map((name, at) => [name, all[at]]);
    });
    expect(Object.fromEntries(stated.flat())).toEqual(ESTIMATOR);
  });
});
