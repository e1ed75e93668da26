/** The page of examples/ in a real browser: served by a plain file server, it calls Noema at another origin with a key of few rights. */

import { type ChildProcess, spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { browserMissing, openPage, startBrowser } from "../support/browser/browser";
import { exampleEnvironment, numbersIn, runExample } from "../support/examples/example-run";
import { requireOutput } from "../support/server/child-output";
import { freePort } from "../support/server/free-port";
import { Server } from "../support/server/server";

const missing = browserMissing();
if (missing !== undefined) console.error(`The tests in a browser are left out: ${missing}.`);

const SERVE = "examples/browser-page/serve.mjs";
const SCORE =
  /^(\d+) taps: (\d+) \(\d+ %\) were among the three suggestions, (\d+) \(\d+ %\) among the three things used most\.$/;

/** axe-core in the page's global scope. */
declare const axe: { run(): Promise<{ violations: { id: string }[] }> };

describe.runIf(missing === undefined)("the page of a plain file server", () => {
  let origin: string;
  let server: Server;
  let files: ChildProcess;
  let browser: Browser;
  let page: Page;
  let troubles: string[];

  beforeAll(async () => {
    // Noema must know the page's origin before there is a page.
    const port = await freePort();
    origin = `http://127.0.0.1:${port}`;
    [server, browser] = await Promise.all([Server.start(undefined, { NOEMA_ALLOW_ORIGINS: origin }), startBrowser()]);
    const env = exampleEnvironment(server.address, { PORT: String(port) });
    files = spawn(process.execPath, [SERVE], { env, stdio: ["ignore", "pipe", "pipe"] });
    const { match } = await requireOutput(files, /^Open (\S+)$/m);
    expect(match[1]).toBe(origin);
  });

  afterAll(async () => {
    files.kill();
    await browser.close();
    await server.discard();
  });

  beforeEach(async () => {
    page = await openPage(browser);
    troubles = [];
    page.on("pageerror", (error) => troubles.push(String(error)));
    await page.goto(origin);
  });

  const textOf = (selector: string) => page.locator(selector).innerText();
  const tap = (thing: string) => page.locator("#all").getByRole("button", { name: thing, exact: true }).click();

  test("suggests what came next on an earlier day", async () => {
    for (const thing of ["coffee", "news", "walk"]) await tap(thing);
    await page.getByRole("button", { name: "The day is over" }).click();
    await expect.poll(() => textOf("#today")).toBe("nothing yet");
    await tap("coffee");
    await expect.poll(() => textOf("#today")).toBe("coffee");
    await expect.poll(() => page.locator("#next button").first().innerText()).toBe("news");
    await page.locator("#next button").first().click();
    await expect.poll(() => textOf("#today")).toBe("coffee → news");
    await expect.poll(() => page.locator("#next button").first().innerText()).toBe("walk");
    expect([troubles, await textOf("#trouble")]).toEqual([[], ""]);
  });

  test("plays generated days, and its suggestions are better than what is used most", async () => {
    await page.getByRole("button", { name: "Play 60 generated days" }).click();
    const taps = async () => Number(SCORE.exec(await textOf("#score"))?.[1] ?? 0);
    await expect.poll(taps, { timeout: 100_000 }).toBeGreaterThan(600);
    await expect.poll(() => textOf("#today"), { timeout: 60_000, interval: 1000 }).toBe("nothing yet");
    const [all = 0, suggested = 0, mostUsed = 0] = numbersIn(await textOf("#score"), SCORE);
    expect(suggested / all).toBeGreaterThan(0.75);
    expect(mostUsed / all).toBeLessThan(0.5);
    await page.addScriptTag({ content: readFileSync("node_modules/axe-core/axe.min.js", "utf8") });
    expect((await page.evaluate(() => axe.run())).violations.map(({ id }) => id)).toEqual([]);
    expect(troubles).toEqual([]);
  });

  test("has a key for its own sessions and no more", async () => {
    const { key } = (await (await fetch(`${origin}/connection.json`)).json()) as { key: string };
    const statusOf = async (call: string) => (await server.call(call, undefined, { key })).status;
    expect(await statusOf("GET /day-board/sessions/page-1/time")).toBe(200);
    for (const call of ["GET /day-board/sessions", "GET /day-board/get_kb", "GET /P1/status", "GET /keys"]) {
      expect(await statusOf(call), call).toBe(403);
    }
    const names = (await server.okay("GET /keys")).message.map(({ name }: { name: string }) => name);
    expect(names).toEqual(["day board"]);
  });

  test("says what was not noted, and goes on", async () => {
    let isRefused = false;
    await page.routeWebSocket(/\/stream/, (socket) => {
      const noema = socket.connectToServer();
      socket.onMessage((text) => {
        const { n, observe } = JSON.parse(String(text));
        if (isRefused || observe === undefined) return noema.send(text);
        isRefused = true;
        socket.send(JSON.stringify({ n, error: { code: 400, message: "no" } }));
      });
    });
    await page.goto(origin);
    await tap("coffee");
    await expect.poll(() => textOf("#trouble")).toBe("That was not noted: no");
    await tap("news");
    await expect.poll(() => textOf("#today")).toBe("news");
    expect(await textOf("#trouble")).toBe("");
  });

  test("notes a tap once though the connection is lost", async () => {
    let links = 0;
    await page.routeWebSocket(/\/stream/, async (socket) => {
      links++;
      if (links === 2) return socket.close({ code: 1011 });
      const noema = socket.connectToServer();
      // The server takes the first tap, and its answer is lost.
      if (links === 1) {
        noema.onMessage((text) => {
          if (JSON.parse(String(text)).n === undefined) socket.send(text);
          else socket.close({ code: 1011 });
        });
      }
    });
    await page.goto(origin);
    await expect.poll(() => links).toBe(1);
    await tap("coffee");
    await expect.poll(() => textOf("#today"), { timeout: 30_000 }).toBe("coffee");
    await tap("news");
    await expect.poll(() => textOf("#today")).toBe("coffee → news");
    await expect.poll(async () => [links, await textOf("#trouble"), troubles]).toEqual([3, "", []]);
    expect(await textOf("#score")).toMatch(/^2 taps: /);
  });

  test("is not served where Noema would not answer it", async () => {
    const { code, output } = await runExample(server.address, process.execPath, SERVE);
    expect(code).toBe(1);
    expect(output).toMatch(
      /^Noema does not answer pages of (http:\S+)\. Start it with NOEMA_ALLOW_ORIGINS=\1 npm start\n$/,
    );
  });
});
