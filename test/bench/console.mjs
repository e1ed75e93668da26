/**
 * Benchmark of the console in a real browser, at one processor with 10,000 models of workload A: how long it takes from opening the address to
 * the first lane when the processor is not in memory, and what the page's main thread does while 60 events a second come. First it checks that
 * every event is shown. Then Home of 10,000 sessions: how long until its first lines are there, and until all are counted.
 */

import { chromium } from "playwright-core";
import { CHROMIUM, CHROMIUM_FLAGS } from "../../scripts/chromium.mjs";
import { PROCESSOR } from "../../scripts/project.mjs";
import { seedSessions } from "../../scripts/seed.mjs";
import { LOCAL_KEY } from "../../src/serve/settings.mjs";
import { call } from "./client.mjs";
import { serveNoema } from "./served.mjs";
import { median, percentile, printTable } from "./table.mjs";

const SEED = 1;
const MODELS = 10_000;
const SHORT_MODELS = 100;
/** Under load the server should not be what is slow: it has fewer models then. */
const MODELS_UNDER_LOAD = 1000;
const OPENINGS = 7;
const SHORT_OPENINGS = 1;
/** Symbols of one record. Working memory rolls. */
const EVENT_SYMBOLS = 2;
const MEMORY_SYMBOLS = 30;
const EVENTS_A_SECOND = 60;
const WINDOW_MS = 250;
const SECONDS = 10;
const SHORT_SECONDS = 2;
/** Sessions on Home: as many as it lists; and how often it is opened. */
const SESSIONS = 10_000;
const SHORT_SESSIONS = 300;
const HOME_OPENINGS = 9;

/** What the trace must hold: the tasks of the main thread, and the page's own marks. */
const CATEGORIES = ["disabled-by-default-devtools.timeline", "toplevel", "blink.user_timing", "devtools.timeline"];

/** Runs in the page before everything: the key is kept, the first lane is noticed, and each message of a stream is marked. */
function prepare(key) {
  sessionStorage.setItem("noema.key", key);
  const observer = new MutationObserver(() => {
    if (document.querySelector(".lane") === null) return;
    performance.mark("first-lane");
    observer.disconnect();
  });
  observer.observe(document, { childList: true, subtree: true });
  const Plain = globalThis.WebSocket;
  globalThis.WebSocket = class extends Plain {
    constructor(...settings) {
      super(...settings);
      // The stream of the memory that is shown; another one hears of sessions that begin.
      super.addEventListener("message", ({ data }) => {
        if (String(data).includes('"event":"surprise"')) performance.mark("heard");
      });
    }
  };
}

/** Runs in the page before everything: the key is kept, and Home's first line and the count of all its devices are noticed. */
function prepareHome([key, sessions]) {
  sessionStorage.setItem("noema.key", key);
  const counted = () =>
    [...document.querySelectorAll(".state-count b")].reduce(
      (sum, { textContent }) => sum + Number(textContent.replace(",", "")),
      0,
    );
  const seen = {
    "first-line": () => document.querySelector("a.device-row") !== null,
    "all-counted": () => counted() === sessions,
  };
  const observer = new MutationObserver(() => {
    for (const [name, isSeen] of Object.entries(seen)) {
      if (!isSeen()) continue;
      performance.mark(name);
      delete seen[name];
    }
  });
  observer.observe(document, { childList: true, subtree: true, characterData: true });
}

/** From the beginning of the navigation to Home's first line and to the count of all, in milliseconds. */
async function openHome(browser, server, sessions) {
  const page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
  await page.addInitScript(prepareHome, [LOCAL_KEY, sessions]);
  await page.goto(`${server.address}/console`);
  await page.waitForFunction(() => performance.getEntriesByName("all-counted").length > 0);
  const times = await page.evaluate(() =>
    ["first-line", "all-counted"].map((name) => performance.getEntriesByName(name)[0].startTime),
  );
  await page.close();
  return times;
}

/** Home, the first time on a server that was just started, and then again and again. @returns the rows of the table */
async function home(browser, sessions, count) {
  let server = await serveNoema();
  try {
    await seedSessions(server.address, sessions);
    server = await server.restart();
    const cold = await openHome(browser, server, sessions);
    const warm = [];
    for (let at = 0; at < count; at++) warm.push(await openHome(browser, server, sessions));
    const rows = [];
    for (const [at, what] of ["the first lines", "all counted"].entries()) {
      const times = warm.map((opening) => opening[at]);
      rows.push(
        [what, median(times), Math.min(...times), Math.max(...times), cold[at]].map(
          (cell) => cell.toFixed?.(0) ?? cell,
        ),
      );
    }
    return rows;
  } finally {
    await server.stop();
  }
}

async function openPage(browser, server) {
  const page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
  await page.addInitScript(prepare, LOCAL_KEY);
  await page.goto(`${server.address}/console#/${PROCESSOR}/now`);
  await page.locator(".lane").first().waitFor();
  return page;
}

/** From the beginning of the navigation to the first lane, in milliseconds, each time with a server that was just started. */
async function openings(browser, served, count) {
  const times = [];
  for (let at = 0; at < count; at++) {
    served.server = await served.server.restart();
    const page = await openPage(browser, served.server);
    times.push(await page.evaluate(() => performance.getEntriesByName("first-lane")[0].startTime));
    await page.close();
  }
  return times;
}

