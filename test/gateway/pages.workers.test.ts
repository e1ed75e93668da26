/** The pages inside workerd under Miniflare, as those who test their own programs with Noema get them. */

import { SELF } from "cloudflare:test";
import { expect, test } from "vitest";

test.each(["gzip", "identity"])("the reference is served to a client that takes %s", async (encoding) => {
  const response = await SELF.fetch("http://127.0.0.1:8787/docs", { headers: { "accept-encoding": encoding } });
  expect([response.status, response.headers.get("content-type")]).toEqual([200, "text/html; charset=utf-8"]);
  expect(await response.text()).toContain("<h1>Reference</h1>");
});
