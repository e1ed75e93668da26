/** Times pages of the lists of models and symbols: for each order and search, and the CPU time of the server. */

import { call } from "./client.mjs";
import { cpuMs } from "./process-usage.mjs";
import { median, printTable, timed } from "./table.mjs";

/** How many times a page is asked for; the first time, which warms it up, does not count. */
const QUESTIONS = 15;

/** What is asked. `s1` is a symbol of every workload. */
const PAGES = [
  "models?sort=order",
  "models?sort=learned_at",
  "models?sort=frequency",
  "models?sort=length&direction=asc",
  "models?sort=name",
  "models?symbol=s1",
  "models?pattern=s1.*",
  "models?sort=name&pattern=s1.*",
  "models?limit=500",
  "symbols?sort=name",
  "symbols?pattern=s1.*",
];

/** Asks for one page again and again. @returns the cells of its row */
async function timesOf({ address, pid }, page) {
  const ask = () => call(address, page, "", "GET");
  const { total } = JSON.parse(await ask()).message;
  const cpuBefore = cpuMs(pid);
  const ms = [];
  for (let at = 0; at < QUESTIONS; at++) ms.push(await timed(ask));
  const cpu = (cpuMs(pid) - cpuBefore) / QUESTIONS;
  return [page, `${total}`, median(ms).toFixed(0), Math.max(...ms).toFixed(0), cpu.toFixed(0)];
}

/** Times all pages of a server that holds a store. @returns the rows of the table */
export async function measureLists(noema, { workload, models }) {
  const rows = [];
  for (const page of PAGES) rows.push([workload, `${models}`, ...(await timesOf(noema, page))]);
  return rows;
}

/** Prints the rows. */
export function printLists(rows) {
  const columns = ["workload", "models", "page", "rows found", "p50 ms", "max ms", "CPU ms"];
  printTable(`pages of 50 rows over HTTP, ${QUESTIONS} questions each`, columns, rows);
}
