import { gunzipSync, gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { pages } from "../../build/pages";
import { operations } from "../../src/gateway/operations/table";
import { routesOf } from "../../src/gateway/routes";
import { requestOf, TestGateway } from "../support/gateway/test-gateway";
import { loadedBytes } from "../support/reference/served-page";

/** What Chromium sends when a person opens an address. */
const BROWSER = "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8";

const PAGES = [
  "/",
  "/openapi.json",
  "/docs",
  "/docs/reference/genes",
  "/docs/guides",
  "/docs/search.json",
  "/docs/style.css",
  "/docs/page.js",
];

function send(method: string, path: string, headers: Record<string, string> = {}): Promise<Response> {
  const request = requestOf(method, path, { key: null });
  for (const [name, value] of Object.entries(headers)) request.headers.set(name, value);
  return new TestGateway().handle(request);
}

/** The hash by which a policy allows a script or style. */
async function hashOf(text: string): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  return `sha256-${btoa(String.fromCharCode(...new Uint8Array(digest)))}`;
}

describe("the page at /", () => {
  it.each([BROWSER, "text/html", "text/html;q=0.9, application/json;q=0.8"])("is HTML for %s", async (accept) => {
    const response = await send("GET", "/", { accept });
    expect([response.status, response.headers.get("content-type")]).toEqual([200, "text/html; charset=utf-8"]);
    expect(await response.text()).toMatch(/^<!doctype html>\n<html lang="en">/);
  });

  it.each([
    undefined,
    "*/*",
    "application/json",
    "application/json, text/html",
    "text/javascript",
    "image/png",
    "nonsense",
  ])("is JSON for %s", async (accept) => {
    const response = await send("GET", "/", accept === undefined ? {} : { accept });
    expect([response.status, response.headers.get("content-type")]).toEqual([200, "application/json; charset=utf-8"]);
    expect(await response.text()).toMatch(
      /^\{"links":\{"console":"\/console","docs":"\/docs","health":"\/health","openapi":"\/openapi\.json","ping":"\/agent\/ping"\},"name":"Noema","version":"[0-9.]+"\}$/,
    );
    expect(response.headers.get("vary")).toBe("accept, accept-encoding");
  });

  it("asks for nothing from anywhere, and its policy allows nothing else than what it holds", async () => {
    const response = await send("GET", "/", { accept: BROWSER });
    const html = await response.text();
    expect(html.match(/\s(?:src|href|action)="(?!\/|data:,")/g)).toBeNull();
    expect(html).not.toMatch(/\sstyle=|\son[a-z]+=/);
    const policy = response.headers.get("content-security-policy") ?? "";
    expect(policy).toContain("default-src 'none'");
    expect(policy).not.toContain("unsafe");
    for (const [element, directive] of [
      ["style", "style-src"],
      ["script", "script-src"],
    ] as const) {
      const text = html.match(new RegExp(`<${element}>([^]*?)</${element}>`))?.[1] ?? "no such element";
      expect(policy).toContain(`${directive} '${await hashOf(text)}'`);
    }
  });

  it("links only to paths of this server that need no key", async () => {
    const html = await (await send("GET", "/", { accept: BROWSER })).text();
    const gateway = new TestGateway();
    const links = [...html.matchAll(/href="(\/[^"]*)"/g)].map(([, path]) => path ?? "");
    expect(links).toContain("/openapi.json");
    for (const path of links) expect((await gateway.handle(requestOf("GET", path, { key: null }))).status).toBe(200);
  });
});

describe("a deployment without the files of the pages", () => {
  const absent = async () => new Response(null, { status: 404 });
  const other = async () => new Response("<!doctype html>a page for every path");

  it.each([
    ["none bound", undefined],
    ["others bound", { fetch: absent }],
    ["others bound that answer every path", { fetch: other }],
  ])("says what is missing: %s", async (_, ASSETS) => {
    const gateway = new TestGateway({ NOEMA_LOCAL: "true", ASSETS });
    for (const path of ["/", "/console", "/docs/nothing", "/openapi.json"]) {
      const response = await gateway.handle(requestOf("GET", path, { key: null }));
      expect([response.status, await response.json()]).toEqual([
        500,
        expect.objectContaining({ status: "failed", message: expect.stringContaining("Bind the folder assets") }),
      ]);
      expect([response.headers.get("cache-control"), response.headers.get("etag")]).toEqual(["no-store", null]);
    }
    expect((await gateway.handle(requestOf("GET", "/agent/ping"))).status).toBe(200);
  });
});

