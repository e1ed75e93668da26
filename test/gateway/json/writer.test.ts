import { describe, expect, it } from "vitest";
import { number, numbers, object, text } from "../../../src/gateway/json/writer";

describe("canonical JSON", () => {
  it("sorts members, keeps names that objects reorder or swallow, and writes none twice", () => {
    const members = [
      ["b", "1"],
      ["__proto__", "2"],
      ["10", "3"],
      ["9", "4"],
      ["B", "5"],
    ] as const;
    expect(object(members)).toBe('{"10":3,"9":4,"B":5,"__proto__":2,"b":1}');
    expect(object([])).toBe("{}");
  });

  it("writes numbers in the shortest form, whole ones without a fraction, -0 as 0", () => {
    expect([1, -0, 0.1, 1e21, 5e-324, 100, 1.5e-7, 123456789012345680000].map(number)).toEqual([
      "1",
      "0",
      "0.1",
      "1e+21",
      "5e-324",
      "100",
      "1.5e-7",
      "123456789012345680000",
    ]);
    expect(numbers([1, -0, 2.5])).toBe("[1,0,2.5]");
  });

  it("escapes only what JSON must", () => {
    expect(text('a"\\/\u0001\n\u2028é')).toBe('"a\\"\\\\/\\u0001\\n\u2028é"');
  });
});
