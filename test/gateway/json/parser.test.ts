import { describe, expect, it } from "vitest";
import { parseJson } from "../../../src/gateway/json/parser";
import { refusalOf } from "../../../src/gateway/refusal";

describe("malformed JSON", () => {
  const cases: [source: string, message: string][] = [
    ['{"a":1,}', "the body is not valid JSON at position 7 (line 1, column 8): property name expected"],
    ['{"a" 1}', "the body is not valid JSON at position 5 (line 1, column 6): colon expected"],
    ['{\n"a":1\n"b":2}', "the body is not valid JSON at position 8 (line 3, column 1): comma expected"],
    [
      '{"a":NaN}',
      "the body is not valid JSON at position 5 (line 1, column 6): NaN and Infinity are not accepted, numbers must be finite",
    ],
    [
      "[1, -Infinity]",
      "the body is not valid JSON at position 4 (line 1, column 5): NaN and Infinity are not accepted, numbers must be finite",
    ],
    ["[1,2", "the body is not valid JSON at position 4 (line 1, column 5): close bracket expected"],
    ["   ", "the body is blank; it must be JSON"],
    ["{".repeat(5000), "the body is nested deeper than 100 levels"],
  ];
  it.each(cases)("names the position in %j", (source, message) => {
    expect(() => parseJson(source, 0, "")).toThrow(message);
  });

  it("finds half of a surrogate pair among very many values", () => {
    const many = `["\\ud800",${'"a",'.repeat(300_000)}"b"]`;
    expect(() => parseJson(many, 0, "")).toThrow("[0] holds half of a surrogate pair");
  });

  it("finds half of a surrogate pair behind whole ones, in names and after escaped backslashes", () => {
    const pair = "\\ud83d\\ude00";
    expect(parseJson(`["${pair}", "\\\\ud800"]`, 0, "")).toEqual(["\u{1f600}", "\\ud800"]);
    expect(() => parseJson(`{"a":["${pair}","${pair}\\ud83d"]}`, 0, "")).toThrow("a[1] holds half of a surrogate pair");
    expect(() => parseJson(`{"a":{"\\udc00":1}}`, 0, "data")).toThrow(
      'data.a["\\udc00"] holds half of a surrogate pair',
    );
    expect(() => parseJson(`["\\ud83d${pair}"]`, 0, "")).toThrow("[0] holds half of a surrogate pair");
  });

  it("does not look for the place of a mistake behind a million ends of lines", () => {
    const parse = (lines: number) => () => parseJson(`${"\n".repeat(lines)}x`, 0, "");
    expect(parse(1_000_001)).toThrow(/^the body is not valid JSON: SyntaxError: /);
    expect(parse(1000)).toThrow("the body is not valid JSON at position 1000 (line 1001, column 1): invalid symbol");
  });

  it("names a position wherever a valid text is damaged", () => {
    const valid = '{"data":{"strings":["a\\u00e9",""],"vectors":[[1.5,-2e-3]],"metadata":{"x":[null,true]}}}';
    const broken = [...valid].flatMap((_, i) => [
      valid.slice(0, i + 1),
      `${valid.slice(0, i)}\u0007${valid.slice(i)}`,
      `${valid.slice(0, i)}#${valid.slice(i + 1)}`,
    ]);
    const messages = broken.filter((source) => !isJson(source)).map(messageOf);
    expect(messages.length).toBeGreaterThan(200);
    for (const message of messages) expect(message).toMatch(/position \d+ \(line \d+, column \d+\)/);
  });
});

function isJson(source: string): boolean {
  try {
    JSON.parse(source);
    return true;
  } catch {
    return false;
  }
}

function messageOf(source: string): string {
  try {
    return `accepted: ${parseJson(source, 0, "")}`;
  } catch (reason) {
    return refusalOf(reason).message;
  }
}
