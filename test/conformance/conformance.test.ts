/** The conformance examples, played over HTTP on the bundle that is deployed, as `npm start` serves it. */

import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { difference, subsetDifference, unorderedDifference } from "../processor/expectation";
import { type JsonAnswer, Server } from "../serve/server";
import { disorder } from "./canonical";
import { EXAMPLES, type Example, type Step } from "./example";
import abstraction from "./genomes/abstraction.json";
import simple from "./genomes/simple.json";

/** The genome that every server begins with. */
const DEFAULT_GENOME = "simple";
const PROCESSOR = "/p46b6b076c";
/** A case plays in well under a second; the first waits for the bundle to be built. */
const START_MS = 120_000;

let server: Server;
let initialGenes: Record<string, boolean | number | string>;
let initialStatus: unknown;

async function message(method: string, path: string, body?: unknown): Promise<unknown> {
  const { status, json } = await server.send({ method, path: `${PROCESSOR}/${path}`, body });
  expect({ path, status, word: json.status }).toEqual({ path, status: 200, word: "okay" });
  return json.message;
}

/** Brings the processor to the state in which its genome made it. */
async function reset(): Promise<void> {
  await message("POST", "clear-all-memory");
  await message("POST", "clear-target-class");
  await message("POST", "predicting/start");
  await message("POST", "autolearning/stop");
  await message("POST", "sleeping/stop");
  expect(await message("POST", "genes/change", { data: initialGenes })).toBe("updated-genes");
  expect(await message("GET", "status")).toEqual(initialStatus);
}

function bodyDifference(step: Step, json: unknown, { compare }: Example): string {
  if (step.ties === true) return unorderedDifference(step.message, json, compare);
  if (step.subset !== undefined) return subsetDifference(step.subset, json, compare);
  return "message" in step ? difference(step.message, json, compare) : "";
}

/** What is wrong with an answer; empty when nothing is. */
function complaint(step: Step, { status, text, json }: JsonAnswer, example: Example): string {
  const http = step.http ?? 200;
  if (status !== http) return `HTTP ${http} expected, got ${status}: ${text}`;
  if (step.interval !== undefined && json.interval !== step.interval) {
    return `interval ${step.interval} expected, got ${json.interval}`;
  }
  return bodyDifference(step, json.message, example) || disorder(text);
}

async function play(example: Example): Promise<void> {
  for (const [at, step] of example.steps.entries()) {
    const found = complaint(step, await server.send(step), example);
    if (found !== "") throw new Error(`step ${at}, ${step.method} ${step.path}: ${found}`);
  }
}

beforeAll(async () => {
  server = await Server.start();
  initialStatus = await message("GET", "status");
  initialGenes = ((await message("GET", "all-genes")) as { genes: typeof initialGenes }).genes;
}, START_MS);

afterAll(() => server.discard());

describe("examples", () => {
  beforeEach(reset);

  for (const example of EXAMPLES.filter(({ genome }) => genome === DEFAULT_GENOME)) {
    test(example.id, () => play(example));
  }
});

describe("examples on another genome, brought by a hotswap", () => {
  /** Begins with a genome's own processors, which have lived through nothing. */
  async function begin(genome: object): Promise<void> {
    for (const next of [simple, genome]) {
      const { json } = await server.send({ method: "POST", path: "/genome/hotswap?purge=true", body: next });
      expect(json.status, json.message).toBe("okay");
    }
  }

  for (const example of EXAMPLES.filter(({ genome }) => genome !== DEFAULT_GENOME)) {
    test(example.id, async () => {
      expect(example.genome).toBe("abstraction");
      await begin(abstraction);
      await play(example);
    });
  }
});
