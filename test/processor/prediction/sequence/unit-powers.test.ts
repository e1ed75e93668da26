/** Powers of units from tables. */

import { expect, test } from "vitest";
import { MOST_BITS_BEHIND_BEST, UNITS_A_BIT } from "../../../../src/processor/prediction/sequence/constants";
import { powerBelow } from "../../../../src/processor/prediction/sequence/unit-powers";

test("a power from the tables is the engine's, to the last bit", () => {
  const units = Array.from({ length: MOST_BITS_BEHIND_BEST * UNITS_A_BIT + 1 }, (_, one) => one);
  expect(units.filter((one) => powerBelow(one) !== 2 ** (-one / UNITS_A_BIT))).toEqual([]);
});
