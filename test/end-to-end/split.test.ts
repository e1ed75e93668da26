/**
 * Processors whose models are split answer as those that are not, in the served bundle: after random lives, a kill in the middle, a
 * load and a restore into another number of parts.
 */

import { afterAll, beforeAll, expect, test } from "vitest";
import { modelName } from "../../src/processor/knowledge/names";
import {
  AgentLife,
  backupOf,
  type Call,
  GENOME,
  readingsOf,
  type ServedAgent,
  send,
  timeless,
} from "../support/backup/agent-life";
import { Random } from "../support/random";
import { Server } from "../support/server/server";
import { ServedStream } from "../support/server/stream";

const STEPS = 36;
const TIME = 1_900_000_000;
const NODE = { type: "primitive", id: "p", name: "P" };

let server: Server;
const agent = (name: string): ServedAgent => ({ server, name });
const [WHOLE, SPLIT, OTHER] = ["whole", "split", "other"] as const;

/** The genome of random lives with this many parts of its processors. */
function genomeOf(p1: unknown, p2: unknown): string {
  const genome = JSON.parse(GENOME);
  for (const { data } of genome.elements.nodes) {
    if (data.id === "p1") data.parts = p1;
    if (data.id === "p2") data.parts = p2;
  }
  return JSON.stringify(genome);
}

const hotswap = (name: string, genome: string) => send(agent(name), ["POST /genome/hotswap?purge=true", genome]);

/**
 * What an agent says of itself, its genome included. Objects that the server has not opened yet since a kill may refuse a call for a moment: then it is sent again.
 */
async function connectTextOf(name: string): Promise<string> {
  let text = "";
  const statusOf = async () => {
    const answer = await send(agent(name), ["GET /connect"]);
    text = timeless(answer.text);
    return answer.status;
  };
  await expect.poll(statusOf).toBe(200);
  expect(text).toContain('"genome":');
  return text;
}

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

test("frames of a stream", async () => {
  await hotswap(WHOLE, GENOME);
  await hotswap(SPLIT, genomeOf(3, 8));
  const said: string[][] = [];
  for (const name of [WHOLE, SPLIT]) {
    const stream = await ServedStream.open(server.address, "/p2/stream", {
      headers: { "x-api-key": "ABCD-1234", host: `${name}.localhost` },
    });
    const answers: string[] = [];
    const random = new Random(6);
    for (let n = 1; n <= 24; n++) {
      const strings = [`s${random.below(5)}`, `s${random.below(3)}`];
      const observe = { strings, vectors: [], emotives: {}, metadata: {}, time: TIME + n };
      stream.send({ n, observe, learn: n % 4 === 0, predictions: n % 3 === 0 });
    }
    for (let n = 1; n <= 24; n++) answers.push(timeless(JSON.stringify(await stream.next())));
    stream.socket.close();
    said.push(answers);
  }
  expect(said[1]).toEqual(said[0]);
  expect(said[0]?.join("")).toContain('"learned"');
});

