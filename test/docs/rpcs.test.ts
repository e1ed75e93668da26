/** The calls that the reference names for an operation are those that it makes. */

import { expect, test, vi } from "vitest";
import { reference } from "../../scripts/openapi/reference/page";
import { operations } from "../../src/gateway/operations/table";
import { TestGateway } from "../support/gateway/test-gateway";

/** Every request may ask the agent for its genome, to find the processor. */
const LOOKUP = "GetGenome";

// The processor behind this gateway answers with its stamp alone, so that some answers fail; only the calls matter here.
vi.spyOn(console, "error").mockImplementation(() => {});

test.each(operations)("$methods $path", async ({ methods, path, rpcs }) => {
  const { request } = reference[`${methods.join(", ")} ${path}`]?.example ?? {};
  if (request === undefined) throw new Error("the row has no example");
  const gateway = new TestGateway();
  await gateway.ask(request.method, request.path, request.body === undefined ? {} : { body: request.body });
  const made = new Set(gateway.calls.map(({ rpc }) => rpc));
  const named = rpcs.map(({ name }) => name);
  expect([...made].filter((rpc) => rpc !== LOOKUP && !named.includes(rpc))).toEqual([]);
  expect([...made]).toEqual(expect.arrayContaining(named.slice(0, 1)));
});
