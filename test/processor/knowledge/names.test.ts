import { expect, test } from "vitest";
import { modelName, vectorName } from "../../../src/processor/knowledge/names";
import recorded from "../../conformance/recorded.json";

function nameOf(value: (string[] | number)[]): string {
  const numbers = value.filter((each) => typeof each === "number");
  const events = value.filter((each) => typeof each !== "number");
  return events.length > 0 ? modelName(events) : vectorName(Float64Array.from(numbers));
}

test.each(recorded.hashes)("the name of $value is $name", ({ value, name }) => {
  expect(nameOf(value)).toBe(name);
});

test("vectors with the same six decimals have the same name, others not", () => {
  expect(vectorName(Float64Array.of(0.1 + 0.2))).toBe(vectorName(Float64Array.of(0.3)));
  expect(vectorName(Float64Array.of(0.000001))).not.toBe(vectorName(Float64Array.of(0)));
});
