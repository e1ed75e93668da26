/**
 * Incidents on a served Noema: kept through kills with few rows, over a real stream, in words to webhooks, in the command
 * line, and through backup and restore. Takes 25 s: it starts the server five times, and the command line as often.
 */

import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import mqtt from "mqtt";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { noema } from "../support/cli/noema";
import { genomeText, primitive } from "../support/object/genomes";
import { Server } from "../support/server/server";
import { ServedStream } from "../support/server/stream";

const SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo=";

/** What came to the webhook, by path. */
const came = new Map<string, { headers: IncomingHttpHeaders; body: string }[]>();

const webhook = createServer(async (request, response) => {
  let body = "";
  for await (const part of request) body += part;
  const path = request.url ?? "";
  came.set(path, [...(came.get(path) ?? []), { headers: request.headers, body }]);
  response.writeHead(204).end();
});

let server: Server;
let host: string;
let env: Record<string, string>;

beforeAll(async () => {
  await new Promise<void>((resolve) => void webhook.listen(0, "127.0.0.1", resolve));
  host = `127.0.0.1:${(webhook.address() as AddressInfo).port}`;
  env = { NOEMA_ALERT_HOSTS: host, NOEMA_PUBLIC_URL: "https://noema.example.org" };
  server = await Server.start(undefined, env);
  const names = ["p1", "p2", "p3", "p4", "p5"].map((id) => primitive(id));
  await server.okay("POST /genome/hotswap", JSON.parse(genomeText(...names)));
});

afterAll(async () => {
  await server.discard();
  webhook.closeAllConnections();
  await new Promise((resolve) => webhook.close(resolve));
});

/** Has a processor expect a and b in turns, and keep incidents of what is neither. */
async function teach(id: string, when: object = { surprise_above: 6 }): Promise<void> {
  for (const sequence of [
    [["a"], ["b"]],
    [["b"], ["a"]],
  ]) {
    await server.okay(`PUT /${id}/add-model`, { sequence, frequency: 200 });
  }
  await server.okay(`POST /${id}/genes/change`, { data: { max_sequence_length: 4 } });
  await server.okay(`PUT /${id}/alerts/odd`, { data: { when } });
}

async function observe(id: string, ...symbols: string[]): Promise<void> {
  for (const symbol of symbols) await server.okay(`POST /${id}/observe`, { data: { strings: [symbol] } });
}

const incidents = async (id: string) => (await server.okay(`GET /${id}/incidents`)).message;

async function restart(): Promise<void> {
  await server.kill();
  server = await Server.start(server.stateDir, env);
}

async function rowsWritten(): Promise<number> {
  const { text } = await server.send({ method: "GET", path: "/metrics" });
  return Number(/^noema_rows_written_total (\d+)$/m.exec(text)?.[1]);
}

test("an incident that begins is there after a kill exactly when its event is, and goes on after kills", async () => {
  await teach("p1");
  await observe("p1", "a", "b");
  const answered = observe("p1", "x").then(
    () => true,
    () => false,
  );
  await sleep(3);
  await restart();
  const isAnswered = await answered;
  const { message: time } = await server.okay("GET /p1/time");
  const begun = await incidents("p1");
  expect(begun.length).toBe(time - 2);
  if (isAnswered) expect(begun.length).toBe(1);
  if (begun.length === 0) await observe("p1", "x");
  await observe("p1", "a", "y");
  await restart();
  expect(await incidents("p1")).toMatchObject([{ id: 1, events: 2, from: expect.any(Number), verdict: null }]);
  const before = await rowsWritten();
  await observe("p1", "b", "z");
  expect((await rowsWritten()) - before).toBe(2);
  await restart();
  const [last] = await incidents("p1");
  expect(last).toMatchObject({ id: 1, events: 3 });
  const quiet = Array.from({ length: 10 }, (_, at) => (at % 2 === 0 ? "a" : "b"));
  const ending = await rowsWritten();
  await observe("p1", ...quiet);
  // One row when it is over.
  expect((await rowsWritten()) - ending).toBe(11);
  const { message: whole } = await server.okay("GET /p1/incidents/1");
  expect(whole.evidence.map(({ symbols }: { symbols: string[] }) => symbols[0]).slice(0, 7)).toEqual([
    "a",
    "b",
    "x",
    "a",
    "y",
    "b",
    "z",
  ]);
});

