/** Health is a real check, made at most once a second however many ask, and says nothing but whether storage works. */

import { Code, ConnectError, createRouterTransport } from "@connectrpc/connect";
import { describe, expect, it, vi } from "vitest";
import { HealthCheck } from "../../../src/gateway/watching/health";
import { HealthService } from "../../../src/gen/noema/v1/health_service_pb";
import { TestGateway } from "../../support/gateway/test-gateway";

/** A check of storage that does as a test says, at a time that the test sets. */
function checkOf(check: () => unknown) {
  const clock = { ms: 0 };
  const checks = vi.fn(check);
  const transport = createRouterTransport((router) => {
    router.rpc(HealthService.method.check, async () => {
      await checks();
      return {};
    });
  });
  return { clock, checks, health: new HealthCheck({ health: () => transport }, () => clock.ms) };
}

async function read(response: Promise<Response>) {
  const { status, headers } = await response;
  return [status, await (await response).text(), headers.get("cache-control"), headers.get("retry-after")];
}

const OKAY = [200, '{"status":"okay"}', "no-store", null];
const FAILED = [503, '{"status":"failed"}', "no-store", "5"];

describe("the health", () => {
  it("is okay when storage works", async () => {
    expect(await read(checkOf(() => undefined).health.answer())).toEqual(OKAY);
  });

  it("is 503 without a reason when it does not, and okay again afterwards", async () => {
    let works = false;
    const { clock, health } = checkOf(() => {
      if (!works) throw new ConnectError("the disk is full", Code.ResourceExhausted);
    });
    expect(await read(health.answer())).toEqual(FAILED);
    works = true;
    clock.ms = 999;
    expect(await read(health.answer())).toEqual(FAILED);
    clock.ms = 1000;
    expect(await read(health.answer())).toEqual(OKAY);
  });

  it("is asked of storage once for all who ask within a second, even at the same time", async () => {
    const { clock, checks, health } = checkOf(() => new Promise((resolve) => setTimeout(resolve, 50)));
    expect(await Promise.all(Array.from({ length: 100 }, () => read(health.answer())))).toEqual(Array(100).fill(OKAY));
    expect(checks).toHaveBeenCalledTimes(1);
    clock.ms = 1000;
    await Promise.all(Array.from({ length: 100 }, () => health.answer()));
    expect(checks).toHaveBeenCalledTimes(2);
  });

  it("is 503 when storage does not answer within 5 s, and asks again although the first check has not ended", async () => {
    vi.useFakeTimers();
    const { clock, checks, health } = checkOf(() => new Promise(() => undefined));
    const answer = read(health.answer());
    await vi.advanceTimersByTimeAsync(5_000);
    expect(await answer).toEqual(FAILED);
    clock.ms = 6_000;
    const again = read(health.answer());
    await vi.advanceTimersByTimeAsync(5_000);
    expect(await again).toEqual(FAILED);
    expect(checks).toHaveBeenCalledTimes(2);
    vi.useRealTimers();
  });

  it("needs no key, knows GET and HEAD only, and a processor of its name is another path", async () => {
    const gateway = new TestGateway();
    expect(await gateway.ask("GET", "/health", { key: null })).toMatchObject({ status: 200, json: { status: "okay" } });
    expect((await gateway.handle(new Request("http://127.0.0.1/health", { method: "HEAD" }))).status).toBe(200);
    const { status, headers } = await gateway.ask("POST", "/health");
    expect([status, headers.get("allow")]).toEqual([405, "GET"]);
    expect((await gateway.ask("GET", "/health/ping")).status).toBe(404);
  });
});

describe("when the clock was ahead for a moment", () => {
  it.each([
    86_400_000,
    3_650 * 86_400_000,
  ])("by %d ms, what was found then is not repeated until it is that late", async (ms) => {
    let works = true;
    const { clock, health } = checkOf(() => {
      if (!works) throw new ConnectError("the disk is full", Code.ResourceExhausted);
    });
    clock.ms = ms;
    expect(await read(health.answer())).toEqual(OKAY);
    clock.ms = 0;
    works = false;
    expect(await read(health.answer())).toEqual(FAILED);
  });

  it("a check that was dropped then is not waited for", async () => {
    let first = true;
    const { clock, health } = checkOf(() => {
      const isFirst = first;
      first = false;
      return isFirst ? new Promise(() => {}) : undefined;
    });
    clock.ms = 86_400_000;
    void health.answer();
    clock.ms = 0;
    expect(await read(health.answer())).toEqual(OKAY);
  });
});
