/** What a user does in the console in the midst of other things: types on, looks elsewhere, follows an odd address, opens what is very long. */

import type { Browser, Page, Route } from "playwright-core";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { browserMissing, startBrowser } from "../support/browser/browser";
import { expectSound, openConsole, symbolsInMind, untilRead } from "../support/browser/console-page";
import { Server } from "../support/server/server";

const missing = browserMissing();
if (missing !== undefined) console.error(`The tests in a browser are left out: ${missing}.`);

const PROCESSOR = "/p46b6b076c";

describe.runIf(missing === undefined)("the console", () => {
  let server: Server;
  let browser: Browser;
  let page: Page;
  let complaints: readonly string[];

  async function visit(fragment = ""): Promise<void> {
    ({ page, complaints } = await openConsole(browser, server, fragment));
    await expect.poll(() => page.getByText("Live", { exact: true }).count()).toBe(1);
  }

  const observe = (...symbols: string[]) => server.okay(`POST ${PROCESSOR}/observe`, { data: { strings: symbols } });

  const inMind = () => symbolsInMind(page);

  beforeAll(async () => {
    [server, browser] = await Promise.all([Server.start(), startBrowser()]);
  });

  afterAll(async () => {
    await browser?.close();
    await server?.discard();
  });

  beforeEach(async () => {
    await page?.close();
    await server.okay(`POST ${PROCESSOR}/clear-all-memory`, {});
    const sequence = ["alarm", "coffee"].map((symbol) => ({ strings: [symbol] }));
    await server.okay(`POST ${PROCESSOR}/sequence-observe`, { data: { sequence, learn: true } });
  });

  test("does not wait while the user types on: each line is observed, and Learn learns them all", async () => {
    await visit();
    await page.getByLabel("Observe symbols").focus();
    for (const symbol of ["first", "second", "third"]) {
      await page.keyboard.type(symbol);
      await page.keyboard.press("Enter");
    }
    await page.keyboard.press("Tab");
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    const learned = async () => {
      const { message } = (await server.call(`GET ${PROCESSOR}/models?symbol=third`)).json;
      return message.models.map(({ sequence }: { sequence: string[][] }) => sequence);
    };
    await expect.poll(learned).toEqual([[["first"], ["second"], ["third"]]]);
    // What is refused stands in the field again.
    await page.getByText("Numbers and vectors").click();
    await page.getByLabel("Numbers by the name of their encoder").fill("nobody=3");
    await page.keyboard.press("Enter");
    await expect.poll(() => page.locator(".observe .said").innerText()).toContain("nobody");
    await expect.poll(() => page.getByLabel("Numbers by the name of their encoder").inputValue()).toBe("nobody=3");
  });

  test("keeps the surprises of a memory while one looks elsewhere", async () => {
    await visit();
    await observe("alarm");
    await observe("zebra");
    const surprises = page.getByRole("list", { name: "The greatest surprises" }).locator("li");
    await expect.poll(() => surprises.locator(".came").allTextContents().then(String)).toContain("zebra");
    for (const elsewhere of [`#${PROCESSOR}/knowledge/models`, "#/agent", `#${PROCESSOR}/sessions/other/now`]) {
      await page.evaluate(`location.hash = ${JSON.stringify(elsewhere)}`);
      await expect.poll(() => surprises.count()).toBe(0);
      await page.goBack();
      await expect.poll(() => surprises.locator(".came").allTextContents().then(String)).toContain("zebra");
    }
    expect(complaints).toEqual([]);
  });

  test("says that the server does not answer, asks again in growing pauses, and goes on where it was", async () => {
    ({ page, complaints } = await openConsole(browser, server, "#/agent/genes", { keep: true }));
    await expect.poll(() => page.getByRole("heading", { level: 1, name: "Agent" }).count()).toBe(1);
    let asked: number[] = [];
    let isAway = true;
    await page.route("**/*", async (route) => {
      if (!isAway || route.request().resourceType() !== "fetch") return route.fallback();
      asked.push(Date.now());
      // Half of the time something stands before the server, and says that it is away.
      return asked.length % 2 === 0 ? route.abort() : route.fulfill({ status: 502, body: "" });
    });
    await page.reload();
    await expect.poll(() => page.getByRole("alert").innerText()).toContain("The server does not answer.");
    expect(await page.getByLabel("Key", { exact: true }).count()).toBe(0);
    await expect.poll(() => page.getByText(/Trying again in [2-9] s\./).count()).toBe(1);
    await expectSound(page);
    const before = asked.length;
    await page.getByRole("button", { name: "Try now" }).click();
    await expect.poll(() => asked.length).toBeGreaterThan(before);
    // A user with another key need not wait.
    await page.getByRole("button", { name: "Use another key" }).click();
    await page.getByLabel("Key", { exact: true }).fill("ABCD-1234");
    await page.getByRole("button", { name: "Open" }).click();
    await expect.poll(() => page.getByRole("alert").innerText()).toContain("The server does not answer.");
    isAway = false;
    asked = [];
    await expect.poll(() => page.getByRole("heading", { level: 1, name: "Agent" }).count()).toBe(1);
    expect(new URL(page.url()).hash).toBe("#/agent/genes");
  });

  test("an address of what no session can be called says so, and leads to the processor's memory", async () => {
    await observe("alarm");
    await visit();
    await page.evaluate('location.hash = "#/p46b6b076c/sessions/%00/now"');
    await expect
      .poll(() => page.getByRole("alert").allInnerTexts())
      .toEqual([expect.stringContaining("is no session")]);
    expect(await page.locator(".memory").count()).toBe(0);
    await page.getByRole("link", { name: "The memory of P1" }).click();
    await expect.poll(inMind).toEqual(["alarm"]);
    expect(complaints).toEqual([]);
  });

  test.each([
    "#/agent/nonsense",
    "#/operate/nonsense",
    `#${PROCESSOR}/knowledge/nonsense`,
  ])("%s shows the first part of its view", async (fragment) => {
    await visit();
    await page.evaluate(`location.hash = "${fragment}"`);
    await expect.poll(() => page.locator("nav.sub a").first().getAttribute("aria-current")).toBe("page");
    await expect.poll(() => page.locator("main h2").count()).toBeGreaterThan(0);
  });

  test("the evidence for a symbol of 4,000 characters is no wider than the screen", async () => {
    await observe("alarm");
    await visit();
    await page.setViewportSize({ width: 360, height: 640 });
    await page.evaluate(`location.hash = "#/p46b6b076c/why/forecast/" + "l".repeat(4000)`);
    await expect.poll(() => page.locator(".evidence .sentence").count()).toBe(1);
    expect(await page.evaluate("document.documentElement.scrollWidth <= innerWidth")).toBe(true);
  });

  test("of long metadata and many emotives the beginning is shown, and all of it when asked", async () => {
    const emotives = Object.fromEntries(Array.from({ length: 60 }, (_, at) => [`mood ${at}`, [at]]));
    const model = {
      sequence: [["alarm"], ["bus"]],
      frequency: 1,
      emotives,
      metadata: [{ note: "m".repeat(9_990) }, {}],
    };
    const { message } = await server.okay(`PUT ${PROCESSOR}/add-model`, model);
    await visit(`#${PROCESSOR}/now`);
    await page.evaluate(`location.hash = "#${PROCESSOR}/knowledge/models/${message.name}"`);
    const metadata = page.locator("code.metadata");
    await expect.poll(() => metadata.count()).toBe(1);
    expect((await metadata.innerText()).length).toBeLessThan(600);
    await page.getByRole("button", { name: "Show all 10,001 characters" }).click();
    await expect.poll(() => metadata.innerText()).toBe(JSON.stringify(model.metadata[0]));
    expect(await page.locator(".emotives tbody tr").count()).toBe(50);
    await page.getByRole("button", { name: "Show all 60 emotives" }).press("Enter");
    await expect.poll(() => page.locator(".emotives tbody tr").count()).toBe(60);
    // The keyboard is where it was.
    await expect.poll(() => page.evaluate("document.activeElement.textContent")).toBe("Show less");
    await page.keyboard.press("Enter");
    await expect.poll(() => page.locator(".emotives tbody tr").count()).toBe(50);
    await observe("alarm");
    await page.evaluate(`location.hash = "#${PROCESSOR}/why/prediction/${message.name}?open=mood%2059"`);
    const numbers = page.locator(".numbers").last().locator("> li");
    await expect.poll(() => numbers.count()).toBe(51);
    await page.getByRole("button", { name: "Show all 60 numbers" }).click();
    await expect.poll(() => numbers.count()).toBe(60);
  });

  test("what was counted for other numbers is not offered to be forgotten", async () => {
    await visit();
    await page.evaluate(`location.hash = "#${PROCESSOR}/knowledge/move"`);
    const below = page.getByLabel("Forget models learned fewer times than");
    await below.fill("9");
    let held: (() => void) | undefined;
    const hold = (route: Route) => {
      held = () => void route.continue();
    };
    await page.route("**/forget", hold, { times: 1 });
    const answered = page.waitForResponse("**/forget");
    await page.getByRole("button", { name: "Count" }).click();
    await expect.poll(() => held).toBeDefined();
    await below.fill("1");
    held?.();
    await untilRead(answered);
    // What the page does with an answer, it does at once.
    await page.evaluate("new Promise((resolve) => setTimeout(resolve, 50))");
    expect(await page.getByText("would be forgotten").count()).toBe(0);
    await page.getByRole("button", { name: "Count" }).click();
    await expect.poll(() => page.getByText("0 models would be forgotten.").count()).toBe(1);
    expect(await page.getByRole("button", { name: /^Forget 1 model/ }).count()).toBe(0);
  });

  test("a packed file that is damaged is named", async () => {
    await visit();
    await page.evaluate(`location.hash = "#${PROCESSOR}/knowledge/move"`);
    const file = { name: "kb.json.gz", mimeType: "application/gzip", buffer: Buffer.from("no gzip") };
    await page.getByLabel("Knowledge base, as an export makes it").setInputFiles(file);
    await page.getByRole("button", { name: "Merge the file" }).click();
    await expect.poll(() => page.getByText("kb.json.gz is damaged, or not packed with gzip.").count()).toBe(1);
  });

  test("an answer that was overtaken by a newer one is not shown", async () => {
    await visit();
    const list = "**/list-blacklisted-symbols";
    await page.evaluate(`location.hash = "#${PROCESSOR}/knowledge/symbols"`);
    await expect.poll(() => page.getByText("No symbol is blacklisted.").count()).toBe(1);
    let held: (() => Promise<void>) | undefined;
    const hold = async (route: Route) => {
      const response = await route.fetch();
      held = () => route.fulfill({ response });
    };
    await page.route(list, hold, { times: 1 });
    const field = page.getByRole("textbox", { name: "Symbols to blacklist" });
    const blacklist = async (symbol: string) => {
      await field.fill(symbol);
      await page.keyboard.press("Enter");
      await expect.poll(() => field.inputValue()).toBe("");
    };
    await blacklist("noise");
    await expect.poll(() => held).toBeDefined();
    await blacklist("hum");
    const listed = page.getByRole("list", { name: "Blacklisted symbols" }).locator(".chip");
    await expect.poll(() => listed.allInnerTexts()).toEqual(["noise", "hum"]);
    const answered = page.waitForResponse(list);
    await held?.();
    await untilRead(answered);
    // What the page does with an answer, it does at once.
    await page.evaluate("new Promise((resolve) => setTimeout(resolve, 50))");
    expect(await listed.allInnerTexts()).toEqual(["noise", "hum"]);
  });

  test("what is typed while genes are saved stays", async () => {
    await visit();
    await page.evaluate('location.hash = "#/agent/genes"');
    let held: (() => Promise<void>) | undefined;
    const hold = (route: Route) => {
      held = () => route.continue();
    };
    await page.route("**/genes/change", hold, { times: 1 });
    const gene = (name: string) => page.getByRole("textbox", { name: new RegExp(`^${name}`) });
    await gene("max_predictions").fill("7");
    await page.getByRole("button", { name: /^Save/ }).click();
    await expect.poll(() => held).toBeDefined();
    await gene("persistence").fill("3");
    await held?.();
    await expect.poll(() => page.getByText("Changed max_predictions.").count()).toBe(1);
    expect(await gene("persistence").inputValue()).toBe("3");
    await page.getByRole("button", { name: /^Save/ }).click();
    await expect.poll(() => page.getByText("Changed persistence.").count()).toBe(1);
    const { genes } = (await server.okay(`GET ${PROCESSOR}/all-genes`)).message;
    expect([genes.max_predictions, genes.persistence]).toEqual([7, 3]);
  });
});
