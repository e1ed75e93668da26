import { describe, expect, it } from "vitest";
import { Body } from "../../../src/gateway/json/body";
import { isInSourceOrder, SourceText } from "../../../src/gateway/json/source-order";
import { processorTime } from "../../support/processor-time";

function print(source: string, ...way: (string | number)[]): string {
  return new SourceText(source).ordered(way, "body");
}

describe("printing in source order", () => {
  it("keeps the sender's order of names that objects would reorder", () => {
    expect(print('{ "b":1, "10" : 2,"2":3, "__proto__":{"z":1,"a":[ ]}, "a":null }')).toBe(
      '{"b":1,"10":2,"2":3,"__proto__":{"z":1,"a":[]},"a":null}',
    );
  });

  it("gives a repeated name its first place and its last value, as parsing does", () => {
    expect(print('{"a":1,"b":2,"a":{"c":3,"c":4}}')).toBe('{"a":{"c":4},"b":2}');
    expect(print('{"data":{"x":1},"data":{"x":2}}', "data", "x")).toBe("2");
  });

  it("prints numbers as shortest doubles and strings without needless escapes", () => {
    expect(print('[1.0, -0, 1e2, 0.10, 12345678901234567890, "\\u0041\\/\\u00e9\\ud83d\\ude00"]')).toBe(
      '[1,0,100,0.1,12345678901234567000,"A/é\u{1f600}"]',
    );
  });

  it("agrees with JSON.parse on every value it prints", () => {
    const source = '{"a":[true,false,null,{"b":"\\t\\u007f"}],"c":{"d":-1.5e-3},"":""}';
    expect(JSON.parse(print(source))).toEqual(JSON.parse(source));
  });

  it("refuses a number beyond doubles, naming the member", () => {
    expect(() => print('{"a":[0,{"b c":1e999}]}')).toThrow('body.a[1]["b c"] must be a finite number');
  });
});

describe("the order of parsed members", () => {
  it.each([
    '{"b":1.0,"a":[{"c":-0,"__proto__":{"z":"\\u0041","a":null}}],"b":{"y":1,"x":[]}}',
    '[true,"10",{"01":1,"1.5":2,"-1":3,"":4,"x10":5,"toJSON":6}]',
    '"\\ud83d\\ude00\\/"',
  ])("is the source's in %s, and JSON.stringify prints the same text", (source) => {
    const value: unknown = JSON.parse(source);
    expect(isInSourceOrder(value)).toBe(true);
    expect(JSON.stringify(value)).toBe(print(source));
  });

  it.each(["0", "10", "4294967294", "4294967295"])("differs from the source's where a name is %s", (name) => {
    const source = `{"data":[{"a":{"b":1,"${name}":[2]}}]}`;
    const body = new Body(source);
    expect(isInSourceOrder(body.value)).toBe(false);
    expect(body.ordered(body.root("body"))).toBe(source);
  });

  it("does not matter where a number is too large for a double: it is refused with its path", () => {
    const body = new Body('{"a":[0,{"b c":1e999}]}');
    expect(isInSourceOrder(body.value)).toBe(false);
    expect(() => body.ordered(body.root("body"))).toThrow('body.a[1]["b c"] must be a finite number');
  });
});

describe("a text with white space everywhere", () => {
  const source =
    ' { "a" : [ ] , "b" : [ 1 , { } , "x \\" y" , [ [ true ] , null ] ] , "c d" : { "e" : -1.50 , "2" : "\\n" } } ';

  it("is printed without it", () => {
    expect(print(source)).toBe('{"a":[],"b":[1,{},"x \\" y",[[true],null]],"c d":{"e":-1.5,"2":"\\n"}}');
  });

  it.each([
    [[], '{"a":[],"b":[1,{},"x \\" y",[[true],null]],"c d":{"e":-1.50,"2":"\\n"}}'],
    [["b", 3], "[[true],null]"],
    [["c d", "e"], "-1.50"],
    [["b", 2], '"x \\" y"'],
    [["a"], "[]"],
  ])("is given at %j as it was written", (way, written) => {
    expect(new SourceText(source).written(way)).toBe(written);
  });
});

it("finds values in large objects and lists in linear time", () => {
  const members = Array.from({ length: 40_000 }, (_, at) => `"m${at}":0`).join();
  const items = Array.from({ length: 40_000 }, (_, at) => `{"1":${at}}`).join();
  const source = new SourceText(`{${members},"list":[${items}]}`);
  const used = processorTime();
  for (let at = 0; at < 40_000; at++) expect(source.ordered(["list", at], "") === `{"1":${at}}`).toBe(true);
  // Searching either of them for each value takes minutes.
  expect(used()).toBeLessThan(20_000);
});
