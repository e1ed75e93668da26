/** The page of a report: what stands in it, and that nothing of a file can leave its place. */

import { describe, expect, test } from "vitest";
import { chartOf } from "../../src/cli/report/chart";
import { escaped } from "../../src/cli/report/escape";
import { pageOf, type Report } from "../../src/cli/report/page";

const EVIL = `</title><script>alert(1)</script><img src=x onerror="alert(2)">'&\u0000\ud800`;

function report(change: Partial<Report> = {}): Report {
  const rows = Array.from({ length: 3_000 }, (_, at) => ({
    name: `line ${at + 2}`,
    bits: at === 1_500 ? 90 : 1 + (at % 7),
    time: 1_772_000_000 + 60 * at,
    numbers: new Map([["temp", at === 1_500 ? 99 : 20 + (at % 10)]]),
  }));
  const evidence = [{ title: "What caused it", items: [{ text: "temp 98 to 100", amount: "88 bits" }] }];
  return {
    title: "week.csv",
    summary: ["A sentence."],
    noun: "rows",
    columns: ["temp"],
    rows,
    threshold: 40,
    incidents: [{ first: 1_500, last: 1_500, worst: 1_500, count: 1, evidence }],
    ...change,
  };
}

test("escapes all that has a meaning in HTML, and what has no place there", () => {
  expect(escaped(`<a href="x">'&'</a>\u0007\ud800\u{1F600}\n`)).toBe(
    "&lt;a href=&quot;x&quot;&gt;&#39;&amp;&#39;&lt;/a&gt;\ufffd\ufffd\u{1F600}\n",
  );
});

test("has charts of all rows and of each incident on one axis, and what caused it", () => {
  const page = pageOf(report());
  expect(page.match(/<svg class="reading"/g)).toHaveLength(2);
  expect(page.match(/<svg class="surprise"/g)).toHaveLength(2);
  expect(page).toContain("temp 98 to 100 <span>88 bits</span>");
  expect(page).toContain('<article id="incident-1"><h2>1. 2026-02-26');
  // The spike is one of 3,000 rows, and seen: a column of a chart shows its least and its greatest.
  const [, path = ""] = /<svg class="reading"[^>]*>.*?<path d="([^"]*)"/.exec(page) ?? [];
  expect(path.match(/ 4(?=L|h|$)/g)?.length).toBeGreaterThanOrEqual(1);
  expect(path.length).toBeLessThan(60_000);
});

test("has axes: numbers on the left, whole days or hours below, and the numbers of the incidents above", () => {
  const page = pageOf(report());
  const axes = [...page.matchAll(/<div class="scale"[^>]*>(.*?)<\/div>/g)].map(([, spans = ""]) =>
    [...spans.matchAll(/<span>([^<]*)<\/span>/g)].map(([, text]) => text),
  );
  expect(axes.slice(0, 2)).toEqual([
    ["99", "59.5", "20"],
    ["90", "45", "0"],
  ]);
  expect(page).toContain("dashed: the threshold, 40 bits");
  expect(page).toContain('<div class="marks" aria-hidden="true"><div><span style="left:50.02%">1</span>');
  const ticks = [...page.matchAll(/translateX\([^)]*\)">([^<]*)<\/span>/g)].map(([, text]) => text);
  expect(ticks.slice(0, 4)).toEqual(["2026-02-25 12:00", "2026-02-26 00:00", "2026-02-26 12:00", "2026-02-27 00:00"]);
  const rows = Array.from({ length: 5 }, (_, at) => ({
    name: `line ${at + 2}`,
    bits: 1,
    time: undefined,
    numbers: new Map(),
  }));
  expect(pageOf(report({ rows, incidents: [], columns: [] }))).toMatch(/>line 2<.*>line 6</);
});

test("has charts of the fifty incidents with the most bits, and says so where there are more", () => {
  const whole = report();
  const rows = whole.rows.map((row, at) => ({ ...row, bits: at === 2_900 ? 95 : row.bits }));
  const incidents = Array.from({ length: 51 }, (_, at) => {
    const row = at === 50 ? 2_900 : 20 * at;
    return { first: row, last: row, worst: row, count: 1, evidence: [] };
  });
  const page = pageOf(report({ rows, incidents }));
  const hasChart = page.split("<article").map((text) => text.includes("<svg"));
  expect(hasChart.slice(1).filter((has) => !has)).toHaveLength(1);
  expect(hasChart.at(-1)).toBe(true);
  expect(page).toContain("The 50 incidents with the most bits have charts of their own.");
  expect(pageOf(whole)).not.toContain("charts of their own");
});

test("needs nothing else: no script, no link, nothing to load", () => {
  const page = pageOf(report());
  expect(page).not.toMatch(/<script|<link|<img|<iframe|src=|href=|url\(|@import/i);
  expect(page).toContain(`content="default-src 'none'; style-src 'unsafe-inline'"`);
});

test("keeps all texts of a file where they are", () => {
  const row = { name: EVIL, bits: 1, time: undefined, numbers: new Map([[EVIL, 1]]) };
  const evidence = [{ title: EVIL, items: [{ text: EVIL, amount: EVIL }] }];
  const page = pageOf(
    report({
      title: EVIL,
      summary: [EVIL],
      columns: [EVIL],
      rows: [row, row],
      incidents: [{ first: 0, last: 1, worst: 0, count: 2, evidence }],
    }),
  );
  const texts = new Set(page.match(/<\/?[a-z0-9!]+/gi));
  const known = "!doctype html head meta title style body main h1 p section figure figcaption b span svg rect path";
  const more = "div article h2 h3 ul li";
  const tags = `${known} ${more}`.split(" ").flatMap((tag) => [`<${tag}`, `</${tag}`]);
  expect([...texts].filter((tag) => !tags.includes(tag))).toEqual([]);
  expect(page).toContain("&lt;script&gt;alert(1)");
  expect(page).not.toContain("\u0000");
});

describe("a chart", () => {
  const line = { label: "x", kind: "reading", bands: [] } as const;

  test("of a constant, of gaps, of one value and of none is drawn without a NaN", () => {
    for (const values of [[5, 5, 5], [undefined, 1, undefined, 2], [7], [undefined], []]) {
      const chart = chartOf({ ...line, values, at: values.map((_, at) => at) }, 0, Math.max(0, values.length - 1));
      expect(chart).not.toMatch(/NaN|Infinity|undefined/);
    }
  });

  test("of many rows draws at most four points in a column", () => {
    const values = Array.from({ length: 100_000 }, (_, at) => Math.sin(at));
    const chart = chartOf({ ...line, values, at: values.map((_, at) => at) }, 0, values.length - 1);
    expect(chart.match(/[ML]/g)?.length).toBeLessThanOrEqual(4_000);
  });
});
