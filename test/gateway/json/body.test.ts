import { describe, expect, it } from "vitest";
import { Body, bodyOf, MAX_BODY_BYTES } from "../../../src/gateway/json/body";
import { REST_WITH_KEY, readRest, wholeBytes } from "../../../src/gateway/json/body-bytes";
import { refusalOf } from "../../../src/gateway/refusal";

function request(body: BodyInit | null, headers: Record<string, string> = {}): Request {
  return new Request("http://x/", { method: "POST", body, headers, duplex: "half" } as RequestInit);
}

function chunked(...chunks: (string | Uint8Array)[]): ReadableStream<Uint8Array> {
  const bytes = chunks.map((chunk) => (typeof chunk === "string" ? new TextEncoder().encode(chunk) : chunk));
  return new ReadableStream({
    pull(controller) {
      const next = bytes.shift();
      if (next === undefined) controller.close();
      else controller.enqueue(next);
    },
  });
}

async function readBody(from: Request, maxBytes = MAX_BODY_BYTES): Promise<Body> {
  return bodyOf(await wholeBytes(from, maxBytes));
}

async function refused(reading: () => unknown): Promise<string> {
  try {
    await reading();
  } catch (reason) {
    const { http, message } = refusalOf(reason);
    return `${http} ${message}`;
  }
  throw new Error("nothing was refused");
}

describe("the body of a request", () => {
  it("is undefined when there is none, or when it is empty", async () => {
    expect((await readBody(request(null))).value).toBeUndefined();
    expect((await readBody(request(""))).value).toBeUndefined();
  });

  it("is refused unparsed when it holds more than a million values", async () => {
    const most = (count: number) => `[${"[],".repeat((count - 2) / 2)}[]]`;
    expect((await readBody(request(most(1_000_000 - 2)))).value).toHaveLength(499_999);
    expect(await refused(() => readBody(request(most(1_000_002))))).toBe(
      "413 the body holds more than 1000000 values, the maximum",
    );
  });

  it("is parsed, whole or in chunks that cut characters in two", async () => {
    const bytes = new TextEncoder().encode('{"a":"é\u{1f600}"}');
    expect((await readBody(request(bytes))).value).toEqual({ a: "é\u{1f600}" });
    const parts = [...bytes].map((byte) => Uint8Array.of(byte));
    expect((await readBody(request(chunked(...parts)))).value).toEqual({ a: "é\u{1f600}" });
    expect((await readBody(request(bytes, { "content-length": String(bytes.length) }))).value).toEqual({
      a: "é\u{1f600}",
    });
  });

  it("is refused above the limit, and still read to its end", async () => {
    const stream = request(chunked("[1,2", ",3", ",4]"));
    expect(await refused(() => readBody(stream, 6))).toBe("413 the body has 9 bytes; at most 6 are accepted");
    expect(stream.bodyUsed).toBe(true);
    expect((await readBody(request(chunked("[1,2", ",3", ",4]")), 9)).value).toEqual([1, 2, 3, 4]);
  });

  it("is refused above the limit when the header declares its length", async () => {
    const declared = request("[1,2,3,4]", { "content-length": "9" });
    expect(await refused(() => readBody(declared, 8))).toBe("413 the body has 9 bytes; at most 8 are accepted");
    expect(declared.bodyUsed).toBe(true);
  });

  it.each([
    ["is not UTF-8", [0x22, 0xff, 0x22]],
    ["is compressed", [0x1f, 0x8b, 0x08, 0x00]],
  ])("is refused when it %s", async (_, bytes) => {
    expect(await refused(() => readBody(request(Uint8Array.from(bytes))))).toBe(
      "400 the body is not valid UTF-8; it must be JSON text, which only POST /restore accepts compressed",
    );
  });

  it("is refused when it holds half of a surrogate pair, in a value or in a name", async () => {
    expect(await refused(() => new Body('{"a":["x","\\ud83d"]}'))).toMatch(
      /^400 a\[1\] holds half of a surrogate pair/,
    );
    expect(await refused(() => new Body('{"a":{"\\uDE00":1}}'))).toMatch(/^400 a\["\\ude00"\] holds half/);
    expect(await refused(() => new Body('"\\ud83dx\\ude00"'))).toMatch(/^400 the body holds half/);
    expect(new Body('["\\ud83d\\ude00","\\\\ud83d"]').value).toEqual(["\u{1f600}", "\\ud83d"]);
  });

  it("is refused when it is nested deeper than 100 levels, not counting brackets in strings", () => {
    const nest = (depth: number) => "[".repeat(depth) + "]".repeat(depth);
    expect(JSON.stringify(new Body(nest(100)).value)).toBe(nest(100));
    const whole = new Body(nest(100));
    expect(whole.ordered(whole.root("body"))).toBe(nest(100));
    for (const depth of [101, 1_000_000]) expect(() => new Body(nest(depth))).toThrow("nested deeper than 100 levels");
    const text = `${nest(200)}\\"{`;
    expect(new Body(JSON.stringify({ [text]: text })).value).toEqual({ [text]: text });
    expect(new Body(JSON.stringify(Array.from({ length: 500 }, () => [{}]))).value).toHaveLength(500);
  });

  it("is drained when it has not been read, and left alone when it has", async () => {
    const unread = request(chunked("abc", "def"));
    await readRest(unread, REST_WITH_KEY);
    expect(unread.bodyUsed).toBe(true);
    await readRest(unread, REST_WITH_KEY);
    await readRest(request(null), REST_WITH_KEY);
  });
});
