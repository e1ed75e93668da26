/**
 * Sends generated visitors through the shop's Worker, and counts how often its hint was the page that came next. `node try.mjs 120`: that many
 * visitors instead of 300.
 */

import { forEachAtOnce } from "../at-once.mjs";
import { generateVisits } from "../web-shop/visits.mjs";
import { startWorkers } from "./two-workers.mjs";

const VISITS = visitsFrom(process.argv[2] ?? "300");
/** The hints of the first visits are not counted: there is little yet to guess from. */
const LEARNED = Math.floor((2 * VISITS) / 3);
const AT_ONCE = 8;
const SEED = 5;
const LINK = /^<(.*)>; rel=prefetch$/;

/** @throws Error when the text is no number of visits */
function visitsFrom(text) {
  const visits = Number(text);
  if (Number.isInteger(visits) && visits >= 3) return visits;
  throw new Error(`the number of visits is ${JSON.stringify(text)}; accepted is a whole number of 3 or more`);
}

/** Opens the pages of a visit, one after the other, as a browser does, and closes the last. Returns the hint of each page. */
async function visitShop(workers, pages) {
  const hints = [];
  let cookie = "";
  for (const page of pages) {
    const answer = await workers.dispatchFetch(`https://shop.example${page}`, { headers: { cookie } });
    await answer.arrayBuffer();
    cookie = answer.headers.get("set-cookie").split(";")[0];
    hints.push(LINK.exec(answer.headers.get("link"))?.[1]);
  }
  await workers.dispatchFetch("https://shop.example/visit-ended", { method: "POST", headers: { cookie } });
  return hints;
}

const workers = await startWorkers();
const visits = generateVisits(VISITS, SEED);
let [asked, given, right] = [0, 0, 0];
await forEachAtOnce(visits, AT_ONCE, async ({ pages }, index) => {
  const hints = await visitShop(workers, pages);
  if (index < LEARNED) return;
  for (const [at, next] of pages.slice(1).entries()) {
    asked++;
    if (hints[at] !== undefined) given++;
    if (hints[at] === next) right++;
  }
});
await workers.dispose();

/** How often the page would come that comes most often. */
function rateOfMostPopular() {
  const counts = new Map();
  const followers = visits.flatMap(({ pages }) => pages.slice(1));
  for (const page of followers) counts.set(page, (counts.get(page) ?? 0) + 1);
  return Math.max(...counts.values()) / followers.length;
}

const percent = (rate) => `${(100 * rate).toFixed(1)} %`;
console.log(`The Worker learned ${LEARNED} generated visits, and gave hints to ${VISITS - LEARNED} further visitors.`);
console.log(
  `Before ${asked} clicks it gave ${given} hints; ${right} were the page that came next (${percent(right / asked)}).`,
);
console.log(`The most popular page as the hint would have been right for ${percent(rateOfMostPopular())}.`);
