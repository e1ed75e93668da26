/** Plays the conformance examples on processors over the oracle. The tests of manipulatives cover the rest. */

import { describe, expect, test } from "vitest";
import { GENE_NAMES, genomeSettingOf } from "../../src/processor/genes/table";
import { Processor } from "../../src/processor/processor";
import simple from "../conformance/genomes/simple.json";
import { EXAMPLES, type Example, type Step } from "../support/conformance/examples";
import { difference, type Precision, subsetDifference, unorderedDifference } from "../support/conformance/expectation";
import { MemoryStore } from "../support/memory-store";
import { openProcessor } from "../support/open-processor";
import { geneChangesOf, play } from "../support/processor/calls";

function simpleProcessor(store: MemoryStore): Processor {
  const settings = simple.elements.nodes[0]?.data as unknown as Record<string, boolean | number | string | undefined>;
  const genes = GENE_NAMES.flatMap((name) => {
    const value = settings[genomeSettingOf(name)];
    return value === undefined ? [] : [[name, value] as const];
  });
  Processor.provision(store, geneChangesOf(Object.fromEntries(genes)));
  return openProcessor(store);
}

function differenceAt(step: Step, message: unknown, precision: Precision): string {
  if (step.ties === true) return unorderedDifference(step.message, message, precision);
  if (step.subset !== undefined) return subsetDifference(step.subset, message, precision);
  return "message" in step ? difference(step.message, message, precision) : "";
}

/** How the steps of an example are played. */
interface Life {
  /** Opens the processor anew from its store before every step. */
  reopening: boolean;
  /** The session of all steps; empty for the processor's own memory. */
  session: string;
}

/** Plays a step. Falling asleep clears only the processor's own memory, so a session is cleared by a call of its own. */
function playIn(processor: Processor, session: string, step: Step): unknown {
  const path = step.path.split("/").slice(2).join("/");
  const message = play(processor.in(session), step.method, path, step.body);
  if (path === "sleeping/start" && session !== "") processor.in(session).memory.clearWorkingMemory();
  return message;
}

/** Plays an example. */
function failuresOf({ steps, compare }: Example, { reopening, session }: Life): string[] {
  const store = new MemoryStore();
  let processor = simpleProcessor(store);
  const failures: string[] = [];
  for (const [at, step] of steps.entries()) {
    if (reopening) processor = openProcessor(store);
    const message = playIn(processor, session, step);
    const found = differenceAt(step, message, compare);
    if (found !== "") failures.push(`step ${at}, ${step.method} ${step.path}: ${found}`);
    const { time } = processor.in(session);
    if (step.interval !== undefined && step.interval !== time) {
      failures.push(`step ${at}: interval ${step.interval} expected, got ${time}`);
    }
  }
  return failures;
}

describe.each([
  { name: "one processor for all steps", reopening: false, session: "" },
  { name: "a processor opened anew for every step", reopening: true, session: "" },
  { name: "a session for all steps", reopening: false, session: "s" },
  { name: "a session of a processor opened anew for every step", reopening: true, session: "s" },
])("$name", (life) => {
  test.each(EXAMPLES.filter(({ genome }) => genome === "simple"))("$id", (example) => {
    expect(failuresOf(example, life)).toEqual([]);
  });
});
