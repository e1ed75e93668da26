import { describe, expect, test } from "vitest";
import { factorsOf, surpriseFrom } from "../../../src/processor/prediction/surprise";

const REST = { rest: 0.5, occurrences: 25 };

/** The surprise of an event whose symbols came together so often: rows of levels 1, 2 and so on. */
function surpriseOf(symbols: string[], probabilities: number[], rest = REST, ...rows: number[][]) {
  return surpriseFrom(
    symbols,
    probabilities,
    factorsOf(symbols, probabilities, rest, () => rows.flat()),
    [],
  );
}

describe("the surprise of an event", () => {
  test("is -log2 of the product of its symbols' probabilities where no place is alike", () => {
    expect(surpriseOf(["a", "b"], [0.5, 0.25])).toEqual({ bits: 3, probability: 0.125, expected: [], unexpected: [] });
    expect(surpriseOf(["a"], [1])).toMatchObject({ bits: 0, probability: 1 });
  });

  test("is corrected by how often the symbols came together, the least probable first, from the lowest level on", () => {
    const probabilities = [0.5, 0.25];
    const factors = factorsOf(["a", "b"], probabilities, REST, (symbols) => {
      expect(symbols).toEqual(["b", "a"]);
      return [3, 1, 1, 1, 1, 0, 0, 0, 0];
    });
    expect(factors).toEqual([
      {
        symbol: "b",
        prior: 0.25,
        levels: [
          { level: 1, places: 3, holding: 1 },
          { level: 2, places: 1, holding: 1 },
        ],
        factor: (1 + (1 + 0.25) / 4) / 2,
      },
      // Behind level 2 no event held b.
      {
        symbol: "a",
        prior: 0.5,
        levels: [
          { level: 1, places: 1, holding: 1 },
          { level: 2, places: 1, holding: 0 },
        ],
        factor: (0 + (1 + 0.5) / 2) / 2,
      },
    ]);
    const { probability } = surpriseFrom(["a", "b"], probabilities, factors, []);
    expect(probability).toBe((factors[0]?.factor ?? 0) * (factors[1]?.factor ?? 0));
  });

  test("of one symbol is what the forecast says, and asks nothing", () => {
    const ask = () => {
      throw new Error("asked");
    };
    expect(factorsOf(["a"], [0.3], REST, ask)).toEqual([{ symbol: "a", prior: 0.3, levels: [], factor: 0.3 }]);
  });

  test("takes equal symbols by code point, whatever the event's order", () => {
    const order = (symbols: string[]) =>
      factorsOf(symbols, [0.5, 0.5, 0.5], REST, () => []).map(({ symbol }) => symbol);
    expect(order(["\u{1f600}", "\uff5e", "a"])).toEqual(["a", "\uff5e", "\u{1f600}"]);
    expect(order(["a", "\u{1f600}", "\uff5e"])).toEqual(["a", "\uff5e", "\u{1f600}"]);
  });

  test("names the symbols without a probability, and gives each half an occurrence's part of what the rules leave", () => {
    expect(surpriseOf(["x", "a", "y"], [0, 0.5, 0])).toMatchObject({
      probability: 0.01 * 0.01 * 0.5,
      unexpected: ["x", "y"],
    });
    expect(surpriseOf(["x"], [0], { rest: 1, occurrences: 1 }).probability).toBe(0.5);
  });

  test("is finite for any event", () => {
    expect(surpriseOf(["a"], [2 ** -1074])).toMatchObject({ bits: 1022, probability: 2 ** -1022 });
    expect(surpriseOf(["a", "b"], [2 ** -900, 2 ** -900])).toMatchObject({ bits: 1022, probability: 2 ** -1022 });
  });

  test("never has a probability above 1, or bits below 0", () => {
    const { bits, probability } = surpriseOf(["a"], [1 + 2 ** -52]);
    expect([Object.is(bits, 0), probability]).toEqual([true, 1]);
  });
});