test("a stream that has subscribed gets incidents of its memory as they begin", async () => {
  await teach("p2");
  const own = await ServedStream.open(server.address, "/p2/stream");
  const session = await ServedStream.open(server.address, "/p2/sessions/s/stream");
  await own.next();
  expect(await own.ask({ subscribe: ["incident"], sessions: true })).toMatchObject({ subscribed: ["incident"] });
  await session.next();
  expect(await session.ask({ subscribe: ["incident"] })).toEqual({ subscribed: ["incident"] });
  for (const place of ["p2", "p2/sessions/s"]) await observe(place, "a", "b", "x", "y");
  const [{ message: first }, { message: second }] = [
    await server.okay("GET /p2/incidents/1"),
    await server.okay("GET /p2/incidents/2"),
  ];
  const told = await own.next();
  expect(told).toEqual({
    event: "incident",
    incident: {
      ...told.incident,
      id: 1,
      alert: "odd",
      causes: [{ bits: first.causes[0].bits, symbol: "x" }],
      events: 1,
      verdict: null,
    },
    interval: 3,
    session: null,
  });
  expect(await own.next()).toMatchObject({ event: "incident", incident: { id: 2 }, session: "s" });
  expect(await session.next()).toMatchObject({
    event: "incident",
    incident: { id: 2, from: second.from },
    session: "s",
  });
  for (const stream of [own, session]) stream.socket.close();
});

test("a verdict is heard over MQTT where it changes the newest open incident", async () => {
  await teach("p5");
  const address = `${server.address.replace("http", "ws")}/mqtt`;
  const client = await mqtt.connectAsync(address, { protocolVersion: 5, password: "ABCD-1234", username: "screen" });
  onTestFinished(() => client.endAsync(true));
  const heard: string[] = [];
  client.on("message", (_topic, payload, { retain }) => {
    const { incident, session } = JSON.parse(payload.toString() || "{}");
    heard.push(`${incident?.id ?? "none"} ${session ?? ""}${retain ? " retained" : ""}`);
  });
  await client.subscribeAsync("noema/p5/sessions/s/incident", { qos: 1 });
  await observe("p5/sessions/s", "a", "b", "x");
  for (const verdict of ["fault", "ignored", null]) await server.okay("PUT /p5/incidents/1", { data: { verdict } });
  await expect.poll(() => heard).toEqual(["none  retained", "1 s", "none ", "1 s"]);
});

test("webhooks get words with a link to the memory, or to the page of the incident, in the console", async () => {
  await teach("p3");
  for (const format of ["slack", "ntfy", "text"]) {
    const data = { when: { surprise_above: 6 }, url: `http://${host}/${format}`, secret: SECRET, format };
    await server.okay(`PUT /p3/alerts/${format}`, { data });
  }
  await observe("p3/sessions/press%203", "a", "b", "x");
  const link = "https://noema.example.org/console#/p3/sessions/press%203/now";
  const page = /https:\/\/noema\.example\.org\/console#\/incidents\/p3\/\d$/;
  const bodies = (path: string) => came.get(path)?.map(({ body }) => body) ?? [];
  await expect.poll(() => bodies("/text").length, { timeout: 30_000 }).toBe(2);
  const [incident = ""] = bodies("/text").filter((body) => body.includes("Incident"));
  expect(incident.replace(/\d+\.\d bits/, "# bits")).toMatch(
    /^text: press 3\nIncident \d began with an event of # bits: x, where [ab] was expected\. \(processor p3, interval 3\)\n/,
  );
  const [, id] = /^text: .*\nIncident (\d) /.exec(incident) ?? [];
  expect(incident.endsWith(`\nhttps://noema.example.org/console#/incidents/p3/${id}`)).toBe(true);
  await expect.poll(() => [bodies("/slack").length, bodies("/ntfy").length], { timeout: 30_000 }).toEqual([2, 2]);
  const said = bodies("/slack").map((body) => JSON.parse(body));
  for (const one of said) expect(one).toEqual({ text: expect.stringMatching(/^slack: press 3\n/) });
  expect(said.filter(({ text }) => text.endsWith(`\n${link}`))).toHaveLength(1);
  expect(said.filter(({ text }) => page.test(text))).toHaveLength(1);
  for (const { body, headers } of came.get("/ntfy") ?? []) {
    expect(body).toMatch(/^(?:Incident|An event) .* \(processor p3, interval 3\)$/);
    const click = body.startsWith("Incident") ? expect.stringMatching(page) : link;
    expect(headers).toMatchObject({ click, title: `=?UTF-8?B?${btoa("ntfy: press 3")}?=` });
    expect(headers).toMatchObject({ "webhook-signature": expect.stringMatching(/^v1,/) });
  }
});

