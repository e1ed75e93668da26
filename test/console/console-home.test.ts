/**
 * Home and the page of a device in a real browser, against a served Noema: which device needs a look is on top, the
 * keyboard alone leads there and back, and what a device has sent is drawn over time, whether the page was open or not.
 * Takes 35 s: each test opens a page, and axe reads what it shows.
 */

import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { browserMissing, startBrowser } from "../support/browser/browser";
import { expectSound, openConsole, symbolsInMind } from "../support/browser/console-page";
import { tasksDuring } from "../support/browser/main-thread";
import { Server } from "../support/server/server";

const missing = browserMissing();
if (missing !== undefined) console.error(`The tests in a browser are left out: ${missing}.`);

const PROCESSOR = "/p46b6b076c";
const MANY = 10_000;

/** As many fit into a memory. */
const MEMORY_SYMBOLS = 200;

describe.runIf(missing === undefined)("Home and devices", () => {
  let server: Server;
  let browser: Browser;
  let page: Page;
  let complaints: readonly string[];

  async function visit(fragment = "#/home"): Promise<void> {
    await page?.close();
    ({ page, complaints } = await openConsole(browser, server, fragment));
  }

  const observe = (session: string, ...symbols: string[]) =>
    server.okay(`POST ${PROCESSOR}/sessions/${session}/sequence-observe`, {
      data: { sequence: symbols.map((symbol) => ({ strings: [symbol] })) },
    });

  const names = () => page.locator(".device-list .device-name b").allInnerTexts();

  const focused = () => page.evaluate("document.activeElement.querySelector('b')?.textContent ?? ''");

  beforeAll(async () => {
    const env = { NOEMA_MEMORY_SYMBOLS: String(MEMORY_SYMBOLS) };
    [server, browser] = await Promise.all([Server.start(undefined, env), startBrowser()]);
  });

  afterAll(async () => {
    await browser?.close();
    await server?.discard();
  });

  test("says how to begin, shows what then comes by itself, and what stood out on top with its evidence", async () => {
    await visit();
    const command = page.locator(".first-steps code");
    await expect.poll(() => command.innerText()).toMatch(/^curl http.*\/p46b6b076c\/sessions\/machine-1\/observe /);
    await expectSound(page);
    const cycle = [["idle"], ["heat"], ["press"], ["cool"]];
    const sequence = cycle.map((strings) => ({ strings }));
    for (let times = 0; times < 5; times++)
      await server.okay(`POST ${PROCESSOR}/sequence-observe`, { data: { sequence, learn: true } });
    await server.okay(`POST ${PROCESSOR}/genes/change`, { data: { history: 50 } });
    await server.okay(`PUT ${PROCESSOR}/alerts/odd`, { data: { when: { surprise_above: 4 } } });
    await observe("press-1", "idle", "heat", "press");
    await observe("press-2", "idle", "heat", "jam");
    await observe("mill-1", "idle", "heat");
    // The page asks again by itself.
    await expect.poll(names).toEqual(["press-2", "P1", "mill-1", "press-1"]);
    const row = (name: string) => page.locator(".device-list a").filter({ hasText: name });
    await expect.poll(() => row("press-2").locator(".what").innerText()).toMatch(/^jam: [\d.]+ bits, expected press$/);
    await expect.poll(() => row("press-2").locator(".open").innerText()).toBe("1 open");
    await expect.poll(() => row("press-2").locator("path.odd").getAttribute("d")).toMatch(/^M/);
    await expect.poll(() => row("press-1").locator(".what").innerText()).toMatch(/^next: cool \(\d+%\)/);
    expect(
      (await page.locator(".counts button").allInnerTexts()).map((text) => text.replace(/\s+/g, " ").trim()),
    ).toEqual(["1 need a look", "3 fine", "0 silent"]);
    await expectSound(page);
    expect(complaints).toEqual([]);
  });

  test("leads to a device and back with the keyboard alone, and keeps the filter and the place", async () => {
    await visit();
    await expect.poll(names).toHaveLength(4);
    // The first answer has all of them: the next question comes 10 s later.
    const asked = "performance.getEntriesByType('resource').filter(({ name }) => name.includes('/devices?'))";
    const [first, next] = (await page.evaluate(
      `${asked}.map(({ startTime, responseEnd }) => [startTime, responseEnd])`,
    )) as number[][];
    expect((next?.[0] ?? Number.POSITIVE_INFINITY) - (first?.[1] ?? 0)).toBeGreaterThan(9000);
    await page.keyboard.press("/");
    await page.keyboard.type("press");
    await expect.poll(names).toEqual(["press-2", "press-1"]);
    await page.keyboard.press("Escape");
    await page.keyboard.press("j");
    await expect.poll(focused).toBe("press-1");
    await page.keyboard.press("k");
    await page.keyboard.press("ArrowDown");
    await expect.poll(focused).toBe("press-1");
    await page.keyboard.press("Enter");
    await expect.poll(() => page.getByRole("heading", { level: 1, name: "press-1" }).count()).toBe(1);
    await page.keyboard.press("Escape");
    await expect.poll(names).toEqual(["press-2", "press-1"]);
    await expect.poll(focused).toBe("press-1");
    expect(new URL(page.url()).hash).toBe("#/home?name=press");
  });

  test("asks for its devices and what the key allows before its scripts are there, if the tab has kept a key", async () => {
    await page.close();
    ({ page, complaints } = await openConsole(browser, server, "#/home", { keep: true }));
    await expect.poll(names).toHaveLength(4);
    const asked: string[] = [];
    page.on("request", (request) => {
      const { pathname, search } = new URL(request.url());
      if (/^\/(?:connect|devices)$/.test(pathname)) asked.push(pathname + search);
    });
    await page.route("**/console/console.js", async (route) => {
      await expect.poll(() => asked).toHaveLength(3);
      await route.continue();
    });
    await page.reload();
    await expect.poll(names).toHaveLength(4);
    // The scripts take the answers: nothing was asked twice.
    expect(asked).toEqual(["/connect?rights=true", "/devices?limit=200", "/devices?limit=10000"]);
    expect(complaints).toEqual([]);
  });

  test("of 10,000 sessions, only those in sight are in the page; all can be reached, and Back leads to where one was", async () => {
    await visit("#/agent");
    const devices = Array.from({ length: MANY }, (_, at) => ({
      incidents: 0,
      last_observed: 1_795_000_000 + at,
      last_surprise: null,
      processor: PROCESSOR.slice(1),
      session: `device-${String(at).padStart(5, "0")}`,
      silent: false,
    }));
    const answer = { id: "agent", interval: 0, message: devices, status: "okay", time_stamp: 0 };
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route("**/devices?*", async (route) => {
      const { searchParams } = new URL(route.request().url());
      const limit = Number(searchParams.get("limit"));
      if (limit === MANY) await held;
      await route.fulfill({ json: { ...answer, message: devices.slice(0, limit) } });
    });
    await page.getByRole("link", { name: "Home", exact: true }).click();
    // Those that need attention are there while the others are loading.
    await expect.poll(async () => (await names())[0]).toBe("device-00000");
    const fine = page.getByRole("button", { name: / fine$/ });
    expect(await fine.innerText()).toMatch(/^200\s+fine$/);
    release();
    await expect.poll(() => fine.innerText()).toMatch(/^10,000\s+fine$/);
    expect((await names()).length).toBeLessThan(100);
    await page.evaluate("scrollTo(0, document.documentElement.scrollHeight)");
    await expect.poll(async () => (await names()).at(-1)).toBe("device-09999");
    expect((await names()).length).toBeLessThan(100);
    await page.evaluate("scrollTo(0, 5000 * 36)");
    await expect.poll(names).toContain("device-05000");
    const before = await page.evaluate("scrollY");
    await page.locator("a.device-row").filter({ hasText: "device-05000" }).click();
    await expect.poll(() => page.getByRole("heading", { level: 1, name: "device-05000" }).count()).toBe(1);
    // On a busy machine, timers come later than frames.
    await page.evaluate("{ const plain = setTimeout; window.setTimeout = (run, ms) => plain(run, (ms ?? 0) + 500); }");
    await page.goBack();
    await expect.poll(names).toContain("device-05000");
    await expect.poll(() => page.evaluate("scrollY")).toBe(before);
    await expect.poll(focused).toBe("device-05000");
  });

  /** The value that the head of a chart shows. */
  const shownBy = (chart: string) =>
    page.locator(".time-chart").filter({ hasText: chart }).locator(".chart-head span").first().innerText();

  test("draws what a device sent while no page was open, with one pointer in all charts, by keyboard and by drag", async () => {
    await server.okay(`PUT ${PROCESSOR}/encoders/heat`, { data: { kind: "step", size: 10 } });
    const begin = 1_795_000_000;
    const sequence = Array.from({ length: 20 }, (_, at) => ({
      strings: [["idle", "heat", "press", "cool"][at % 4]],
      numbers: { heat: at, load: 100 - at },
      time: begin + 600 * at,
    }));
    await server.okay(`PUT ${PROCESSOR}/encoders/load`, { data: { kind: "step", size: 10 } });
    await server.okay(`POST ${PROCESSOR}/sessions/oven/sequence-observe`, { data: { sequence } });
    await visit("#/p46b6b076c/sessions/oven/now");
    await expect.poll(() => shownBy("heat")).toMatch(/^19\b/);
    await expect.poll(() => shownBy("load")).toMatch(/^81\b/);
    expect(await page.getByRole("img", { name: "heat: 0 to 19" }).count()).toBe(1);
    await page.getByRole("region", { name: "Readings over time" }).focus();
    await page.keyboard.press("ArrowLeft");
    await page.keyboard.press("ArrowLeft");
    await expect
      .poll(async () => [await shownBy("heat"), await shownBy("load")].map((text) => Number.parseInt(text, 10)))
      .toEqual([17, 83]);
    await page.keyboard.press("Home");
    await expect.poll(() => shownBy("load")).toMatch(/^100\b/);
    const canvas = page.locator(".canvas .u-over").first();
    const box = await canvas.boundingBox();
    const [left, top, width] = [box?.x ?? 0, (box?.y ?? 0) + 20, box?.width ?? 0];
    await page.mouse.move(left + 0.5 * width, top);
    // The same moment in all of them: heat and load add up to 100.
    await expect.poll(async () => Number.parseInt(await shownBy("heat"), 10)).toBeGreaterThan(5);
    await expect
      .poll(async () => Number.parseInt(await shownBy("heat"), 10) + Number.parseInt(await shownBy("load"), 10))
      .toBe(100);
    await page.mouse.down();
    await page.mouse.move(left + 0.8 * width, top, { steps: 3 });
    await page.mouse.up();
    await expect.poll(() => page.getByLabel("Range").inputValue()).toBe("dragged");
    await page.mouse.move(left + 0.5 * width, top);
    await expect.poll(async () => Number.parseInt(await shownBy("heat"), 10)).toBeGreaterThan(10);
    await page.getByLabel("Range").selectOption("all");
    // What comes while it is open is drawn, too.
    await page.mouse.move(left, top - 200);
    const next = { strings: ["jam"], numbers: { heat: 90, load: 7 }, time: begin + 12_600 };
    await server.okay(`POST ${PROCESSOR}/sessions/oven/observe`, { data: next });
    await expect.poll(() => shownBy("heat")).toMatch(/^90\b/);
    expect(complaints).toEqual([]);
  });

  test("answers what is now, whether that is normal at this hour, and what comes next, on the axis of the readings", async () => {
    const answer = (question: string) =>
      page.locator(".answers > div").filter({ hasText: question }).locator("dd").innerText();
    await visit("#/p46b6b076c/sessions/oven/now");
    await expect.poll(() => answer("Normal at this hour?")).toContain("Add an encoder of the kind clock");
    await server.okay(`PUT ${PROCESSOR}/encoders/hour`, { data: { kind: "clock", of: "hour" } });
    const cycle = ["fill", "bake", "empty"];
    // Every ten minutes, on some days from two o'clock in the afternoon on.
    const begin = Date.UTC(2026, 10, 1, 14) / 1000;
    const part = (day: number, length = 3) =>
      cycle.slice(0, length).map((state, at) => ({
        strings: [state],
        numbers: { heat: 20 + 60 * at },
        time: begin + 86_400 * day + 600 * at,
      }));
    for (let day = 0; day < 5; day++)
      await server.okay(`POST ${PROCESSOR}/sequence-observe`, { data: { sequence: part(day), learn: true } });
    await server.okay(`POST ${PROCESSOR}/sessions/kiln/sequence-observe`, { data: { sequence: part(9, 2) } });
    await visit("#/p46b6b076c/sessions/kiln/now");
    await expect.poll(() => answer("Newest")).toMatch(/^bake/);
    await expect
      .poll(() => answer("Normal at this hour?"))
      .toMatch(/^Yes: .* from 14:00 to 15:00, of 15 learned events$/s);
    await expect
      .poll(() => answer("Next"))
      .toMatch(/^empty \(\d+%\), heat 140 to 150 \(\d+%\).* in about 10 min Why\?$/s);
    await expect.poll(() => shownBy("heat")).toMatch(/^80\b/);
    // The arrow leads on from the last reading to what is expected.
    await page.getByRole("region", { name: "Readings over time" }).focus();
    await page.keyboard.press("ArrowRight");
    await expect.poll(() => shownBy("heat")).toMatch(/^140 to 150 \(\d+%\)/);
    await expect.poll(() => answer("After about 10 min")).toMatch(/^empty/);
    await page.keyboard.press("End");
    const odd = { strings: ["smoke"], numbers: { heat: 140 }, time: begin + 86_400 * 9 + 1200 };
    await server.okay(`POST ${PROCESSOR}/sessions/kiln/observe`, { data: odd });
    await expect.poll(() => answer("Newest")).toMatch(/^smoke/);
    await expect.poll(() => answer("Normal at this hour?")).toMatch(/^No: smoke never learned at any time/);
    // While the server has not said what was learned of the event at the pointer, nothing is said of it.
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route("**/models?*", async (route) => {
      await held;
      await route.continue();
    });
    await page.getByRole("region", { name: "Readings over time" }).focus();
    await page.keyboard.press("Home");
    await expect.poll(() => answer("Normal at this hour?")).toBe("");
    release();
    await expect.poll(() => answer("Normal at this hour?")).toMatch(/^Yes: /);
    await page.keyboard.press("End");
    await page.unroute("**/models?*");
    const greatest = page.getByRole("list", { name: "The greatest surprises" }).locator("li").first();
    await expect.poll(() => greatest.locator(".came.heat-3").first().innerText()).toMatch(/^smoke [\d.]+ bits$/);
    await expectSound(page);
    expect(complaints).toEqual([]);
  });

  test("a memory that has nearly no room left needs a look, and says what to do", async () => {
    const strings = Array.from({ length: 0.95 * MEMORY_SYMBOLS }, (_, at) => `part ${at}`);
    await server.okay(`POST ${PROCESSOR}/sessions/store/observe`, { data: { strings } });
    await visit("#/agent");
    // Far below what is in sight, by the server's order.
    const { message: real, ...envelope } = await server.okay("GET /devices");
    const others = Array.from({ length: 300 }, (_, at) => ({
      incidents: 0,
      last_observed: 1_795_000_000,
      last_surprise: null,
      processor: PROCESSOR.slice(1),
      session: `other-${at}`,
      silent: false,
    }));
    const answer = { ...envelope, message: [...others, ...real] };
    await page.route("**/devices?*", (route) => route.fulfill({ json: answer }));
    await page.getByRole("link", { name: "Home", exact: true }).click();
    await page.getByRole("button", { name: /^1\s*nearly full$/ }).click();
    await expect.poll(names).toEqual(["store"]);
    await visit("#/home?name=store");
    const row = page.locator("a.device-row");
    await expect.poll(() => row.locator(".state").innerText()).toBe("nearly full");
    // The clock may have added a symbol.
    await expect
      .poll(() => row.locator(".what").innerText())
      .toMatch(/^memory 9[56]% full: 19[01] of 200 symbols, learn or clear it$/);
    await page.getByRole("button", { name: /^1\s*nearly full$/ }).click();
    await expect.poll(names).toEqual(["store"]);
    await expectSound(page);
  });

  test("60 events a second take no task of 50 ms", async () => {
    const cycle = ["fill", "bake", "empty"];
    const observeAll = async (count: number) => {
      const each = 1000 / 60;
      const begun = Date.now();
      for (let at = 0; at < count; at += 6) {
        await new Promise((resolve) => setTimeout(resolve, begun + at * each - Date.now()));
        const few = Array.from({ length: 6 }, (_, place) => ({
          strings: [cycle[(at + place) % 3]],
          numbers: { heat: at },
        }));
        await Promise.all(few.map((data) => server.okay(`POST ${PROCESSOR}/sessions/rush/observe`, { data })));
      }
    };
    await server.okay(`POST ${PROCESSOR}/genes/change`, { data: { max_sequence_length: 30 } });
    await observeAll(6);
    await visit("#/p46b6b076c/sessions/rush/now");
    await expect.poll(() => page.locator(".answers").count()).toBe(1);
    const tasks = await tasksDuring(page, () => observeAll(180));
    expect(tasks.length).toBeGreaterThan(50);
    expect(Math.max(...tasks)).toBeLessThan(50);
    expect(complaints).toEqual([]);
  });

  test("two tabs of a device go on after the server was killed, and lead to its incidents", async () => {
    await visit("#/p46b6b076c/sessions/oven/now");
    const { page: other } = await openConsole(browser, server, "#/home");
    const row = other.locator(".device-list a").filter({ hasText: "oven" });
    await expect.poll(() => row.count()).toBe(1);
    process.kill(server.workerdPid, "SIGKILL");
    const last = { strings: ["idle"], numbers: { heat: 12, load: 1 } };
    await expect
      .poll(() =>
        server.okay(`POST ${PROCESSOR}/sessions/oven/observe`, { data: last }).then(
          () => true,
          () => false,
        ),
      )
      .toBe(true);
    await expect.poll(() => shownBy("heat")).toMatch(/^12\b/);
    await expect.poll(() => page.getByText("Live", { exact: true }).count()).toBe(1);
    await expect.poll(() => row.locator(".open").innerText()).toBe("1 open");
    await other.close();
    await expectSound(page);
    await page.getByRole("list", { name: "Incidents" }).getByRole("link").click();
    await expect.poll(() => page.url()).toMatch(/#\/incidents\/p46b6b076c\/\d+$/);
  });

  test("shows as many predictions as fit into a frame, where all would not", async () => {
    const long = (at: number) => ({ strings: [`part ${at} ${"x".repeat(40_000)}`] });
    for (let model = 0; model < 20; model++) {
      const sequence = [{ strings: ["start"] }, long(2 * model), long(2 * model + 1)];
      await server.okay(`POST ${PROCESSOR}/sequence-observe`, { data: { sequence, learn: true } });
    }
    await observe("long", "start");
    await visit("#/p46b6b076c/sessions/long/now");
    await expect.poll(() => page.getByText("Live", { exact: true }).count()).toBe(1);
    await expect.poll(() => page.locator(".lane").count()).toBeGreaterThan(0);
  });

  test("says that no prediction fits into a frame, and reads the best ones when asked", async () => {
    // The hour would have other models predicted, too.
    await server.okay(`DELETE ${PROCESSOR}/encoders/hour`);
    await server.okay(`POST ${PROCESSOR}/genes/change`, { data: { max_sequence_length: 0, recall_threshold: 0 } });
    const long = (at: number) => ({ strings: [`piece ${at} ${"y".repeat(14_000)}`] });
    const sequence = [{ strings: ["begin"] }, ...Array.from({ length: 90 }, (_, at) => long(at))];
    await server.okay(`POST ${PROCESSOR}/sequence-observe`, { data: { sequence, learn: true } });
    await observe("longer", "begin");
    // The button is there before the memory's status, and counts also then.
    let click = () => {};
    const clicked = new Promise<void>((resolve) => {
      click = resolve;
    });
    await visit("#/home");
    const status = `**${PROCESSOR}/sessions/longer/status`;
    await page.route(status, (route) => clicked.then(() => route.continue()));
    await page.evaluate("location.hash = '#/p46b6b076c/sessions/longer/now'");
    const read = page.getByRole("button", { name: "Read the best 3 now" });
    await expect.poll(() => read.count()).toBe(1);
    await read.click();
    click();
    await expect.poll(() => page.locator(".lane").count()).toBeGreaterThan(0);
    await expect.poll(() => page.getByText("Live", { exact: true }).count()).toBe(1);
    expect(await page.locator(".lane").count()).toBeGreaterThan(0);
    await page.unroute(status);
    await server.okay(`POST ${PROCESSOR}/genes/change`, { data: { recall_threshold: 0.1 } });
  });

  test("shows as many expected symbols as fit into a frame, and reads a longer one when asked", async () => {
    const part = (at: number, length: number) => `${at} ${"z".repeat(length)}`;
    const few = Array.from({ length: 6 }, (_, at) => part(at, 120_000));
    for (const [session, strings] of [
      ["wide", few],
      ["widest", [part(9, 600_000)]],
    ] as const) {
      const sequence = [{ strings: [`then ${session}`] }, { strings }];
      await server.okay(`POST ${PROCESSOR}/sequence-observe`, { data: { sequence, learn: true } });
      await observe(session, `then ${session}`);
    }
    const bars = () => page.getByRole("list", { name: "What comes next" }).locator("li:not(.none)");
    await visit("#/p46b6b076c/sessions/wide/now");
    await expect.poll(() => bars().count()).toBe(2);
    await visit("#/p46b6b076c/sessions/widest/now");
    await expect.poll(() => page.getByText("Live", { exact: true }).count()).toBe(1);
    await expect.poll(() => symbolsInMind(page)).toEqual(["then widest"]);
    await page.getByRole("button", { name: "Read the forecast now" }).click();
    await expect.poll(() => bars().count()).toBeGreaterThan(0);
  });

  test("colours what surprises in working memory, also of what came while no page was open", async () => {
    await observe("press-9", "idle", "heat", "press", "cool", "idle", "heat", "jam", "cool");
    await visit("#/p46b6b076c/sessions/press-9/now");
    const coloured = (symbol: string) =>
      page
        .getByRole("region", { name: "Working memory, newest event last" })
        .locator(".chip[class*=heat-]")
        .filter({ hasText: symbol })
        .allInnerTexts();
    await expect.poll(() => coloured("jam")).toEqual([expect.stringMatching(/^jam [\d.]+ bits$/)]);
    await observe("press-9", "idle", "alarm");
    await expect.poll(() => coloured("alarm")).toEqual([expect.stringMatching(/^alarm [\d.]+ bits$/)]);
    await expectSound(page);
  });
});
