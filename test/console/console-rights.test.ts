/**
 * The console with keys that may do little: it offers what the key allows, says why of the rest, and asks the server nothing that it would refuse.
 * Takes 35 s: each of eight keys opens all views.
 */

import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { browserMissing, startBrowser } from "../support/browser/browser";
import { expectSound, openConsole, stopClock, symbolsInMind, untilRead } from "../support/browser/console-page";
import { Server } from "../support/server/server";

const missing = browserMissing();
if (missing !== undefined) console.error(`The tests in a browser are left out: ${missing}.`);

const ID = "p46b6b076c";
const P = `/${ID}`;
const MORNING = [["alarm"], ["coffee", "milk"], ["bus"], ["work"]];

const PLACES = [
  `#/${ID}/now`,
  `#/${ID}/sessions/press-1/now`,
  `#/${ID}/why/forecast/work`,
  `#/${ID}/why/surprise`,
  `#/${ID}/sessions/press-1/why/forecast/work`,
  `#/${ID}/knowledge/models`,
  `#/${ID}/knowledge/symbols`,
  `#/${ID}/knowledge/vectors`,
  `#/${ID}/knowledge/move`,
  "#/agent",
  "#/agent/genome",
  "#/agent/genes",
  "#/agent/encoders",
  "#/agent/alerts",
  "#/agent/backup",
  "#/operate",
  "#/operate/requests",
  "#/operate/keys",
  "#/operate/rows",
];

