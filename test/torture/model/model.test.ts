/** The independent model of the wire contract gives the conformance examples' answers: it may judge a server. */

import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, test } from "vitest";
import { EXAMPLES, type Example, type Step } from "../../support/conformance/examples";
import { difference, subsetDifference, unorderedDifference } from "../../support/conformance/expectation";

const load = (file: string) => import(pathToFileURL(resolve("test/torture/model", file)).href);

/** Members that the model writes as text: an object again. */
function parsed(canonical: (value: unknown) => string, message: unknown): unknown {
  return message === undefined ? undefined : JSON.parse(canonical(message));
}

function complaint(step: Step, message: unknown, interval: number, { compare }: Example): string {
  if (step.interval !== undefined && step.interval !== interval) {
    return `interval ${step.interval} expected, got ${interval}`;
  }
  if (step.ties === true) return unorderedDifference(step.message, message, compare);
  if (step.subset !== undefined) return subsetDifference(step.subset, message, compare);
  return "message" in step ? difference(step.message, message, compare) : "";
}

describe("examples of one processor", () => {
  test.each(
    EXAMPLES.filter(({ genome }) => genome === "simple").map((example) => [example.id, example] as const),
  )("%s", async (_, example) => {
    const { ModelProcessor } = await load("processor.mjs");
    const { answer } = await load("answers.mjs");
    const { canonical } = await load("text.mjs");
    const model = new ModelProcessor("p46b6b076c", "P1");
    for (const [at, step] of example.steps.entries()) {
      const { status, message, interval } = answer(model, step);
      expect([at, status]).toEqual([at, step.http ?? 200]);
      expect([at, complaint(step, parsed(canonical, message), interval, example)]).toEqual([at, ""]);
    }
  });
});
