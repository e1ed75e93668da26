/** A server that may open only few files refuses to start, limits live processors, and survives a flood of connections. */

import { readdirSync, readFileSync, rmSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { describe, expect, onTestFinished, test } from "vitest";
import { makeStateDir, Server, startRefused, type Wrapper, withDescriptors } from "../support/server/server";

/** The least that src/serve/limits.mjs accepts. */
const LEAST = 256;
/** Half of the files that workerd leaves free, at three files an object. */
const LIVE = 32;
/** More than may be live, and few enough that on a busy machine the last is called before the first is evicted. */
const PROCESSORS = 40;
/** An idle object is evicted after 10 s. */
const EVICTION_MS = 30_000;
const RETURN_MS = 30_000;
const LONG_MS = 180_000;

/** Only Linux shows what a process has open. */
const IS_LINUX = process.platform === "linux";

function stateDir(): string {
  const folder = makeStateDir();
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

async function start(folder: string, wrapper?: Wrapper, env?: Record<string, string>): Promise<Server> {
  const server = await Server.start(folder, env, wrapper);
  onTestFinished(() => server.kill());
  return server;
}

/** A genome with `count` processors, named p0, p1, … */
function genomeOf(count: number): unknown {
  const genome = JSON.parse(readFileSync("test/conformance/genomes/simple.json", "utf8"));
  const [node] = genome.elements.nodes;
  genome.elements.nodes = Array.from({ length: count }, (_, index) => ({
    ...node,
    data: { ...node.data, id: `p${index}`, name: `P${index}` },
  }));
  return genome;
}

/** Waits until a condition holds. Throws when that takes too long. */
async function until(holds: () => Promise<boolean>, patienceMs: number): Promise<void> {
  const deadline = Date.now() + patienceMs;
  while (!(await holds().catch(() => false))) {
    if (Date.now() > deadline) throw new Error(`this did not hold within ${patienceMs} ms: ${holds}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

describe("a start", () => {
  test("is refused where a process may open fewer files than a server needs", async () => {
    const { code, output } = await startRefused(stateDir(), {}, withDescriptors(LEAST - 1));
    expect(code).toBe(1);
    expect(output).toContain(
      `A process may open ${LEAST - 1} files and connections at once here; Noema needs ${LEAST} or more.`,
    );
  });

  test("is refused when NOEMA_LIVE_OBJECTS is more than the files allow", async () => {
    const env = { NOEMA_LIVE_OBJECTS: String(LIVE + 1) };
    const { output } = await startRefused(stateDir(), env, withDescriptors(LEAST));
    expect(output).toBe(`NOEMA_LIVE_OBJECTS is "${LIVE + 1}"; accepted is a whole number from 1 to ${LIVE}.\n`);
  });

  test.runIf(IS_LINUX)("gives workerd as many files as the hard limit allows", async () => {
    const low: Wrapper = ["/bin/sh", "-c", 'ulimit -S -n 200; exec "$@"', "sh"];
    const server = await start(stateDir(), low);
    const [, soft, hard] =
      /^Max open files +(\d+) +(\d+)/m.exec(readFileSync(`/proc/${server.workerdPid}/limits`, "utf8")) ?? [];
    expect(Number(soft)).toBeGreaterThan(200);
    expect(soft).toBe(hard);
  });
});

test("more processors than files allow are refused with 503 until others are evicted", {
  timeout: LONG_MS,
}, async () => {
  const folder = stateDir();
  const roomy = await start(folder);
  await roomy.okay("POST /genome/hotswap", genomeOf(PROCESSORS));
  await roomy.stop();
  const server = await start(folder, withDescriptors(LEAST));
  const { workerdPid } = server;
  const observe = (index: number) => server.call(`POST /p${index}/observe`, { data: { strings: ["a"] } });
  const answers = [];
  for (let index = 0; index < PROCESSORS; index++) answers.push(await observe(index));
  const refused = answers.filter(({ status }) => status !== 200);
  // One of the live objects is the agent's own. On a busy machine some are evicted before the last are called.
  expect(answers.slice(0, LIVE - 1).map(({ status }) => status)).toEqual(Array(LIVE - 1).fill(200));
  expect(refused.length).toBeGreaterThan(0);
  expect(new Set(refused.map(({ status, json }) => `${status} ${json.message}`))).toEqual(
    new Set([
      `503 ${LIVE} processors and agents are in use, and this server allows no more at once; try again in 12 s`,
    ]),
  );
  if (IS_LINUX) expect(readdirSync(`/proc/${workerdPid}/fd`).length).toBeLessThan(LEAST / 2 + LIVE);
  // Live processors still answer.
  expect((await observe(0)).status).toBe(200);
  await until(async () => (await observe(PROCESSORS - 1)).status === 200, EVICTION_MS);
  expect(server.workerdPid).toBe(workerdPid);
  // The runtime says nothing; the log has the overload, at most once a second.
  await server.kill();
  const lines = server.output
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(new Set(lines.map(({ status, message }) => `${status} ${message}`))).toEqual(
    new Set([`503 ${refused[0]?.json.message}`]),
  );
  expect(new Set(lines.map(({ time }) => time.slice(0, "2000-01-01T00:00:00".length))).size).toBe(lines.length);
});

test("a flood of idle connections neither ends the service nor loses an answered write", async () => {
  const server = await start(stateDir(), withDescriptors(LEAST));
  await server.okay("POST /p46b6b076c/observe", { data: { strings: ["kept"] } });
  const { hostname, port } = new URL(server.address);
  const sockets: Socket[] = Array.from({ length: 2 * LEAST }, () =>
    connect(Number(port), hostname).on("error", () => {}),
  );
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
  });
  await until(async () => sockets.every(({ connecting }) => !connecting), RETURN_MS);
  for (const socket of sockets) socket.destroy();
  await until(async () => {
    const { message } = await server.okay("GET /p46b6b076c/working-memory");
    return JSON.stringify(message) === '[["kept"]]';
  }, RETURN_MS);
});
