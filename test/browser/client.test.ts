/** The client on a page in a real browser, against `npm start`. */

import { resolve } from "node:path";
import { build } from "esbuild";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type * as Client from "../../src/client";
import { browserMissing, openPage, startBrowser } from "../support/browser/browser";
import { Server } from "../support/server/server";

const missing = browserMissing();
if (missing !== undefined) console.error(`The tests in a browser are left out: ${missing}.`);

/** What a page finds in its global scope: the client, and the server that it came from. */
declare const noema: typeof Client;
declare const location: { readonly origin: string };

describe.runIf(missing === undefined)("the client on a page", () => {
  let server: Server;
  let browser: Browser;
  let page: Page;
  let bundle: string;

  beforeAll(async () => {
    [server, browser] = await Promise.all([Server.start(), startBrowser()]);
    page = await openPage(browser);
    const entryPoints = [resolve("dist/client/index.js")];
    const { outputFiles } = await build({ entryPoints, bundle: true, globalName: "noema", write: false });
    // An empty page of the server's origin: pages of other origins may not call it.
    const address = `${server.address}/page`;
    await page.route(address, (route) => route.fulfill({ contentType: "text/html", body: "<title>page</title>" }));
    await page.goto(address);
    bundle = outputFiles[0]?.text ?? "";
    await page.addScriptTag({ content: bundle });
  });

  afterAll(async () => {
    await browser.close();
    await server.discard();
  });

  test("observes, learns and predicts", async () => {
    const future = await page.evaluate(async () => {
      const p1 = noema.processor(noema.connect({ address: location.origin, key: "ABCD-1234" }), "P1");
      await noema.observe(p1, { strings: ["hello"] });
      await noema.observe(p1, { strings: ["world"] });
      await noema.learn(p1);
      await noema.observe(p1, { strings: ["hello"] });
      const [best] = await noema.getPredictions(p1);
      return best?.future;
    });
    expect(future).toEqual([["world"]]);
  });

  test("sends bodies with DELETE, and knowledge as a stream", async () => {
    const seen = await page.evaluate(async () => {
      const p1 = noema.processor(noema.connect({ address: location.origin, key: "ABCD-1234" }), "P1");
      await noema.addBlacklistedSymbols(p1, ["noise"]);
      const removed = await noema.removeBlacklistedSymbols(p1, ["noise"]);
      const progress: Client.Progress[] = [];
      const stream = await noema.exportKnowledgeBase(p1);
      const loaded = await noema.loadKnowledgeBase(p1, stream, { onProgress: (one) => progress.push(one) });
      return [removed, loaded, progress.at(-1)?.records];
    });
    expect(seen).toEqual(["removed-blacklisted-symbols", "success", 3]);
  });

  test("sends again what the network loses, and it counts once", async () => {
    const calls: (string | undefined)[] = [];
    await page.route("**/observe", async (route) => {
      calls.push(route.request().headers()["idempotency-key"]);
      if (calls.length === 1) return route.abort("connectionreset");
      // The server takes the second one, and its answer is lost.
      if (calls.length === 2) await route.fetch();
      return calls.length === 2 ? route.abort("connectionreset") : route.continue();
    });
    const [before, after] = await page.evaluate(async () => {
      const p1 = noema.processor(noema.connect({ address: location.origin, key: "ABCD-1234" }), "P1");
      const before = await noema.getTime(p1);
      await noema.observe(p1, { strings: ["once"] });
      return [before, await noema.getTime(p1)];
    });
    await page.unroute("**/observe");
    expect(after).toBe((before ?? 0) + 1);
    expect(calls).toHaveLength(3);
    expect(new Set(calls).size).toBe(1);
  });

  test("streams: batches, predicts, hears events, and ends for a wrong key and an unknown processor", async () => {
    // Browsers let pages that no server of this machine has sent open no WebSocket to it.
    const served = await openPage(browser);
    await served.goto(`${server.address}/health`);
    await served.addScriptTag({ content: bundle });
    const seen = await served.evaluate(async () => {
      const connection = noema.connect({ address: location.origin, key: "ABCD-1234" });
      const memory = noema.session(noema.processor(connection, "P1"), "page");
      const events: string[] = [];
      const link = noema.stream(memory, { source: "page", onEvent: ({ event }) => events.push(event) });
      await Promise.all(["hello", "world"].map((name) => link.observe({ strings: [name] })));
      await link.observe([], { learn: true });
      const { predictions } = await link.observe(
        { strings: ["hello"] },
        { predictions: { top: 1, fields: ["future"] } },
      );
      while (events.length < 4) await new Promise((later) => setTimeout(later, 10));
      await link.close();
      const wrong = noema.connect({ address: location.origin, key: "wrong" });
      const ends = [noema.processor(wrong, "P1"), noema.processor(connection, "P9")].map((one) =>
        noema.stream(one).closed.catch(({ status }) => status),
      );
      return { future: predictions?.[0]?.future, events, statuses: await Promise.all(ends) };
    });
    await served.close();
    expect(seen.future).toEqual([["world"]]);
    expect(seen.events).toEqual(["observed", "observed", "learned", "observed"]);
    expect(seen.statuses).toEqual([500, 404]);
  });

  test("ends a call that is aborted, and one that is not answered", async () => {
    await page.route("**/status", () => {});
    const failures = await page.evaluate(async () => {
      const p1 = noema.processor(noema.connect({ address: location.origin, key: "ABCD-1234", retries: 0 }), "P1");
      const textOf = (call: Promise<unknown>) => call.then(String, (error: unknown) => String(error));
      const aborted = textOf(noema.getStatus(p1, { signal: AbortSignal.timeout(100) }));
      return Promise.all([aborted, textOf(noema.getStatus(p1, { timeout: 100 }))]);
    });
    expect(failures).toEqual([
      "TimeoutError: signal timed out",
      "NoemaError: there was no answer: nothing was heard for 100 ms",
    ]);
  });
});
