/** Which requests are about a session: paths over HTTP/JSON, a header at the services, and nothing else. */

import { getOption } from "@bufbuild/protobuf";
import { createClient } from "@connectrpc/connect";
import { createConnectTransport } from "@connectrpc/connect-web";
import { describe, expect, it } from "vitest";
import { operations } from "../../src/gateway/operations/table";
import { AgentService } from "../../src/gen/noema/v1/agent_service_pb";
import { GeneService } from "../../src/gen/noema/v1/gene_service_pb";
import { InspectionService } from "../../src/gen/noema/v1/inspection_service_pb";
import { MemoryService } from "../../src/gen/noema/v1/memory_service_pb";
import { serves_session } from "../../src/gen/noema/v1/session_pb";
import { okay, P1, STAMP, TestGateway, timeless } from "../support/gateway/test-gateway";

const IN_SESSIONS = operations.filter(({ inSessions }) => inSessions);

/** Method and path of an operation in a session, and method and path without it. */
const REQUESTS = IN_SESSIONS.flatMap(({ methods, path }) => {
  const filled = path.replace(":incident", "1");
  return methods.map(
    (method) => [method, filled.replace("/:id", `/${P1}/sessions/s`), filled.replace("/:id", `/${P1}`)] as const,
  );
});

const BODY = '{"data":{"strings":["a"],"sequence":[]}}';

async function ask(gateway: TestGateway, method: string, path: string) {
  const body = { POST: BODY, PUT: '{"data":{"verdict":null}}' }[method];
  return gateway.ask(method, path, body === undefined ? {} : { body });
}

/** Odd names that a session may have. */
const ODD_NAMES = [
  "a b",
  "/",
  "a/../b",
  "\\",
  "?",
  "#",
  "%",
  "%2e%2e",
  "...",
  "\u00fc",
  "\u{1d11e}",
  "'",
  '"',
  "sessions",
  "observe",
  "\u00a0",
  "x".repeat(128),
  "\u00fc".repeat(64),
];

/** Segments that name no session. */
const NO_NAMES = ["%00", "a%0ab", "%7f", "%c2%85", "x".repeat(129), "%c3%bc".repeat(65)];

describe("an operation that is about one memory", () => {
  it.each(REQUESTS)("%s %s is about the session's", async (method, path, own) => {
    const gateway = new TestGateway();
    gateway.answer(MemoryService.method.observe, { stamp: STAMP, observed: { awake: true, uniqueId: "u" } });
    gateway.answer(InspectionService.method.getStatus, { stamp: STAMP, status: {} });
    await ask(gateway, method, path);
    await ask(gateway, method, own);
    const [inSession, without] = gateway.calls.filter(({ rpc }) => rpc !== "GetGenome");
    expect(inSession).toMatchObject({ to: `simple/${P1}`, session: "s" });
    expect(without).toEqual({ ...inSession, session: undefined });
  });

  it("is one of those that the documents name, and all its calls are about one memory", () => {
    expect(IN_SESSIONS.map(({ path }) => path.replace("/:id/", "")).sort()).toEqual([
      "clear-target-class",
      "cognition-data",
      "forecast",
      "forecast/explain",
      "history",
      "incidents",
      "incidents/:incident",
      "incidents/:incident",
      "learn",
      "matching-models",
      "observe",
      "percept-data",
      "predictions",
      "predictions/explain",
      "sequence-observe",
      "set-target-class",
      "status",
      "surprise/explain",
      "surprise/sequence",
      "time",
      "working-memory",
      "working-memory/clear",
    ]);
    expect(IN_SESSIONS.flatMap(({ rpcs }) => rpcs).every((rpc) => getOption(rpc, serves_session))).toBe(true);
  });

  it.each(ODD_NAMES)("takes the session %j", async (name) => {
    const gateway = new TestGateway();
    const segment = encodeURIComponent(name);
    for (let time = 0; time < 2; time++) {
      await ask(gateway, "GET", `/P1/sessions/${segment}/time?a=1`);
      expect(gateway.calls.at(-1)).toMatchObject({ rpc: "Ping", session: name });
    }
  });

  it.each(NO_NAMES)("refuses the session %j", async (segment) => {
    const gateway = new TestGateway();
    const { status, json } = await ask(gateway, "POST", `/P1/sessions/${segment}/observe`);
    expect([status, json.message]).toEqual([
      400,
      expect.stringMatching(
        /^the session in the path must be a name of 1 to 128 bytes of UTF-8 without control characters, and neither . nor .., got "/,
      ),
    ]);
    expect(gateway.lastOf(MemoryService.method.observe)).toBeUndefined();
  });

  it("refuses a session that is not percent-encoded UTF-8", async () => {
    const { status, json } = await new TestGateway().ask("GET", "/P1/sessions/%ff/time");
    expect([status, json.message]).toEqual([400, 'the path segment "%ff" is not percent-encoded UTF-8']);
  });

  it("may belong to a processor named sessions", async () => {
    const gateway = new TestGateway();
    const genome = { agent: "a", elements: { nodes: [{ data: { type: "primitive", id: "p1", name: "sessions" } }] } };
    gateway.answer(AgentService.method.getGenome, { genomeJson: JSON.stringify(genome) });
    await gateway.ask("GET", "/sessions/time");
    await gateway.ask("GET", "/sessions/sessions/sessions/time");
    expect(gateway.calls.filter(({ rpc }) => rpc === "Ping")).toEqual([
      expect.objectContaining({ to: "simple/p1" }),
      expect.objectContaining({ to: "simple/p1", session: "sessions" }),
    ]);
    expect(gateway.calls.find(({ rpc }) => rpc === "Ping")).not.toHaveProperty("session");
  });

  it("carries the session's time in refusals of the gateway", async () => {
    const gateway = new TestGateway();
    const { status } = await gateway.ask("POST", "/P1/sessions/s/observe", { body: "[]" });
    expect(status).toBe(400);
    expect(gateway.calls.at(-1)).toMatchObject({ rpc: "Ping", session: "s" });
  });
});

