/**
 * The reference and the guides in a real browser: everybody can read, search and try, and no page asks for anything but itself. Takes 35 s:
 * axe reads every page in light and dark, wide and narrow.
 */

import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { browserMissing, openTab, startBrowser } from "../support/browser/browser";
import { expectSound, LARGE_LIGHT, type Screen, UNLIKE } from "../support/browser/console-page";
import { referencePaths } from "../support/reference/served-page";
import { Server } from "../support/server/server";

const missing = browserMissing();
if (missing !== undefined) console.error(`The tests in a browser are left out: ${missing}.`);

/** What a page is opened on. */
type Shown = Pick<Screen, "colorScheme" | "viewport">;

const PHONE_DARK: Shown = { colorScheme: "dark", viewport: { width: 360, height: 640 } };

/** Where the operations stand that the tests read and try. */
const OBSERVING = "/docs/reference/observing-and-learning";
const PROCESSOR = "/docs/reference/processor";
const SESSIONS = "/docs/reference/sessions";

describe.runIf(missing === undefined)("the pages below /docs", () => {
  let server: Server;
  let browser: Browser;
  let page: Page;
  /** What the page has asked for, and what the browser had to say about it. */
  let requested: string[];
  let complaints: string[];

  async function open(path: string, screen: Shown = LARGE_LIGHT, isScripted = true): Promise<void> {
    await page?.close();
    page = await openTab(browser, {
      colorScheme: screen.colorScheme,
      viewport: screen.viewport,
      javaScriptEnabled: isScripted,
    });
    requested = [];
    complaints = [];
    page.on("request", (request) => requested.push(request.url()));
    page.on("console", (message) => complaints.push(message.text()));
    page.on("pageerror", (error) => complaints.push(error.message));
    await page.goto(`${server.address}${path}`);
  }

  const focused = () => page.evaluate("document.activeElement.textContent.trim().slice(0, 60)");

  const section = (id: string) => page.locator(`section#${id}`);

  /** Opens the form of an operation and types the key. */
  async function tryIt(id: string, key = "ABCD-1234"): Promise<void> {
    const button = section(id).getByRole("button", { name: "Try it" });
    if ((await button.getAttribute("aria-expanded")) === "false") await button.click();
    await section(id).getByLabel("key", { exact: false }).first().fill(key);
  }

  async function sent(id: string): Promise<[status: string, answer: string]> {
    const form = section(id).locator("form");
    await form.getByRole("button", { name: "Send" }).click();
    await expect.poll(() => form.getByRole("status").innerText()).toMatch(/HTTP|no answer/);
    return [await form.getByRole("status").innerText(), await form.locator("pre").last().innerText()];
  }

  beforeAll(async () => {
    [server, browser] = await Promise.all([Server.start(), startBrowser()]);
  });

  afterAll(async () => {
    await browser.close();
    await server.discard();
  });

  describe("is fit for everybody on every screen:", () => {
    // One page for all: a new one would load and translate what the pages share again.
    beforeAll(() => open("/docs"));

    test.each(referencePaths)("%s", async (path) => {
      await page.goto(`${server.address}${path}`);
      await expectSound(page);
    });

    test.each(["/docs/guides", "/docs/guides/predictions", "/docs/nothing"])("%s", async (path) => {
      await page.goto(`${server.address}${path}`);
      await expectSound(page, UNLIKE);
    });
  });

  test("a form and its answer are fit for everybody on every screen", async () => {
    await open(SESSIONS);
    await tryIt("listSessions");
    expect((await sent("listSessions"))[0]).toContain("HTTP 200");
    await expectSound(page);
  });

  test("what a search finds is fit for everybody", async () => {
    await open("/docs/guides");
    await page.getByRole("combobox").fill("recall");
    await page.getByRole("option").first().waitFor();
    await expectSound(page);
  });

  test("ask for nothing from elsewhere, and break no rule of their policy", async () => {
    await open(OBSERVING);
    await page.getByRole("combobox").fill("observe");
    await page.getByRole("option").first().waitFor();
    await page.waitForLoadState("networkidle");
    const { origin } = new URL(server.address);
    expect(requested.filter((url) => new URL(url).origin !== origin && !url.startsWith("data:"))).toEqual([]);
    expect(requested.length).toBeGreaterThan(3);
    expect(complaints).toEqual([]);
  });

  test("can be read with scripts off", async () => {
    await open(OBSERVING, LARGE_LIGHT, false);
    for (const language of ["curl", "TypeScript", "Python", "urllib"]) {
      expect(await section("observe").getByText(language, { exact: true }).isVisible()).toBe(true);
    }
    expect(await section("observe").locator("pre").last().innerText()).toContain('"status": "okay"');
    expect(await page.getByRole("button").count()).toBe(0);
  });

  test("lead to one operation by its link, and by the one of the time when all were on one page", async () => {
    await open("/docs/reference/genes#getGene");
    await expect
      .poll(() =>
        section("getGene")
          .locator("h3")
          .evaluate((one) => one.getBoundingClientRect().top),
      )
      .toBeLessThan(200);
    for (const [former, now, words] of [
      ["getGene", "genes#getGene", "GET /{id}/gene/{gene}"],
      ["Prediction.snr", "predicting#Prediction.snr", "snr"],
    ] as const) {
      await open(`/docs#${former}`);
      await page.waitForURL(`${server.address}/docs/reference/${now}`);
      expect(await page.locator(":target").innerText()).toContain(words);
      // Back leads to where the reader came from, and not to the link again.
      expect(await page.evaluate("history.length")).toBe(2);
    }
    await open("/docs");
    for (const part of ["failure-429", "about-roles", "observing-learning-predicting", "schemas", "all-genes"]) {
      await page.goto(`${server.address}/docs#${part}`);
      expect([part, await page.locator(":target").count()]).toEqual([part, 1]);
    }
    for (const [former, now] of [
      ["schema-Prediction", "predicting#schema-Prediction"],
      ["gene-recall_threshold", "genes#gene-recall_threshold"],
    ] as const) {
      // On the page itself, as a link in it would.
      await page.goto(`${server.address}/docs`);
      await page.evaluate(`location.hash = ${JSON.stringify(former)}`);
      await page.waitForURL(`${server.address}/docs/reference/${now}`);
    }
  });

  test("show their contents on a phone by a link, and a choice closes them", async () => {
    await open(OBSERVING, PHONE_DARK);
    const contents = page.getByRole("navigation", { name: "Contents" });
    expect(await contents.isVisible()).toBe(false);
    await page.getByRole("link", { name: "Contents" }).click();
    await contents.getByRole("link", { name: "POST learn" }).click();
    await expect.poll(() => contents.isVisible()).toBe(false);
    await expect.poll(() => page.url()).toMatch(/#learn$/);
  });

  describe("the search", () => {
    beforeAll(() => open(OBSERVING));

    /** Searches, after what was found before is gone. */
    async function search(query: string): Promise<void> {
      await page.getByRole("combobox").fill("");
      await page.getByRole("listbox").waitFor({ state: "hidden" });
      await page.getByRole("combobox").fill(query);
      await page.getByRole("option").first().waitFor();
    }

    test("is reached, used and left by keys alone", async () => {
      await page.keyboard.press("Control+K");
      await page.keyboard.type("working mem");
      await page.getByRole("option").first().waitFor();
      const names = await page.getByRole("option").locator("b").allInnerTexts();
      expect(names.slice(0, 3).join(" ")).toContain("/{id}/working-memory");
      await page.keyboard.press("ArrowDown");
      await page.keyboard.press("ArrowUp");
      await expect.poll(() => page.getByRole("combobox").getAttribute("aria-activedescendant")).toBe("found-0");
      await page.keyboard.press("Enter");
      await expect.poll(() => page.getByRole("listbox").isVisible()).toBe(false);
      await expect.poll(() => page.url()).toMatch(/#(get|clear)WorkingMemory$/);
      await expect.poll(focused).toContain("working-memory");
      await page.keyboard.press("/");
      await page.keyboard.press("Escape");
      await expect.poll(() => page.getByRole("listbox").isVisible()).toBe(false);
    });

    test.each([
      ["recall_threshold", "gene"],
      ["predicton", "operation"],
      ["itfdf", "in Prediction"],
      ["hotswap", "operation"],
      ["unreliable", "guide"],
      ["429", "failure"],
      ["systemd", "in A server of your own"],
    ])("finds %s: %s", async (query, kind) => {
      await search(query);
      const kinds = await page.getByRole("option").locator("small").allInnerTexts();
      expect(kinds.slice(0, 5)).toContain(kind);
    });

    test("leads to the part of a guide that has the word, and loads what it searches once", async () => {
      await search("systemd");
      await page.keyboard.press("Enter");
      await page.waitForURL(`${server.address}/docs/guides/self-hosting#install`);
      expect(requested.filter((url) => url.endsWith("/docs/search.json"))).toHaveLength(1);
      await open(OBSERVING);
    });

    test("says that it could not be loaded, and tries again", async () => {
      await open(OBSERVING);
      await page.route("**/docs/search.json", (route) => route.abort("connectionreset"));
      await search("systemd");
      expect(await page.getByRole("option").first().innerText()).toContain("could not be loaded");
      await page.unroute("**/docs/search.json");
      await search("docker");
      expect(await page.getByRole("option").first().innerText()).toContain("In a container");
    });

    test("says that nothing was found", async () => {
      await search("xyzzyx");
      expect(await page.getByRole("option").first().innerText()).toBe("Nothing found");
    });

    test("leads from a guide to the reference", async () => {
      await open("/docs/guides/genes");
      await page.keyboard.press("/");
      await page.keyboard.type("sequence-observe");
      await page.getByRole("option").first().waitFor();
      await page.keyboard.press("Enter");
      await page.waitForURL(`${server.address}${OBSERVING}#observeSequence`);
    });
  });

  describe("the examples", () => {
    beforeEach(() => open(OBSERVING));

    test("name the address under which the page was found", async () => {
      const code = await section("observe").locator("[data-language=sh] code").innerText();
      expect(code).toContain(`curl ${server.address}/p46b6b076c/observe`);
      await open("/docs/guides/console");
      const link = page.locator(`main a[href="${server.address}/console"]`);
      expect(await link.textContent()).toBe(`${server.address}/console`);
      await open("/docs/guides/agents");
      const { port } = new URL(server.address);
      expect(await page.locator("main pre").first().textContent()).toContain(
        `http://kitchen.localhost:${port}/connect`,
      );
    });

    test("change their language together, by arrow keys, and keep it", async () => {
      await section("observe").getByRole("tab", { name: "curl" }).focus();
      await page.keyboard.press("ArrowRight");
      await page.keyboard.press("ArrowRight");
      await expect.poll(focused).toBe("Python");
      const python = section("learn").locator("[data-language=python]");
      await expect.poll(() => python.isVisible()).toBe(true);
      expect(await section("learn").locator("[data-language=sh]").isVisible()).toBe(false);
      await page.reload();
      await expect.poll(() => python.isVisible()).toBe(true);
    });
  });

  describe("trying an operation", () => {
    beforeAll(() => open(OBSERVING));

    test("sends it and shows the answer", async () => {
      await tryIt("observe");
      const [status, answer] = await sent("observe");
      expect(status).toMatch(/^HTTP 200 OK, after [0-9.]+ ms\.$/);
      expect(answer).toContain('"unique_id": "bus-1"');
    });

    test("fills the path, the query and headers, and shows the request without the key", async () => {
      await open(SESSIONS);
      await tryIt("listSessions");
      const form = section("listSessions").locator("form");
      await form.getByLabel("after").fill("a/b c");
      await form.getByLabel("limit").fill("5");
      const request = await form.locator("pre").first().innerText();
      expect(request).toContain(`curl '${server.address}/p46b6b076c/sessions?after=a%2Fb+c&limit=5'`);
      expect(request).toContain('-H "X-API-KEY: $KEY"');
      expect(request).not.toContain("ABCD-1234");
      expect((await sent("listSessions"))[0]).toContain("HTTP 200");
    });

    test("takes place in a session if one is named", async () => {
      await open(OBSERVING);
      await tryIt("observe");
      const form = section("observe").locator("form");
      await form.getByLabel("session").fill("robot 1/a");
      await form.getByLabel("Idempotency-Key").fill("once");
      expect((await sent("observe"))[0]).toContain("HTTP 200");
      await form.getByRole("button", { name: "Send" }).click();
      await expect.poll(() => form.locator("pre").last().innerText()).toContain("idempotency-replayed: true");
      const { message } = await server.okay("GET /P1/sessions");
      expect(message).toMatchObject([{ name: "robot 1/a", time: 1 }]);
    });

    test("shows why a request failed", async () => {
      await open(OBSERVING);
      await tryIt("observe");
      await section("observe").getByLabel("body").fill('{"data": {"strings": [7]}}');
      const [status, answer] = await sent("observe");
      expect(status).toContain("HTTP 400");
      expect(answer).toContain("data.strings[0] must be a string, got 7");
    });

    test("says it when the key is wrong", async () => {
      await open(PROCESSOR);
      await tryIt("getTime", "wrong");
      const [status, answer] = await sent("getTime");
      expect(status).toMatch(/^HTTP 500 .* Is the key right\?$/);
      expect(answer).toContain('"status": "failed"');
    });

    test("says it when there is no answer", async () => {
      await tryIt("getName");
      await page.route("**/name", (route) => route.abort("connectionreset"));
      expect((await sent("getName"))[0]).toContain("There is no answer");
    });

    test("can be stopped", async () => {
      await tryIt("getStatus");
      await page.route("**/status", () => {});
      const form = section("getStatus").locator("form");
      await form.getByRole("button", { name: "Send" }).click();
      await form.getByRole("button", { name: "Stop" }).click();
      await expect.poll(() => form.getByRole("status").innerText()).toContain("Stopped");
    });

    test("keeps the key in the page, or until the tab is closed if the reader wants that; and nowhere else", async () => {
      await open(PROCESSOR);
      await tryIt("getTime");
      const stored = () =>
        page.evaluate("[JSON.stringify(localStorage), JSON.stringify(sessionStorage), document.cookie]");
      expect(String(await stored())).not.toContain("ABCD-1234");
      await page.reload();
      await section("getTime").getByRole("button", { name: "Try it" }).click();
      expect(await section("getTime").getByLabel("key").first().inputValue()).toBe("");
      await section("getTime").getByLabel("key").first().fill("ABCD-1234");
      await section("getTime").getByLabel("Keep the key").check();
      const [local, session] = (await stored()) as string[];
      expect([local, session?.includes("ABCD-1234")]).toEqual(["{}", true]);
      await page.reload();
      await section("getName").getByRole("button", { name: "Try it" }).click();
      expect((await sent("getName"))[0]).toContain("HTTP 200");
      await section("getName").getByLabel("Keep the key").uncheck();
      expect(String(await stored())).not.toContain("ABCD-1234");
      expect(requested.join(" ")).not.toContain("ABCD-1234");
    });

    test("works by keys alone", async () => {
      await open(PROCESSOR);
      await section("getTime").getByRole("tab", { selected: true }).focus();
      await page.keyboard.press("Tab");
      await page.keyboard.press("Tab");
      await expect.poll(focused).toBe("Try it");
      await page.keyboard.press("Enter");
      await page.keyboard.type("ABCD-1234");
      await page.keyboard.press("Enter");
      await expect.poll(() => section("getTime").getByRole("status").innerText()).toContain("HTTP 200");
    });
  });
});
