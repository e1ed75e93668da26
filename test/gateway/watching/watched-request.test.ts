/** Every request has an identifier in its answer, is counted, and has a line in the log exactly when it failed or was slow. */

import { Code, ConnectError } from "@connectrpc/connect";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createGateway } from "../../../src/gateway/gateway";
import { metrics } from "../../../src/gateway/watching/metrics";
import { recentRequests } from "../../../src/gateway/watching/recent-requests";
import { MemoryService } from "../../../src/gen/noema/v1/memory_service_pb";
import { type AskOptions, P1, requestOf, STAMP, TestGateway } from "../../support/gateway/test-gateway";

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

const OBSERVED = { awake: true, autoLearnedModel: "", predictionMade: false, uniqueId: "u" };

const SECRET = "what the user sends";

const logged = vi.spyOn(console, "error").mockReturnValue(undefined);

beforeEach(() => logged.mockClear());
afterEach(() => vi.useRealTimers());

function lines(): Record<string, unknown>[] {
  return logged.mock.calls.map(([line]) => JSON.parse(line));
}

function observing(): TestGateway {
  const gateway = new TestGateway();
  gateway.answer(MemoryService.method.observe, { stamp: STAMP, observed: OBSERVED });
  return gateway;
}

function withId(method: string, path: string, id: string, options: AskOptions = {}): Request {
  const request = requestOf(method, path, options);
  request.headers.set("x-request-id", id);
  return request;
}

/** How often an operation was answered with a status. */
function counted(name: string, status: number): number {
  return metrics.operations.find((one) => one.name === name)?.byStatus.get(status) ?? 0;
}

const BODY = { data: { strings: [SECRET] } };

describe("X-Request-Id", () => {
  const asked: [what: string, request: () => Request][] = [
    ["an answer", () => withId("POST", "/P1/observe", "seen-1", { body: BODY })],
    ["a refusal of the body", () => withId("POST", "/P1/observe", "seen-1", { body: "{" })],
    ["a path without an operation", () => withId("GET", "/nothing", "seen-1")],
    ["a wrong method", () => withId("PUT", "/P1/observe", "seen-1")],
    ["a missing key", () => withId("GET", "/P1/status", "seen-1", { key: null })],
    ["a page", () => withId("GET", "/", "seen-1")],
    ["the health", () => withId("GET", "/health", "seen-1")],
    ["metrics", () => withId("GET", "/metrics", "seen-1")],
    ["a call of a service", () => withId("POST", "/noema.v1.MemoryService/Learn", "seen-1", { body: {} })],
    ["a call of no service", () => withId("POST", "/noema.v1.Nothing/Learn", "seen-1", { body: {} })],
    [
      "a call of a service without a key",
      () => withId("POST", "/noema.v1.MemoryService/Learn", "seen-1", { key: null }),
    ],
  ];

  it.each(asked)("comes back with %s", async (_, request) => {
    expect((await observing().handle(request())).headers.get("x-request-id")).toBe("seen-1");
  });

  it.each(["!", "~".repeat(128), '"quoted\\"'])("is taken as it is: %s", async (id) => {
    expect((await observing().handle(withId("GET", "/agent/ping", id))).headers.get("x-request-id")).toBe(id);
  });

  it.each(["two words", "é", "~".repeat(129), ""])("is a new one instead of %j", async (id) => {
    expect((await observing().handle(withId("GET", "/agent/ping", id))).headers.get("x-request-id")).toMatch(UUID);
  });

  it("is another one for each request that brings none", async () => {
    const gateway = observing();
    const ids = await Promise.all(
      Array.from({ length: 20 }, async () => (await gateway.ask("GET", "/agent/ping")).headers.get("x-request-id")),
    );
    expect(new Set(ids).size).toBe(20);
    for (const id of ids) expect(id).toMatch(UUID);
  });
});

