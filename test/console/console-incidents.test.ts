/** The view *Incidents* in a real browser, against a served Noema: worked through with the keyboard alone. */

import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { browserMissing, startBrowser } from "../support/browser/browser";
import { expectSound, openConsole, setHidden } from "../support/browser/console-page";
import { Server } from "../support/server/server";

const missing = browserMissing();
if (missing !== undefined) console.error(`The tests in a browser are left out: ${missing}.`);

const P = "/p46b6b076c";

/** What the machine does again and again: its state and its temperature. */
const COURSE = [
  ["idle", 30.4],
  ["heat", 55.1],
  ["press", 62.2],
  ["cool", 45.3],
] as const;

const record = ([state, temperature]: readonly [string, number]) => ({
  strings: [`state=${state}`],
  numbers: { temperature },
});

describe.runIf(missing === undefined)("incidents", () => {
  let server: Server;
  let browser: Browser;
  let page: Page;
  let complaints: readonly string[];

  async function visit(fragment: string, key?: string): Promise<void> {
    await page?.close();
    ({ page, complaints } = await openConsole(browser, server, fragment, key === undefined ? {} : { key }));
  }

  /** A run of the machine in which one reading is another one. */
  async function run(session: string, faulty: readonly [string, number]): Promise<void> {
    const readings = [...COURSE, ...COURSE, COURSE[0], COURSE[1], faulty, COURSE[3]];
    for (const reading of readings) {
      await server.okay(`POST ${P}/sessions/${session}/observe`, { data: record(reading) });
    }
  }

  const rows = () => page.locator("a.incident");
  const said = () => page.getByRole("status").last();
  /** The device of the line that has the focus; empty when none has. */
  const focused = async () => (await page.locator("a.incident:focus .device").allInnerTexts()).join();
  const incident = async (id: number) => (await server.okay(`GET ${P}/incidents/${id}`)).message;

  beforeAll(async () => {
    [server, browser] = await Promise.all([Server.start(), startBrowser()]);
    await server.okay(`PUT ${P}/encoders/temperature`, { data: { kind: "step", size: 5 } });
    const sequence = [...COURSE, ...COURSE, ...COURSE].map(record);
    for (let times = 0; times < 20; times++) {
      await server.okay(`POST ${P}/sessions/learning/sequence-observe`, {
        data: { sequence, clear: true, learn: true },
      });
    }
    await server.okay(`POST ${P}/genes/change`, { data: { history: 100 } });
    await server.okay(`PUT ${P}/alerts/odd`, { data: { when: { surprise_above: 8 } } });
  });

  afterAll(async () => {
    await browser?.close();
    await server?.discard();
  });

  test("says the next step where there are none, and shows one that begins at once", async () => {
    await visit("#/incidents");
    await expect.poll(() => page.getByRole("heading", { name: "Nothing needs a look" }).count()).toBe(1);
    await page.getByRole("link", { name: "Set up an alert" }).waitFor();
    await expectSound(page);
    // A stream reports it: a hidden page does not ask for the list from time to time.
    await setHidden(page, true);
    await run("press-1", ["jam", 40.1]);
    await expect.poll(() => rows().count()).toBe(1);
    expect((await rows().innerText()).replace(/\s+/g, " ")).toMatch(
      /^● ?open: press-1 just now state=jam · expected state=press \(\d+%\).* \d+(\.\d)? bits$/,
    );
    expect(complaints).toEqual([]);
  });

  test("is worked through with the keyboard alone: move, open, judge, note, return", async () => {
    await run("press-2", ["jam", 40.1]);
    await run("press-3", ["press", 81.5]);
    await visit("#/incidents");
    await expect.poll(() => rows().count()).toBe(3);
    await expectSound(page);
    await page.getByLabel("Device", { exact: true }).selectOption("press-1");
    await expect.poll(() => rows().allInnerTexts()).toEqual([expect.stringContaining("press-1")]);
    expect(new URL(page.url()).hash).toBe("#/incidents?session=press-1");
    await page.getByLabel("Device", { exact: true }).selectOption("all devices");
    await expect.poll(() => rows().count()).toBe(3);
    await page.evaluate("document.activeElement.blur()");
    await page.keyboard.press("j");
    await expect.poll(focused).toBe("press-3");
    await page.keyboard.press("j");
    await page.keyboard.press("j");
    await page.keyboard.press("k");
    await expect.poll(focused).toBe("press-2");
    await page.keyboard.press("Enter");
    await expect
      .poll(() => page.locator(".sentence").innerText())
      .toMatch(/^state=jam, where state=press was expected/);
    expect(new URL(page.url()).hash).toBe("#/incidents/p46b6b076c/2");
    await page.keyboard.press("e");
    await page.keyboard.type("the sheet was bent");
    await page.keyboard.press("Enter");
    await expect.poll(() => said().innerText()).toBe("The note is kept.");
    await page.keyboard.press("f");
    await expect.poll(() => said().innerText()).toBe("A fault.");
    expect(await incident(2)).toMatchObject({ verdict: "fault", note: "the sheet was bent" });
    await page.keyboard.press("Escape");
    // What was judged has left the list of open ones: the focus goes to the next one.
    await expect.poll(() => rows().count()).toBe(2);
    expect(await focused()).toBe("press-1");
    await page.keyboard.press("Enter");
    await expect.poll(() => new URL(page.url()).hash).toBe("#/incidents/p46b6b076c/1");
    await page.locator(".incident-page").waitFor();
    await page.keyboard.press("k");
    await expect.poll(() => page.locator(".sentence").innerText()).toMatch(/^temperature 80 to 85, where/);
    await page.keyboard.press("Escape");
    await expect.poll(() => rows().count()).toBe(2);
    await expect.poll(focused).toBe("press-3");
    await page.keyboard.press("n");
    await expect.poll(() => said().innerText()).toMatch(/^Normal: its course was learned/);
    // It stays where it is, and the next one is at hand.
    await expect.poll(() => rows().first().innerText()).toContain("normal");
    await expect.poll(focused).toBe("press-1");
    await page.keyboard.press("i");
    await expect.poll(() => said().innerText()).toBe("Ignored.");
    await page.keyboard.press("u");
    await expect.poll(() => said().innerText()).toBe("It is open again.");
    expect([(await incident(3)).verdict, (await incident(1)).verdict]).toEqual(["normal", null]);
    await page.getByRole("link", { name: "✕ fault" }).click();
    await expect.poll(() => rows().allInnerTexts()).toEqual([expect.stringContaining("the sheet was bent")]);
    await server.okay(`PUT ${P}/incidents/1`, { data: { verdict: "ignored" } });
    await page.getByRole("link", { name: "all", exact: true }).click();
    const verdicts = () => rows().evaluateAll((links) => links.map(({ className }) => className.split(" ")[1]));
    await expect.poll(verdicts).toEqual(["normal", "fault", "ignored"]);
    await expectSound(page);
    await server.okay(`PUT ${P}/incidents/1`, { data: { verdict: null } });
    expect(complaints).toEqual([]);
  });

  test("a page shows what happened, what usually comes, which part added the bits, and what is like it", async () => {
    await visit("#/incidents/p46b6b076c/2");
    const parts = page.locator(".parts-table tbody tr");
    await expect.poll(() => parts.count()).toBe(2);
    const { causes } = await incident(2);
    const [first] = await parts.allInnerTexts();
    expect(first?.replace(/\s+/g, " ")).toMatch(/^state=jam state=press \d+(\.\d)?% \d+(\.\d)? bits/);
    expect(await parts.locator(".came").first().getAttribute("title")).toBe(`state=jam: ${causes[0].bits} bits`);
    // The history has the number itself, and the reading after the incident.
    expect(await page.locator(".course-name").allInnerTexts()).toEqual([
      "state jam",
      "temperature 40.1",
      expect.stringMatching(/^surprise \d/),
    ]);
    await page.getByText("events one by one").click();
    await expect
      .poll(async () => (await page.locator(".evidence-events tbody tr").last().innerText()).replace(/\s+/g, " "))
      .toContain("state=cool temperature 45.3");
    await expect.poll(() => page.getByRole("list", { name: "Earlier incidents" }).innerText()).toContain("press-1");
    await expectSound(page);
    await page.getByRole("link", { name: "Why?" }).click();
    await expect.poll(() => page.locator(".sentence").innerText()).toMatch(/jam/);
    expect(complaints).toEqual([]);
    await visit("#/incidents/p46b6b076c/99");
    await expect.poll(() => page.getByRole("alert").first().innerText()).toContain("99");
  });

  test("a key that may only read sees incidents, and is told why it cannot judge", async () => {
    const { message } = await server.okay("POST /keys", { data: { name: "reader", roles: ["read"] } });
    await visit("#/incidents/p46b6b076c/1", message.key);
    await expect.poll(() => page.locator(".refused").innerText()).toContain("This key cannot give a verdict");
    expect(await page.getByRole("button", { name: "Fault" }).count()).toBe(0);
    await page.keyboard.press("f");
    await page.keyboard.press("Escape");
    await expect.poll(() => rows().count()).toBe(1);
    await page.keyboard.press("j");
    await page.keyboard.press("f");
    await expect.poll(() => said().innerText()).toContain("needs the role manage");
    expect((await incident(1)).verdict).toBeNull();
    expect(complaints).toEqual([]);
  });
});