/** Sends records at a steady pace. A server that is too busy refuses some; the page hears of the others. */
async function sendSteadily(server, texts, seconds) {
  const start = performance.now();
  const sent = [];
  for (let at = 0; at < seconds * EVENTS_A_SECOND; at++) {
    const due = start + (at * 1000) / EVENTS_A_SECOND;
    await new Promise((resolve) => setTimeout(resolve, Math.max(0, due - performance.now())));
    sent.push(call(server.address, "observe", `{"data":${texts[at % texts.length]}}`).catch(() => undefined));
  }
  await Promise.all(sent);
}

/** What the main thread did, in milliseconds: the longest task, and the processor time that each event took. */
function workOf(trace) {
  const { traceEvents } = JSON.parse(trace);
  const heard = traceEvents.filter(({ name }) => name === "heard").sort((one, other) => one.ts - other.ts);
  const { pid, tid } = heard[0];
  const tasks = traceEvents.filter(
    (event) => event.pid === pid && event.tid === tid && event.ph === "X" && event.name === "RunTask",
  );
  const works = [];
  // Several events share the work of one frame: so the work is counted in windows, and divided by the events in each.
  for (let from = heard[0].ts; from < heard.at(-1).ts - WINDOW_MS * 1000; from += WINDOW_MS * 1000) {
    const to = from + WINDOW_MS * 1000;
    const events = heard.filter(({ ts }) => ts >= from && ts < to).length;
    const work = tasks.reduce((sum, task) => {
      const part = Math.min(to, task.ts + task.dur) - Math.max(from, task.ts);
      return part > 0 ? sum + (part * task.tdur) / task.dur : sum;
    }, 0);
    if (events > 0) works.push(work / 1000 / events);
  }
  const longest = (member) => Math.max(...tasks.map((task) => task[member])) / 1000;
  return { heard: heard.length, longest: longest("dur"), longestWork: longest("tdur"), works };
}

async function underLoad(browser, server, texts, seconds) {
  const page = await openPage(browser, server);
  await sendSteadily(server, texts, 1);
  await browser.startTracing(page, { categories: CATEGORIES });
  await sendSteadily(server, texts, seconds);
  await page.waitForTimeout(500);
  const trace = await browser.stopTracing();
  const { message: memory } = JSON.parse(await call(server.address, "working-memory", "", "GET"));
  const shown = await page.locator(".memory .event").count();
  if (shown !== memory.length) throw new Error(`memory has ${memory.length} events, and the page shows ${shown}`);
  await page.close();
  return workOf(trace.toString());
}

/**
 * Measures and prints the table.
 *
 * @param load loads a TypeScript module of this folder
 * @param _large has no effect here
 * @param short uses few models and little time
 */
export async function run(load, _large, short) {
  const workload = { ...(await load("workload")), ...(await load("knowledge-base")) };
  const { Generator, A, symbolName } = workload;
  const [models, count, seconds] = short ? [SHORT_MODELS, SHORT_OPENINGS, SHORT_SECONDS] : [MODELS, OPENINGS, SECONDS];
  const generator = new Generator({ ...A, memory: EVENT_SYMBOLS }, SEED + 1);
  const texts = Array.from({ length: 64 }, () =>
    JSON.stringify({ strings: Array.from(generator.memory(), symbolName), vectors: [], emotives: {}, metadata: {} }),
  );
  const served = { server: await serveNoema() };
  const { server } = served;
  const browser = await chromium.launch({ executablePath: CHROMIUM, args: CHROMIUM_FLAGS });
  try {
    await call(server.address, "load_kb", workload.knowledgeBase(new Generator(A, SEED), models));
    await call(server.address, "genes/change", JSON.stringify({ data: { max_sequence_length: MEMORY_SYMBOLS } }));
    for (const text of texts.slice(0, MEMORY_SYMBOLS)) await call(server.address, "observe", `{"data":${text}}`);
    const times = await openings(browser, served, count);
    await call(
      served.server.address,
      "load_kb",
      workload.knowledgeBase(new Generator(A, SEED), Math.min(models, MODELS_UNDER_LOAD)),
    );
    const { heard, longest, longestWork, works } = await underLoad(browser, served.server, texts, seconds);
    const row = (what, value) => [what, value.toFixed(1)];
    printTable(
      `the console at a processor with ${models} models of A; ${count} openings after a restart; ${heard} events, ${EVENTS_A_SECOND} a second`,
      ["what", "ms"],
      [
        row("from the address to the first lane, median", median(times)),
        row("the same, longest", Math.max(...times)),
        row("main thread: processor time of an event, median", median(works)),
        row("main thread: the same, p95", percentile(works, 0.95)),
        row("main thread: longest task, processor time", longestWork),
        row("main thread: longest task, by the clock", longest),
      ],
    );
    const sessions = short ? SHORT_SESSIONS : SESSIONS;
    const openingsOfHome = short ? SHORT_OPENINGS : HOME_OPENINGS;
    printTable(
      `Home of ${sessions} sessions: ms from the address; ${openingsOfHome} openings, and one before them just after a restart`,
      ["until", "median", "least", "most", "after a restart"],
      await home(browser, sessions, openingsOfHome),
    );
  } finally {
    await browser.close();
    await served.server.stop();
  }
}