describe("the log", () => {
  it("says nothing of what succeeds, and nothing of a client's mistakes", async () => {
    const gateway = observing();
    for (const [path, body, status] of [
      ["/P1/observe", BODY, 200],
      ["/P1/observe", { data: 5 }, 400],
      ["/P2/observe", BODY, 404],
      ["/observe", BODY, 404],
    ] as const) {
      expect((await gateway.ask("POST", path, { body })).status).toBe(status);
    }
    expect(lines()).toEqual([]);
  });

  it("has one line for a failure, with what is known of it and nothing that the user sent", async () => {
    const gateway = observing();
    gateway.fail(MemoryService.method.learn, Code.Unavailable, SECRET);
    const path = `/P1/sessions/${encodeURIComponent(SECRET)}/learn?also=${encodeURIComponent(SECRET)}`;
    expect((await gateway.handle(withId("POST", path, "seen-2", { body: BODY }))).status).toBe(503);
    expect(lines()).toEqual([
      {
        time: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
        event: "failed",
        request_id: "seen-2",
        agent: "simple",
        operation: "POST /{id}/learn",
        processor: P1,
        milliseconds: expect.any(Number),
        status: 503,
        message: expect.stringContaining("cannot be reached"),
      },
    ]);
    expect(String(logged.mock.calls)).not.toContain(SECRET);
    expect(String(logged.mock.calls)).not.toContain(encodeURIComponent(SECRET));
  });

  it("has one line for a defect, which says where in the code it is and does not quote the error", async () => {
    const gateway = observing();
    gateway.answerWith(MemoryService.method.observe, () => {
      throw new TypeError(SECRET);
    });
    // The transport of the test makes an error of the bridge of it; an answer that cannot be encoded is a defect of the gateway.
    gateway.answer(MemoryService.method.observe, { observed: OBSERVED });
    expect((await gateway.ask("POST", "/P1/observe", { body: BODY })).status).toBe(500);
    expect(lines()).toMatchObject([{ event: "failed", status: 500, error: "Error", stack: expect.any(Array) }]);
    expect(String(logged.mock.calls)).toContain("stampOf");
    expect(String(logged.mock.calls)).not.toContain("without a stamp");
  });

  it("has one line for a call of a service that failed, by the status that stands for its code", async () => {
    const gateway = observing();
    gateway.fail(MemoryService.method.learn, Code.DataLoss, "damaged");
    const headers = { "x-api-key": "ABCD-1234", "content-type": "application/json", "x-processor-id": "P1" };
    const url = "http://127.0.0.1/noema.v1.MemoryService/Learn";
    const response = await gateway.handle(new Request(url, { method: "POST", headers, body: "{}" }));
    expect(response.status).toBe(500);
    expect(lines()).toMatchObject([
      { event: "failed", operation: "/noema.v1.MemoryService/Learn", processor: P1, status: 500 },
    ]);
  });

  it("has one line for a request without an accepted key, which names no agent", async () => {
    expect(
      (await observing().ask("POST", "/P1/observe", { body: BODY, key: SECRET.replaceAll(" ", "-") })).status,
    ).toBe(500);
    expect(lines()).toMatchObject([
      { event: "key-refused", agent: null, operation: null, processor: null, status: 500 },
    ]);
    expect(String(logged.mock.calls)).not.toContain(SECRET.replaceAll(" ", "-"));
  });

  it("names a processor only if there is one", async () => {
    const gateway = observing();
    gateway.fail(MemoryService.method.observe, Code.Unavailable, "gone");
    await gateway.ask("POST", "/P1/observe", { body: BODY });
    await gateway.ask("POST", `/${encodeURIComponent(SECRET)}/observe`, { body: BODY });
    expect(lines().map(({ processor }) => processor)).toEqual([P1]);
  });

  it("has one line for a request that took as long as NOEMA_SLOW_MS says, and none for a quicker one", async () => {
    const { transports } = observing();
    const gateway = createGateway({ NOEMA_LOCAL: "true", NOEMA_SLOW_MS: "250" }, transports);
    vi.useFakeTimers({ toFake: ["Date"] });
    const ask = async (ms: number) => {
      const began = Date.now();
      const request = requestOf("POST", "/P1/observe", { body: BODY });
      // The time passes while the body comes.
      Object.defineProperty(request, "body", {
        get: () => {
          vi.setSystemTime(began + ms);
          return null;
        },
      });
      return gateway(request);
    };
    expect((await ask(249)).status).toBe(400);
    expect(lines()).toEqual([]);
    const slow = await ask(250);
    expect(lines()).toMatchObject([{ event: "slow", operation: "POST /{id}/observe", milliseconds: 250, status: 400 }]);
    expect(slow.headers.get("server-timing")).toBe("total;dur=250");
  });

  it("has at most 100 lines in a second; the next one says how many are missing", async () => {
    vi.useFakeTimers({ now: 1_000_000, toFake: ["Date"] });
    const gateway = observing();
    const unlogged = metrics.unlogged;
    for (let at = 0; at < 130; at++) await gateway.ask("GET", "/P1/status", { key: null });
    expect(lines()).toHaveLength(100);
    expect(metrics.unlogged - unlogged).toBe(30);
    vi.setSystemTime(1_001_000);
    await gateway.ask("GET", "/P1/status", { key: null });
    expect(lines()[100]).toMatchObject({ unlogged: 30 });
    await gateway.ask("GET", "/P1/status", { key: null });
    expect(lines()[101]).not.toHaveProperty("unlogged");
  });
});

