/**
 * `npm run screenshots`: serves a Noema of its own, lets it learn some days and live through a morning, and writes the
 * pictures of the console that README.md shows. It needs Chromium, at /usr/bin/chromium or where CHROMIUM says.
 */

import { statSync } from "node:fs";
import { join } from "node:path";
import { chromium } from "playwright-core";
import { LOCAL_KEY } from "../src/serve/settings.mjs";
import { CHROMIUM, CHROMIUM_FLAGS } from "./chromium.mjs";
import { withTemporaryServer } from "./demos/temporary-server.mjs";
import { PROCESSOR, ROOT } from "./project.mjs";

/** Small, so that the pictures are, too. */
const NOW = { width: 860, height: 540 };
const WHY = { width: 860, height: 375 };

const WORKDAY = ["alarm", "coffee milk", "bus", "work", "lunch", "work", "bus", "dinner", "film", "sleep"];
const HOLIDAY = ["sun", "coffee croissant", "paper", "walk", "lunch", "nap", "dinner", "film", "sleep"];
const DAYS = 21;

/** The days differ a little: an event is left out now and then, always the same ones. */
const isLeftOut = (day, at) => (day * 7 + at * 5) % 11 === 0;

async function post(address, operation, body = {}) {
  const init = { method: "POST", headers: { "x-api-key": LOCAL_KEY }, body: JSON.stringify(body) };
  const response = await fetch(`${address}/${PROCESSOR}/${operation}`, init);
  if (!response.ok) throw new Error(`${operation} answered ${response.status}: ${await response.text()}`);
}

const record = (event) => ({ strings: event.split(" ") });

async function learnDays(address) {
  for (let day = 0; day < DAYS; day++) {
    const events = (day % 7 > 4 ? HOLIDAY : WORKDAY).filter((_, at) => !isLeftOut(day, at));
    await post(address, "sequence-observe", { data: { sequence: events.map(record), learn: true } });
  }
}

/** Opens a page by its address and takes its picture when it shows what it should. */
async function picture(page, file, wanted) {
  await wanted.waitFor();
  // Pictures that move would differ each time.
  await page.waitForTimeout(1500);
  const path = join(ROOT, "docs", file);
  await page.screenshot({ path });
  console.log(`${path}: ${Math.round(statSync(path).size / 1024)} KB`);
}

async function takePictures(address) {
  const browser = await chromium.launch({
    executablePath: CHROMIUM,
    args: CHROMIUM_FLAGS,
  });
  try {
    const page = await browser.newPage({ viewport: NOW, colorScheme: "light" });
    await page.addInitScript((key) => sessionStorage.setItem("noema.key", key), LOCAL_KEY);
    await page.goto(`${address}/console`);
    await page.getByText("Live", { exact: true }).waitFor();
    for (const event of ["alarm", "coffee milk", "bus", "work", "lunch", "rain", "work", "bus"])
      await post(address, "observe", { data: record(event) });
    await picture(page, "console-now.png", page.locator(".lane").first());
    await page.locator("a.what").first().click();
    await page.setViewportSize(WHY);
    await picture(page, "console-why.png", page.getByRole("heading", { level: 2 }).first());
  } finally {
    await browser.close();
  }
}

await withTemporaryServer(async (address) => {
  await learnDays(address);
  await takePictures(address);
});
