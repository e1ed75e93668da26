/** The kernel's comparison of whole sequences against the slow twin's, to the last bit, over random models. */

import { describe, expect, test } from "vitest";
import type { ComparedSequence } from "../../src/processor/ports/comparison";
import type { Matcher } from "../../src/processor/ports/matcher";
import { Oracle } from "../oracle/oracle";
import { seedsHere } from "../support/engine";
import { LocalParts, LocalSplit } from "../support/kernel/local-parts";
import { soleKernel } from "../support/kernel/sole-kernel";
import { Random } from "../support/random";

/** What random models are like. */
interface Shape {
  name: string;
  models: number;
  vocabulary: number;
  events: number;
  eventSymbols: number;
  /** The first symbol: beyond 256 and 65,536 columns get wider. */
  from: number;
}

const SHAPES: Shape[] = [
  { name: "one symbol an event", models: 80, vocabulary: 7, events: 9, eventSymbols: 1, from: 0 },
  { name: "several symbols an event", models: 80, vocabulary: 4, events: 5, eventSymbols: 3, from: 300 },
  { name: "several segments", models: 1_100, vocabulary: 40, events: 4, eventSymbols: 2, from: 0 },
  { name: "symbols of four bytes", models: 40, vocabulary: 9, events: 6, eventSymbols: 2, from: 66_000 },
  { name: "large events", models: 12, vocabulary: 30, events: 2, eventSymbols: 90, from: 0 },
];

const UNKNOWN = -1;

function randomEvents({ vocabulary, events, eventSymbols, from }: Shape, random: Random): number[][] {
  const symbolsOf = () => Array.from({ length: 1 + random.below(eventSymbols) }, () => from + random.below(vocabulary));
  return Array.from({ length: 1 + random.below(events) }, symbolsOf);
}

/** A sequence by numbers. */
function compared(events: number[][], complete: boolean): ComparedSequence {
  const ids = [...new Set(events.flat())];
  const kindOf = new Map<string, number>();
  const kindNumbers: number[][] = [];
  const kinds = events.map((event) => {
    const numbers = event.map((id) => ids.indexOf(id)).sort((one, other) => one - other);
    if (!kindOf.has(numbers.join())) kindOf.set(numbers.join(), kindNumbers.push(numbers));
    return kindOf.get(numbers.join()) ?? 0;
  });
  const counts = Float64Array.from(ids, (id) => events.flat().filter((one) => one === id).length);
  return { ids: Int32Array.from(ids), counts, kinds, kindNumbers, complete, begins: true };
}

/** All that a comparison says. */
function answersOf(matcher: Matcher, sequence: ComparedSequence, { from, vocabulary }: Shape, random: Random): unknown {
  const symbols = from + vocabulary;
  const terms = {
    deepest: Number.POSITIVE_INFINITY,
    base: -9.25,
    having: Float64Array.from(sequence.ids, () => random.fraction() * 3),
    holding: Float64Array.from({ length: sequence.complete ? symbols : 0 }, (_, id) => -(id % 97) / 7),
  };
  return matcher.compare(sequence, (comparison) => {
    const { beginnings, followers, having } = comparison;
    const sums = new Map<number, number>();
    comparison.weigh(terms, (weighed) => {
      for (let at = 0; at < weighed.length; at += 2) {
        const [units = 0, frequency = 0] = weighed.subarray(at, at + 2);
        sums.set(units, (sums.get(units) ?? 0) + frequency);
      }
    });
    const weighed = [...sums].sort(([one], [other]) => one - other);
    const most = Math.max(...sums.keys());
    const gathered = comparison.gather(most - 4_096, (units) => 4_097 + units - most);
    const known = (column: Float64Array) => [...column.entries()].filter(([, value]) => value !== 0);
    const { all, having: weights, havingTimes, otherTimes, holding } = gathered;
    const lists = [having, followers, weights, havingTimes, otherTimes].map((list) => [...list]);
    return { all, lists, weighed, beginnings: known(beginnings), holding: known(holding) };
  });
}

/** Teaches both the same, and forgets some of it. */
function teach(matchers: readonly Matcher[], shape: Shape, random: Random): void {
  for (let id = 1; id <= shape.models; id++) {
    const events = randomEvents(shape, random);
    const lengths = Uint32Array.from(events, ({ length }) => length);
    const model = { id, frequency: 1 + random.below(4), symbols: Uint32Array.from(events.flat()), lengths };
    const isForgotten = random.below(5) === 0;
    for (const matcher of matchers) {
      matcher.add(model);
      if (isForgotten) matcher.remove(id, model);
    }
  }
}

describe.each(SHAPES)("$name", (shape) => {
  test.each(seedsHere(1, 2))("the kernel says what the twin says, seed %i", (seed) => {
    const random = new Random(seed);
    const matchers = [soleKernel(), new Oracle(), new LocalSplit(new LocalParts(3))];
    teach(matchers, shape, random);
    for (let asked = 0; asked < 4; asked++) {
      const events = randomEvents({ ...shape, events: 12 }, random);
      if (asked % 2 === 0) events.push([UNKNOWN], [UNKNOWN, shape.from]);
      for (const complete of [true, false]) {
        const sequence = compared(events, complete);
        const [own, twin, split] = matchers.map((matcher) => answersOf(matcher, sequence, shape, new Random(asked)));
        expect(own).toEqual(twin);
        expect(split).toEqual(twin);
      }
    }
  });
});

test("nothing is said of nothing, and an unknown symbol beyond all that are known is held by none", () => {
  const kernel = soleKernel();
  const sequence = compared([[5], [UNKNOWN]], true);
  expect(kernel.compare(sequence, ({ having, followers }) => [[...having], [...followers]])).toEqual([
    [0, 0],
    [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0],
  ]);
});
