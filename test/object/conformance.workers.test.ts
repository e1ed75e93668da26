/** The conformance examples in which processors observe each other's predictions. Every object is lost before every step. */

import { abortAllDurableObjects, env } from "cloudflare:test";
import { describe, expect, test } from "vitest";
import { handle } from "../../src/gateway/gateway";
import abstraction from "../conformance/genomes/abstraction.json";
import simple from "../conformance/genomes/simple.json";
import { EXAMPLES, type Example, type Step } from "../support/conformance/examples";
import { difference, subsetDifference, unorderedDifference } from "../support/conformance/expectation";

async function send({ method, path, body }: Step): Promise<{ status: number; json: Record<string, unknown> }> {
  const init: RequestInit = { method, headers: { "x-api-key": "ABCD-1234" } };
  // The constructor refuses bodies with GET; the only one there asks for what is the default.
  if (body !== undefined && method !== "GET") init.body = JSON.stringify(body);
  const context = {} as ExecutionContext;
  const response = await handle(new Request(`http://127.0.0.1${path}`, init), env, context);
  return { status: response.status, json: await response.json() };
}

function complaint(step: Step, message: unknown, { compare }: Example): string {
  if (step.ties === true) return unorderedDifference(step.message, message, compare);
  if (step.subset !== undefined) return subsetDifference(step.subset, message, compare);
  return "message" in step ? difference(step.message, message, compare) : "";
}

describe.each([
  ["kept", false],
  ["lost before every step", true],
])("objects that are %s", (_, lost) => {
  test.each(EXAMPLES.filter(({ genome }) => genome === "abstraction"))("$id", async (example) => {
    // The first of the two deletes what the example before has left.
    for (const genome of [simple, abstraction]) {
      const step = { method: "POST", path: "/agent/genome/hotswap?purge=true", body: { data: genome } };
      expect((await send(step)).json.message).toBe("hotswapped-genome");
    }
    for (const [at, step] of example.steps.entries()) {
      if (lost) await abortAllDurableObjects();
      const { status, json } = await send(step);
      const found = complaint(step, json.message, example);
      expect({ at, status, found, interval: json.interval }).toEqual({
        at,
        status: 200,
        found: "",
        interval: step.interval ?? json.interval,
      });
    }
  });
});
