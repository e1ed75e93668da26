/** Sessions that take turns are each as alone, whether or not they leave memory meanwhile. */

import { describe, expect, test } from "vitest";
import type { Processor } from "../../src/processor/processor";
import { gdfOf, geneChangesOf } from "../support/processor/calls";
import { Clocked } from "../support/processor/clocked";
import { memoryReadingsOf } from "../support/processor/readings";
import { fc } from "../support/property";

function observe(processor: Processor, ...strings: string[]) {
  return processor.memory.observe(gdfOf({ strings }), []);
}

function learn(processor: Processor, ...events: string[][]): string {
  for (const strings of events) observe(processor, ...strings);
  return processor.memory.learn().model;
}

/** One call in a session. */
type Step = (processor: Processor) => unknown;

const event: fc.Arbitrary<Parameters<typeof gdfOf>[0]> = fc.record({
  strings: fc.array(fc.constantFrom("a", "b", "c", "d", "e"), { maxLength: 3 }),
  vectors: fc.array(fc.constantFrom<number[][]>([0, 1], [1, 0], [2, 2]), { maxLength: 1 }),
  emotives: fc.constantFrom<Record<string, number>[]>({}, { joy: 0.5 }, { joy: -1, fear: 2 }),
});
const observing = event.map(
  (sent): Step =>
    (processor) =>
      processor.memory.observe(gdfOf(sent), []),
);
const observingMany = fc.record({ sequence: fc.array(event, { maxLength: 3 }), clear: fc.boolean() }).map(
  ({ sequence, clear }): Step =>
    (processor) =>
      processor.memory.observeSequence({ sequence: sequence.map(gdfOf), learn: false, clear }),
);
const clearing = fc.constant<Step>((processor) => processor.memory.clearWorkingMemory());
const targeting = fc.constantFrom("", "c", "unknown").map(
  (target): Step =>
    (processor) =>
      processor.modes.setTargetClass(target),
);
const learning = fc.constant<Step>((processor) => processor.memory.learn());
const calls = [{ arbitrary: observing, weight: 12 }, { arbitrary: observingMany, weight: 2 }, clearing, targeting];
const weighted = calls.map((call) => ("weight" in call ? call : { arbitrary: call, weight: 1 }));

/** Interleaved calls of four memories, the processor's own ("") among them, with openings of the processor in between. */
function lives(step: fc.Arbitrary<Step>) {
  const name = fc.constantFrom("", "a", "b", "\u{1f600}");
  return fc.array(fc.record({ name, step, reopens: fc.nat(9) }), { maxLength: 40 });
}

/** Everything that a memory answers, after its calls alone. */
function aloneAfter(steps: readonly Step[], name: string, prepare: Step): unknown {
  const alone = new Clocked();
  prepare(alone.processor);
  for (const step of steps) step(alone.in(name));
  return memoryReadingsOf(alone.in(name));
}

function expectEachAsAlone(
  life: readonly { name: string; step: Step; reopens: number }[],
  prepare: Step,
  read: (readings: Record<string, unknown>) => unknown,
): void {
  for (const sessionBytes of [1, 8_000_000]) {
    const together = new Clocked({ sessionBytes });
    prepare(together.processor);
    for (const { name, step, reopens } of life) {
      if (reopens === 0) together.reopen();
      step(together.in(name));
    }
    for (const name of new Set(life.map((call) => call.name))) {
      const steps = life.filter((call) => call.name === name).map(({ step }) => step);
      const alone = read(aloneAfter(steps, name, prepare) as Record<string, unknown>);
      expect(read(memoryReadingsOf(together.in(name)))).toEqual(alone);
      together.reopen();
      expect(read(memoryReadingsOf(together.in(name)))).toEqual(alone);
    }
  }
}

/** Readings without the identifiers that tests number. */
function withoutIds(readings: unknown): unknown {
  return JSON.parse(JSON.stringify(readings, (key, value) => (key === "uniqueId" ? "" : value)));
}

describe("interleaved sessions", () => {
  test("that learn nothing are each as alone", () => {
    const prepare: Step = (processor) => {
      processor.genes.change(geneChangesOf({ max_sequence_length: 6 }));
      learn(processor, ["a"], ["b", "c"], ["d"]);
      learn(processor, ["b"], ["c"]);
    };
    fc.assert(
      fc.property(lives(fc.oneof(...weighted)), (life) => expectEachAsAlone(life, prepare, withoutIds)),
      { numRuns: 150, seed: 11 },
    );
  }, 300_000);

  test("that learn are each as alone, but for what they learned", () => {
    const prepare: Step = (processor) => {
      processor.genes.change(geneChangesOf({ max_sequence_length: 5, near_vector_count: 0 }));
      processor.modes.setAutolearning(true);
    };
    const read = (readings: Record<string, unknown>) => {
      const { cognition: _, predictions: __, status, ...own } = readings;
      const {
        models: ___,
        vectors: ____,
        vectorDimensionality: _____,
        ...rest
      } = (status as { status: Record<string, unknown> }).status;
      return withoutIds({ ...own, status: rest });
    };
    fc.assert(
      fc.property(lives(fc.oneof(...weighted, { arbitrary: learning, weight: 2 })), (life) =>
        expectEachAsAlone(life, prepare, read),
      ),
      { numRuns: 150, seed: 11 },
    );
  }, 300_000);

  test("share what they learn", () => {
    const { processor } = new Clocked();
    const name = learn(processor.in("a"), ["x"], ["y"]);
    observe(processor.in("b"), "x");
    expect(
      processor
        .in("b")
        .memory.getPredictions("")
        .predictions.map((each) => each.name),
    ).toEqual([name]);
    expect(processor.memory.getPredictions("").predictions).toEqual([]);
    expect(processor.in("a").inspection.getStatus().status).toMatchObject({ lastLearnedModelName: name, models: 1 });
    expect(processor.in("b").inspection.getStatus().status).toMatchObject({ lastLearnedModelName: "", models: 1 });
  });
});
