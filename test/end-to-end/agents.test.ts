/** Several agents in one server. The host tells them apart; each has its own genome, memory and keys, also after a restart. */

import { expect, onTestFinished, test } from "vitest";
import { genomeText, primitive } from "../support/object/genomes";
import { makeStateDir, Server } from "../support/server/server";

const ENV = { API_KEYS: "everywhere", AGENT_KEYS: "kitchen:K lab:L", NOEMA_AGENTS: "kitchen, lab" };

function ask(server: Server, host: string, key: string, call: string, body?: unknown) {
  return server.call(call, body, { key, headers: { host } });
}

async function memoryOf(server: Server, host: string): Promise<unknown> {
  return (await ask(server, host, "everywhere", "GET /P1/working-memory")).json.message;
}

test("agents of one server know nothing of each other", async () => {
  let server = await Server.start(makeStateDir(), ENV);
  onTestFinished(() => server.discard());
  const [kitchen, lab, other] = ["kitchen.example.org", "lab.localhost:8787", "127.0.0.1"] as const;
  for (const [host, genie] of [
    [kitchen, "kitchen"],
    [lab, "lab"],
    [other, "simple"],
    ["unknown.example.org", "simple"],
  ] as const) {
    const { json } = await ask(server, host, "everywhere", "GET /connect");
    expect(json).toMatchObject({ agent_name: genie, genie, connection: "okay", genome: { agent: genie } });
  }
  expect((await ask(server, kitchen, "K", "POST /P1/observe", { data: { strings: ["pan"] } })).status).toBe(200);
  expect((await ask(server, lab, "K", "POST /P1/observe", { data: { strings: ["pan"] } })).status).toBe(500);
  expect((await ask(server, other, "K", "POST /P1/observe", { data: { strings: ["pan"] } })).status).toBe(500);
  const genome = JSON.parse(genomeText(primitive("p9", { name: "P9" })));
  expect((await ask(server, lab, "K", "POST /genome/hotswap", genome)).status).toBe(500);
  expect((await ask(server, lab, "L", "POST /genome/hotswap", genome)).status).toBe(200);
  await server.stop();
  server = await Server.start(server.stateDir, ENV);
  expect(await memoryOf(server, kitchen)).toEqual([["pan"]]);
  expect(await memoryOf(server, other)).toEqual([]);
  expect((await ask(server, lab, "L", "GET /P1/ping")).status).toBe(404);
  expect((await ask(server, lab, "L", "GET /P9/ping")).status).toBe(200);
  expect((await ask(server, other, "everywhere", "GET /P9/ping")).status).toBe(404);
});

test("a label of NOEMA_DOMAIN or of localhost that names no agent is refused and writes nowhere", async () => {
  const server = await Server.start(makeStateDir(), { ...ENV, NOEMA_DOMAIN: "example.org" });
  onTestFinished(() => server.discard());
  for (const host of ["kitchn.example.org", "kitchn.localhost"]) {
    const body = { data: { strings: ["pan"] } };
    const { status, json } = await ask(server, host, "everywhere", "POST /P1/observe", body);
    expect([status, json.message]).toEqual([404, expect.stringContaining('there is no agent "kitchn"')]);
  }
  expect(await memoryOf(server, "example.org")).toEqual([]);
  expect(await memoryOf(server, "kitchen.example.org")).toEqual([]);
});
