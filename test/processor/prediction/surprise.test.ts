import { describe, expect, test } from "vitest";
import { surpriseFrom } from "../../../src/processor/prediction/surprise";

const REST = { models: 8, symbols: 4 };

describe("the surprise of an event", () => {
  test("is -log2 of the probability of its least probable symbol", () => {
    expect(surpriseFrom(["a", "b"], [0.5, 0.25], [], REST)).toEqual({
      bits: 2,
      probability: 0.25,
      expected: [],
      unexpected: [],
    });
    expect(surpriseFrom(["a"], [1], [], REST)).toMatchObject({ bits: 0, probability: 1 });
  });

  test("names the symbols without a probability, and gives each Laplace's share", () => {
    // A tenth is left to 4 known symbols and all others.
    expect(surpriseFrom(["x", "a", "y"], [0, 0.5, 0], [], REST)).toMatchObject({
      probability: 1 / 50,
      unexpected: ["x", "y"],
    });
    expect(surpriseFrom(["x"], [0], [], { models: 0, symbols: 0 }).probability).toBe(0.5);
  });

  test("is finite for any event", () => {
    expect(surpriseFrom(["a"], [2 ** -1074], [], REST)).toMatchObject({ bits: 1022, probability: 2 ** -1022 });
  });

  test("never has a probability above 1, or bits below 0", () => {
    const { bits, probability } = surpriseFrom(["a"], [1 + 2 ** -52], [], REST);
    expect([Object.is(bits, 0), probability]).toEqual([true, 1]);
  });
});
