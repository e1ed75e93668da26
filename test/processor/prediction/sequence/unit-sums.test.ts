/** Sums by units: in places as in a map, whatever the order in which units come. */

import { expect, test } from "vitest";
import { unitSums } from "../../../../src/processor/prediction/sequence/unit-sums";
import { Random } from "../../../support/random";

const [FEW, MANY] = [1, 1_000_000];

test.each([0, 1, 5, 1_000, 65_536])("many sums are what few are, units to %i below the best", (deepest) => {
  const random = new Random(deepest);
  for (const spread of [1, 50, 3 * deepest + 2, 1e12]) {
    for (let round = 0; round < 4; round++) {
      const all = [FEW, MANY].map((models) => unitSums(deepest, models));
      const from = -random.below(2 ** 31) * 2 ** random.below(18);
      for (let added = 0; added < 100; added++) {
        const pairs = Array.from({ length: random.below(6) }, () => [
          from + Math.floor(random.fraction() * spread) + added * random.below(2) * round,
          1 + random.below(4),
        ]);
        for (const sums of all) sums.add(Float64Array.from(pairs.flat()));
      }
      const [few, many] = all.map((sums) => {
        const visited: number[][] = [];
        sums.visit((units, sum) => visited.push([units, sum]));
        return { greatest: sums.greatest, visited };
      });
      expect(many).toEqual(few);
      expect(few?.visited[0]?.[0]).toBe(few?.greatest);
    }
  }
});

test("without any there is nothing to visit", () => {
  for (const models of [FEW, MANY]) unitSums(1_000, models).visit(() => expect.unreachable());
});
