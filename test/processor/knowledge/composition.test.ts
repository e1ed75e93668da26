import { expect, test } from "vitest";
import { CompositionSearch } from "../../../src/processor/knowledge/composition";
import { sixDecimals } from "../../../src/processor/text/decimal";
import { openProcessor } from "../../support/open-processor";
import { gdfOf, geneChangesOf } from "../../support/processor/calls";
import { Random } from "../../support/random";

function searchOver(vectors: readonly number[][]): CompositionSearch {
  const search = new CompositionSearch(vectors[0]?.length ?? 0);
  for (const vector of vectors) search.add(Float64Array.from(vector));
  return search;
}

/** The first smallest multiset, found by trying all in order. */
function tryAll(vectors: readonly number[][], target: readonly number[], most: number): number[] | undefined {
  const printed = (values: readonly number[]) => values.map((value) => Number(sixDecimals(value))).join();
  const extend = (members: number[], count: number): number[] | undefined => {
    if (members.length === count) {
      const sum = target.map((_, at) => members.reduce((total, member) => total + (vectors[member]?.[at] ?? 0), 0));
      return printed(sum) === printed(target) ? members : undefined;
    }
    for (let member = members.at(-1) ?? 0; member < vectors.length; member++) {
      const found = extend([...members, member], count);
      if (found !== undefined) return found;
    }
    return undefined;
  };
  for (let count = 1; count <= most; count++) {
    const found = extend([], count);
    if (found !== undefined) return found;
  }
  return undefined;
}

test("a smallest sum of the oldest members, as trying all finds it", () => {
  const random = new Random(7);
  let found = 0;
  for (let round = 0; round < 400; round++) {
    const steps = random.pick([1, 0.25, 0.1]);
    const size = 1 + random.below(3);
    const vector = () => Array.from({ length: size }, () => (random.below(9) - 3) * steps);
    const vectors = Array.from({ length: 1 + random.below(6) }, vector);
    const target = vector();
    const expected = tryAll(vectors, target, 4);
    expect(searchOver(vectors).find(Float64Array.from(target), 4)).toEqual(expected);
    found += expected === undefined ? 0 : 1;
  }
  expect(found).toBeGreaterThan(100);
  expect(found).toBeLessThan(400);
});

test("sums are equal to six decimals, not to the last bit, and not less", () => {
  const search = searchOver([[0.1], [0.2], [0.7000003]]);
  expect(search.find(Float64Array.of(0.3), 2)).toEqual([0, 1]);
  expect(search.find(Float64Array.of(0.8), 2)).toEqual([0, 2]);
  expect(search.find(Float64Array.of(0.8000012), 2)).toBeUndefined();
});

test("no more members than allowed", () => {
  const search = searchOver([[1]]);
  expect(search.find(Float64Array.of(5), 4)).toBeUndefined();
  expect(search.find(Float64Array.of(5), 5)).toEqual([0, 0, 0, 0, 0]);
});

test("a search that would take too long, or go too deep, finds none", () => {
  const random = new Random(3);
  const vectors = Array.from({ length: 60 }, () => [random.fraction(), random.fraction(), random.fraction()]);
  expect(searchOver(vectors).find(Float64Array.of(2.5, 2.5, 2.5), 10)).toBeUndefined();
  expect(searchOver([[1]]).find(Float64Array.of(1e6), Number.MAX_SAFE_INTEGER)).toBeUndefined();
});

test("with the discrete classifier, an event holds the members, and only a vector without members is learned", () => {
  const processor = openProcessor();
  processor.genes.change(geneChangesOf({ classifier: "DVC", SORT: false, search_depth: 3 }));
  const observed = (...vectors: number[][]) => {
    processor.memory.observe(gdfOf({ vectors }), []);
    return processor.memory.getCognition().symbols;
  };
  const [one] = observed([1, 0]);
  const [two] = observed([0, 1]);
  const [both] = observed([1, 1]);
  processor.memory.learn();
  expect(processor.inspection.getStatus().status.vectors).toBe(3);
  expect(observed([2, 0])).toEqual([one, one]);
  expect(observed([1, 0], [0, 2], [1, 0])).toEqual([both, both]);
  expect(observed([1, 0])).toEqual([one]);
  expect(observed([0, 1])).toEqual([two]);
  processor.memory.learn();
  expect(processor.inspection.getStatus().status.vectors).toBe(3);
  const [far] = observed([9, 9]);
  processor.memory.learn();
  expect(processor.inspection.getStatus().status.vectors).toBe(4);
  expect(observed([9, 10])).toEqual([two, far]);
});
