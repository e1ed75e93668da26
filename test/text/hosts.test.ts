import { describe, expect, test } from "vitest";
import { isBelow, isLoopback, withoutRootDot } from "../../src/text/hosts";

describe("a host", () => {
  test.each(["localhost", "127.0.0.1", "127.255.0.9", "[::1]"])("%s means this machine", (host) => {
    expect(isLoopback(host)).toBe(true);
  });

  test.each(["a.localhost", "localhost.a", "128.0.0.1", "127.0.0.1.a", "[::2]", "::1", ""])("%j may not", (host) => {
    expect(isLoopback(host)).toBe(false);
  });

  test.each([
    ["a.example.org", true],
    ["a.b.example.org", true],
    ["example.org", false],
    ["notexample.org", false],
    [".example.org", true],
    ["example.org.a", false],
    ["org", false],
    ["", false],
  ])("%s is below example.org: %s", (host, is) => {
    expect(isBelow(host, "example.org")).toBe(is);
  });

  test.each([
    ["example.org.", "example.org"],
    ["example.org", "example.org"],
    ["", ""],
  ])("%j without the root's dot is %j", (host, expected) => {
    expect(withoutRootDot(host)).toBe(expected);
  });
});