describe("what the pages cost", () => {
  it("is little for the Worker: each isolate carries a table of them, and no text", () => {
    const text = JSON.stringify(pages);
    expect([gzipSync(text).length < 16 * 1024, text.length < 48 * 1024]).toEqual([true, true]);
  });

  it("is little for those who read the OpenAPI document: the console does, to show genes", () => {
    expect(loadedBytes("/openapi.json")).toBeLessThan(48 * 1024);
  });

  it("is little for the reader of a page, its style and its script with it", () => {
    const files = ["/docs/style.css", "/docs/page.js"].map(loadedBytes);
    expect(Math.min(...files)).toBeGreaterThan(1000);
    const shared = files.reduce((sum, bytes) => sum + bytes);
    const isBelow = (path: string) => path.startsWith("/docs") && pages[path]?.[0].type === "text/html";
    const sizes = Object.keys(pages)
      .filter(isBelow)
      .map((path) => [path, loadedBytes(path) + shared] as const);
    expect(sizes.length).toBeGreaterThan(50);
    expect(sizes.filter(([, bytes]) => bytes >= 40 * 1024)).toEqual([]);
  });

  it("is little for the reader's first search", () => {
    expect(loadedBytes("/docs/search.json")).toBeLessThan(80 * 1024);
  });
});

describe("the pages below /docs", () => {
  it("are found with a slash at the end, too", async () => {
    for (const path of ["/docs", "/docs/reference/genes", "/docs/guides", "/docs/guides/genes"]) {
      const [plain, slashed] = [await send("GET", path), await send("GET", `${path}/`)];
      expect([plain.status, slashed.status]).toEqual([200, 200]);
      expect(await slashed.text()).toBe(await plain.text());
    }
  });

  it("load their own style and script alone, and nothing is written into their elements", async () => {
    for (const path of Object.keys(pages).filter((one) => pages[one]?.[0].type === "text/html")) {
      const response = await send("GET", path);
      const html = await response.text();
      expect([path, html.match(/<(?:link|script|img)[^>]*\s(?:src|href)="(?!\/console\/|\/docs\/|data:,")/g)]).toEqual([
        path,
        null,
      ]);
      expect([path, html.match(/<[^>]*\s(?:style|on[a-z]+)=/g)]).toEqual([path, null]);
      expect([path, html.match(/<style>/g)]).toEqual([path, null]);
      const policy = response.headers.get("content-security-policy") ?? "";
      // Only the console's page has a script within it, which sends the first requests: its policy names just that one.
      const [script, ...more] = [...html.matchAll(/<script>(.*?)<\/script>/gs)].map(([, text = ""]) => text);
      expect([path, script !== undefined, more]).toEqual([path, path === "/console", []]);
      const named = script === undefined ? "" : ` '${await hashOf(script)}'`;
      expect(policy).toContain(
        `default-src 'none'; frame-ancestors 'none'; style-src 'self'; script-src 'self'${named}; img-src`,
      );
      expect(policy).not.toContain("unsafe");
    }
  });

  it("have each id once, and links that lead somewhere", async () => {
    const texts = new Map<string, string>();
    for (const path of Object.keys(pages)) texts.set(path, await (await send("GET", path, { accept: BROWSER })).text());
    const idsOf = (path: string) => [...(texts.get(path) ?? "").matchAll(/\sid="([^"]*)"/g)].map(([, id = ""]) => id);
    for (const [path, html] of texts) {
      if (!path.startsWith("/docs") || pages[path]?.[0].type !== "text/html") continue;
      const ids = idsOf(path);
      expect([path, ids.filter((id, at) => ids.indexOf(id) !== at)]).toEqual([path, []]);
      const links = [...html.matchAll(/\s(?:href|src|srcset)="((?:\/|#)[^"]*)"/g)].map(([, link = ""]) => link);
      const broken = links.filter((link) => {
        const [target = "", anchor] = link.split("#");
        const to = target === "" ? path : target;
        return !texts.has(to) || (anchor !== undefined && !idsOf(to).includes(anchor));
      });
      expect([path, broken]).toEqual([path, []]);
    }
  });

  it("win over a processor of their name", async () => {
    const route = routesOf(operations);
    for (const place of ["", "/sessions/a"]) {
      expect(await route({ method: "POST", url: `http://localhost/doc${place}/learn` })).toBeDefined();
      const shadowed = route({ method: "POST", url: `http://localhost/docs${place}/learn` });
      await expect(shadowed).rejects.toMatchObject({ http: 404 });
    }
  });

  it("are answered by a page where there is none", async () => {
    for (const path of ["/docs/nothing", "/docs/guides/nothing", "/docs/reference/nothing", "/docs/observe"]) {
      const response = await send("GET", path);
      expect([response.status, response.headers.get("content-type")]).toEqual([404, "text/html; charset=utf-8"]);
      expect(await response.text()).toContain("There is no such page");
    }
  });
});

