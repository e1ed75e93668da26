/** Symbols by their sensors. */

import { expect, test } from "vitest";
import { expectedOf } from "../../src/console/parts/sensors";

const EXPECTED = ["cut", "temperature=40", "temperature=50"].map((symbol) => ({ symbol }));

test.each([
  ["temperature=80", ["temperature=40", "temperature=50"]],
  ["jam", ["cut"]],
  ["pressure=3", ["cut", "temperature=40", "temperature=50"]],
])("of the sensor of %s, or of all if nothing, was expected %j", (symbol, symbols) => {
  expect(expectedOf(symbol, EXPECTED).map((one) => one.symbol)).toEqual(symbols);
});