describe("the log of an overload", () => {
  const OVERLOADED = new Headers({ "retry-after": "12" });

  it("has one line a second, which leaves the others their own, and says how many are missing", async () => {
    vi.useFakeTimers({ now: 2_000_000, toFake: ["Date"] });
    const gateway = observing();
    gateway.answerWith(MemoryService.method.observe, () => {
      throw new ConnectError("40 processors are in use", Code.ResourceExhausted, OVERLOADED);
    });
    const unlogged = metrics.unlogged;
    for (let at = 0; at < 200; at++) {
      expect((await gateway.ask("POST", "/P1/observe", { body: BODY })).status).toBe(503);
    }
    expect(lines()).toMatchObject([{ status: 503, message: "40 processors are in use" }]);
    expect(metrics.unlogged - unlogged).toBe(199);
    await gateway.ask("GET", "/P1/status", { key: null });
    expect(lines()[1]).toMatchObject({ status: 500, unlogged: 199 });
    vi.setSystemTime(2_001_000);
    await gateway.ask("POST", "/P1/observe", { body: BODY });
    expect(lines()[2]).toMatchObject({ status: 503 });
    expect(lines()).toHaveLength(3);
  });

  it("has one line a second for calls of services, too", async () => {
    vi.useFakeTimers({ now: 3_000_000, toFake: ["Date"] });
    const gateway = observing();
    gateway.answerWith(MemoryService.method.learn, () => {
      throw new ConnectError("more calls than it can answer", Code.Unavailable, OVERLOADED);
    });
    const headers = { "x-api-key": "ABCD-1234", "content-type": "application/json", "x-processor-id": "P1" };
    const url = "http://127.0.0.1/noema.v1.MemoryService/Learn";
    for (let at = 0; at < 5; at++) await gateway.handle(new Request(url, { method: "POST", headers, body: "{}" }));
    expect(lines()).toMatchObject([{ operation: "/noema.v1.MemoryService/Learn" }]);
  });
});

