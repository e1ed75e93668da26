/**
 * What the schema of a request refuses, its decoder refuses, and the other way round. Where the two differ, `leniency.ts` says why: the
 * operations of the interface specification accept more than their schemas say.
 */

import { Code, ConnectError } from "@connectrpc/connect";
import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, it } from "vitest";
import { pathOf } from "../../../scripts/openapi/document";
import type { Schema } from "../../../scripts/openapi/reference/entry";
import { entryOf } from "../../../scripts/openapi/sections";
import type { HttpMethod, Operation } from "../../../src/gateway/operations/operation";
import { operations } from "../../../src/gateway/operations/table";
import { AgentService } from "../../../src/gen/noema/v1/agent_service_pb";
import { EncoderService } from "../../../src/gen/noema/v1/encoder_service_pb";
import { KeyService } from "../../../src/gen/noema/v1/key_service_pb";
import { KnowledgeService } from "../../../src/gen/noema/v1/knowledge_service_pb";
import { MemoryService } from "../../../src/gen/noema/v1/memory_service_pb";
import { newGenome } from "../../../src/object/genome/new-genome";
import { definitionOf } from "../../../src/processor/encoding/definition-text";
import { Fault } from "../../../src/processor/ports/fault";
import { STAMP, TestGateway } from "../../support/gateway/test-gateway";
import { bodiesFor } from "../../support/openapi/bodies";
import { differenceAllowed } from "../../support/openapi/leniency";
import { DOCUMENT, hasRequestSchema, requestFault } from "../../support/openapi/schemas";
import { fc } from "../../support/property";

/**
 * How many bodies are tried: our own operations must agree with their schemas, the others only explain where they do not. Others than these
 * are tried with another NOEMA_PROPERTY_SEED.
 */
const OWN_RUNS = 150;
const OTHER_RUNS = 50;

/** The identifier of a key, as keys have it. */
const KEY_ID = "5f1d7a0c93be2468";

/** A deployment that lets a genome say whatever a deployment can. */
const RULES = {
  mostParts: 64,
  mostDeliveries: Number.POSITIVE_INFINITY,
  endpointRefusal: () => undefined,
  jurisdiction: "",
  jurisdictionRefusal: () => undefined,
};

/** A gateway whose agent reads genomes as agents do. */
function gatewayWithAgent(): TestGateway {
  const gateway = new TestGateway();
  gateway.answerWith(AgentService.method.hotswap, (request) => {
    try {
      newGenome((request as unknown as { genomeJson: string }).genomeJson, RULES);
    } catch (reason) {
      if (reason instanceof Fault) throw new ConnectError(reason.message, Code.InvalidArgument);
      throw reason;
    }
    throw new ConnectError("the genome is accepted", Code.Unavailable);
  });
  gateway.answerWith(EncoderService.method.putEncoder, (request) => {
    try {
      definitionOf((request as unknown as { encoderJson: string }).encoderJson);
    } catch (reason) {
      if (reason instanceof Fault) throw new ConnectError(reason.message, Code.InvalidArgument);
      throw reason;
    }
    throw new ConnectError("the encoder is accepted", Code.Unavailable);
  });
  gateway.answer(AgentService.method.previewHotswap, { change: {} });
  // Whole replies, so that an answer can say what was ignored.
  gateway.answer(KeyService.method.createKey, { key: { id: KEY_ID, rights: {} } });
  gateway.answer(MemoryService.method.observe, { stamp: STAMP, observed: {} });
  gateway.answer(KnowledgeService.method.getVector, { stamp: STAMP, vector: {} });
  gateway.answer(KnowledgeService.method.exportKnowledge, { stamp: STAMP, totals: {} });
  return gateway;
}

/** The parameters of queries of our own operations, with their schemas. The others are text whatever they say. */
const parameters = operations
  .filter(({ isOwn }) => isOwn)
  .flatMap((operation) => operation.methods.map((method) => ({ operation, method })))
  .flatMap(({ operation, method }) =>
    (operation.query ?? []).map((parameter) => ({
      operation,
      method,
      parameter,
      schema: entryOf(operation).query?.[parameter],
    })),
  );

