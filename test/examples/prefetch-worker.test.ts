/**
 * The Worker of examples/ that has Noema as a service binding: two Workers in Miniflare, joined as the wrangler.toml of
 * each says. Takes 30 s: 120 visits go through two Workers, page by page.
 */

import type { Miniflare, WorkerOptions } from "miniflare";
import { describe, expect, onTestFinished, test } from "vitest";
import { numbersIn, runExample } from "../support/examples/example-run";

const SHOP = "https://shop.example";
const LONG_MS = 60_000;
/** A Worker that keeps a call for ever, and one that breaks. */
const SILENT = "export default { fetch: () => new Promise((resolve) => setTimeout(resolve, 60_000)) }";
const BROKEN = 'export default { fetch() { throw new Error("broken"); } }';

/** The example is plain JavaScript, without types. */
async function startWorkers(behind?: Partial<WorkerOptions>): Promise<Miniflare> {
  const example = await import(new URL("../../examples/prefetch-worker/two-workers.mjs", import.meta.url).href);
  return example.startWorkers(behind);
}

let workers: Miniflare;

/** Starts the Workers of one test. */
async function begin(behind?: Partial<WorkerOptions>): Promise<void> {
  workers = await startWorkers(behind);
  onTestFinished(() => workers.dispose());
}

interface Opened {
  readonly status: number;
  readonly cookie: string;
  /** The page in the hint; `null` without a hint. */
  readonly hint: string | null;
}

async function open(page: string, cookie = ""): Promise<Opened> {
  const answer = await workers.dispatchFetch(SHOP + page, { headers: { cookie } });
  await answer.arrayBuffer();
  const [set = ""] = answer.headers.get("set-cookie")?.split(";") ?? [];
  return { status: answer.status, cookie: set, hint: answer.headers.get("link") };
}

/** Opens the pages of one visit, and closes the last. */
async function visit(...pages: string[]): Promise<void> {
  let cookie = "";
  for (const page of pages) ({ cookie } = await open(page, cookie));
  const answer = await workers.dispatchFetch(`${SHOP}/visit-ended`, { method: "POST", headers: { cookie } });
  expect([answer.status, answer.headers.get("set-cookie")]).toEqual([204, "visit=; Max-Age=0; Path=/"]);
}

describe("with Noema behind it", () => {
  test("hints at the page that earlier visitors opened next, for each visitor by their own visit", async () => {
    await begin();
    await visit("/", "/shoes", "/cart", "/pay");
    await visit("/gifts", "/toys", "/cart", "/wrapping");
    // Under way at the same time, in sessions of their own.
    const hints = async () => {
      const first = await open("/");
      const second = await open("/gifts");
      expect(second.cookie).not.toBe(first.cookie);
      await open("/shoes", first.cookie);
      await open("/toys", second.cookie);
      const carts = [await open("/cart", first.cookie), await open("/cart", second.cookie)];
      expect(carts.map(({ cookie }) => cookie)).toEqual([first.cookie, second.cookie]);
      return [first, second, ...carts].map(({ hint }) => hint);
    };
    // Visits are learned in the background, and on a busy machine a guess may come too late.
    const next = ["/shoes", "/toys", "/pay", "/wrapping"].map((page) => `<${page}>; rel=prefetch`);
    await expect.poll(hints, { timeout: LONG_MS }).toEqual(next);
    await visit("/menu", "/caf%C3%A9", "/menu", "/caf%C3%A9");
    await expect.poll(async () => (await open("/menu")).hint).toBe("</caf%C3%A9>; rel=prefetch");
  });

  test("takes no name for a visit but its own", async () => {
    await begin();
    const { cookie, status } = await open("/", "visit=..");
    expect(status).toBe(200);
    expect(cookie).toMatch(/^visit=[0-9a-f-]{36}$/);
  });
});

test.each([
  ["is silent", SILENT],
  ["is broken", BROKEN],
])("serves pages without a hint, and soon, while Noema %s", async (_, script) => {
  await begin({ modules: true, script });
  await open("/");
  const started = performance.now();
  expect(await open("/cart")).toMatchObject({ status: 200, hint: null });
  expect(performance.now() - started).toBeLessThan(10_000);
});

test("the command of its README prints how often the hint was right, here of fewer visitors", {
  timeout: 300_000,
}, async () => {
  const { code, output } = await runExample("", process.execPath, "examples/prefetch-worker/try.mjs", "120");
  expect(code, output).toBe(0);
  const [clicks = 0, hints = 0, right = 0] = numbersIn(
    output,
    /^Before (\d+) clicks it gave (\d+) hints; (\d+) were the page that came next \([\d.]+ %\)\.$/m,
  );
  const [popular = 100] = numbersIn(output, /^The most popular page .* right for ([\d.]+) %\.$/m);
  expect(clicks).toBeGreaterThan(250);
  // On a busy machine, some guesses come too late.
  expect(hints).toBeGreaterThan(clicks / 2);
  expect(right / hints).toBeGreaterThan(0.6);
  expect(popular).toBeLessThan(20);
});
