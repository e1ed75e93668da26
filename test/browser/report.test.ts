/** The report of `noema score` in a real browser: it opens from a file, asks for nothing, and can be read on a phone. */

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import axe from "axe-core";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { pageOf } from "../../src/cli/report/page";
import { browserMissing, openPage, startBrowser } from "../support/browser/browser";

const missing = browserMissing();
if (missing !== undefined) console.error(`The tests in a browser are left out: ${missing}.`);

/** Most bytes of a report of 20,000 rows of three sensors: what a mail takes. */
const MAX_BYTES = 2_000_000;

const NAMES = ["temperature", "a_sensor_with_a_name_that_is_much_longer_than_any_phone_is_wide", "current"];

/** A report of 20,000 rows with 10 incidents. */
function reportOfManyRows(): string {
  const rows = Array.from({ length: 20_000 }, (_, at) => ({
    name: `line ${at + 2}`,
    bits: at % 2_000 === 500 ? 90 : 1 + ((at * 37) % 11),
    time: 1_772_000_000 + 60 * at,
    numbers: new Map(NAMES.map((name, column) => [name, Math.sin(at / (10 * column + 5)) * 10 ** (column * 3)])),
  }));
  const incidents = Array.from({ length: 10 }, (_, index) => {
    const at = 2_000 * index + 500;
    const items = [{ text: `${NAMES[1]} 90 to 100`, amount: "88 bits" }];
    const evidence = [
      { title: "What caused it", items },
      { title: "What was likelier", items },
    ];
    return { first: at, last: at, worst: at, count: 1, evidence };
  });
  const summary = ["Of 20,000 rows, half have at most 5 bits."];
  return pageOf({ title: "week.csv", summary, noun: "rows", columns: NAMES, rows, threshold: 40, incidents });
}

/** A report of 40 sequences, whose names are words or one long word, with an incident. */
function reportOfSequences(): string {
  const rows = Array.from({ length: 40 }, (_, at) => ({
    name: at % 2 === 0 ? `job ${at} of the late shift (line ${at})` : `job-${at}-${"late".repeat(8)} (line ${at})`,
    bits: at === 20 ? 40 : 2,
    time: undefined,
    numbers: new Map<string, number>(),
  }));
  const incidents = [{ first: 20, last: 20, worst: 20, count: 1, evidence: [] }];
  return pageOf({ title: "jobs.csv", summary: [], noun: "sequences", columns: [], rows, threshold: 9, incidents });
}

/** How many labels of an axis begin before the one on their left has ended. */
const OVERLAPPING = `[...document.querySelectorAll(".axis")].flatMap((axis) =>
  [...axis.querySelectorAll("span")]
    .map((span) => span.getBoundingClientRect())
    .filter(({ width }) => width > 0)
    .filter(({ left }, at, all) => left < all[at - 1]?.right)).length`;

describe.runIf(missing === undefined)("the report", () => {
  let browser: Browser;
  let folder: string;
  let url: string;
  let sequences: string;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "noema-report-"));
    const html = reportOfManyRows();
    expect(Buffer.byteLength(html)).toBeLessThan(MAX_BYTES);
    writeFileSync(join(folder, "report.html"), html);
    url = pathToFileURL(join(folder, "report.html")).href;
    writeFileSync(join(folder, "sequences.html"), reportOfSequences());
    sequences = pathToFileURL(join(folder, "sequences.html")).href;
    browser = await startBrowser();
  });

  afterAll(async () => {
    await browser?.close();
    rmSync(folder, { recursive: true });
  });

  test.each([
    ["light", 1280],
    ["dark", 360],
  ] as const)("of 20,000 rows in %s, %i pixels wide, asks for nothing, fits and is accessible", async (colorScheme, width) => {
    // The tool that checks is a script, which the page forbids.
    const page = await openPage(browser, { colorScheme, viewport: { width, height: 800 }, bypassCSP: true });
    const noticed: string[] = [];
    page.on("request", (request) => noticed.push(request.url()));
    page.on("console", (message) => noticed.push(message.text()));
    page.on("pageerror", (error) => noticed.push(error.message));
    await page.goto(url);
    expect(noticed).toEqual([url]);
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBeLessThanOrEqual(width);
    expect(await page.locator("svg").count()).toBe(4 * 11);
    const outside = `[...document.querySelectorAll(".axis span, .marks span")]
      .map((span) => span.getBoundingClientRect())
      .filter(({ left, right }) => left < 0 || right > innerWidth).length`;
    expect(await page.evaluate(outside)).toBe(0);
    await page.evaluate(axe.source);
    const { violations, passes } = (await page.evaluate("axe.run()")) as axe.AxeResults;
    expect(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).toEqual([]);
    expect(passes.map(({ id }) => id)).toContain("color-contrast");
    await page.close();
  });

  test.each([1280, 700, 360])("of sequences, %i pixels wide, has labels that do not overlap", async (width) => {
    const page = await openPage(browser, { viewport: { width, height: 800 } });
    for (const report of [sequences, url]) {
      await page.goto(report);
      expect(await page.locator(".axis span:visible").count()).toBeGreaterThan(3);
      expect(await page.evaluate(OVERLAPPING)).toBe(0);
    }
    await page.close();
  });
});
