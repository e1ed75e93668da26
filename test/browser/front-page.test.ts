/** The page at `/`, in a real browser: everybody can read it, and it asks for nothing but itself. */

import axe from "axe-core";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { browserMissing, openPage, startBrowser } from "../support/browser/browser";
import { Server } from "../support/server/server";

const missing = browserMissing();
if (missing !== undefined) console.error(`The tests in a browser are left out: ${missing}.`);

const SCREENS = [
  { name: "a large one, light", colorScheme: "light", viewport: { width: 1280, height: 900 } },
  { name: "a large one, dark", colorScheme: "dark", viewport: { width: 1280, height: 900 } },
  { name: "a phone's, dark", colorScheme: "dark", viewport: { width: 360, height: 640 } },
] as const;

describe.runIf(missing === undefined)("the page at /", () => {
  let server: Server;
  let browser: Browser;
  let page: Page;
  /** What the page has asked for, and what the browser had to say about it. */
  let requested: string[];
  let complaints: string[];

  async function open(screen: (typeof SCREENS)[number] = SCREENS[0]): Promise<void> {
    page = await openPage(browser, { colorScheme: screen.colorScheme, viewport: screen.viewport });
    requested = [];
    complaints = [];
    page.on("request", (request) => requested.push(request.url()));
    page.on("console", (message) => complaints.push(message.text()));
    page.on("pageerror", (error) => complaints.push(error.message));
    const response = await page.goto(`${server.address}/`);
    expect(response?.status()).toBe(200);
  }

  beforeAll(async () => {
    [server, browser] = await Promise.all([Server.start(), startBrowser()]);
  });

  afterAll(async () => {
    await browser.close();
    await server.discard();
  });

  test.each(SCREENS)("is fit for everybody on $name screen", async (screen) => {
    await open(screen);
    await page.evaluate(axe.source);
    const { violations, passes } = (await page.evaluate("axe.run()")) as axe.AxeResults;
    expect(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).toEqual([]);
    expect(passes.map(({ id }) => id)).toContain("color-contrast");
    // Only the commands may be wider than the screen; they scroll by themselves.
    expect(await page.evaluate("document.documentElement.scrollWidth <= innerWidth")).toBe(true);
    await page.close();
  });

  test("asks for its mark and nothing else, and breaks no rule of its policy", async () => {
    await open();
    await page.waitForLoadState("networkidle");
    const asked = [...new Set(requested)];
    expect([asked, complaints]).toEqual([[`${server.address}/`, `${server.address}/docs/mark.svg`], []]);
    await page.close();
  });

  test("shows commands for the address under which it was found, and they work", async () => {
    await open();
    const commands = await page.locator("pre").innerText();
    expect(commands).toContain(`P=${server.address}/p46b6b076c`);
    const calls = [...commands.matchAll(/^curl -H "\$KEY" \$P(\/\S+) -d '(.*)'$/gm)];
    expect(calls.length).toBe(commands.match(/curl/g)?.length);
    let last = "";
    for (const [, path = "", body] of calls) {
      const answer = await server.send({ method: "POST", path: `/p46b6b076c${path}`, body });
      expect(answer.status).toBe(200);
      last = answer.text;
    }
    expect(last).toContain('"future":[["bus"]]');
    await page.close();
  });

  test("leads to the OpenAPI document", async () => {
    await open();
    await page.getByRole("link", { name: "openapi.json" }).click();
    await page.waitForURL(`${server.address}/openapi.json`);
    expect(JSON.parse(await page.locator("body").innerText())).toMatchObject({ openapi: "3.1.1" });
    await page.close();
  });
});
