/** Where calls go, and what is refused before anything is sent. */

import { describe, expect, test } from "vitest";
import { type Connection, connect, getModel, getSymbol, observe, processor, session } from "../../src/client";
import { ADDRESS, KEY, okay, scripted } from "../support/client/scripted-server";

const NEVER_SENT = () => {
  throw new Error("a request was sent");
};

const withAddress = (address: string | URL, agent?: string) =>
  connect({ address, key: KEY, ...(agent === undefined ? {} : { agent }) });

describe("connect", () => {
  test.each([
    ["http://127.0.0.1:8787", undefined, "http://127.0.0.1:8787"],
    ["http://127.0.0.1:8787/", undefined, "http://127.0.0.1:8787"],
    [new URL("https://noema.example/below/"), undefined, "https://noema.example/below"],
    ["http://localhost:8787", "kitchen", "http://kitchen.localhost:8787"],
    ["https://noema.example", "lab-2", "https://lab-2.noema.example"],
  ])("to %s with the agent %s calls %s", (address, agent, base) => {
    expect(withAddress(address, agent).base).toBe(base);
  });

  test.each([
    "noema.example",
    "ftp://noema.example",
    "",
    "http://user:secret@noema.example",
    "http://x/?a=b",
    "http://x/#a",
  ])("refuses the address %s and does not repeat it", (address) => {
    expect(() => withAddress(address)).toThrow(
      new TypeError("address must be a URL of http or https, without a user, a query and a fragment"),
    );
  });

  test.each([
    ["http://127.0.0.1", "kitchen", "an agent is named by a host"],
    ["http://[::1]:8787", "kitchen", "an agent is named by a host"],
    ["http://localhost", "Kitchen", "agent must be a label of a host"],
    ["http://localhost", "a.b", "agent must be a label of a host"],
    ["http://localhost", "", "agent must be a label of a host"],
  ])("refuses %s with the agent %s", (address, agent, message) => {
    expect(() => withAddress(address, agent)).toThrow(message);
  });

  test.each(["", "two words", "schlüssel", "line\nbreak"])("refuses the key %j without repeating it", (key) => {
    expect(() => connect({ address: ADDRESS, key })).toThrow(
      new TypeError("key must be a string of one or more visible ASCII characters"),
    );
  });

  test.each([
    [{ timeout: -1 }, "timeout must be a whole number from 0 to 2147483647, got -1"],
    [{ timeout: 2 ** 31 }, "timeout must be"],
    [{ retries: 1.5 }, "retries must be a whole number from 0 to 100, got 1.5"],
    [{ retries: 101 }, "retries must be"],
    [{ firstPause: Number.NaN }, "firstPause must be"],
    [{ longestPause: Number.POSITIVE_INFINITY }, "longestPause must be"],
  ] satisfies [Partial<Connection>, string][])("refuses %o", (options, message) => {
    expect(() => connect({ address: ADDRESS, key: KEY, ...options })).toThrow(message);
    expect(() => connect({ address: ADDRESS, key: KEY, ...options })).toThrow(RangeError);
  });

  test("shows the key in no member, so that no log has it", () => {
    const p1 = processor(connect({ address: ADDRESS, key: KEY }), "P1");
    expect(JSON.stringify(p1)).not.toContain(KEY);
    expect(Object.values(p1.noema).map(String).join()).not.toContain(KEY);
  });
});

describe("names", () => {
  test.each([
    ["P1", "/P1"],
    ["a b", "/a%20b"],
    ["a/b", "/a%2Fb"],
    ["...", "/..."],
    ["ü", "/%C3%BC"],
  ])("a processor %s is at %s", (name, path) => {
    expect(processor(connect({ address: ADDRESS, key: KEY }), name).path).toBe(path);
  });

  test.each(["", ".", "..", "\ud800"])("refuses a processor %j", (name) => {
    expect(() => processor(connect({ address: ADDRESS, key: KEY }), name)).toThrow(TypeError);
  });

  test.each([
    "",
    ".",
    "..",
    "\udc00",
    "a\u0000b",
    "a\u007f",
    "a\u0085",
    "x".repeat(129),
    "ü".repeat(65),
  ])("refuses a session %j", (name) => {
    const p1 = processor(connect({ address: ADDRESS, key: KEY }), "P1");
    expect(() => session(p1, name)).toThrow(TypeError);
  });

  test.each(["x".repeat(128), "ü".repeat(64), "a/b?c#d%2e", "..."])("takes a session %s", (name) => {
    const p1 = processor(connect({ address: ADDRESS, key: KEY }), "P1");
    expect(session(p1, name).path).toBe(`/P1/sessions/${encodeURIComponent(name)}`);
  });

  test("refuses a model or a symbol that fetch would fold away, before a request is made", async () => {
    const p1 = processor(connect({ address: ADDRESS, key: KEY, fetch: NEVER_SENT }), "P1");
    for (const name of ["", ".", ".."]) {
      await expect(getModel(p1, name)).rejects.toThrow("the name of a model must be a string");
      await expect(getSymbol(p1, name)).rejects.toThrow("a symbol must be a string");
    }
  });

  test("a session's calls go below it", async () => {
    const { noema, requests } = scripted(() => okay({}));
    await observe(session(processor(noema, "P1"), "device 7"), { strings: ["a"] });
    expect(requests[0]?.url).toBe(`${ADDRESS}/P1/sessions/device%207/observe`);
  });
});
