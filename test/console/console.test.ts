/**
 * The console in a real browser, against a served Noema: what is in mind and what is expected can be seen, live and by
 * everybody. Takes 45 s: each test opens a page, and axe reads what it shows.
 */

import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { browserMissing, openPage, startBrowser } from "../support/browser/browser";
import { expectSound, openConsole, stopClock, symbolsInMind } from "../support/browser/console-page";
import { Server } from "../support/server/server";

const missing = browserMissing();
if (missing !== undefined) console.error(`The tests in a browser are left out: ${missing}.`);

const KEY = "ABCD-1234";
const PROCESSOR = "/p46b6b076c";
const MORNING = [["alarm"], ["coffee", "milk"], ["bus"], ["work"]];

describe.runIf(missing === undefined)("the console", () => {
  let server: Server;
  let browser: Browser;
  let page: Page;
  let complaints: readonly string[];

  async function visit(fragment = "", keep = false): Promise<void> {
    await page?.close();
    ({ page, complaints } = await openConsole(browser, server, fragment, { keep }));
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
    await server.okay(`POST ${PROCESSOR}/clear-all-memory`, {});
    const sequence = MORNING.map((strings) => ({ strings }));
    await server.okay(`POST ${PROCESSOR}/sequence-observe`, { data: { sequence, learn: true } });
  });

  test("shows what is in mind and what is expected as it happens", async () => {
    await visit();
    await expect.poll(() => page.getByText("Working memory is empty").count()).toBe(1);
    await observe("milk");
    await observe("rain");
    await expect.poll(inMind).toEqual(["milk", "rain"]);
    const lane = page.getByRole("list", { name: "Predictions" }).locator(".lane");
    // The line of milk alone comes before it.
    await expect
      .poll(() => lane.locator(".differences .chip").allTextContents())
      .toEqual(["?coffee, missing", expect.stringMatching(/^\+rain [\d.]+ bits, not in the model$/)]);
    expect(await lane.count()).toBe(1);
    expect(await lane.locator("summary > span").allInnerTexts()).toEqual([
      "→ bus",
      expect.stringMatching(/^1 of 2/),
      expect.stringMatching(/coffee.*rain/s),
      expect.stringMatching(/once$/),
      expect.stringMatching(/^29%/),
    ]);
    await lane.locator("summary").focus();
    await page.keyboard.press("Enter");
    await expect
      .poll(() => lane.locator(".extras .chip").allTextContents())
      .toEqual([expect.stringMatching(/^\+rain [\d.]+ bits, not in the model$/)]);
    expect(await lane.locator(".past .chip").allInnerTexts()).toEqual(["alarm"]);
    expect(await lane.locator(".present .events .chip").allTextContents()).toEqual([
      "?coffee, missing",
      "✓milk, matched",
    ]);
    expect(await lane.locator(".future .chip").allTextContents()).toEqual(["→bus, expected", "→work, expected"]);
    expect(complaints).toEqual([]);
  });

  test("says what comes next, with bars as long as the probabilities, and what was not expected", async () => {
    await visit();
    await observe("alarm");
    const next = page.getByRole("list", { name: "What comes next" }).locator("li");
    await expect.poll(() => next.count()).toBeGreaterThan(2);
    const { json } = await server.call(`POST ${PROCESSOR}/forecast`, {});
    const [{ symbol, probability }] = json.message.steps[0].symbols;
    await expect.poll(() => next.first().locator(".what").innerText()).toBe(symbol);
    await expect.poll(() => next.first().locator(".how").innerText()).toBe(`${(100 * probability).toFixed(0)}%`);
    const [bar, whole] = await Promise.all(
      [".bar span", ".bar"].map((part) => next.first().locator(part).boundingBox()),
    );
    expect((bar?.width ?? 0) / (whole?.width ?? 1)).toBeCloseTo(probability, 1);
    await observe("zebra");
    const surprises = page.getByRole("list", { name: "The greatest surprises" }).locator("li");
    await expect.poll(() => surprises.count()).toBe(1);
    await expect.poll(() => surprises.first().textContent()).toMatch(/ bits .*zebra/);
    // The symbol is coloured by its bits, which stand beside it.
    await expect.poll(() => surprises.first().locator(".came.heat-2").innerText()).toMatch(/^zebra [\d.]+ bits$/);
    // Of each second, the greatest is told.
    await page.waitForTimeout(1_100);
    await observe("milk");
    await expect.poll(() => surprises.count()).toBe(2);
    await expect.poll(async () => (await surprises.locator(".came").allTextContents()).join()).toContain("milk");
    expect(complaints).toEqual([]);
  });

  test("colours a surprise that another part of the page has asked about since it was drawn", async () => {
    await visit();
    // As on a busy machine, effects run long after what is drawn: here about when the chips' query is sent.
    await page.evaluate(`{
      const later = setTimeout.bind(window);
      window.requestAnimationFrame = (callback) => later(() => callback(performance.now()), 520);
      window.setTimeout = (run, ms = 0) => later(run, ms > 0 && ms <= 100 ? 520 : ms);
    }`);
    await observe("alarm");
    // Of each second, the list has the greatest.
    await page.waitForTimeout(1_100);
    await observe("zebra");
    const surprise = page.getByRole("list", { name: "The greatest surprises" }).locator("li").first();
    await expect.poll(() => surprise.locator(".came.heat-2").count()).toBe(1);
    expect(complaints).toEqual([]);
  });

  test("observes, learns and clears by hand, by keyboard alone", async () => {
    await visit();
    await page.getByLabel("Observe symbols").focus();
    await page.keyboard.type('tea "green tea"');
    await page.keyboard.press("Enter");
    await expect.poll(inMind).toEqual(["green tea", "tea"]);
    await page.keyboard.press("Tab");
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await expect.poll(() => page.getByText(/^Learned model [0-9a-f]{8}\.$/).count()).toBe(1);
    await observe("tea");
    await expect.poll(inMind).toEqual(["tea"]);
    await page.getByRole("button", { name: "Clear" }).click();
    await expect.poll(() => page.getByText("Working memory is empty").count()).toBe(1);
  });

  test("symbols of any length and script change neither the width of the page nor what it does", async () => {
    const symbols = [`long ${"L".repeat(300)}`, "<img src=x onerror=alert(1)>", "\u202Eמרחבא", "a\u0001b\tc"];
    const sequence = symbols.map((symbol) => ({ strings: [symbol] }));
    await server.okay(`POST ${PROCESSOR}/sequence-observe`, { data: { sequence, learn: true } });
    await visit();
    for (const symbol of [symbols[0], "elsewhere", symbols[1]]) await observe(symbol as string);
    await expect.poll(inMind).toHaveLength(3);
    await page.locator(".lane summary").first().click();
    await expect.poll(() => page.locator(".lane .chip.matched").count()).toBe(2);
    await expectSound(page);
    await page.evaluate('location.hash = "#/p46b6b076c/why/surprise"');
    await expect.poll(() => page.getByRole("list", { name: "Events before" }).locator(".chip").count()).toBe(2);
    await expectSound(page);
    expect(complaints).toEqual([]);
  });

  test("a symbol that turns the direction of writing round leaves the sentence and its numbers as they are", async () => {
    const sequence = [{ strings: ["begin"] }, { strings: ["\u202Eabc"] }];
    await server.okay(`POST ${PROCESSOR}/sequence-observe`, { data: { sequence, learn: true } });
    await observe("begin");
    await visit();
    await expect.poll(() => page.locator(".headline b").textContent()).toBe("\u202Eabc");
    const places = await page.evaluate(`(() => {
      const text = document.querySelector(".headline b").nextSibling;
      return [1, 3].map((at) => {
        const range = document.createRange();
        range.setStart(text, at);
        range.setEnd(text, at + 1);
        return range.getBoundingClientRect().left;
      });
    })()`);
    const [first, later] = places as [number, number];
    expect(first).toBeLessThan(later);
  });

  test("follows a session, by its address and from the list", async () => {
    await server.okay(`POST ${PROCESSOR}/sessions/front%20door/observe`, { data: { strings: ["alarm"] } });
    await visit("#/p46b6b076c/sessions/front%20door/now");
    await expect.poll(inMind).toEqual(["alarm"]);
    await page.getByLabel("Memory", { exact: true }).selectOption("its own memory");
    await expect.poll(() => page.getByText("Working memory is empty").count()).toBe(1);
    await page.goBack();
    await expect.poll(inMind).toEqual(["alarm"]);
  });

  test("a wrong key is refused in words, and no key is in the URL or kept without leave", async () => {
    await page?.close();
    page = await openPage(browser);
    await page.goto(`${server.address}/console`);
    await page.getByLabel("Key", { exact: true }).fill(`  ${KEY} `);
    await page.getByRole("button", { name: "Open" }).click();
    await expect.poll(() => page.getByRole("heading", { level: 1, name: "Home" }).count()).toBe(1);
    await page.getByRole("button", { name: "Forget the key" }).click();
    await page.getByLabel("Key", { exact: true }).fill("wrong");
    await page.getByRole("button", { name: "Open" }).click();
    await expect.poll(() => page.getByRole("alert").innerText()).toMatch(/The server does not know this key\.\s*$/);
    await expectSound(page);
    await visit();
    expect(page.url()).not.toContain(KEY);
    await page.reload();
    await expect.poll(() => page.getByLabel("Key", { exact: true }).count()).toBe(1);
    expect(await page.evaluate("sessionStorage.length")).toBe(0);
    await visit("", true);
    await page.reload();
    await expect.poll(() => page.getByText("Live", { exact: true }).count()).toBe(1);
    await page.getByRole("button", { name: "Forget the key" }).click();
    await page.reload();
    await expect.poll(() => page.getByLabel("Key", { exact: true }).count()).toBe(1);
    expect(await page.evaluate("sessionStorage.length")).toBe(0);
  });

  test("comes back by itself after the server was killed", async () => {
    await visit();
    process.kill(server.workerdPid, "SIGKILL");
    await expect
      .poll(() =>
        observe("alarm").then(
          () => "observed",
          () => "refused",
        ),
      )
      .toBe("observed");
    await expect.poll(inMind).toEqual(["alarm"]);
    await expect.poll(() => page.getByText("Live", { exact: true }).count()).toBe(1);
  });

  test("axe finds nothing wrong, and nothing is wider than the screen", async () => {
    await observe("milk");
    await observe("rain");
    await visit();
    await expect.poll(() => page.locator(".lane").count()).toBe(1);
    await expectSound(page);
  });

  test("every view has an address, and the list of views leads to all but the evidence", async () => {
    await visit();
    const id = PROCESSOR.slice(1);
    for (const [link, fragment, name] of [
      ["Home", "#/home", "Home"],
      ["Knowledge", `#/${id}/knowledge`, "Knowledge"],
      ["Agent", "#/agent", "Agent"],
      ["Operate", "#/operate", "Operate"],
      ["Devices", `#/${id}/now`, "P1"],
    ] as const) {
      await page.getByRole("navigation", { name: "Views" }).getByRole("link", { name: link, exact: true }).click();
      await expect.poll(() => page.getByRole("heading", { level: 1, name }).count()).toBe(1);
      await expect.poll(() => new URL(page.url()).hash).toBe(fragment);
      await expect.poll(() => page.title()).toBe(`${name} · Noema`);
      await expect.poll(() => page.evaluate("document.activeElement.id")).toBe("view");
    }
    await expect.poll(() => page.getByText("Live", { exact: true }).count()).toBe(1);
    await page.goBack();
    await page.goBack();
    await expect.poll(() => page.getByRole("heading", { level: 1, name: "Agent" }).count()).toBe(1);
    expect(complaints).toEqual([]);
  });

  test("Ctrl-K finds devices, symbols, models and documents, and Enter opens the first", async () => {
    await server.okay(`POST ${PROCESSOR}/sessions/coffee%20corner/observe`, { data: { strings: ["alarm"] } });
    await visit();
    await page.keyboard.press("Control+k");
    const field = page.getByRole("combobox", { name: /^Search devices/ });
    await expect.poll(() => field.count()).toBe(1);
    await page.keyboard.type("coffee");
    const hits = page.getByRole("option").filter({ visible: true });
    await expect
      .poll(async () => (await hits.locator(".kind-of-hit").allInnerTexts()).slice(0, 3))
      .toEqual(["Device", "Symbol", "Model"]);
    await page.keyboard.press("Enter");
    await expect.poll(() => page.getByRole("heading", { level: 1, name: "coffee corner" }).count()).toBe(1);
    await expect.poll(inMind).toEqual(["alarm"]);
    await page.keyboard.press("Control+k");
    await page.keyboard.type("webhook");
    await expect.poll(() => hits.first().innerText()).toMatch(/Docs$/);
    await page.keyboard.press("ArrowDown");
    await expect.poll(() => hits.nth(1).getAttribute("aria-selected")).toBe("true");
    await expectSound(page);
    await page.keyboard.press("Escape");
    await expect.poll(() => field.count()).toBe(0);
    expect(complaints).toEqual([]);
  });

  test("what is typed while the search is loading belongs to it", async () => {
    await visit();
    let load = (): void => undefined;
    const wanted = new Promise<void>((resolve) => {
      load = resolve;
    });
    await page.route(/\/find-dialog-/, async (route) => {
      await wanted;
      await route.continue();
    });
    await page.keyboard.press("Control+k");
    await page.keyboard.type("jk coffee");
    load();
    await expect.poll(() => page.getByRole("combobox", { name: /^Search devices/ }).inputValue()).toBe("jk coffee");
    expect(complaints).toEqual([]);
  });

  test.each(["now", "knowledge/symbols"])("wherever the keyboard leads in %s, the focus is seen", async (part) => {
    await observe("milk");
    await page?.close();
    ({ page } = await openConsole(browser, server, `#${PROCESSOR}/${part}`));
    await expect.poll(() => page.getByText(/1 of 1 model matches now|1 – 5 of 5 symbols/).count()).toBe(1);
    // Where Tab begins on a page that was just opened is for the browser to say.
    await page.getByRole("button", { name: "Skip to the view" }).focus();
    const seen: string[] = [];
    while (seen.length < 40 && !seen.at(-1)?.includes("BODY")) {
      await page.keyboard.press("Tab");
      const focus = `(({ tagName, className }, { outlineStyle, outlineWidth }) =>
        (outlineStyle === "none" || outlineWidth === "0px" ? "unseen " + className + " " : "") + tagName)`;
      seen.push(await page.evaluate(`${focus}(document.activeElement, getComputedStyle(document.activeElement))`));
    }
    expect(seen.length, seen.join()).toBeGreaterThan(9);
    expect(seen.filter((focus) => focus.startsWith("unseen") && !focus.includes("BODY"))).toEqual([]);
    expect(seen).toContain("SECTION");
  });

  test("an address of a processor that there is not leads to those that there are", async () => {
    await page?.close();
    ({ page } = await openConsole(browser, server, "#/gone/knowledge/models"));
    await expect.poll(() => page.getByRole("alert").innerText()).toMatch(/has no processor "gone"\.$/);
    await page.getByRole("list", { name: "Existing processors" }).getByRole("link").click();
    await expect.poll(() => page.getByRole("heading", { name: "Models" }).count()).toBe(1);
    await expect.poll(() => new URL(page.url()).hash).toBe(`#${PROCESSOR}/knowledge`);
  });

  test("says how many models a recall threshold would match, sets it when the slider rests, and leaves it when one gives up", async () => {
    await observe("milk");
    await server.okay(`POST ${PROCESSOR}/genes/change`, { data: { recall_threshold: 0.1 } });
    await visit();
    const slider = page.getByRole("slider", { name: /recall_threshold/ });
    const gene = async () => (await server.okay(`GET ${PROCESSOR}/gene/recall_threshold`)).message;
    await expect.poll(() => page.getByText("1 of 1 model matches now").count()).toBe(1);
    await slider.focus();
    // Else the slider may rest before the test has looked.
    await stopClock(page);
    await page.keyboard.press("End");
    await page.clock.runFor(100);
    await expect.poll(() => page.getByText("0 of 1 model would match; 1 matches now, with 0.1").count()).toBe(1);
    expect(await slider.getAttribute("aria-valuetext")).toMatch(/^1.00: 0 of 1 model would match/);
    expect(Number(await gene())).toBe(0.1);
    await page.keyboard.press("Escape");
    await page.clock.runFor(1_000);
    // What the page would have sent has arrived by then.
    await page.waitForTimeout(200);
    expect(Number(await gene())).toBe(0.1);
    await page.clock.resume();
    await page.keyboard.press("End");
    await expect.poll(async () => Number(await gene())).toBe(1);
    await expect.poll(() => page.getByText("No model matches").count()).toBe(1);
    await page.keyboard.press("Home");
    await expect.poll(async () => Number(await gene())).toBe(0);
    await expect.poll(() => page.locator(".lane").count()).toBe(1);
    expect(complaints).toEqual([]);
  });

  test("a key that may not change genes is told so beside the slider, which then only shows what would match", async () => {
    const { message } = await server.okay("POST /keys", { data: { name: "watcher", roles: ["read", "observe"] } });
    await server.okay(`POST ${PROCESSOR}/genes/change`, { data: { recall_threshold: 0.1 } });
    await page?.close();
    ({ page, complaints } = await openConsole(browser, server, "", { key: message.key }));
    const slider = page.getByRole("slider", { name: /recall_threshold/ });
    await expect.poll(() => page.getByText("cannot set it: that needs the role manage").count()).toBe(1);
    await slider.focus();
    await stopClock(page);
    await page.keyboard.press("End");
    await expect.poll(() => slider.inputValue()).toBe("100");
    await page.clock.resume();
    await expect.poll(() => slider.inputValue()).toBe("10");
    expect(Number((await server.okay(`GET ${PROCESSOR}/gene/recall_threshold`)).message)).toBe(0.1);
    expect(complaints).toEqual([]);
  });

  test("cuts what is too long for a lane, says how much, and rounds nothing to certain or impossible", async () => {
    const crowd = Array.from({ length: 50 }, (_, at) => `s${at}`);
    const events = [...Array.from({ length: 40 }, (_, at) => [`step ${at}`]), crowd, ["end"]];
    const sequence = events.map((strings) => ({ strings }));
    for (let times = 0; times < 3; times++)
      await server.okay(`POST ${PROCESSOR}/sequence-observe`, { data: { sequence, learn: true } });
    await server.okay(`POST ${PROCESSOR}/sequence-observe`, { data: { sequence: sequence.slice(10, 39) } });
    await visit();
    const lane = page.locator(".lane").first();
    await lane.locator("summary").first().click();
    await expect.poll(() => lane.locator(".present .chip").count()).toBe(12);
    expect(await lane.locator(".past .chip").count()).toBe(10);
    expect(await lane.locator(".left-out").allInnerTexts()).toEqual(["17 before", "2 later"]);
    const shown = await page.locator(".bars .how").evaluateAll((all) => all.map((one) => [one.title, one.textContent]));
    expect(shown.length).toBeGreaterThan(3);
    for (const [probability, text] of shown) {
      if (Number(probability) > 0) expect(text).not.toMatch(/^0(\.0)?%$/);
      if (Number(probability) < 1) expect(text).not.toBe("100%");
    }
    await observe("step 39");
    await expect.poll(() => lane.locator(".future .event").first().innerText()).toMatch(/20 more$/);
    await expectSound(page);
  });

  test("tells who opens an empty processor how to begin, and leads from a learned model to it", async () => {
    await server.okay(`POST ${PROCESSOR}/clear-all-memory`, {});
    await visit();
    await expect.poll(() => page.getByText("This processor has learned nothing yet").count()).toBe(1);
    for (const symbol of ["alarm", "coffee", "bus"]) {
      await page.getByLabel("Observe symbols").fill(symbol);
      await page.keyboard.press("Enter");
      await expect.poll(async () => (await inMind()).at(-1)).toBe(symbol);
    }
    await page.getByRole("button", { name: "Learn" }).focus();
    await page.keyboard.press("Enter");
    await expect.poll(() => page.getByText("This processor has learned nothing yet").count()).toBe(0);
    await expect.poll(() => page.evaluate("document.activeElement.textContent")).toBe("Learn");
    await observe("alarm");
    await expect.poll(() => page.locator(".headline b").innerText()).toBe("coffee");
    await page.locator(".said").getByRole("link").click();
    await expect.poll(() => page.url()).toMatch(/knowledge\/models\/[0-9a-f]{40}$/);
  });

  test("offers a session as soon as it observes, and observes numbers and vectors", async () => {
    await visit();
    await server.okay(`POST ${PROCESSOR}/sessions/back%20door/observe`, { data: { strings: ["cat"] } });
    const sessions = page.getByLabel("Memory", { exact: true }).locator("option");
    await expect.poll(() => sessions.allInnerTexts()).toContain("back door");
    await server.okay(`PUT ${PROCESSOR}/encoders/temp`, { data: { kind: "step", size: 0.5 } });
    await page.getByText("Numbers and vectors").click();
    await page.getByLabel("Numbers by").fill("temp=hot");
    await page.keyboard.press("Enter");
    await expect.poll(() => page.getByText('A number is written as name=value, got "temp=hot".').count()).toBe(1);
    await page.getByLabel("Numbers by").fill("temp=21.7");
    await page.getByLabel("Vectors").fill("[0.5, 1]");
    await page.keyboard.press("Enter");
    await expect.poll(async () => (await inMind()).length).toBeGreaterThan(1);
    await expect.poll(async () => (await inMind()).some((symbol) => symbol.startsWith("temp"))).toBe(true);
    await visit();
    await expect.poll(async () => (await inMind()).includes("temp 21.5 to 22")).toBe(true);
  });

  test("leads from a lane and from a bar to the evidence, and says why a processor is still", async () => {
    await observe("milk");
    await visit();
    await page.locator(".lane summary").first().click();
    const lane = page.getByRole("link", { name: /^Why model/ }).first();
    await expect.poll(() => lane.getAttribute("href")).toContain("after=");
    await lane.click();
    await expect.poll(() => page.getByRole("heading", { level: 1, name: "Why" }).count()).toBe(1);
    await expect
      .poll(() => decodeURIComponent(new URL(page.url()).hash))
      .toMatch(/^#\/p46b6b076c\/why\/prediction\/[0-9a-f]{40}\?after=\[\["milk"\]\]$/);
    await page.goBack();
    const bar = page.getByRole("link", { name: "bus", exact: true });
    await expect.poll(() => bar.getAttribute("href")).toContain("after=");
    await bar.click();
    await expect
      .poll(() => decodeURIComponent(new URL(page.url()).hash))
      .toBe('#/p46b6b076c/why/forecast/bus?after=[["milk"]]');
    await server.okay(`POST ${PROCESSOR}/sleeping/start`);
    await page.goBack();
    await expect.poll(() => page.getByText("asleep: it ignores observations").count()).toBe(1);
    await page.getByLabel("Observe symbols").fill("bus");
    await page.keyboard.press("Enter");
    await expect.poll(() => page.getByText("Ignored: the processor is asleep.").count()).toBe(1);
    await server.okay(`POST ${PROCESSOR}/sleeping/stop`);
  });
});