describe("an operation that concerns no single memory", () => {
  it.each([
    ["GET", "/P1/sessions/s/all-genes"],
    ["POST", "/P1/sessions/s/clear-all-memory"],
    ["POST", "/P1/sessions/s/sleeping/start"],
    ["GET", "/P1/sessions/s/ping"],
    ["GET", "/P1/sessions/s/sessions/t/time"],
    ["POST", "/P1/sessions/s/symbols/remove"],
    ["GET", "/agent/sessions/s/ping"],
    ["POST", "/genome/sessions/s/hotswap"],
  ])("%s %s is not there", async (method, path) => {
    const gateway = new TestGateway();
    const { status, json } = await ask(gateway, method, path);
    expect([status, json.message]).toEqual([
      404,
      `there is no operation at "${path}"; in a session there are clear-target-class, cognition-data, forecast, forecast/explain, ` +
        "history, incidents, incidents/<incident>, learn, matching-models, observe, percept-data, predictions, predictions/explain, sequence-observe, set-target-class, status, " +
        "stream, surprise/explain, surprise/sequence, time, working-memory, working-memory/clear",
    ]);
    expect(gateway.calls.filter(({ rpc }) => rpc !== "GetGenome" && rpc !== "Ping")).toEqual([]);
  });

  it("says which methods a path in a session has", async () => {
    const { status, headers, json } = await new TestGateway().ask("GET", "/P1/sessions/s/observe");
    expect([status, headers.get("allow"), json.message]).toEqual([
      405,
      "POST",
      'the method GET is not known at "/P1/sessions/s/observe"; accepted: POST',
    ]);
  });
});

describe("a failed answer in a session", () => {
  it.each([
    ["GET", "/P1/sessions/s/observe", 405],
    ["GET", "/P1/sessions/s/all-genes", 404],
    ["POST", "/P1/sessions/s/set-target-class", 400],
  ])("has the session's time: %s %s", async (method, path, status) => {
    const gateway = new TestGateway();
    const answer = await gateway.ask(method, path, method === "POST" ? { body: "{}" } : {});
    const pings = gateway.calls.filter(({ rpc }) => rpc === "Ping");
    expect([answer.status, pings.map(({ session }) => session)]).toEqual([status, ["s"]]);
  });

  it("has the session's time: with the header X-Session besides", async () => {
    const gateway = new TestGateway();
    const headers = { "x-api-key": "ABCD-1234", "x-session": "t" };
    const { status } = await gateway.handle(new Request("http://127.0.0.1/P1/sessions/s/status", { headers }));
    expect([status, gateway.calls.map(({ session }) => session).at(-1)]).toEqual([400, "s"]);
  });
});

