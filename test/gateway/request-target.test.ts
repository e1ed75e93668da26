import { describe, expect, it } from "vitest";
import { checkSessionPath, targetOf } from "../../src/gateway/request-target";

const target = (url: string, host?: string) =>
  targetOf({ url, headers: new Headers(host === undefined ? {} : { host }) });

describe("the target of a request", () => {
  it.each([
    ["/P1/sessions/../observe?a=1", "localhost:8787", "http://localhost:8787/P1/sessions/../observe?a=1"],
    ["//P1/observe", "localhost", "http://localhost//P1/observe"],
    ["https://a.example/P1/%2e%2e", "localhost", "https://a.example/P1/%2e%2e"],
    ["HTTP://a.example/P1", undefined, "HTTP://a.example/P1"],
    ["/", "[::1]:80", "http://[::1]:80/"],
  ])("%s at the host %s is as it was written", (url, host, text) => {
    expect(target(url, host)).toEqual({ text, url: new URL(text) });
  });

  it.each([
    ["/P1/time", undefined],
    ["/P1/time", ""],
    ["/P1/time", "a b"],
    ["/P1/time", "["],
    ["/P1/time", "a@localhost"],
    ["/P1/time", "localhost/P2/time?"],
    ["/P1/time", "localhost:99999"],
    ["P1/time", "localhost"],
    ["*", "localhost"],
    ["ftp://localhost/P1", "localhost"],
    ["http://", "localhost"],
  ])("%s at the host %s is none", (url, host) => {
    expect(target(url, host)).toBeUndefined();
  });
});

describe("the path of a session", () => {
  const check = (path: string) => checkSessionPath(`http://localhost${path}`);

  it.each([
    "/P1/observe",
    "/P1/../P1/observe",
    "/P1/%2e/observe",
    "/P1\\observe",
    "/P1/sessions",
    "/P1/sessions/",
    "/P1/sessions/s/observe?a=/../b#/../c",
    "/P1/sessions/...%2e/observe",
    "/P1/sessions/.a/observe",
    "/P1/sessions/a%2f..%2fb/observe",
    "/P1/sessions/%252e%252e/observe",
    "/P1/sessions/%EF%BF%BD/observe",
    "/P1/sessions/\u00fc/observe",
    "/P1/observe?a=/sessions/../b",
  ])("%s is read as it is written", (path) => {
    expect(() => check(path)).not.toThrow();
  });

  it.each([
    ["/P1/sessions/../observe", ".."],
    ["/P1/sessions/./observe", "."],
    ["/P1/sessions/%2e%2E/observe", "%2e%2E"],
    ["/P1/sessions/.%2e/observe", ".%2e"],
    ["/P1/sessions/%2e/observe", "%2e"],
    ["/P1/sessions/..", ".."],
    ["/P1/sessions/../", ".."],
    ["/P1/sessions/..?a=1", ".."],
    ["/P1/sessions/s/../../observe", ".."],
    ["/P1/sessions/s/../t/observe", ".."],
    ["/P1\\sessions\\..\\observe", ".."],
    ["/P1/sessions/a\\../observe", ".."],
    ["/x/../P1/sessions/../observe", ".."],
    ["/P1/sessions/../sessions/../observe", ".."],
  ])("%s is refused, because it would lead elsewhere", (path, segment) => {
    expect(() => check(path)).toThrow(
      expect.objectContaining({
        http: 400,
        message: `the path has the segment "${segment}" after sessions; no session is named . or ..`,
      }),
    );
  });

  it.each(["/P1/sessions/a\\observe", "/P1/sessions/\ufffd/observe"])("%s is refused", (path) => {
    expect(() => check(path)).toThrow(
      expect.objectContaining({
        http: 400,
        message: expect.stringMatching(/^a session's name must stand in the path as percent-encoded UTF-8, got "\//),
      }),
    );
  });
});
