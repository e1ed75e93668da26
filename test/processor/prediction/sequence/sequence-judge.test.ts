/** Verdicts on whole sequences against the slow twin, over random knowledges; and what they must not depend on. */

import { describe, expect, test } from "vitest";
import type { Event } from "../../../../src/gen/plain";
import { modelName } from "../../../../src/processor/knowledge/names";
import type { Processor } from "../../../../src/processor/processor";
import { type Learned, SequenceOracle } from "../../../oracle/sequence-surprise";
import { soleKernel } from "../../../support/kernel/sole-kernel";
import { MemoryStore } from "../../../support/memory-store";
import { openProcessor } from "../../../support/open-processor";
import { gdfOf } from "../../../support/processor/calls";
import { Random } from "../../../support/random";

/** Bits are sums of units of 1/1024 bit. */
const CLOSE = 2;
/** So are the weights of models: each is right to some thousandths. */
const CLOSE_WEIGHTS = 2;

type Sequence = string[][];

const eventsOf = (sequence: Sequence): Event[] => sequence.map((symbols) => ({ symbols }));

function learnAll(processor: Processor, learned: readonly Learned[]): void {
  for (const { events, frequency } of learned) {
    for (let times = 0; times < frequency; times++) {
      for (const event of events) processor.memory.observe(gdfOf({ strings: [...event] }), []);
      processor.memory.learn();
    }
  }
}

function open(): Processor {
  const processor = openProcessor(new MemoryStore(), soleKernel());
  processor.modes.setPredicting(false);
  return processor;
}

function judged(processor: Processor, sequence: Sequence, complete = true) {
  const { surprise } = processor.memory.getSequenceSurprise(eventsOf(sequence), complete);
  if (surprise === undefined) throw new Error("nothing was judged");
  return surprise;
}

/** A sequence of a few kinds of events; `strange` is a symbol that is never learned. */
function randomSequence(random: Random, symbols: number, most: number, vocabulary: number): Sequence {
  const strange = random.below(4) === 0 ? ["strange"] : [];
  return Array.from({ length: 2 + random.below(most) }, () => {
    const own = Array.from({ length: 1 + random.below(symbols) }, () => `s${random.below(vocabulary)}`);
    return [...own, ...strange.splice(random.below(2))].sort();
  });
}

function randomKnowledge(random: Random, symbols: number, vocabulary: number): Learned[] {
  const learned = new Map<string, Learned>();
  for (let at = 0; at < 12; at++) {
    const events = randomSequence(random, symbols, 6, vocabulary).map((event) => {
      const known = event.filter((symbol) => symbol !== "strange");
      return known.length > 0 ? known : ["s0"];
    });
    learned.set(JSON.stringify(events), { events, frequency: 1 + random.below(3) });
  }
  return [...learned.values()];
}

describe.each([
  { name: "one symbol an event", symbols: 1, vocabulary: 4 },
  { name: "several symbols an event", symbols: 3, vocabulary: 5 },
])("with $name", ({ symbols, vocabulary }) => {
  test.each([1, 2, 3])("the verdict and its evidence are those of the twin (%i)", (seed) => {
    const random = new Random(seed);
    const learned = randomKnowledge(random, symbols, vocabulary);
    const processor = open();
    learnAll(processor, learned);
    const oracle = new SequenceOracle(learned);
    for (let asked = 0; asked < 12; asked++) {
      const known = learned[random.below(learned.length)]?.events.map((event) => [...event]) ?? [];
      const sequence = asked % 3 === 0 ? known : randomSequence(random, symbols, 8, vocabulary + 1);
      const { bits, end, events, missing, excess } = judged(processor, sequence);
      const order = oracle.order(sequence, true);
      expect(bits).toBeCloseTo(oracle.bits(sequence, true), CLOSE);
      expect([events[0]?.bits, end?.bits]).toEqual([order[0], order.at(-1)].map((one) => expect.closeTo(one ?? -1, 9)));
      expect(events).toHaveLength(sequence.length);
      const likely = [...oracle.missing(sequence)].filter(([, probability]) => probability >= 0.105);
      const named = new Map(missing.map(({ symbol, probability }) => [symbol, probability]));
      for (const [symbol, probability] of likely) expect(named.get(symbol)).toBeCloseTo(probability, CLOSE_WEIGHTS);
      for (const { symbol, count, expected } of excess) {
        expect(count).toBe(sequence.flat().filter((one) => one === symbol).length);
        expect(expected).toBeCloseTo(oracle.expected(sequence, symbol, true), CLOSE_WEIGHTS);
      }
      const open = judged(processor, sequence, false);
      expect(open.bits).toBeCloseTo(oracle.bits(sequence, false), CLOSE);
      expect([open.missing, open.end]).toEqual([[], undefined]);
    }
  });
});

