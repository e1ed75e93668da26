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

/** Plays an example. With `reopening`, opens the processor anew from its store before every step. */
function failuresOf({ steps, compare }: Example, reopening: boolean): string[] {
  const store = new MemoryStore();
  let processor = simpleProcessor(store);
  const failures: string[] = [];
  for (const [at, step] of steps.entries()) {
    if (reopening) processor = openProcessor(store);
    const path = step.path.split("/").slice(2).join("/");
    const message = play(processor, step.method, path, step.body);
    const found = differenceAt(step, message, compare);
    if (found !== "") failures.push(`step ${at}, ${step.method} ${path}: ${found}`);
    if (step.interval !== undefined && step.interval !== processor.time) {
      failures.push(`step ${at}: interval ${step.interval} expected, got ${processor.time}`);
    }
  }
  return failures;
}

describe.each([
  { life: "one processor for all steps", reopening: false },
  { life: "a processor opened anew for every step", reopening: true },
])("$life", ({ reopening }) => {
  test.each(EXAMPLES.filter(({ genome }) => genome === "simple"))("$id", (example) => {
    expect(failuresOf(example, reopening)).toEqual([]);
  });
});