test("writes under way at a kill: what was answered is there once, in its part, and asked as in one", async () => {
  await hotswap(SPLIT, genomeOf(3, 8));
  const backups: string[] = [];
  for (const last of ["one", "two"]) {
    await send(agent(SPLIT), ["POST /p2/clear-all-memory"]);
    for (const symbol of ["x", "y"]) await send(agent(SPLIT), ["PUT /p2/add-model", { sequence: [[symbol], [last]] }]);
    backups.push(await backupOf(agent(SPLIT), "?processor=p2"));
  }
  const learned = new Map<string, string[][]>();
  const deleted = new Set<string>();
  const unanswered = new Set<string>();
  let restores = 0;
  for (const round of [1, 2]) {
    let isOver = false;
    const call = (...[line, body]: Call) => send(agent(SPLIT), [line, body]).catch(() => undefined);
    const learning = async (client: number) => {
      for (let n = 0; !isOver; n++) {
        const sequence = [["a"], ["b"], [`r${round}c${client}n${n}`]];
        const name = modelName(sequence);
        const answer = await call("PUT /p1/add-model", { sequence });
        if (answer?.status === 200) learned.set(name, sequence);
        else unanswered.add(name);
        if (n % 3 !== 2) continue;
        const gone = await call(`DELETE /p1/model/${name}`);
        if (gone?.status === 200) deleted.add(name);
        else unanswered.add(name);
      }
    };
    const restoring = async () => {
      for (let n = 0; !isOver; n++) {
        const answer = await call("POST /restore?processor=p2", backups[n % 2]);
        if (answer?.status === 200) restores++;
      }
    };
    const clients = [learning(1), learning(2), learning(3), restoring()];
    await expect.poll(() => Math.min(learned.size, 10 * restores)).toBeGreaterThanOrEqual(20 * round);
    await server.kill();
    isOver = true;
    await Promise.all(clients);
    server = await Server.start(server.stateDir, { NOEMA_AGENTS: `${WHOLE} ${SPLIT} ${OTHER}` });

    const { models_kb: models } = (await send(agent(SPLIT), ["GET /p1/get_kb"])).json.message;
    const lost = [...learned.keys()].filter((name) => !unanswered.has(name) && deleted.has(name) === name in models);
    expect(lost).toEqual([]);
    for (const [id, count] of [
      ["p1", Object.keys(models).length],
      ["p2", 2],
    ] as const) {
      const { parts } = (await send(agent(SPLIT), [`GET /${id}/info`])).json.message;
      expect(parts.reduce((all: number, part: { models: number }) => all + part.models, 0)).toBe(count);
    }
    // One or the other, and not half of each.
    const { models_kb: restored } = (await send(agent(SPLIT), ["GET /p2/get_kb"])).json.message;
    const lasts = Object.values<{ sequence: string[][] }>(restored).map(({ sequence }) => sequence[1]?.[0]);
    expect(new Set(lasts).size).toBe(1);
  }
  await hotswap(OTHER, genomeOf(1, 1));
  const { status, text } = await send(agent(OTHER), ["POST /restore?processor=p1", await backupOf(agent(SPLIT))]);
  expect(status, text).toBe(200);
  const asked = [...learned.values()].slice(-4).map((sequence): Call => ["POST /p1/predictions", { sequence }]);
  for (const call of [...asked, ["POST /p1/forecast", { sequence: [["a"], ["b"]] }]] as Call[]) {
    const answers = [];
    for (const name of [SPLIT, OTHER]) answers.push(timeless((await send(agent(name), call)).text));
    expect(answers[1]).toBe(answers[0]);
  }
});

test("a hotswap that changes the number of parts is refused by name, and changes nothing", async () => {
  await hotswap(OTHER, genomeOf(1, 2));
  await send(agent(OTHER), ["POST /p2/observe", { data: { strings: ["a"] } }]);
  const before = await connectTextOf(OTHER);
  const { status, text } = await send(agent(OTHER), ["POST /genome/hotswap", genomeOf(1, 3)]);
  expect(status).toBe(400);
  expect(text).toContain('the genome\'s processor \\"p2\\" has 3 parts, and was made with 2 parts');
  expect(await connectTextOf(OTHER)).toBe(before);
});

test.each([
  ["0", 0],
  ["1.5", 1.5],
  ["10,000", 10_000],
  ["a text", "3"],
])("a genome with %s parts is refused by name, and changes nothing", async (_, parts) => {
  const before = await connectTextOf(WHOLE);
  const { status, text } = await hotswap(
    WHOLE,
    JSON.stringify({ agent: "a", elements: { nodes: [{ data: { ...NODE, parts } }] } }),
  );
  expect(status).toBe(400);
  expect(text).toContain("parts must be a whole number from 1 to 64");
  expect(await connectTextOf(WHOLE)).toBe(before);
});