/** What a text in a query means: a number where the schema is one of numbers, and where it is one of lists, a list of one. */
function meant(text: string, schema: Schema | undefined): number | string | string[] {
  if (schema?.type === "array") return [text];
  return schema?.type === "integer" && /^-?\d+$/.test(text) ? Number(text) : text;
}

/** A path that the row answers. */
function pathFor({ path }: Operation): string {
  return path
    .replace(":id", "P1")
    .replace(":key", KEY_ID)
    .replace(":incident", "1")
    .replace(/:\w+\+?/, "x");
}

const rows = operations.flatMap((operation) =>
  operation.methods
    .filter((method) => hasRequestSchema(pathOf(operation), method.toLowerCase()))
    .map((method): [name: string, Operation, HttpMethod] => [`${method} ${operation.path}`, operation, method]),
);

describe("a body", () => {
  it.each(rows)("of %s is refused by the schema and by the decoder, or by neither", async (name, operation, method) => {
    const { request, example } = entryOf(operation);
    const call = { method, path: pathFor(operation) };
    const gateway = gatewayWithAgent();
    const samples = example.request.body === undefined ? [] : [example.request.body];
    const bodies = bodiesFor({ ...request, components: DOCUMENT.components }, samples);
    const runs = operation.isOwn ? OWN_RUNS : OTHER_RUNS;
    const seen = { accepted: 0, refused: 0 };
    await fc.assert(
      fc.asyncProperty(bodies, async (body) => {
        const bySchema = await requestFault(call, body);
        const { status, json } = await gateway.ask(method, call.path, { body: JSON.stringify(body) });
        const byDecoder = status === 400 ? String(json.message) : "";
        seen[bySchema === "" ? "accepted" : "refused"] += 1;
        if ((bySchema === "") === (byDecoder === "")) return;
        const detail = String(json.detail ?? "");
        if (differenceAllowed({ name, body, bySchema, byDecoder, detail }) !== "") return;
        expect({ body, bySchema, byDecoder, detail }).toBe("accepted or refused by both");
      }),
      { numRuns: runs },
    );
    // The test would say nothing if all bodies were of one kind.
    expect(Math.min(seen.accepted, seen.refused)).toBeGreaterThan(runs / 50);
  });
});

describe("a parameter of the query", () => {
  it.each(parameters)("$parameter of $method $operation.path takes what its schema takes", async (row) => {
    const { operation, method, parameter, schema } = row;
    const accepts = new Ajv2020().compile(schema ?? false);
    const gateway = gatewayWithAgent();
    const { isRequestOptional, example } = entryOf(operation);
    // Where a body may say the same, there is none, so that the query counts.
    const body = isRequestOptional ? undefined : example.request.body;
    const values = fc.oneof(
      fc.constantFrom("true", "false", "", "TRUE", "null"),
      fc.integer().map(String),
      fc.nat(2000).map(String),
      fc.string({ unit: "grapheme" }),
    );
    await fc.assert(
      fc.asyncProperty(values, async (value) => {
        const path = `${pathFor(operation)}?${new URLSearchParams({ [parameter]: value })}`;
        const { status } = await gateway.ask(method, path, { body });
        expect([value, status !== 400]).toEqual([value, accepts(meant(value, schema))]);
      }),
    );
  });
});

describe("our own operations without a body", () => {
  const bare = operations.filter((operation) => operation.isOwn && entryOf(operation).request === undefined);

  it.each(bare)("$path refuses members of one", async (operation) => {
    const { methods } = operation;
    const accepted = await gatewayWithAgent().ask(methods[0] ?? "", pathFor(operation));
    expect(accepted.status).not.toBe(400);
    for (const body of [{ more: 1 }, { data: { more: 1 } }, { data: {}, more: 1 }]) {
      const { status, json } = await gatewayWithAgent().ask(methods[0] ?? "", pathFor(operation), { body });
      expect([status, json.message]).toEqual([400, expect.stringContaining("more")]);
    }
  });
});
