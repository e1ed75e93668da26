/** GET /requests/recent: the newest requests that went wrong, with nothing of what they sent, and bounded. */

import { beforeEach, describe, expect, it, vi } from "vitest";
import { createGateway } from "../../../src/gateway/gateway";
import { MAX_OF_A_KIND, type RecentRequest, RecentRequests } from "../../../src/gateway/watching/recent-requests";
import { MemoryService } from "../../../src/gen/noema/v1/memory_service_pb";
import { P1, requestOf, TestGateway } from "../../support/gateway/test-gateway";

const SECRET = "what the user sends";

vi.spyOn(console, "error").mockReturnValue(undefined);

const REQUEST: RecentRequest = {
  ms: 1_000,
  event: "failed",
  requestId: "one",
  host: "simple",
  isKnown: true,
  operation: "POST /{id}/observe",
  processor: P1,
  milliseconds: 4,
  status: 503,
  message: "the disk is full",
};

describe("what is kept", () => {
  let recent: RecentRequests;

  beforeEach(() => {
    recent = new RecentRequests();
  });

  const ids = (host = "simple") => recent.of(host).requests.map(({ requestId }) => requestId);

  it("is the newest of each kind, so that a flood of one hides no other", () => {
    recent.add({ ...REQUEST, requestId: "slow", event: "slow", status: 200 }, false);
    for (let at = 0; at <= MAX_OF_A_KIND; at++) recent.add({ ...REQUEST, ms: 2_000 + at, requestId: `${at}` }, false);
    expect(ids()).toHaveLength(MAX_OF_A_KIND + 1);
    expect(ids()[0]).toBe(`${MAX_OF_A_KIND}`);
    expect(ids().slice(-2)).toEqual(["1", "slow"]);
  });

  it("keeps failures of requests without an accepted key apart from others", () => {
    recent.add(REQUEST, false);
    for (let at = 0; at < 2 * MAX_OF_A_KIND; at++) {
      recent.add({ ...REQUEST, requestId: `stranger ${at}`, isKnown: false }, false);
    }
    expect(ids()).toContain("one");
  });

  it("is one of a second, when the server has too much to do", () => {
    for (const ms of [1_000, 1_001, 1_999, 2_000]) recent.add({ ...REQUEST, ms, requestId: `${ms}` }, true);
    expect(ids()).toEqual(["2000", "1000"]);
  });

  it("is told to the agent that the host means, and to no other", () => {
    recent.add(REQUEST, false);
    recent.add({ ...REQUEST, host: "other", requestId: "other's" }, false);
    expect(ids()).toEqual(["one"]);
    expect(ids("other")).toEqual(["other's"]);
  });
});

describe("GET /requests/recent", () => {
  async function recentOf(gateway: TestGateway, id: string): Promise<Record<string, unknown>> {
    const { json } = await gateway.ask("GET", "/requests/recent");
    const { requests } = json.message as { requests: Record<string, unknown>[] };
    return requests.find(({ request_id }) => request_id === id) ?? {};
  }

  function named(method: string, path: string, id: string, options: Parameters<typeof requestOf>[2] = {}): Request {
    const request = requestOf(method, path, options);
    request.headers.set("x-request-id", id);
    return request;
  }

  it("tells operation, processor, status and time of a refusal, and nothing that was sent", async () => {
    const gateway = new TestGateway();
    const before = Date.now();
    await gateway.handle(named("POST", "/P1/observe", "mistake", { body: { data: { strings: [{ [SECRET]: 1 }] } } }));
    const { time, milliseconds, ...told } = await recentOf(gateway, "mistake");
    const about = { event: "refused", message: null, operation: "POST /{id}/observe", processor: P1 };
    expect(told).toEqual({ ...about, request_id: "mistake", status: 400 });
    expect(Date.parse(time as string)).toBeGreaterThanOrEqual(before);
    expect(milliseconds).toBeGreaterThanOrEqual(0);
    expect((await gateway.ask("GET", "/requests/recent")).text).not.toContain(SECRET);
  });

  it.each([
    ["/requests/recent?newest=1", 400, "GET /requests/recent"],
    ["/P1/stream", 426, "GET /{id}/stream"],
  ])("names the operation of a request that is refused before its body is read: %s", async (path, status, operation) => {
    const gateway = new TestGateway();
    await gateway.handle(named("GET", path, path));
    expect(await recentOf(gateway, path)).toMatchObject({ event: "refused", status, operation });
  });

  it("tells the sentence of a failure", async () => {
    const gateway = new TestGateway();
    gateway.answerWith(MemoryService.method.observe, () => {
      throw new Error(SECRET);
    });
    await gateway.handle(named("POST", "/P1/observe", "defect", { body: { data: { strings: ["a"] } } }));
    const told = await recentOf(gateway, "defect");
    expect(told).toMatchObject({ event: "failed", status: 500, processor: P1 });
    expect(told.message).toMatch(/^\S.*/);
    expect(told.message).not.toContain(SECRET);
  });

  it("has a wrong key without the key, the path or the query", async () => {
    const gateway = new TestGateway();
    await gateway.handle(
      named("GET", `/${encodeURIComponent(SECRET)}/status?q=${SECRET}`, "stranger", { key: SECRET }),
    );
    expect(await recentOf(gateway, "stranger")).toMatchObject({
      event: "key-refused",
      operation: null,
      processor: null,
    });
    expect((await gateway.ask("GET", "/requests/recent")).text).not.toContain(encodeURIComponent(SECRET));
  });

  it("has what succeeded late, and nothing that went well", async () => {
    const gateway = new TestGateway();
    await gateway.handle(named("GET", "/agent/ping", "well"));
    expect(await recentOf(gateway, "well")).toEqual({});
    const late = createGateway({ NOEMA_LOCAL: "true", NOEMA_SLOW_MS: "50" }, gateway.transports);
    vi.useFakeTimers({ now: Date.now(), toFake: ["Date"] });
    try {
      const answer = late(named("GET", "/connect", "late"));
      vi.setSystemTime(Date.now() + 50);
      await answer;
    } finally {
      vi.useRealTimers();
    }
    expect(await recentOf(gateway, "late")).toMatchObject({ event: "slow", status: 200, milliseconds: 50 });
  });
});
