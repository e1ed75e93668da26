/** A knowledge base that is exported and loaded over HTTP, in each form, is the same to the byte and predicts the same. */

import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { Random } from "../support/random";
import { ask, PROCESSOR } from "../support/server/processor-calls";
import { Server } from "../support/server/server";

const MODELS = 60;
/** Names that are hard to sort, print or transport. */
const SYMBOLS = [
  "a",
  "10",
  "2",
  "__proto__",
  "'",
  '"',
  "\\",
  "\n",
  "\u{1F600}",
  "\uFFEE",
  "\uFEFFa",
  "e\u0301",
  "VECTOR|x",
  "",
  "z|y",
];

let server: Server;
/** The knowledge base alone, as text. */
let before: string;
let predictedBefore: unknown;

async function exported(): Promise<string> {
  return (await server.send({ method: "GET", path: `${PROCESSOR}/get_kb/raw` })).text;
}

/** The predictions by name, because ties have no order. */
async function predicted(): Promise<unknown> {
  const predictions = (await ask(server, "POST predictions")) as { name: string }[];
  return predictions.sort((one, other) => (one.name < other.name ? -1 : 1));
}

async function observeSomething(): Promise<void> {
  await ask(server, "POST observe", { data: { strings: ["a", "\u{1F600}", "__proto__"], vectors: [[1, 0.5]] } });
}

beforeAll(async () => {
  server = await Server.start();
  const random = new Random(7);
  for (let model = 0; model < MODELS; model++) {
    for (let event = random.below(3); event >= 0; event--) {
      const strings = Array.from({ length: 1 + random.below(4) }, () => random.pick(SYMBOLS));
      const vectors = random.below(4) === 0 ? [[random.below(8), random.below(8) / 8]] : [];
      const emotives = random.below(2) === 0 ? { joy: random.below(100) / 7, ["__proto__"]: 1 } : {};
      await ask(server, "POST observe", {
        data: { strings, vectors, emotives, metadata: { "10": model, "2": [null, event] } },
      });
    }
    await ask(server, "POST learn");
  }
  before = await exported();
  await observeSomething();
  predictedBefore = await predicted();
  expect(predictedBefore).not.toEqual([]);
});

afterAll(() => server.discard());

describe("a knowledge base that is exported, cleared and loaded again", () => {
  async function message(body?: unknown): Promise<string> {
    const { text } = await server.send({ method: "GET", path: `${PROCESSOR}/get_kb`, body });
    return /^\{.*?"message":(.*),"status":"okay","time_stamp":\d+\}$/s.exec(text)?.[1] ?? "";
  }

  test.each<[form: string, file: () => Promise<string>]>([
    ["a file", async () => before],
    ["an object in data", async () => `{"data":${await message()}}`],
    ["lines", async () => message({ data: { lines: true } })],
    ["lines in data", async () => `{"data":${await message({ data: { lines: true } })}}`],
  ])("is the same when it travels as %s", async (_, file) => {
    const body = await file();
    await ask(server, "POST clear-all-memory");
    expect(await exported()).not.toBe(before);
    expect(await ask(server, "POST load_kb", body)).toBe("success");
    expect(await exported()).toBe(before);
    await observeSomething();
    expect(await predicted()).toEqual(predictedBefore);
  });
});