test("the command line lists, shows and judges incidents, and lists devices", async () => {
  const run = async (...args: string[]) => {
    const { code, stdout, stderr } = await noema(args, { env: { NOEMA_ADDRESS: server.address } });
    expect([code, stderr]).toEqual([0, ""]);
    return stdout;
  };
  const listed = await run("incidents", "list", "--processor", "p1");
  expect(listed).toMatch(
    /^id +from +session +alert +events +bits +cause +verdict\n1 .*\(own memory\) +odd +3 .* open\n$/,
  );
  expect(await run("incidents", "judge", "1", "fault", "--note", "bearing", "--processor", "p1")).toBe(
    "The incident 1 is fault.\n",
  );
  expect(await run("incidents", "show", "1", "--processor", "p1")).toMatch(
    / fault\n[\s\S]*\nNote: bearing\n[\s\S]*\n3 .* x\n/,
  );
  expect(await run("incidents", "list", "--verdict", "open", "--processor", "p1")).toBe("There are no incidents.\n");
  const devices = JSON.parse(await run("devices", "--json"));
  expect(
    devices.map(({ processor, session, incidents: open }: Record<string, unknown>) => [processor, session, open]),
  ).toEqual(
    expect.arrayContaining([
      ["p1", null, 0],
      ["p2", "s", 1],
    ]),
  );
  expect(devices.at(-1)).toMatchObject({ processor: "p1", incidents: 0, silent: false });
  expect(await run("devices")).toMatch(/^processor +session +open incidents +silent +last surprise +last observed\n/);
  const wrong = await noema(["incidents", "judge", "99", "fault", "--processor", "p1"], {
    env: { NOEMA_ADDRESS: server.address },
  });
  expect([wrong.code === 0, wrong.stderr]).toEqual([false, expect.stringContaining("there is no incident 99")]);
});

test("a backup holds incidents with verdicts and thresholds, and no id comes again after a restore", async () => {
  await teach("p4", { surprise: { per_day: 1 } });
  const common = Array.from({ length: 40 }, (_, at) => (at % 2 === 0 ? "a" : "b"));
  await observe("p4", ...common, "x");
  await server.okay("PUT /p4/incidents/1", { data: { verdict: "ignored", note: "known" } });
  const state = async () => [
    (await server.okay("GET /p4/alerts/odd")).message.threshold,
    await incidents("p4"),
    (await server.okay("GET /p4/incidents/1")).message,
  ];
  const before = await state();
  expect(before[0]).toBeGreaterThan(0);
  expect(before[1]).toMatchObject([{ id: 1, verdict: "ignored", note: "known" }]);
  const { text: backup } = await server.send({ method: "GET", path: "/backup?processor=p4" });
  await observe("p4", ...common.slice(0, 10), "y", ...common.slice(0, 10), "z");
  const used = Math.max(...(await incidents("p4")).map(({ id }: { id: number }) => id));
  expect(used).toBeGreaterThan(1);
  const restored = await server.send({ method: "POST", path: "/restore?processor=p4", body: backup });
  expect([restored.status, await state()]).toEqual([200, before]);
  await restart();
  expect(await state()).toEqual(before);
  await observe("p4", ...common.slice(0, 10), "w");
  expect((await incidents("p4")).map(({ id }: { id: number }) => id)).toEqual([used + 1, 1]);
});
