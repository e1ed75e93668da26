/** The pages without a key, from the bundle that is deployed. */

import { afterAll, beforeAll, expect, test } from "vitest";
import { exchange } from "../support/server/http-exchange";
import { Server } from "../support/server/server";

let server: Server;

beforeAll(async () => {
  server = await Server.start();
});

afterAll(() => server.discard());

test.each(["/", "/openapi.json"])("GET %s answers anyone, also with a body, and HEAD says as much", async (path) => {
  const get = await exchange(server.address, { method: "GET", path, key: null });
  expect([get.status, JSON.parse(get.text)]).toEqual([200, expect.any(Object)]);
  const withBody = await exchange(server.address, { method: "GET", path, key: null, body: { data: 1 } });
  expect([withBody.status, withBody.text]).toEqual([200, get.text]);
  const head = await exchange(server.address, { method: "HEAD", path, key: null });
  expect([head.status, head.text, head.headers.etag]).toEqual([200, "", get.headers.etag]);
  const headers = { "if-none-match": get.headers.etag ?? "" };
  const again = await exchange(server.address, { method: "GET", path, key: null, headers });
  expect([again.status, again.text]).toEqual([304, ""]);
});

test("people get the page at / as HTML", async () => {
  const headers = { accept: "text/html,application/xhtml+xml;q=0.9,*/*;q=0.8" };
  const answer = await exchange(server.address, { method: "GET", path: "/", key: null, headers });
  expect([answer.status, answer.headers["content-type"]]).toEqual([200, "text/html; charset=utf-8"]);
  expect(answer.text).toContain("<h1>Is this reading normal, and what comes next?</h1>");
});

test("the reference and its guides are there, gzipped for those who take that, and byte for byte the same", async () => {
  const paths = [
    "/docs",
    "/docs/",
    "/docs/reference/genes",
    "/docs/guides",
    "/docs/guides/genes",
    "/docs/style.css",
    "/docs/page.js",
  ];
  for (const path of paths) {
    const plain = await fetch(`${server.address}${path}`, { headers: { "accept-encoding": "identity" } });
    const gzipped = await fetch(`${server.address}${path}`, { headers: { "accept-encoding": "gzip" } });
    expect([plain.status, plain.headers.get("content-encoding")]).toEqual([200, null]);
    expect([gzipped.status, gzipped.headers.get("content-encoding")]).toEqual([200, "gzip"]);
    // fetch has unpacked it.
    const text = await plain.text();
    expect(await gzipped.text()).toBe(text);
    expect(text.length).toBeGreaterThan(1000);
    const raw = await exchange(server.address, { method: "HEAD", path, key: null });
    expect([raw.status, raw.text, raw.headers.etag]).toEqual([200, "", plain.headers.get("etag")]);
  }
});
