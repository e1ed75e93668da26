import { describe, expect, it } from "vitest";
import { JsonStream } from "../../../src/gateway/json/stream";
import { refusalOf } from "../../../src/gateway/refusal";
import { processorTime } from "../../support/processor-time";

/** The text in pieces of a length, some of them empty. */
async function* pieces(source: string, length: number): AsyncGenerator<string, void, void> {
  for (let i = 0; i < source.length; i += length) {
    yield source.slice(i, i + length);
    yield "";
  }
}

/** Reads a text down to a depth by stepping and below it whole, and builds its value. */
async function read(source: string, length: number, depth: number): Promise<unknown> {
  const stream = new JsonStream(pieces(source, length));
  const value = await valueAt(stream, depth);
  await stream.end();
  return value;
}

async function valueAt(stream: JsonStream, depth: number): Promise<unknown> {
  const first = depth === 0 ? "" : await stream.peek();
  if (first === "[") {
    const list: unknown[] = [];
    for await (const i of stream.elements()) list[i] = await valueAt(stream, depth - 1);
    return list;
  }
  if (first === "{") {
    const members: [string, unknown][] = [];
    for await (const name of stream.members()) members.push([name, await valueAt(stream, depth - 1)]);
    return Object.fromEntries(members);
  }
  return (await stream.value()).value;
}

async function refused(source: string, length: number, depth: number): Promise<string> {
  try {
    return `accepted ${JSON.stringify(await read(source, length, depth))}`;
  } catch (reason) {
    const { http, message } = refusalOf(reason);
    return `${http} ${message}`;
  }
}

const VALID = [
  '{"a":{"b":[1,-2.5e3,"x\\"}]\\\\",{"c":null}],"é":"\u{1f600}"},"d":[],"e":{},"f":true}',
  ' \n[ 1 , [ [ ] , { } ] ,\t"\\\\" , "{[\\"" ]\r\n ',
  '"alone"',
  "12",
  "  null ",
  "[]",
  "{}",
  '{"":{"":""}}',
];

const BROKEN = [
  "",
  " ",
  "{",
  "[1",
  '{"a"',
  '{"a":',
  '{"a":1',
  '{"a":1,',
  "[1,]",
  '{"a":1,}',
  "[1 2]",
  '{"a" 1}',
  "{a:1}",
  "[1]]",
  "1 2",
  '"x',
  '"x\\',
  '["\\x"]',
  "[tru]",
  '{"a":[1}]',
  "{]",
  "[:]",
  "[,1]",
  "[1,,2]",
  "{1:2}",
  '{"a"::1}',
  "[01]",
  "\u00a0[]",
];

describe("a JSON stream", () => {
  it.each(VALID)("is read as JSON.parse reads it: %s", async (source) => {
    for (const length of [1, 2, 3, 7, 1000]) {
      for (const depth of [0, 1, 2, 3, 9]) expect(await read(source, length, depth)).toEqual(JSON.parse(source));
    }
  });

  it.each(BROKEN)("is refused where JSON.parse refuses it: %j", async (source) => {
    expect(() => JSON.parse(source)).toThrow();
    for (const length of [1, 3, 1000]) {
      for (const depth of [0, 1, 2, 9])
        expect(await refused(source, length, depth)).toMatch(/^400 the body is not valid JSON at /);
    }
  });

  it("names the position in the whole text", async () => {
    expect(await refused('{"a":[1,2],"b":[tru]}', 4, 1)).toContain("at position 16");
    expect(await refused('{"a":[1,2],"b":[1}', 4, 2)).toContain("at position 17");
    expect(await refused('{"a":[1,2],"b":"xyz', 4, 1)).toContain("at position 19: the text ends too early");
    expect(await refused("[1,2] 3", 4, 1)).toContain("at position 6: end of file expected");
  });

  it("refuses half of a surrogate pair in names and values", async () => {
    expect(await refused('{"\\ud83d":1}', 3, 1)).toMatch(/^400 .*half of a surrogate pair/);
    expect(await refused('{"a":["\\ud83d"]}', 3, 1)).toMatch(/^400 .*half of a surrogate pair/);
  });

  it("gives a repeated name each time it occurs", async () => {
    const names: string[] = [];
    const stream = new JsonStream(pieces('{"a":1,"a":2}', 2));
    for await (const name of stream.members()) names.push(`${name}=${(await stream.value()).value}`);
    expect(names).toEqual(["a=1", "a=2"]);
  });

  it("refuses a value that is too long to be held", async () => {
    async function* endless(): AsyncGenerator<string, void, void> {
      yield '["';
      for (;;) yield "x".repeat(1024 * 1024);
    }
    const stream = new JsonStream(endless());
    await expect(stream.value()).rejects.toThrow("a value of the body is longer than 16777216 characters");
  });

  it("reads a long value in pieces in linear time", async () => {
    const source = JSON.stringify(["x".repeat(4_000_000), 1]);
    const used = processorTime();
    expect(((await new JsonStream(pieces(source, 1000)).value()).value as string[])[0]?.length).toBe(4_000_000);
    expect(used()).toBeLessThan(5_000);
  });
});
