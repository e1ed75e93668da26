/**
 * Many processors in one agent, and many agents in one server: everything still works. Prints how long each step took. The variables
 * SCALE_PROCESSORS and SCALE_AGENTS set other sizes.
 */

import { expect, onTestFinished, test } from "vitest";
import { genomeText, manipulative, primitive } from "../support/object/genomes";
import { makeStateDir, Server } from "../support/server/server";

const PROCESSORS = Number(process.env.SCALE_PROCESSORS ?? 1000);
const AGENTS = Number(process.env.SCALE_AGENTS ?? 100);
const LONG_MS = 1_800_000;

/** The number of processors or agents that are called one by one. */
const SOME = 25;

/** Does a step, prints its name and how long it took, and returns its result. */
async function timed<Result>(step: string, work: () => Promise<Result>): Promise<Result> {
  const start = performance.now();
  const result = await work();
  process.stdout.write(`${step}: ${(performance.now() - start).toFixed(0)} ms\n`);
  return result;
}

function okay(server: Server, call: string, body?: unknown, host?: string) {
  // No kept connections: workerd stalls for seconds when it evicts a thousand idle objects, and then closes idle connections.
  return server.okay(call, body, { headers: { connection: "close", ...(host === undefined ? {} : { host }) } });
}

/** Some items of a list, evenly spread. */
function some<Item>(items: readonly Item[]): Item[] {
  const step = Math.max(1, Math.floor(items.length / SOME));
  return items.filter((_, at) => at % step === 0);
}

test(`${PROCESSORS} processors in one agent`, { timeout: LONG_MS }, async () => {
  const server = await Server.start();
  onTestFinished(() => server.discard());
  const ids = Array.from({ length: PROCESSORS }, (_, at) => `p${at}`);
  // Every second processor tells the next one what it predicts.
  const tells = (at: number) => at % 2 === 0 && at + 1 < PROCESSORS;
  const nodes = ids.flatMap((id, at) => [
    primitive(id, { manipulatives: tells(at) ? [`m${at}`] : [], persistence: 5 }),
    ...(tells(at) ? [manipulative(`m${at}`, id, [`p${at + 1}`])] : []),
  ]);
  const genome = genomeText(...nodes);
  process.stdout.write(`genome: ${nodes.length} nodes, ${(genome.length / 1e6).toFixed(2)} MB\n`);
  await timed("hotswap that makes all", () => okay(server, "POST /genome/hotswap", genome));
  await timed("hotswap that changes nothing", () => okay(server, "POST /genome/hotswap", genome));
  const renamed = genome.replace('"P of p0"', '"renamed"');
  await timed("hotswap that changes one", () => okay(server, "POST /genome/hotswap", renamed));
  const connected = await timed("connect", () => okay(server, "GET /connect"));
  expect([connected.connection, connected.genome.elements.nodes.length]).toEqual(["okay", nodes.length]);
  await timed(`first observe of ${some(ids).length} processors, one after the other`, async () => {
    for (const id of some(ids)) await okay(server, `POST /${id}/observe`, { data: { strings: ["hello"] } });
  });
  await timed("the same once more", async () => {
    for (const id of some(ids)) await okay(server, `POST /${id}/observe`, { data: { strings: ["world"] } });
  });
  for (const id of some(ids)) {
    expect((await okay(server, `GET /${id}/working-memory`)).message).toEqual([["hello"], ["world"]]);
  }
  expect((await okay(server, "GET /renamed/name")).message).toBe("renamed");
  await okay(server, "POST /p2/genes/change", { data: { persistence: 9 } });
  const live = await timed("connect with one changed gene", () => okay(server, "GET /connect"));
  expect(
    live.genome.elements.nodes.filter((node: { data: { persistence?: number } }) => node.data.persistence === 9),
  ).toHaveLength(1);
  await timed("hotswap that deletes all", () => okay(server, "POST /genome/hotswap?purge=true", genomeText()));
  expect((await server.send({ method: "GET", path: "/p1/ping" })).status).toBe(404);
});

test(`${AGENTS} agents in one server`, { timeout: LONG_MS }, async () => {
  const names = Array.from({ length: AGENTS }, (_, at) => `agent-${at}`);
  const server = await Server.start(makeStateDir(), { NOEMA_AGENTS: names.join(" ") });
  onTestFinished(() => server.discard());
  await timed("connect of all for the first time", async () => {
    for (const name of names) {
      expect((await okay(server, "GET /connect", undefined, `${name}.localhost`)).genie).toBe(name);
    }
  });
  await timed("observe of all", async () => {
    for (const name of names) {
      await okay(server, "POST /P1/observe", { data: { strings: [name] } }, `${name}.localhost`);
    }
  });
  for (const name of some(names)) {
    const { message } = await okay(server, "GET /P1/working-memory", undefined, `${name}.localhost`);
    expect(message).toEqual([[name]]);
  }
});
