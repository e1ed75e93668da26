import { describe, expect, it } from "vitest";
import { checkSessionPath, targetOf } from "../../src/gateway/request-target";
import { fc } from "../support/property";

const target = (url: string, host?: string) =>
  targetOf({ url, headers: new Headers(host === undefined ? {} : { host }) });

function urlOf(text: string): (URL & { readonly url?: URL }) | undefined {
  try {
    return new URL(text);
  } catch {
    return undefined;
  }
}

/** What is compared of a target, and of a URL. */
function shown(one: { hostname: string; pathname: string; url?: URL } | undefined): string {
  return one === undefined ? "none" : `${one.hostname} ${one.pathname} ${one.url ?? one}`;
}

describe("the target of a request", () => {
  it.each([
    ["/P1/sessions/../observe?a=1", "localhost:8787", "http://localhost:8787/P1/sessions/../observe?a=1"],
    ["//P1/observe", "localhost", "http://localhost//P1/observe"],
    ["https://a.example/P1/%2e%2e", "localhost", "https://a.example/P1/%2e%2e"],
    ["HTTP://a.example/P1", undefined, "HTTP://a.example/P1"],
    ["/", "[::1]:80", "http://[::1]:80/"],
  ])("%s at the host %s is as it was written", (url, host, text) => {
    const { hostname, pathname } = new URL(text);
    expect(target(url, host)).toMatchObject({ text, hostname, pathname, url: new URL(text) });
  });

  it("has the host and the path of its URL, the second time too, when its host is known", () => {
    const hosts = fc.constantFrom(
      ...["localhost", "LocalHost.", "127.0.0.1:8787", "127.1", "0x7f.1", "a.example:80", "[::1]", "[0:0::1]:8080"],
      ...["a_b", "%61.example", "\u00fc.example", "a b", "a@b", "localhost:99999", "256.1.1.1", "[", ""],
    );
    const pieces = ["/", "/", "P1", "observe", "a-b_c~", "..", ".", "%2e", "%41", "?q=/x", "#f", "\\", "\u00fc", " "];
    const paths = fc.array(fc.constantFrom(...pieces), { maxLength: 6 });
    const wrong: string[] = [];
    const check = (scheme: string, host: string, path: readonly string[]) => {
      const text = `${scheme}://${host}/${path.join("")}`;
      const wanted = shown(urlOf(text));
      for (let time = 0; time < 2; time++) if (shown(target(text)) !== wanted) wrong.push(text);
    };
    fc.assert(fc.property(fc.constantFrom("http", "https", "HTTP"), hosts, paths, check), { numRuns: 3_000 });
    expect(wrong).toEqual([]);
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
