/** The OpenAPI document describes every row of the table, says nothing wrong of its examples, and is a good one. */

import { createConfig, lintFromString } from "@redocly/openapi-core";
import { describe, expect, test } from "vitest";
import { inSession, pathOf } from "../../scripts/openapi/document";
import { failures, reference } from "../../scripts/openapi/reference/page";
import { rowName } from "../../scripts/openapi/sections";
import { streamOperations } from "../../src/gateway/operations/streams";
import { operations } from "../../src/gateway/operations/table";
import { ROWS } from "../support/conformance/interface-rows";
import { answerFault, DOCUMENT, hasRequestSchema, requestFault } from "../support/openapi/schemas";

/** An operation of the document. */
interface Documented {
  readonly operationId: string;
  readonly security?: readonly unknown[];
  readonly responses: { readonly [status: string]: unknown };
}

const paths = DOCUMENT.paths as unknown as { readonly [path: string]: { readonly [method: string]: Documented } };

const documented = Object.entries(paths).flatMap(([path, { parameters: _, ...methods }]) =>
  Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
);

/** Every row with its methods, at its own path and where it is served in sessions. */
const rows = [...operations, ...streamOperations].flatMap((operation) =>
  operation.methods.flatMap((method) => {
    const places = operation.inSessions ? [operation, inSession(operation)] : [operation];
    return places.map((place) => ({ path: pathOf(place), method }));
  }),
);

describe("the document", () => {
  test.each(rows)("has $method $path", ({ path, method }) => {
    expect(paths[path]).toHaveProperty(method.toLowerCase());
  });

  test("has no operation but the rows, and the pages that need no key", () => {
    const withKey = documented.filter(({ operation }) => operation.security === undefined);
    expect(withKey.length).toBe(rows.length);
    const keyless = documented.filter(({ operation }) => operation.security !== undefined);
    expect(keyless.map(({ path, operation }) => [path, operation.security])).toEqual([
      ["/", []],
      ["/docs", []],
      ["/openapi.json", []],
      ["/health", []],
      ["/mqtt", []],
    ]);
  });

  test.each(ROWS)("has a schema for the body of $method $path where it takes one", ({ method, path, body, absent }) => {
    const place = path.replace("<primitive_id>", "{id}").replace(/<(\w+)>/g, "{$1}");
    // An operation that is not there looks into no body. Those that can do without one are not in the list of rows with a body.
    if (body !== undefined) expect(hasRequestSchema(place, method.toLowerCase())).toBe(absent !== true);
  });

  test.each(ROWS)("accepts the body of $method $path in the rows of the interface", async ({ method, path, body }) => {
    const call = { method, path: path.replace(/<\w+>/g, "x") };
    expect(await requestFault(call, body)).toBe("");
  });

  test("names operations by verbs in camel case, each once", () => {
    const ids = documented.map(({ operation }) => operation.operationId);
    expect(ids.filter((id) => !/^[a-z]+([A-Z][a-z]+)*$/.test(id))).toEqual([]);
    expect(new Set(ids).size).toBe(ids.length);
  });

  test("has every failure that an operation can answer with", () => {
    const shown = new Set(documented.flatMap(({ operation }) => Object.keys(operation.responses)));
    const statuses = failures.filter(({ scope }) => scope !== "path").map(({ status }) => String(status));
    expect([...shown].sort()).toEqual(["101", "200", "304", "default", ...statuses].sort());
  });

  test("passes the linter's strictest rules", async () => {
    const config = await createConfig({
      extends: ["recommended-strict"],
      // The pages have no failures. Those of the other operations follow from the table.
      rules: { "operation-4xx-response": "off" },
    });
    const problems = await lintFromString({ source: JSON.stringify(DOCUMENT), config });
    // The wire contract has this path, and its rule: `keys` wins over a processor of that name.
    const others = problems.filter(
      ({ ruleId, message }) => !(ruleId === "no-ambiguous-paths" && message.includes("`/keys/{key}`")),
    );
    expect(others.map(({ ruleId, message, location }) => [ruleId, message, location[0]?.pointer])).toEqual([]);
  });
});

test("the schemas refuse members of an answer that the document does not mention", async () => {
  const call = { method: "GET", path: "/P1/time" };
  const answer = { id: "P1", interval: 1, message: "1", status: "okay", time_stamp: 1 };
  expect(await answerFault(call, 200, answer)).toBe("");
  expect(await answerFault(call, 200, { ...answer, more: 1 })).toContain("more");
  const { response } = reference["GET /:id/status"]?.example ?? {};
  const { message, ...rest } = response as { readonly message: object };
  expect(
    await answerFault({ method: "GET", path: "/P1/status" }, 200, { ...rest, message: { ...message, more: 1 } }),
  ).toContain("more");
});

describe("the examples of the reference", () => {
  test.each(operations.map(rowName))("%s fits its schemas", async (row) => {
    const { request, response } = reference[row]?.example ?? {};
    if (request === undefined) throw new Error(`${row} has no example`);
    expect(await requestFault(request, request.body)).toBe("");
    expect(await answerFault(request, 200, response)).toBe("");
  });

  test.each(
    failures.filter(({ example }) => example !== undefined),
  )("HTTP $status fits its schema", async (failure) => {
    const { request, response } = failure.example ?? { request: { method: "GET", path: "/" } };
    expect(await answerFault(request, failure.status, response)).toBe("");
  });
});
