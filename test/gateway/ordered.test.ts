import { describe, expect, it } from "vitest";
import { printOrdered, readOrdered } from "../../src/gateway/json/source-order";

function print(source: string, ...way: (string | number)[]): string {
  return printOrdered(readOrdered(source), way, "body");
}

describe("ordered re-printing", () => {
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
