/** GET /processors and GET /links: what is not known is null, and a processor that does not answer hides no other. */

import { create } from "@bufbuild/protobuf";
import { Code, ConnectError } from "@connectrpc/connect";
import { describe, expect, test, vi } from "vitest";
import { AgentService } from "../../../src/gen/noema/v1/agent_service_pb";
import { InspectionService } from "../../../src/gen/noema/v1/inspection_service_pb";
import { STAMP, TestGateway } from "../../support/gateway/test-gateway";
import { genomeText, primitive } from "../../support/object/genomes";

const { getLinks, getUsage } = InspectionService.method;

const FULL = { models: 2, symbols: 3, vectors: 1, sessions: 4, memoryLimitBytes: 1000, maxModels: 20 };

async function processors(gateway: TestGateway) {
  const { status, json } = await gateway.ask("GET", "/processors");
  expect(status).toBe(200);
  return json.message as Record<string, unknown>[];
}

test.each<[{ memoryBytes?: number; storageBytes?: number }, number]>([
  [{ memoryBytes: 250, storageBytes: 1e9 }, 25],
  [{ memoryBytes: 250, storageBytes: 9e9 }, 90],
  [{ storageBytes: 1 }, 0.1],
  [{ memoryBytes: 1000 }, 100],
  [{ memoryBytes: 0, storageBytes: 0 }, 0],
])("%j is %d percent full", async (sizes, percent) => {
  const gateway = new TestGateway();
  gateway.answer(getUsage, { stamp: STAMP, ...FULL, ...sizes });
  expect(await processors(gateway)).toEqual([
    {
      id: "p46b6b076c",
      max_models: 20,
      memory_bytes: sizes.memoryBytes ?? null,
      memory_limit_bytes: 1000,
      models: 2,
      name: "P1",
      percent_full: percent,
      sessions: 4,
      status: "okay",
      storage_bytes: sizes.storageBytes ?? null,
      storage_limit_bytes: 10_000_000_000,
      symbols: 3,
      vectors: 1,
    },
  ]);
});

test("one that does not answer has nulls, the others are there, and at most 16 are asked at a time", async () => {
  const gateway = new TestGateway();
  const ids = Array.from({ length: 50 }, (_, at) => `p${at}`);
  gateway.answer(AgentService.method.getGenome, { genomeJson: genomeText(...ids.map((id) => primitive(id))) });
  let asked = 0;
  let most = 0;
  gateway.answerWith(getUsage, async (_, to) => {
    most = Math.max(most, ++asked);
    // Long enough for all that may be asked meanwhile, on a busy machine, too.
    await new Promise((resolve) => setTimeout(resolve, 20));
    asked--;
    if (to.endsWith("/p7")) throw new ConnectError("gone", Code.Unavailable);
    return create(getUsage.output, { stamp: STAMP, ...FULL });
  });
  vi.spyOn(console, "error").mockReturnValue(undefined);
  const all = await processors(gateway);
  expect(all.map(({ id }) => id)).toEqual(ids);
  expect(all.filter(({ status }) => status !== "okay")).toEqual([
    expect.objectContaining({ id: "p7", status: "failed", models: null, percent_full: null, symbols: null }),
  ]);
  expect(most).toBe(16);
});

describe("GET /links", () => {
  const TELLER = { manipulatives: ["m1"] };

  function gatewayOf(...nodes: Record<string, unknown>[]): TestGateway {
    const gateway = new TestGateway();
    gateway.answer(AgentService.method.getGenome, { genomeJson: genomeText(...nodes) });
    return gateway;
  }

  async function links(gateway: TestGateway) {
    const { status, json } = await gateway.ask("GET", "/links");
    expect(status).toBe(200);
    return json.message as Record<string, unknown>[];
  }

  test("asks those that have manipulatives here, and says what each has told whom", async () => {
    const gateway = gatewayOf(
      primitive("a", TELLER),
      primitive("b"),
      primitive("c", { ...TELLER, endpoint: "https://x" }),
    );
    const asked: string[] = [];
    gateway.answerWith(getLinks, async (_, to) => {
      asked.push(to);
      const link = { manipulative: "m1", processor: "b", delivered: 7, givenUp: 1 };
      return create(getLinks.output, {
        stamp: STAMP,
        countedSince: 12.75,
        waiting: 3,
        waitsFor: "b",
        links: [link],
      });
    });
    expect(await links(gateway)).toEqual([
      {
        counted_since: 12,
        id: "a",
        links: [{ delivered: 7, given_up: 1, manipulative: "m1", processor: "b" }],
        name: "P of a",
        status: "okay",
        waiting: 3,
        waits_for: "b",
      },
    ]);
    expect(asked).toEqual([expect.stringMatching(/\/a$/)]);
  });

  test("one that does not answer and one that has never been used hide no other", async () => {
    const gateway = gatewayOf(primitive("a", TELLER), primitive("b", TELLER), primitive("c", TELLER));
    gateway.answerWith(getLinks, async (_, to) => {
      if (to.endsWith("/a")) throw new ConnectError("gone", Code.Unavailable);
      if (to.endsWith("/b")) throw new ConnectError("not in service", Code.FailedPrecondition);
      return create(getLinks.output, { stamp: STAMP, countedSince: 5 });
    });
    vi.spyOn(console, "error").mockReturnValue(undefined);
    const nothing = { links: [], waits_for: null };
    expect(await links(gateway)).toEqual([
      { ...nothing, counted_since: null, id: "a", name: "P of a", status: "failed", waiting: null },
      { ...nothing, counted_since: null, id: "b", name: "P of b", status: "unused", waiting: 0 },
      { ...nothing, counted_since: 5, id: "c", name: "P of c", status: "okay", waiting: 0 },
    ]);
  });
});
