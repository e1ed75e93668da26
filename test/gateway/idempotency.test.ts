/** Which operations take an idempotency key, and what tells one request from another. */

import { describe, expect, it, test } from "vitest";
import { idempotencyOf, keyUseOf } from "../../src/gateway/idempotency";
import { operations } from "../../src/gateway/operations/table";
import { AgentService } from "../../src/gen/noema/v1/agent_service_pb";
import { requestOf, TestGateway } from "../support/gateway/test-gateway";

/** The operations with a use, without those that only read by GET. */
function that(use: string): string[] {
  return operations
    .filter((each) => keyUseOf(each) === use && !each.methods.every((method) => method === "GET"))
    .map(({ methods, path }) => `${methods.join(", ")} ${path}`)
    .sort();
}

describe("an idempotency key", () => {
  it("is refused by the operations that are more than one change of one processor", () => {
    expect(that("refuses")).toEqual([
      "DELETE /keys/:key",
      "DELETE /mqtt/routes/:route",
      "POST /:id/genome/hotswap",
      "POST /:id/load_kb",
      "POST /genome/hotswap",
      "POST /keys",
      "POST /restore",
      "PUT /mqtt/routes/:route",
    ]);
  });

  it("is ignored by those that change nothing", () => {
    expect(that("ignores")).toEqual([
      "POST /:id/clusters/info",
      "POST /:id/clusters/switch",
      "POST /:id/forecast",
      "POST /:id/forecast/explain",
      "POST /:id/get-models-with-patterns",
      "POST /:id/get-models-with-symbols",
      "POST /:id/hypotheses/get",
      "POST /:id/hypotheses/set",
      "POST /:id/matching-models",
      "POST /:id/predictions",
      "POST /:id/predictions/explain",
      "POST /:id/record-symbols",
      "POST /:id/snapshots/clear",
      "POST /:id/surprise/explain",
      "POST /:id/surprise/sequence",
      "POST /:id/vector",
    ]);
    expect(operations.filter((each) => each.methods.includes("GET") && keyUseOf(each) !== "ignores")).toEqual([]);
  });

  it("is refused for a processor that is served elsewhere, before it is called", async () => {
    const gateway = new TestGateway();
    const node = { type: "primitive", id: "p1", name: "P1", endpoint: "https://processors.example.org" };
    gateway.answer(AgentService.method.getGenome, {
      genomeJson: JSON.stringify({ agent: "a", elements: { nodes: [{ data: node }] } }),
    });
    const request = requestOf("POST", "/p1/learn");
    request.headers.set("idempotency-key", "k");
    const response = await gateway.handle(request);
    expect([response.status, await response.json()]).toMatchObject([
      400,
      { message: expect.stringContaining('the processor "p1" is served elsewhere and keeps no answers') },
    ]);
    expect(gateway.calls.filter(({ rpc }) => rpc === "Learn")).toEqual([]);
  });
});

test("a fingerprint tells method, path, query and body apart, and where one ends", async () => {
  const bytes = (text: string) => new TextEncoder().encode(text);
  const fingerprints = await Promise.all(
    [
      ["POST /p/observe", "ab"],
      ["PUT /p/observe", "ab"],
      ["POST /q/observe", "ab"],
      ["POST /p/observe?x", "ab"],
      ["POST /p/observe", "abc"],
      ["POST /p/observe", ""],
      ["POST /p/observea", "b"],
    ].map(async ([address = "", body = ""]) => `${(await idempotencyOf("k", address, bytes(body))).fingerprint}`),
  );
  expect(new Set(fingerprints).size).toBe(fingerprints.length);
  expect(`${(await idempotencyOf("other", "POST /p/observe", bytes("ab"))).fingerprint}`).toBe(fingerprints[0]);
});

test("an answer is counted for the issued key that asked, and a configured key is none", async () => {
  const body = new Uint8Array();
  expect(await idempotencyOf("k", "POST /p/learn", body, "0123456789abcdef")).toMatchObject({
    key: "k",
    keyId: "0123456789abcdef",
  });
  expect(await idempotencyOf("k", "POST /p/learn", body, "")).not.toHaveProperty("keyId");
});
