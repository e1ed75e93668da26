/** Operate in a real browser, against a served Noema with traffic: what happens, what goes wrong and what it costs can be seen. */

import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { browserMissing, startBrowser } from "../support/browser/browser";
import { expectSound, openConsole, setHidden, stopClock, untilRead } from "../support/browser/console-page";
import { makeStateDir, Server } from "../support/server/server";
import { ServedStream } from "../support/server/stream";

const missing = browserMissing();
if (missing !== undefined) console.error(`The tests in a browser are left out: ${missing}.`);

const PROCESSOR = "/p46b6b076c";
const SECRET = "what a device sends";

describe.runIf(missing === undefined)("the view Operate", () => {
  let server: Server;
  let browser: Browser;
  let page: Page;
  let complaints: readonly string[];

  async function visit(fragment: string): Promise<void> {
    await page?.close();
    ({ page, complaints } = await openConsole(browser, server, fragment));
  }

  const okay = (path: string, body: unknown) => server.okay(`POST ${PROCESSOR}/${path}`, body);

  /** The newest value of a line, unshortened; `undefined` while it has none. */
  async function newest(chart: string, line: string): Promise<number | undefined> {
    const figure = page.getByRole("figure").filter({ has: page.getByRole("heading", { name: chart, exact: true }) });
    const value = figure.locator("dl > div").filter({ hasText: line }).locator("dd");
    const title = await value.getAttribute("title");
    return title === null ? undefined : Number(title);
  }

  /** Has the page read the metrics now, as it does when the user comes back to it, and not again before the next call. */
  async function readAgain(): Promise<void> {
    const answered = page.waitForResponse((response) => response.url().endsWith("/metrics"));
    await setHidden(page, false);
    await untilRead(answered);
    await setHidden(page, true);
  }

  beforeAll(async () => {
    [server, browser] = await Promise.all([Server.start(makeStateDir(), { NOEMA_SLOW_MS: "1" }), startBrowser()]);
    await okay("sequence-observe", { data: { sequence: [{ strings: ["a"] }, { strings: ["b"] }], learn: true } });
    await okay("observe", { data: { strings: ["a"] } });
    await server.send({ method: "POST", path: `${PROCESSOR}/observe`, body: { data: { strings: [{ [SECRET]: 1 }] } } });
    await server.send({ method: "GET", path: `${PROCESSOR}/status?q=${encodeURIComponent(SECRET)}`, key: SECRET });
  });

  afterAll(async () => {
    await browser?.close();
    await server?.discard();
  });

  test("shows in numbers what happens now: requests, records, predictions, streams, frames, rows", async () => {
    await visit("#/operate");
    await expect.poll(() => page.getByText("Storage works.").count()).toBe(1);
    await expect.poll(() => newest("Streams", "streams")).toBe(0);
    const processors = page.getByRole("table", { name: /^How much each processor/ }).locator("tbody tr");
    await expect.poll(() => processors.count()).toBe(1);
    // From here on the page reads when the test says so, and not because five seconds are over.
    await setHidden(page, true);
    await stopClock(page);
    await readAgain();
    const stream = await ServedStream.open(server.address, `${PROCESSOR}/stream`);
    await stream.next();
    for (const frame of [
      { n: 1, observe: [{ strings: ["a"] }, { strings: ["b"] }], predictions: true },
      { n: 1, observe: [{ strings: ["a"] }] },
      { n: 2, observe: [{ strings: [7] }] },
    ]) {
      await stream.ask(frame);
    }
    for (let at = 0; at < 10; at++) await okay("observe", { data: { strings: [`s${at}`] } });
    await page.clock.runFor(1_000);
    await readAgain();
    await expect.poll(() => newest("Streams", "streams")).toBe(1);
    const [answered, records, predictions, taken, refused, repeated, rows] = await Promise.all([
      newest("Requests", "answered"),
      newest("Observed and learned", "records"),
      newest("Predicted", "predictions"),
      newest("Frames", "taken"),
      newest("Frames", "refused"),
      newest("Frames", "repeated"),
      newest("Rows written", "rows"),
    ]);
    // All of it happened between the same two readings, so the rates stand to each other as the counts do: one frame was taken.
    const each = Number(taken);
    expect(each).toBeGreaterThan(0);
    const counts = [records, predictions, refused, repeated].map((rate) => Number(rate) / each);
    expect(counts.map((count) => Math.round(count * 1e6) / 1e6)).toEqual([12, 1, 1, 1]);
    // The opening of the stream is a request, and the frame writes a row.
    expect(Number(answered) / each).toBeCloseTo(11, 6);
    expect(Number(rows) / each).toBeGreaterThanOrEqual(10.9);
    const picture = page.getByRole("img", {
      name: /^Observed and learned: the last 2 minutes, at most [\d.]+ a second$/,
    });
    await expect.poll(() => picture.locator("path.first").getAttribute("d")).toMatch(/^M[\d.]+ [\d.]+L/);
    stream.socket.terminate();
    expect(complaints).toEqual([]);
  });

  test("asks no more while the page cannot be seen", async () => {
    await visit("#/operate");
    await expect.poll(() => newest("Streams", "streams")).toBeDefined();
    await setHidden(page, true);
    await stopClock(page);
    let asked = 0;
    page.on("request", (request) => {
      if (request.url().endsWith("/metrics")) asked++;
    });
    await page.clock.runFor(15_000);
    expect(asked).toBe(0);
    await setHidden(page, false);
    await expect.poll(() => asked).toBe(1);
    // It leaves out a question while the one before is not answered.
    await expect
      .poll(async () => {
        await page.clock.runFor(5_000);
        return asked;
      })
      .toBeGreaterThan(1);
  });

  test("tells the requests that went wrong, filtered by the URL, and nothing that they sent", async () => {
    await visit("#/operate/requests?event=refused");
    const rows = page.getByRole("table", { name: "Newest first" }).locator("tbody tr");
    await expect.poll(() => rows.count()).toBe(1);
    expect(await rows.first().innerText()).toMatch(/refused 400\s+POST \/\{id\}\/observe\s+P1/);
    await page.getByLabel("Show").selectOption({ label: "key not accepted, 1" });
    await expect
      .poll(() => rows.first().innerText())
      .toMatch(/key not accepted 500\s+none\s+the request header X-API-KEY/);
    await expect.poll(() => page.url()).toMatch(/#\/operate\/requests\?event=key-refused$/);
    await page.getByLabel("Show").selectOption("");
    expect(await page.content()).not.toContain(SECRET);
    expect(complaints).toEqual([]);
  });

  test("says what calls have written, as the metrics have it", async () => {
    await visit("#/operate/rows?sort=calls&order=desc");
    const table = page.getByRole("table", { name: "Calls of processors, by what they wrote" });
    await expect.poll(() => table.locator("tbody tr").count()).toBeGreaterThan(3);
    const { text } = await server.send({ method: "GET", path: "/metrics" });
    const rows = await table.locator("tbody tr").allInnerTexts();
    const written = (call: string) =>
      Number(new RegExp(`noema_call_rows_written_total\\{call="${call}"\\} (\\d+)`).exec(text)?.[1]);
    const shown = rows.find((row) => row.startsWith("MemoryService/Observe\t"))?.split("\t");
    expect(Number(shown?.[2])).toBe(written("MemoryService/Observe"));
    const calls = rows.map((row) => Number(row.split("\t")[1] || -1));
    expect(calls).toEqual([...calls].sort((one, other) => other - one));
    await table.getByRole("button", { name: /^Rows a call/ }).focus();
    await page.keyboard.press("Enter");
    await expect.poll(() => page.url()).toMatch(/sort=each&order=desc$/);
  });

  test("goes on after the server was killed, and marks where it began anew", async () => {
    await visit("#/operate");
    await expect.poll(() => newest("Streams", "streams")).toBeDefined();
    process.kill(server.workerdPid, "SIGKILL");
    const restarted = page.getByText(/^The server was restarted, or another isolate answers, since /);
    await expect.poll(() => restarted.count()).toBe(1);
    await expect.poll(() => page.locator("path.restart").count()).toBeGreaterThan(0);
  });

  test.each(["", "/requests", "/rows"])("axe finds nothing wrong in operate%s", async (part) => {
    await visit(`#/operate${part}`);
    await expect.poll(() => page.getByRole("heading", { level: 2 }).count()).toBeGreaterThan(0);
    if (part === "") await expect.poll(() => page.getByRole("figure").count()).toBe(10);
    await expectSound(page);
  });
});