test("what comes hundreds of times is not excused by the length that it makes", () => {
  const processor = open();
  const times = (count: number) => Array.from({ length: count }, () => ["a"]);
  learnAll(
    processor,
    Array.from({ length: 40 }, (_, at) => ({ events: times(5 + (at % 11)), frequency: 1 })),
  );
  const [usual = 0, often = 0] = [10, 400].map((count) => judged(processor, times(count)).bits);
  expect(often).toBeGreaterThan(usual + 1);
});

test("the order of learning decides nothing, nor what was forgotten, and kernel and slow matcher agree", () => {
  const learned = randomKnowledge(new Random(9), 2, 5);
  const [one, other, slow] = [open(), open(), openProcessor()];
  learnAll(one, learned);
  learnAll(other, [{ events: [["zz"], ["s1", "yy"]], frequency: 1 }, ...learned.toReversed()]);
  other.knowledge.deleteModel(modelName([["zz"], ["s1", "yy"]]));
  learnAll(slow, learned);
  for (const sequence of [
    [["s1"], ["s0", "s2"], ["s1"]],
    learned[0]?.events.map((event) => [...event]) ?? [],
    [["yy"]],
  ]) {
    const { rank: _, events: __, ...verdict } = judged(one, sequence);
    expect(judged(other, sequence)).toMatchObject(verdict);
    expect(judged(slow, sequence)).toMatchObject(verdict);
  }
});

test("what was learned is more usual than the same with a fault, and the fault is named", () => {
  const processor = open();
  const usual = [["open"], ["write"], ["write"], ["close"]];
  learnAll(processor, [{ events: usual, frequency: 30 }]);
  const { bits, rank } = judged(processor, usual);
  const faulty = {
    early: [["open"], ["write"], ["write"]],
    swapped: [["write"], ["open"], ["write"], ["close"]],
    often: [["open"], ["write"], ["write"], ["write"], ["write"], ["close"]],
    foreign: [["open"], ["write"], ["drop"], ["write"], ["close"]],
  };
  for (const sequence of Object.values(faulty)) expect(judged(processor, sequence).bits).toBeGreaterThan(bits + 1);
  const early = judged(processor, faulty.early);
  expect(early.missing[0]).toMatchObject({ symbol: "close" });
  expect(early.missing[0]?.probability).toBeGreaterThan(0.9);
  expect(early.end?.bits).toBeGreaterThan(5);
  expect(judged(processor, faulty.often).excess).toMatchObject([{ symbol: "write", count: 4 }]);
  expect(judged(processor, faulty.foreign).excess).toEqual([{ symbol: "drop", count: 1, expected: 0 }]);
  expect(judged(processor, faulty.foreign).events[2]?.unexpected).toEqual(["drop"]);
  // Each learn was scored before it: the newest are as usual as can be, the first ones are not.
  expect(rank).toBeLessThan(0.1);
  expect(early.rank).toBeGreaterThan(0.9);
});

test("without knowledge there is no verdict, nor without an event; a wrong sequence is refused", () => {
  const processor = open();
  expect(processor.memory.getSequenceSurprise(eventsOf([["a"]]), true)).toEqual({});
  learnAll(processor, [{ events: [["a"], ["b"]], frequency: 1 }]);
  expect(judged(processor, [["a"], ["b"]]).rank).toBeUndefined();
  processor.knowledge.addBlacklistedSymbols(["a"]);
  expect(processor.memory.getSequenceSurprise(eventsOf([["a"]]), true)).toEqual({});
  expect(() => processor.memory.getSequenceSurprise([], true)).toThrow("sequence must hold at least one event");
  expect(() => processor.memory.getSequenceSurprise(eventsOf([["b"], []]), true)).toThrow("sequence[1] must hold");
  const long = Array.from({ length: 1_001 }, () => ["b"]);
  expect(() => processor.memory.getSequenceSurprise(eventsOf(long), true)).toThrow("may have 1000 events, got 1001");
});
