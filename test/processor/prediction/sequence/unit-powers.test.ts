/** Powers of units from tables. */

import { expect, test } from "vitest";
import { MAX_BITS_BEHIND_BEST, UNITS_PER_BIT } from "../../../../src/processor/prediction/sequence/constants";
import { powerBelow } from "../../../../src/processor/prediction/sequence/unit-powers";

test("a power from the tables is the engine's, to the last bit", () => {
  const units = Array.from({ length: MAX_BITS_BEHIND_BEST * UNITS_PER_BIT + 1 }, (_, one) => one);
  expect(units.filter((one) => powerBelow(one) !== 2 ** (-one / UNITS_PER_BIT))).toEqual([]);
});