describe("/openapi.json", () => {
  it("is an OpenAPI document of this version", async () => {
    const response = await send("GET", "/openapi.json");
    expect([response.status, response.headers.get("content-type")]).toEqual([200, "application/json; charset=utf-8"]);
    const front = (await (await send("GET", "/")).json()) as { version: string };
    expect(await response.json()).toMatchObject({ openapi: "3.1.1", info: { title: "Noema", version: front.version } });
  });
});

describe.each(PAGES)("a page, %s,", (path) => {
  it("answers HEAD with the headers of GET", async () => {
    const [get, head] = [await send("GET", path), await send("HEAD", path)];
    expect(head.status).toBe(200);
    const own = ({ headers }: Response) => [...headers].filter(([name]) => name !== "x-request-id");
    expect(own(head)).toEqual(own(get));
  });

  it("is not sent again to a client that has it", async () => {
    const etag = (await send("GET", path)).headers.get("etag") ?? "";
    expect(etag).toMatch(/^"[\w-]{22}"$/);
    for (const known of [etag, `W/${etag}`, `"other", ${etag}`, "*"]) {
      const response = await send("GET", path, { "if-none-match": known });
      expect([response.status, await response.text(), response.headers.get("etag")]).toEqual([304, "", etag]);
    }
    expect((await send("GET", path, { "if-none-match": '"other"' })).status).toBe(200);
  });

  it("is sent gzipped to a client that takes that, with a tag that is good for both", async () => {
    const plain = await send("GET", path);
    const gzipped = await send("GET", path, { "accept-encoding": "gzip, deflate, br" });
    expect(gzipped.headers.get("content-encoding")).toBe("gzip");
    expect(plain.headers.get("content-encoding")).toBeNull();
    expect(gunzipSync(await gzipped.arrayBuffer()).toString()).toBe(await plain.text());
    const etag = gzipped.headers.get("etag") ?? "";
    expect(etag).toBe(`W/${plain.headers.get("etag")}`);
    for (const headers of [{}, { "accept-encoding": "gzip" }] as Record<string, string>[]) {
      expect((await send("GET", path, { ...headers, "if-none-match": etag })).status).toBe(304);
    }
    expect((await send("GET", path, { "accept-encoding": "gzip;q=0" })).headers.get("content-encoding")).toBeNull();
  });

  it("may not be framed, guessed at or kept without asking", async () => {
    const { headers } = await send("GET", path);
    expect(headers.get("content-security-policy")).toContain("frame-ancestors 'none'");
    expect(headers.get("x-content-type-options")).toBe("nosniff");
    expect(headers.get("cache-control")).toBe("no-cache");
  });

  it("is the same with a key that is wrong, and with a query", async () => {
    const text = await (await send("GET", path)).text();
    expect(await (await send("GET", path, { "x-api-key": "wrong" })).text()).toBe(text);
    expect(await (await send("GET", `${path}?x=1`)).text()).toBe(text);
  });

  it("refuses other methods, to those with a key", async () => {
    expect((await send("POST", path)).status).toBe(500);
    const response = await new TestGateway().handle(requestOf("POST", path));
    expect([response.status, response.headers.get("allow")]).toEqual([405, "GET"]);
  });
});

it("a path that only begins like a page is none", async () => {
  for (const path of ["/openapi.json/", "/openapi.json/status", "/openapi.jso", "//"]) {
    expect([path, (await send("GET", path)).status]).toEqual([path, 500]);
    expect([path, (await new TestGateway().handle(requestOf("GET", path))).status]).toEqual([path, 404]);
  }
});