describe.runIf(missing === undefined)("the console with a key that may do little", () => {
  let server: Server;
  let browser: Browser;
  let page: Page;
  let complaints: readonly string[];

  async function keyWith(rights: object): Promise<string> {
    return (await server.okay("POST /keys", { data: { name: "of a test", ...rights } })).message.key;
  }

  async function visit(fragment: string, key: string): Promise<void> {
    await page?.close();
    ({ page, complaints } = await openConsole(browser, server, fragment, { key }));
  }

  const observe = (...strings: string[]) => server.okay(`POST ${P}/observe`, { data: { strings } });

  const inMind = () => symbolsInMind(page);

  beforeAll(async () => {
    [server, browser] = await Promise.all([Server.start(), startBrowser()]);
  });

  afterAll(async () => {
    await browser?.close();
    await server?.discard();
  });

  beforeEach(async () => {
    await server.okay(`POST ${P}/clear-all-memory`, {});
    const sequence = MORNING.map((strings) => ({ strings }));
    await server.okay(`POST ${P}/sequence-observe`, { data: { sequence, learn: true } });
  });

  test.each([
    [{ roles: ["read"] }],
    [{ roles: ["observe"] }],
    [{ roles: ["learn"] }],
    [{ roles: ["manage"] }],
    [{ roles: ["read", "observe"] }],
    [{ roles: ["read", "observe", "learn", "manage"], processors: [ID] }],
    [{ roles: ["read", "observe", "manage"], sessions: ["press-*"] }],
    [{ roles: ["admin"] }],
  ])("with %o no view asks for what would be refused", async (rights) => {
    await visit("#/agent/backup", await keyWith(rights));
    const refused: string[] = [];
    page.on("response", (response) => {
      if (response.status() >= 400) refused.push(`${response.status()} ${response.url()}`);
    });
    for (const fragment of PLACES) {
      await page.evaluate(`location.hash = ${JSON.stringify(fragment)}`);
      await page.waitForTimeout(fragment.endsWith("/now") ? 400 : 80);
      await expect
        .poll(async () => (await page.locator("main").innerText()).length, { message: fragment })
        .toBeGreaterThan(20);
    }
    expect(refused).toEqual([]);
    expect(complaints).toEqual([]);
  });

  test("shows a key that may only read what is in mind and expected, plainly not live, and reads again when asked", async () => {
    await observe("alarm");
    await visit("", await keyWith({ roles: ["read"] }));
    await expect.poll(inMind).toEqual(["alarm"]);
    await expect.poll(() => page.getByText(/^Not live: as of \d/).count()).toBe(1);
    await expect
      .poll(() => page.getByText("cannot follow this memory as it changes: that needs the role observe").count())
      .toBe(1);
    await expect.poll(() => page.locator(".headline b").innerText()).toBe("coffee");
    await expect.poll(() => page.locator(".lane").count()).toBe(1);
    expect(await page.getByRole("button", { name: /^(Observe|Learn|Clear)$/ }).count()).toBe(0);
    await expectSound(page);
    await server.okay(`POST ${P}/working-memory/clear`);
    await observe("bus");
    await page.getByRole("button", { name: "Refresh" }).focus();
    await page.keyboard.press("Enter");
    await expect.poll(inMind).toEqual(["bus"]);
    await expect.poll(() => page.locator(".headline b").innerText()).toBe("work");
    await expect.poll(() => page.evaluate("document.activeElement.textContent")).toBe("Refresh");
    await server.okay(`POST ${P}/working-memory/clear`);
    await page.getByRole("button", { name: "Refresh" }).click();
    await expect.poll(() => page.getByText("Working memory is empty.").count()).toBe(1);
    expect(complaints).toEqual([]);
  });

  test("reads every ten seconds if the user wants that", async () => {
    await visit("", await keyWith({ roles: ["read"] }));
    await expect.poll(() => page.getByText("Working memory is empty.").count()).toBe(1);
    await stopClock(page);
    // It begins by reading at once.
    const read = page.waitForResponse((response) => response.url().endsWith("/working-memory"));
    await page.getByLabel("every 10 seconds").check();
    await untilRead(read);
    await observe("alarm");
    await page.clock.runFor(9_000);
    expect(await inMind()).toEqual([]);
    await expect
      .poll(async () => {
        await page.clock.runFor(1_000);
        return inMind();
      })
      .toEqual(["alarm"]);
  });

  test("lets a key that may only observe see memory and observe, and says what it lacks", async () => {
    await visit("", await keyWith({ roles: ["observe"] }));
    await page.getByLabel("Observe symbols").fill("alarm");
    await page.keyboard.press("Enter");
    await expect.poll(inMind).toEqual(["alarm"]);
    expect(await page.getByRole("button", { name: "Learn" }).count()).toBe(0);
    await expect
      .poll(() => page.locator(".refused").allInnerTexts())
      .toEqual([
        expect.stringContaining(
          "cannot follow this memory as it changes: that needs the role read, and it has observe.",
        ),
        expect.stringContaining("cannot ask what is expected: that needs the role read, and it has observe."),
        expect.stringContaining("cannot learn: that needs the role learn, and it has observe."),
      ]);
    await expectSound(page);
  });

  test("does not say that nothing is in mind where the key may not see it", async () => {
    await observe("alarm");
    await visit("", await keyWith({ roles: ["manage"] }));
    await expect
      .poll(() => page.getByText("cannot see this memory: that needs the role read or observe").count())
      .toBe(1);
    expect(await page.getByText("Working memory is empty").count()).toBe(0);
  });

  test("leads a key of some sessions to them, and follows them", async () => {
    await server.okay(`POST ${P}/sessions/press-1/observe`, { data: { strings: ["alarm"] } });
    await visit("", await keyWith({ roles: ["read", "observe"], sessions: ["press-*"], processors: [ID] }));
    await expect
      .poll(() => page.getByText("cannot see this memory: it opens only the sessions press-*.").count())
      .toBe(1);
    await expectSound(page);
    await page.getByLabel("Open a session").fill("press-1");
    await page.keyboard.press("Enter");
    await expect.poll(() => page.getByText("Live", { exact: true }).count()).toBe(1);
    await expect.poll(inMind).toEqual(["alarm"]);
    expect(await page.getByRole("slider").count()).toBe(0);
    await page.getByRole("link", { name: "Why?" }).first().click();
    await expect.poll(() => page.getByRole("list", { name: "Rules" }).count()).toBe(1);
    await expect
      .poll(() => page.getByText("cannot look at learned sequences: it opens only the sessions press-*.").count())
      .toBe(1);
    expect(complaints).toEqual([]);
  });
});
