/** Several agents in one server, told apart by the host: own genomes, own memories, own keys, over a real socket and a restart. */

import { expect, onTestFinished, test } from "vitest";
import { genomeText, primitive } from "../support/object/genomes";
import { makeStateDir, Server } from "../support/server/server";

const LONG_MS = 120_000;
const ENV = { API_KEYS: "everywhere", AGENT_KEYS: "kitchen:K lab:L", NOEMA_AGENTS: "kitchen, lab" };

async function ask(server: Server, host: string, key: string, call: string, body?: unknown) {
  const [method = "", path = ""] = call.split(" ");
  const { status, json } = await server.send({ method, path, body, key, headers: { host } });
  return { status, json };
}

async function memoryOf(server: Server, host: string): Promise<unknown> {
  return (await ask(server, host, "everywhere", "GET /P1/working-memory")).json.message;
}

test("agents of one server know nothing of each other", { timeout: LONG_MS }, async () => {
  let server = await Server.start(makeStateDir(), ENV);
  onTestFinished(() => server.discard());
  const [kitchen, lab, none] = ["kitchen.example.org", "lab.localhost:8787", "127.0.0.1"] as const;
  for (const [host, genie] of [
    [kitchen, "kitchen"],
    [lab, "lab"],
    [none, "simple"],
    ["unknown.example.org", "simple"],
  ] as const) {
    const { json } = await ask(server, host, "everywhere", "GET /connect");
    expect(json).toMatchObject({ agent_name: genie, genie, connection: "okay", genome: { agent: genie } });
  }
  expect((await ask(server, kitchen, "K", "POST /P1/observe", { data: { strings: ["pan"] } })).status).toBe(200);
  expect((await ask(server, lab, "K", "POST /P1/observe", { data: { strings: ["pan"] } })).status).toBe(500);
  expect((await ask(server, none, "K", "POST /P1/observe", { data: { strings: ["pan"] } })).status).toBe(500);
  const genome = JSON.parse(genomeText(primitive("p9", { name: "P9" })));
  expect((await ask(server, lab, "K", "POST /genome/hotswap", genome)).status).toBe(500);
  expect((await ask(server, lab, "L", "POST /genome/hotswap", genome)).status).toBe(200);
  await server.stop();
  server = await Server.start(server.stateDir, ENV);
  expect(await memoryOf(server, kitchen)).toEqual([["pan"]]);
  expect(await memoryOf(server, none)).toEqual([]);
  expect((await ask(server, lab, "L", "GET /P1/ping")).status).toBe(404);
  expect((await ask(server, lab, "L", "GET /P9/ping")).status).toBe(200);
  expect((await ask(server, none, "everywhere", "GET /P9/ping")).status).toBe(404);
});
