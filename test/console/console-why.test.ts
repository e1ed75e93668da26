/** The view *Why* in a real browser, against a served Noema: what is predicted, expected or a surprise opens into its evidence. */

import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { browserMissing, startBrowser } from "../support/browser/browser";
import { expectSound, openConsole } from "../support/browser/console-page";
import { Server } from "../support/server/server";

const missing = browserMissing();
if (missing !== undefined) console.error(`The tests in a browser are left out: ${missing}.`);

const PROCESSOR = "/p46b6b076c";
const WHY = "#/p46b6b076c/why";

/** The probabilities of a list by symbol. */
function chancesOf(symbols: readonly { symbol: string; probability: number }[]): Record<string, number> {
  return Object.fromEntries(symbols.map(({ symbol, probability }) => [symbol, probability]));
}

/** The sequences of docs/predictions.md. */
const SEQUENCES = [
  [["alarm"], ["coffee", "milk"], ["bus"], ["work"]],
  [["alarm"], ["coffee", "milk"], ["bus"], ["work"]],
  [["coffee"], ["paper"]],
  [["coffee"], ["radio"]],
];
const MORNING = "49833eecd37f94ad5c6ebd98e4ae0ff02a8d2893";

describe.runIf(missing === undefined)("why", () => {
  let server: Server;
  let browser: Browser;
  let page: Page;
  let complaints: readonly string[];

  async function visit(fragment: string): Promise<void> {
    await page?.close();
    ({ page, complaints } = await openConsole(browser, server, fragment));
  }

  const message = async (path: string, data: object) =>
    (await server.call(`POST ${PROCESSOR}/${path}`, { data })).json.message;

  const sentence = () => page.locator(".sentence").innerText();

  /** Opens everything that has the digits behind what is said. */
  async function openDigits(): Promise<void> {
    for (const summary of await page.locator(".digits > summary").all()) await summary.click();
  }

  /** The rows of a table that lays memory beside a model, as people read them. */
  const rows = () => page.locator(".aligned").first().locator("tbody tr").allInnerTexts();

  beforeAll(async () => {
    [server, browser] = await Promise.all([Server.start(), startBrowser()]);
  });

  afterAll(async () => {
    await browser?.close();
    await server?.discard();
  });

  beforeEach(async () => {
    await server.okay(`POST ${PROCESSOR}/clear-all-memory`, {});
    for (const [at, events] of SEQUENCES.entries()) {
      const sequence = events.map((strings, place) =>
        place === 0 && at < 2 ? { strings, emotives: { joy: 1 - at / 2 } } : { strings },
      );
      await server.okay(`POST ${PROCESSOR}/sequence-observe`, { data: { sequence, learn: true } });
    }
    for (const symbol of ["coffee", "rain", "bus"]) {
      await server.okay(`POST ${PROCESSOR}/observe`, { data: { strings: [symbol] } });
    }
  });

  test("lays memory beside the model, and opens each number into a formula that gives it", async () => {
    await visit(`${WHY}/prediction/${MORNING}`);
    await expect
      .poll(sentence)
      .toMatch(/^work may follow: a sequence learned twice continues with it after coffee and bus\./);
    const inWords = (row: string) =>
      row
        .replace(/\s+(?=,)|(?<=[✓?+→])\s+/g, "")
        .replace(/\s+/g, " ")
        .trim();
    await expect
      .poll(async () => (await rows()).map(inWords))
      .toEqual([
        "past alarm",
        "−2 present ✓coffee, matched is the same as ✓coffee, matched",
        "?milk, missing",
        "−1 +rain, not in the model",
        "newest ✓bus, matched is the same as ✓bus, matched",
        "future →work, expected, this is what it says",
      ]);
    const prediction = (await message("predictions", {})).find(({ name }: { name: string }) => name === MORNING);
    const numbers = page.locator(".numbers summary");
    await expect.poll(() => numbers.count()).toBe(13);
    for (const summary of await numbers.all()) await summary.click();
    await expect.poll(() => page.locator(".check").count()).toBe(13);
    expect(await page.getByText("but the server answers").count()).toBe(0);
    for (const item of await page.locator(".numbers > li").all()) {
      const name = await item.locator(".name").innerText();
      const value = { ...prediction, ...prediction.emotives }[name];
      expect([name, await item.locator(".value").getAttribute("title")]).toEqual([name, String(value)]);
      expect(await item.locator(".check b").innerText()).toBe(`= ${value}`);
    }
    await expectSound(page);
    expect(complaints).toEqual([]);
  });

  test("keeps what is open and which memory it is about in the address", async () => {
    await visit(`${WHY}/prediction/${MORNING}?open=similarity`);
    await expect.poll(() => page.locator(".derivation").count()).toBe(1);
    await expect
      .poll(() => page.locator(".derivation math").first().textContent())
      .toBe("similarity=2·m|model|+|memory|");
    await expect.poll(() => page.locator(".derivation math").nth(1).textContent()).toBe("=2·25+3");
    await page.getByRole("link", { name: "Keep a snapshot in the address" }).click();
    await expect.poll(() => page.getByText("This address holds a snapshot of the memory.").count()).toBe(1);
    await server.okay(`POST ${PROCESSOR}/working-memory/clear`, {});
    const kept = new URL(page.url()).hash;
    await visit(kept);
    await expect.poll(sentence).toMatch(/^work may follow/);
    await expect.poll(() => page.locator(".derivation").count()).toBe(1);
    await page.getByRole("link", { name: "Show the current memory" }).click();
    await expect.poll(sentence).toBe("This model does not match working memory, so it predicts nothing.");
    await page.goBack();
    await expect.poll(sentence).toMatch(/^work may follow/);
  });

  test("what a device leads to stays what it was there, and says when something else is in mind", async () => {
    await visit("#/p46b6b076c/now");
    await expect.poll(() => page.locator(".lane").count()).toBeGreaterThan(0);
    await expect.poll(() => page.locator(".memory .chip").count()).toBe(3);
    for (const line of await page.locator(".lane > details > summary").all()) await line.click();
    const addresses = () =>
      page.locator(".lane .about a, a.what").evaluateAll((all) => all.map((one) => one.getAttribute("href") ?? ""));
    // What is in a lane is drawn after it opened.
    const ofBoth = async () => (await addresses()).filter((href) => /work|49833eec/.test(href));
    await expect.poll(async () => (await ofBoth()).length).toBeGreaterThanOrEqual(2);
    await expect.poll(async () => (await addresses()).every((href) => href.includes("after="))).toBe(true);
    const [forecast = "", prediction = ""] = await ofBoth();
    await visit(forecast);
    await expect.poll(sentence).toMatch(/^work may come next/);
    const told = await sentence();
    await expect.poll(() => page.getByText("This address holds a snapshot of the memory.").count()).toBe(1);
    expect(await page.getByText("Memory has changed").count()).toBe(0);
    await server.okay(`POST ${PROCESSOR}/observe`, { data: { strings: ["snow"] } });
    for (const [address, says] of [
      [forecast, told],
      [prediction, "work may follow"],
    ] as const) {
      await visit(address);
      await expect.poll(sentence).toContain(says);
      await expect.poll(() => page.locator(".changed").innerText()).toContain("its newest event is snow now.");
      await expectSound(page);
    }
    await server.okay(`POST ${PROCESSOR}/working-memory/clear`, {});
    await visit(forecast);
    await expect.poll(() => page.locator(".changed").innerText()).toContain("working memory is empty now.");
  });

  test("a memory that is too long for an address leaves a mark there, so that a change is seen", async () => {
    const long = Array.from({ length: 60 }, (_, at) => ({ strings: [`${"long ".repeat(20)}${at}`] }));
    await server.okay(`POST ${PROCESSOR}/sequence-observe`, { data: { sequence: [...long, { strings: ["bus"] }] } });
    await server.okay(`POST ${PROCESSOR}/genes/change`, { data: { recall_threshold: 0 } });
    await visit("#/p46b6b076c/now");
    await page.locator(".lane summary").first().click();
    const link = page.locator(".lane .about a").first();
    await expect.poll(() => link.getAttribute("href")).toMatch(/\?of=64-[0-9a-z]+$/);
    await link.click();
    await expect.poll(() => page.getByText("The memory when this page loaded.").count()).toBe(1);
    expect(await page.getByText("Memory has changed").count()).toBe(0);
    await server.okay(`POST ${PROCESSOR}/observe`, { data: { strings: ["snow"] } });
    await page.getByRole("button", { name: "Refresh" }).click();
    await expect.poll(() => page.locator(".changed").innerText()).toContain("its newest event is snow now");
    await server.okay(`POST ${PROCESSOR}/genes/change`, { data: { recall_threshold: 0.1 } });
  });

  test("says which rules give a symbol its probability, and lays the models behind it beside memory", async () => {
    await visit(`${WHY}/forecast/work`);
    const [{ symbols }] = (await message("forecast", {})).steps;
    const work = symbols.find(({ symbol }: { symbol: string }) => symbol === "work");
    await expect.poll(() => page.locator(".sentence b").nth(1).getAttribute("title")).toBe(String(work.probability));
    const { rules } = await message("forecast/explain", { symbol: "work" });
    const names = rules.map(({ name }: { name: string }) => name);
    await expect.poll(() => page.locator(".rule b").allInnerTexts()).toEqual(names);
    await expect.poll(() => page.locator(".check").count()).toBeGreaterThan(1);
    expect(await page.getByText("but the server answers").count()).toBe(0);
    const says = page.getByRole("list", { name: "Models, strongest first" }).locator(".says");
    await expect.poll(() => says.allInnerTexts()).toEqual(work.models.map(() => expect.stringContaining("work")));
    await expectSound(page);
    await page.getByRole("list", { name: "Models, strongest first" }).getByRole("link").first().click();
    await expect.poll(() => page.locator(".numbers").count()).toBeGreaterThan(3);
    await page.goBack();
    await expect.poll(() => page.locator(".rule").count()).toBe(rules.length);
    await visit(`${WHY}/forecast/never%20heard?horizon=3&within=`);
    await expect.poll(sentence).toMatch(/^never heard is not expected/);
    expect(complaints).toEqual([]);
  });

  test("says which fewer events give a symbol as much, and shows the formula of its probability", async () => {
    await server.okay(`POST ${PROCESSOR}/clear-all-memory`, {});
    for (const symbols of ["b a a d", "a a b", "a d d d d"]) {
      const sequence = symbols.split(" ").map((symbol) => ({ strings: [symbol] }));
      await server.okay(`POST ${PROCESSOR}/sequence-observe`, { data: { sequence, learn: true } });
    }
    await server.okay(`POST ${PROCESSOR}/observe`, { data: { strings: ["b"] } });
    const asked = { symbol: "b", horizon: 3, within: true };
    const { likeliest_step: step, mixed, probability, rules } = await message("forecast/explain", asked);
    expect(step).toEqual({ horizon: 2, within: true, symbol: "b", probability });
    await visit(`${WHY}/forecast/b?horizon=3&within=`);
    const section = page.locator("section", { has: page.getByRole("heading", { name: "What fewer events give" }) });
    await expect.poll(() => section.getByText("The next 2 events alone give it").count()).toBe(1);
    await openDigits();
    await expect.poll(() => section.locator(".check b").innerText()).toBe(`= ${probability}`);
    const said = page.locator("section", { has: page.getByRole("heading", { name: "What each rule says" }) });
    await expect.poll(() => said.locator(".check b").allInnerTexts()).toContain(`= ${mixed}`);
    const speaking = rules.map(({ evidence }: { evidence: number }) => (evidence >= 0 ? "for" : "against"));
    expect(await said.locator(".bar span").evaluateAll((bars) => bars.map((bar) => bar.className))).toEqual(speaking);
    expect(await page.getByText("but the server answers").count()).toBe(0);
    await expectSound(page);
    expect(complaints).toEqual([]);
  });

  test("says how steps and the list within them agree, and shows the formulas of their probabilities", async () => {
    await server.okay(`POST ${PROCESSOR}/clear-all-memory`, {});
    for (const symbols of ["c a d", "a b d"]) {
      const sequence = symbols.split(" ").map((symbol) => ({ strings: [symbol] }));
      await server.okay(`POST ${PROCESSOR}/sequence-observe`, { data: { sequence, learn: true } });
    }
    await server.okay(`POST ${PROCESSOR}/observe`, { data: { strings: ["b"] } });
    const { steps, within } = await message("forecast", { horizon: 2 });
    const [first, second] = steps.map(({ symbols }: { symbols: Parameters<typeof chancesOf>[0] }) =>
      chancesOf(symbols),
    );
    const all = chancesOf(within);
    expect([all.a, all.d]).toEqual([first.a + second.a, first.d + second.d]);
    const sectionOf = (name: string) => page.locator("section", { has: page.getByRole("heading", { name }) });
    const digitsOf = async (name: string) => {
      await openDigits();
      return sectionOf(name).locator(".check b").allInnerTexts();
    };
    await visit(`${WHY}/forecast/a?horizon=2&within=`);
    await expect.poll(() => sectionOf("What each event gives").getByText("it is no more probable").count()).toBe(1);
    expect(await digitsOf("What each event gives")).toEqual([`= ${all.a}`]);
    await visit(`${WHY}/forecast/d?horizon=2`);
    await expect.poll(() => sectionOf("What all events give").getByText("So it gets what is missing").count()).toBe(1);
    expect(await digitsOf("What all events give")).toEqual([`= ${second.d}`]);
    await visit(`${WHY}/forecast/a?horizon=2`);
    await expect.poll(() => sectionOf("What all events give").getByText("share the rest").count()).toBe(1);
    await expect.poll(sentence).toMatch(/^a may come .*: it occurs elsewhere, though no sequence .* leads to it\.$/);
    expect(await digitsOf("What all events give")).toEqual([`= ${second.d}`, `= ${second.a}`]);
    expect(await page.getByText("but the server answers").count()).toBe(0);
    await expectSound(page);
    expect(complaints).toEqual([]);
  });

  test("opens a surprise of a device into what was expected, by keyboard alone", async () => {
    await visit("#/p46b6b076c/now");
    await expect.poll(() => page.getByText("Live", { exact: true }).count()).toBe(1);
    const { surprise } = (await server.call(`POST ${PROCESSOR}/observe?explain=true`, { data: { strings: ["zebra"] } }))
      .json.message;
    await page.getByRole("link", { name: /^Why the surprise at/ }).focus();
    await page.keyboard.press("Enter");
    await expect
      .poll(sentence)
      .toMatch(/^zebra was a surprise of [\d.]+ bits, because the forecast gave it .* and expected work\.$/);
    await expect.poll(() => page.locator(".sentence b").nth(1).getAttribute("title")).toBe(String(surprise.bits));
    await page.locator(".digits > summary").last().focus();
    await page.keyboard.press("Enter");
    await expect.poll(() => page.locator(".check b").allInnerTexts()).toContain(`= ${surprise.bits}`);
    expect(await page.getByText("but the server answers").count()).toBe(0);
    await expectSound(page);
    await page.getByRole("link", { name: "Devices", exact: true }).first().focus();
    await page.goBack();
    await expect.poll(() => page.getByRole("list", { name: "The greatest surprises" }).count()).toBe(1);
    expect(complaints).toEqual([]);
  });

  test("says in words what cannot be explained", async () => {
    await visit(`${WHY}/prediction/${"0".repeat(40)}`);
    await expect.poll(() => page.getByRole("alert").innerText()).toContain("no model has the name");
    await visit(`${WHY}/forecast/unheard`);
    await expect.poll(() => page.getByText("Why unheard is not expected", { exact: true }).count()).toBe(1);
    await visit(`#/p46b6b076c/sessions/empty/why/surprise`);
    await expect.poll(sentence).toMatch(/^Working memory has no event/);
  });
});
