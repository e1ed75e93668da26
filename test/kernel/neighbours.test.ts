/** The kernel finds the vectors that a search through all doubles finds, ties included. */

import { expect, test } from "vitest";
import { OracleNeighbours } from "../oracle/neighbours";
import { soleKernel } from "../support/kernel/sole-kernel";
import { Random } from "../support/random";

/** How components are drawn. */
const DRAWS: Record<string, (random: Random) => number> = {
  "few values, many ties": (random) => random.below(3),
  bytes: (random) => random.below(256),
  fractions: (random) => random.fraction() * 2 - 1,
  "very different sizes": (random) => (random.fraction() - 0.5) * 10 ** (random.below(40) - 20),
  "close together": (random) => 1e6 + random.fraction() * 1e-3,
  "mostly zero": (random) => (random.below(10) === 0 ? random.fraction() : 0),
};

test.each(Object.entries(DRAWS))("nearest of vectors of %s", (_, draw) => {
  for (const [seed, dimensions] of [1, 2, 3, 4, 7, 16, 33, 100].entries()) {
    const random = new Random(seed);
    const vector = () => Float64Array.from({ length: dimensions }, () => draw(random));
    const { neighbours } = soleKernel();
    const oracle = new OracleNeighbours();
    for (let count = 0; count < 300; count++) {
      const learned = vector();
      neighbours.add(learned);
      oracle.add(learned);
      if (count % 50 === 7) {
        const asked = random.below(2) === 0 ? vector() : learned;
        for (const wanted of [0, 1, 3, 20, 1000]) {
          expect(neighbours.nearest(asked, wanted)).toEqual(oracle.nearest(asked, wanted));
        }
      }
    }
  }
});

test.each(Object.entries(DRAWS))("nearest of pages of vectors of %s", (_, draw) => {
  for (const [dimensions, count] of [
    [16, 20_000],
    [130, 3_000],
    [784, 500],
  ] as const) {
    const random = new Random(dimensions);
    const { neighbours } = soleKernel();
    const oracle = new OracleNeighbours();
    const learned: Float64Array[] = [];
    for (let at = 0; at < count; at++) {
      const again = at > 0 && random.below(20) === 0;
      const vector = again ? random.pick(learned) : Float64Array.from({ length: dimensions }, () => draw(random));
      learned.push(vector);
      neighbours.add(vector);
      oracle.add(vector);
    }
    for (const asked of questions(random, learned, () => draw(random))) {
      expect(neighbours.nearest(asked, 3)).toEqual(oracle.nearest(asked, 3));
      expect(neighbours.nearest(asked, 100)).toEqual(oracle.nearest(asked, 100));
    }
  }
});

/** A new vector, a learned one, one close to it, one far from all, and one that is huge. */
function questions(random: Random, learned: Float64Array[], draw: () => number): Float64Array[] {
  const one = random.pick(learned);
  return [
    one.map(draw),
    one,
    one.map((component) => component + draw() / 100),
    one.map((c) => c + 1e5),
    one.map(() => 1e200),
  ];
}

test("none are nearest when none are held", () => {
  const { neighbours } = soleKernel();
  expect(neighbours.nearest(Float64Array.of(1, 2), 3)).toEqual([]);
  neighbours.add(Float64Array.of(1, 2));
  neighbours.clear();
  expect(neighbours.nearest(Float64Array.of(1, 2, 3), 3)).toEqual([]);
});

test("vectors and models share the memory and are cleared apart", () => {
  const kernel = soleKernel();
  kernel.neighbours.add(Float64Array.of(3, 4));
  kernel.add({ id: 1, frequency: 1, symbols: Uint32Array.of(0, 1), lengths: Uint32Array.of(2) });
  kernel.clear();
  expect(kernel.neighbours.nearest(Float64Array.of(0, 0), 1)).toEqual([0]);
});

test("a vector of another length is a defect", () => {
  const { neighbours } = soleKernel();
  neighbours.add(Float64Array.of(1, 2));
  expect(() => neighbours.add(Float64Array.of(1))).toThrow("a vector of 1 components does not fit those of 2");
});