it("leaves out of log and counts only the requests with the identifier that the server was started with", async () => {
  const { transports } = observing();
  const before = counted("GET /agent/ping", 200);
  const gateway = createGateway({ NOEMA_LOCAL: "true", NOEMA_START_ID: "start-1" }, transports);
  for (const id of ["start-1", "start-2"]) await gateway(withId("GET", "/P1/status", id, { key: null }));
  for (const id of ["start-1", "start-2"]) await gateway(withId("GET", "/agent/ping", id));
  expect(counted("GET /agent/ping", 200) - before).toBe(1);
  expect(lines().map(({ request_id }) => request_id)).toEqual(["start-2"]);
});

describe("the counts", () => {
  it("have each request once, by operation and status, and nothing that a user has named", async () => {
    const gateway = observing();
    const names = ["POST /{id}/observe", "none", "/noema.v1.MemoryService/Learn"] as const;
    const before = names.map((name) => [
      counted(name, 200),
      counted(name, 400),
      counted(name, 404),
      counted(name, 500),
    ]);
    await gateway.ask("POST", "/P1/observe", { body: BODY });
    await gateway.ask("POST", "/P1/sessions/a/observe", { body: BODY });
    await gateway.ask("POST", "/P1/observe", { body: "{" });
    await gateway.ask("POST", `/${SECRET}`, { body: BODY });
    await gateway.ask("POST", "/P1/observe", { body: BODY, key: null });
    const added = names.map((name, at) =>
      [200, 400, 404, 500].map((status, of) => counted(name, status) - (before[at]?.[of] ?? 0)),
    );
    expect(added).toEqual([
      [2, 1, 0, 0],
      [0, 0, 1, 0],
      [0, 0, 0, 0],
    ]);
    expect((await gateway.ask("GET", "/metrics")).text).not.toContain(SECRET);
  });

  it("tell deliveries and answers that only repeat", async () => {
    const gateway = observing();
    const { redeliveries, replays } = metrics;
    gateway.answer(MemoryService.method.observe, { stamp: STAMP, observed: OBSERVED, redelivered: true });
    await gateway.ask("POST", "/P1/observe", { body: { ...BODY, delivery: { source: "s", number: 1 } } });
    gateway.answer(MemoryService.method.observe, { stamp: { ...STAMP, replayed: true }, observed: OBSERVED });
    await gateway.ask("POST", "/P1/observe", { body: BODY });
    expect([metrics.redeliveries - redeliveries, metrics.replays - replays]).toEqual([1, 1]);
  });

  it("go to a dataset of Analytics Engine where one is bound, a data point for each request", async () => {
    const points: unknown[] = [];
    const NOEMA_ANALYTICS = { writeDataPoint: (point: unknown) => points.push(point) };
    const gateway = createGateway({ NOEMA_LOCAL: "true", NOEMA_ANALYTICS }, observing().transports);
    await gateway(requestOf("POST", "/P1/observe", { body: BODY }));
    await gateway(requestOf("GET", "/P1/status", { key: null }));
    expect(points).toEqual([
      { indexes: ["simple"], blobs: ["POST /{id}/observe", P1], doubles: [200, expect.any(Number)] },
      { indexes: [""], blobs: ["none", ""], doubles: [500, expect.any(Number)] },
    ]);
  });
});

it("a request without an accepted key is counted apart from the failures of the server", async () => {
  const gateway = new TestGateway();
  const ofNone = () => counted("none", 500) + counted("none", 401);
  const before = [metrics.keyRefusals, ofNone()] as const;
  await gateway.handle(withId("GET", "/P1/status", "no-key", { key: null }));
  await gateway.handle(withId("GET", "/P1/status", "wrong-key", { key: "wrong" }));
  await gateway.handle(withId("POST", "/noema.v1.MemoryService/Learn", "rpc-no-key", { key: null }));
  expect([metrics.keyRefusals, ofNone()]).toEqual([before[0] + 3, before[1]]);
  const recent = recentRequests.of("simple").requests.filter(({ requestId }) => requestId.endsWith("-key"));
  expect(recent.map(({ event }) => event)).toEqual(["key-refused", "key-refused", "key-refused"]);
});