describe("the header X-Session", () => {
  it("is refused over HTTP/JSON, where the path names the session", async () => {
    const gateway = new TestGateway();
    const headers = { "x-api-key": "ABCD-1234", "x-session": "s" };
    const request = new Request("http://127.0.0.1/P1/observe", { method: "POST", headers, body: BODY });
    const answer = await gateway.handle(request);
    expect([answer.status, ((await answer.json()) as { message: string }).message]).toEqual([
      400,
      "the header X-Session is for calls of the services; here the path names the session, as in /P1/sessions/<session>/observe",
    ]);
    expect(gateway.lastOf(MemoryService.method.observe)).toBeUndefined();
  });

  const clients = (gateway: TestGateway, session: string) => {
    const transport = createConnectTransport({
      baseUrl: "http://127.0.0.1",
      fetch: (url, init) => {
        const headers = new Headers(init?.headers);
        headers.set("x-api-key", "ABCD-1234");
        headers.set("x-session", session);
        return gateway.handle(new Request(String(url), { ...init, headers } as never));
      },
    });
    return {
      memory: createClient(MemoryService, transport),
      genes: createClient(GeneService, transport),
      agent: createClient(AgentService, transport),
    };
  };

  it.each(ODD_NAMES)("names the session %j at a service", async (name) => {
    const gateway = new TestGateway();
    await clients(gateway, encodeURIComponent(name)).memory.getPercept({});
    expect(gateway.calls.at(-1)).toMatchObject({ rpc: "GetPercept", session: name });
  });

  it.each(["", ".", "..", "%2e.", ...NO_NAMES])("is refused at a service when it holds %j", async (header) => {
    const gateway = new TestGateway();
    await expect(clients(gateway, header).memory.learn({})).rejects.toMatchObject({
      code: 3,
      rawMessage: expect.stringMatching(/^the header X-Session must hold a name /),
    });
    expect(gateway.calls).toEqual([]);
  });

  it("is refused at a service by calls that are about no single memory", async () => {
    const gateway = new TestGateway();
    const { genes, agent } = clients(gateway, "s");
    await expect(genes.getGenes({})).rejects.toMatchObject({
      code: 3,
      rawMessage: "GeneService/GetGenes concerns no single memory: it takes no header X-Session",
    });
    await expect(agent.getGenome({})).rejects.toMatchObject({ code: 3 });
    expect(gateway.calls).toEqual([]);
  });
});

describe("the list of sessions", () => {
  const { listSessions, endSession } = MemoryService.method;

  it("is written by name, with null where nothing was observed", async () => {
    const gateway = new TestGateway();
    const sessions = [
      { name: 'a"', events: 2, symbols: 3, time: 4, lastObserved: 1795250628 },
      { name: "b", events: 0, symbols: 0, time: 0 },
    ];
    gateway.answer(listSessions, { stamp: STAMP, sessions });
    const { text } = await gateway.ask("GET", "/P1/sessions");
    expect(timeless(text)).toBe(
      okay(
        '[{"events":2,"last_observed":1795250628,"name":"a\\"","symbols":3,"time":4},' +
          '{"events":0,"last_observed":null,"name":"b","symbols":0,"time":0}]',
      ),
    );
  });

  it.each([
    ["", { after: "" }],
    ["?after=&limit=1", { after: "", limit: 1 }],
    ["?after=%c3%bc%2f&limit=1000", { after: "ü/", limit: 1000 }],
    ["?limit=0100", { limit: 100 }],
  ])("takes the query %j", async (query, asked) => {
    const gateway = new TestGateway();
    expect((await gateway.ask("GET", `/P1/sessions${query}`)).status).toBe(200);
    expect(gateway.lastOf(listSessions)).toMatchObject(asked);
    expect(gateway.calls.at(-1)).not.toHaveProperty("session");
  });

  it.each([
    ["limit=0", "limit in the query must be a whole number from 1 to 1000, got 0"],
    ["limit=1001", "limit in the query must be a whole number from 1 to 1000, got 1001"],
    ["limit=-1", 'limit in the query must be a whole number from 1 to 1000, got "-1"'],
    ["limit=1.5", 'limit in the query must be a whole number from 1 to 1000, got "1.5"'],
    ["limit=1e2", 'limit in the query must be a whole number from 1 to 1000, got "1e2"'],
    ["limit=", 'limit in the query must be a whole number from 1 to 1000, got ""'],
    ["limit=1&limit=2", "limit in the query must be a whole number from 1 to 1000, got a list"],
    ["after=a&after=b", "after in the query must be given once, got a list"],
    ["after=..", /^after in the query must be a name of 1 to 128 bytes of UTF-8 .*, got "\.\."$/],
    ["after=%00", /^after in the query must be a name of 1 to 128 bytes of UTF-8 .*, got "\\u0000"$/],
    ["aftr=a", 'the query parameter "aftr" is unknown (accepted: after, limit)'],
  ])("refuses the query %s", async (query, message) => {
    const gateway = new TestGateway();
    const { status, json } = await gateway.ask("GET", `/P1/sessions?${query}`);
    expect(status).toBe(400);
    if (typeof message === "string") expect(json.message).toBe(message);
    else expect(json.message).toMatch(message);
    expect(gateway.lastOf(listSessions)).toBeUndefined();
  });

  it("loses a session that is ended by its name", async () => {
    for (const name of ODD_NAMES) {
      const gateway = new TestGateway();
      const { text } = await gateway.ask("DELETE", `/P1/sessions/${encodeURIComponent(name)}`);
      expect(timeless(text)).toBe(okay('"session-ended"'));
      expect(gateway.lastOf(endSession)).toMatchObject({ session: name });
    }
  });

  it.each(NO_NAMES)("has no session %j to end", async (segment) => {
    const gateway = new TestGateway();
    const { status, json } = await gateway.ask("DELETE", `/P1/sessions/${segment}`);
    expect([status, json.message]).toEqual([400, expect.stringMatching(/^the session in the path must be a name /)]);
    expect(gateway.lastOf(endSession)).toBeUndefined();
  });
});
