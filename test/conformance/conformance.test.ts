/** The conformance examples, played over HTTP on the bundle that is deployed, as `npm start` serves it. */

import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { difference, subsetDifference, unorderedDifference } from "../processor/expectation";
import { type JsonAnswer, Server } from "../serve/server";
import { disorder } from "./canonical";
import { EXAMPLES, type Example, type Step } from "./example";
import { PENDING_GENOME, pendingIn } from "./pending";

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

/** The complaint about a pending operation that is there after all: its entry in the list is out of date. */
function stillPending({ status }: JsonAnswer): string {
  return status === 404 ? "" : `the list of pending operations says it is not there yet, but it answers HTTP ${status}`;
}

/** Plays the steps; those that need what is not there yet must say so, and the first of them that would have written is the last. */
async function play(example: Example): Promise<void> {
  for (const [at, step] of example.steps.entries()) {
    const answer = await server.send(step);
    const pending = pendingIn(step);
    const found = pending === undefined ? complaint(step, answer, example) : stillPending(answer);
    if (found !== "") throw new Error(`step ${at}, ${step.method} ${step.path}: ${found}`);
    if (pending?.reads === false) return;
  }
}

/** The name of an example's test, which tells how far it can be played. */
function title({ id, steps }: Example): string {
  const end = steps.findIndex((step) => pendingIn(step)?.reads === false);
  const last = steps[end];
  return last === undefined
    ? id
    : `${id}, up to step ${end} of ${steps.length - 1}: no ${last.method} ${last.path} yet`;
}

beforeAll(async () => {
  server = await Server.start();
  initialStatus = await message("GET", "status");
  initialGenes = ((await message("GET", "all-genes")) as { genes: typeof initialGenes }).genes;
}, START_MS);

afterAll(() => server.discard());

describe("examples", () => {
  beforeEach(reset);

  for (const example of EXAMPLES.filter(({ genome }) => genome !== PENDING_GENOME)) {
    test(title(example), () => play(example));
  }
});

describe("examples on another genome, which cannot be loaded yet", () => {
  for (const { id } of EXAMPLES.filter(({ genome }) => genome === PENDING_GENOME)) {
    test(id, async () => {
      const { status } = await server.send({ method: "POST", path: `${PROCESSOR}/genome/hotswap`, body: {} });
      expect(status).toBe(404);
    });
  }
});
