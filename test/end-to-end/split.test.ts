/**
 * Processors whose models are split answer as those that are not, in the served bundle: after random lives, a kill in the middle, a
 * load and a restore into another number of parts.
 */

import { afterAll, beforeAll, expect, test } from "vitest";
import {
  AgentLife,
  backupOf,
  GENOME,
  readingsOf,
  type ServedAgent,
  send,
  timeless,
} from "../support/backup/agent-life";
import { Random } from "../support/random";
import { Server } from "../support/server/server";

const STEPS = 36;
const TIME = 1_900_000_000;
const NODE = { type: "primitive", id: "p", name: "P" };

let server: Server;
const agent = (name: string): ServedAgent => ({ server, name });
const [WHOLE, SPLIT, OTHER] = ["whole", "split", "other"] as const;

/** The genome of random lives with so many parts of its processors. */
function genomeOf(p1: unknown, p2: unknown): string {
  const genome = JSON.parse(GENOME);
  for (const { data } of genome.elements.nodes) {
    if (data.id === "p1") data.parts = p1;
    if (data.id === "p2") data.parts = p2;
  }
  return JSON.stringify(genome);
}

const hotswap = (name: string, genome: string) => send(agent(name), ["POST /genome/hotswap?purge=true", genome]);

beforeAll(async () => {
  server = await Server.start(undefined, { NOEMA_AGENTS: `${WHOLE} ${SPLIT} ${OTHER}` });
});

afterAll(() => server.discard());

/** Lets both agents live on and compares each answer. */
async function liveOn(life: AgentLife, names: readonly string[], steps: number): Promise<void> {
  for (let step = 0; step < steps; step++) {
    const call = life.next();
    const answers: string[] = [];
    for (const name of names) answers.push(timeless((await send(agent(name), call)).text));
    expect(new Set(answers).size, `${call[0]} ${JSON.stringify(call[1])}\n${answers.join("\n")}`).toBe(1);
  }
}

async function expectSameReadings(names: readonly string[]): Promise<void> {
  const [first, ...others] = await Promise.all(names.map((name) => readingsOf(agent(name))));
  for (const other of others) expect(withoutParts(other)).toEqual(withoutParts(first));
}

/** The readings without the numbers of parts in the genome, which differ. */
function withoutParts(readings: Record<string, string> = {}): Record<string, string> {
  const { "GET /connect": connect = "", ...rest } = readings;
  return { ...rest, "GET /connect": connect.replaceAll(/"parts":\d+,/g, "") };
}

test("random lives, a kill, a load and a restore into another number of parts", async () => {
  await hotswap(WHOLE, GENOME);
  expect((await hotswap(SPLIT, genomeOf(3, 8))).status).toBe(200);
  const life = new AgentLife(new Random(5), TIME);
  const both = [WHOLE, SPLIT];
  await liveOn(life, both, STEPS);
  await server.kill();
  server = await Server.start(server.stateDir, { NOEMA_AGENTS: `${WHOLE} ${SPLIT} ${OTHER}` });
  await liveOn(life, both, STEPS);
  await expectSameReadings(both);

  const { parts, ...info } = (await send(agent(SPLIT), ["GET /p1/info"])).json.message;
  const whole = (await send(agent(WHOLE), ["GET /p1/info"])).json.message;
  expect(Object.keys(info)).toEqual(Object.keys(whole));
  expect(parts).toHaveLength(3);
  const { models_kb: models } = (await send(agent(WHOLE), ["GET /p1/status"])).json.message;
  const sum = parts.reduce((all: number, part: { models: number }) => all + part.models, 0);
  expect(`{KB| objects: ${sum}}`).toBe(models);
  for (const part of parts) expect(Object.keys(part)).toEqual(["memory_bytes", "models"]);

  const backup = await backupOf(agent(SPLIT));
  await hotswap(OTHER, genomeOf(1, 2));
  for (const id of ["p1", "p2"]) {
    const { status, text } = await send(agent(OTHER), [`POST /restore?processor=${id}`, backup]);
    expect(status, text).toBe(200);
  }
  await liveOn(life, [WHOLE, SPLIT, OTHER], STEPS / 2);
  await expectSameReadings([WHOLE, OTHER]);
}, 480_000);

test("a hotswap that changes the number of parts is refused by name, and changes nothing", async () => {
  await hotswap(OTHER, genomeOf(1, 2));
  await send(agent(OTHER), ["POST /p2/observe", { data: { strings: ["a"] } }]);
  const before = (await send(agent(OTHER), ["GET /genome"])).text;
  const { status, text } = await send(agent(OTHER), ["POST /genome/hotswap", genomeOf(1, 3)]);
  expect(status).toBe(400);
  expect(text).toContain('the genome\'s processor \\"p2\\" has 3 parts, and was made with 2 parts');
  expect((await send(agent(OTHER), ["GET /genome"])).text).toBe(before);
});

test.each([
  ["0", 0],
  ["1.5", 1.5],
  ["10,000", 10_000],
  ["a text", "3"],
])("a genome with %s parts is refused by name, and changes nothing", async (_, parts) => {
  const before = (await send(agent(WHOLE), ["GET /genome"])).text;
  const { status, text } = await hotswap(
    WHOLE,
    JSON.stringify({ agent: "a", elements: { nodes: [{ data: { ...NODE, parts } }] } }),
  );
  expect(status).toBe(400);
  expect(text).toContain("parts must be a whole number from 1 to 64");
  expect((await send(agent(WHOLE), ["GET /genome"])).text).toBe(before);
});
