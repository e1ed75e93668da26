/** The dollars of docs/guides/cost.md are those that its prices, requests and rows make. */

import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

const PAGE = readFileSync("docs/guides/cost.md", "utf8");

/** The rows of the table below a heading, cell by cell. */
function tableUnder(heading: string): string[][] {
  const [, section = ""] = PAGE.split(`\n## ${heading}\n`);
  const lines = section.split("\n").filter((line) => line.startsWith("|"));
  const table = lines.slice(
    0,
    section
      .split("\n\n")
      .find((part) => part.startsWith("|"))
      ?.split("\n").length,
  );
  return table.slice(2).map((line) =>
    line
      .split("|")
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
}

/** A number as the page writes it, such as `1,000,000` or `$0.15 a million`. */
function numberIn(cell = ""): number {
  const [digits = "none"] = cell.match(/[\d.,]*\d/) ?? [];
  return Number(digits.replaceAll(",", ""));
}

const prices = tableUnder("Prices");

/** In dollars, of one; the page has those of a million. */
function priceOf(what: string): number {
  return numberIn(prices.find(([name]) => name === what)?.[2]) / 1_000_000;
}

/** In a day, for free. */
function allowanceOf(what: string): number {
  return numberIn(prices.find(([name]) => name === what)?.[3]);
}

const REQUEST = priceOf("requests of the Worker") + priceOf("requests of objects");
const ROW = priceOf("rows written");

const million = tableUnder("A million observes");

test.each(million)("a million observes by %s: %s requests and %s rows cost $%s", (_how, requests, rows, dollars) => {
  expect(numberIn(requests) * REQUEST + numberIn(rows) * ROW).toBeCloseTo(numberIn(dollars), 9);
});

/** What a month costs beyond what the plan includes. */
function dollarsOf(what: string, count: number): number {
  const included = prices.find(([name]) => name === what)?.[1] ?? "";
  const scale = included.endsWith("million") ? 1_000_000 : 1;
  return Math.max(0, count - numberIn(included) * scale) * priceOf(what);
}

const MONTH_S = 30 * 24 * 60 * 60;
const PLAN_DOLLARS = 5;

test.each(
  tableUnder("A fleet, a month"),
)("%s devices, a record every %s by %s: %s requests a second, $%s", (...row) => {
  const [devices, every, how, second, dollars] = row;
  const [, requests, rows] = million.find(([name]) => name === how) ?? [];
  const observes = (numberIn(devices) / numberIn(every)) * MONTH_S;
  const calls = (observes * numberIn(requests)) / 1_000_000;
  expect(calls / MONTH_S).toBeCloseTo(numberIn(second), 9);
  const total =
    PLAN_DOLLARS +
    dollarsOf("requests of the Worker", calls) +
    dollarsOf("requests of objects", calls) +
    dollarsOf("rows written", (observes * numberIn(rows)) / 1_000_000);
  expect(total).toBeCloseTo(numberIn(dollars), 2);
});

test.each(tableUnder("The free plan"))("the free plan carries by %s %s, then %s run out", (how, records, what) => {
  const [, requests, rows] = million.find(([name]) => name === how) ?? [];
  const carried = {
    requests: (allowanceOf("requests of the Worker") / numberIn(requests)) * 1_000_000,
    rows: (allowanceOf("rows written") / numberIn(rows)) * 1_000_000,
  };
  const least = Math.min(carried.requests, carried.rows);
  expect(Math.floor(least / 1000)).toBe(Math.floor(numberIn(records) / 1000));
  const first = Object.entries(carried).filter(([, most]) => most === least);
  expect(first.map(([name]) => name).join(" and ")).toBe(what);
});
