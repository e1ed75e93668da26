/**
 * `npm run screenshots`: serves a Noema of its own, lets it learn how a machine makes parts and watch one that goes wrong, and writes the
 * pictures of the console that README.md shows. It needs Chromium, at /usr/bin/chromium or where CHROMIUM says.
 */

import { statSync } from "node:fs";
import { join } from "node:path";
import { chromium } from "playwright-core";
import { LOCAL_KEY } from "../src/serve/settings.mjs";
import { CHROMIUM, CHROMIUM_FLAGS } from "./chromium.mjs";
import { withTemporaryServer } from "./demos/temporary-server.mjs";
import { PROCESSOR, ROOT } from "./project.mjs";

/** Small, so that the pictures are, too. In pixels. */
const WIDTH = 860;
const MARGIN = 12;

/** What the machine does for each part that it makes: its state, its temperature and its vibration. */
const PROGRAM = [
  ["idle", 31, 0.3],
  ["heat", 47, 0.5],
  ["heat", 58, 0.5],
  ["press", 62, 2.6],
  ["press", 63, 2.4],
  ["cool", 48, 0.4],
];
const PARTS = 40;

/** Parts differ a little: some are heated longer, some pressed only once, always the same ones. */
const isLeftOut = (part, at) => (part * 7 + at * 5) % 11 === 0;

/** The part at which something goes wrong: the press shakes and gets hot. */
const FAULTY = ["press", 76, 5.8];

async function send(address, method, operation, body = {}) {
  const init = { method, headers: { "x-api-key": LOCAL_KEY }, body: JSON.stringify(body) };
  const response = await fetch(`${address}/${PROCESSOR}/${operation}`, init);
  if (!response.ok) throw new Error(`${operation} answered ${response.status}: ${await response.text()}`);
}

const record = ([state, temperature, vibration]) => ({ strings: [state], numbers: { temperature, vibration } });

async function learnParts(address) {
  await send(address, "PUT", "encoders/temperature", { data: { kind: "step", size: 5 } });
  await send(address, "PUT", "encoders/vibration", { data: { kind: "step", size: 1 } });
  for (let part = 0; part < PARTS; part++) {
    const readings = PROGRAM.filter((_, at) => !isLeftOut(part, at));
    await send(address, "POST", "sequence-observe", { data: { sequence: readings.map(record), learn: true } });
  }
}

/** Takes a picture of the open page, or of a part of it. @param clip the part, in pixels of the page */
async function picture(page, file, clip) {
  // Pictures that move would differ each time.
  await page.waitForTimeout(1500);
  const path = join(ROOT, "docs", file);
  await page.screenshot({ path, fullPage: true, clip: { x: 0, width: WIDTH, ...clip } });
  console.log(`${path}: ${Math.round(statSync(path).size / 1024)} KB`);
}

/** Where a heading begins, in pixels from the top of the page. */
async function topOf(page, name) {
  const heading = page.getByRole("heading", { name, exact: true });
  await heading.waitFor();
  return Math.round((await heading.boundingBox()).y);
}

async function takePictures(address) {
  const browser = await chromium.launch({
    executablePath: CHROMIUM,
    args: CHROMIUM_FLAGS,
  });
  try {
    const page = await browser.newPage({ viewport: { width: WIDTH, height: 1200 }, colorScheme: "light" });
    await page.addInitScript((key) => sessionStorage.setItem("noema.key", key), LOCAL_KEY);
    await page.goto(`${address}/console`);
    await page.getByText("Live", { exact: true }).waitFor();
    for (const reading of [...PROGRAM.slice(0, 4), FAULTY])
      await send(address, "POST", "observe", { data: record(reading) });
    const why = page.locator("section", { hasText: "Surprise" }).getByRole("link", { name: "Why" }).last();
    await why.waitFor();
    const y = (await topOf(page, "What comes next")) - MARGIN;
    await picture(page, "console-now.png", { y, height: (await topOf(page, "Predictions")) - MARGIN - y });
    await why.click();
    await page.getByRole("heading", { level: 2 }).first().waitFor();
    await picture(page, "console-why.png", { y: 0, height: 420 });
  } finally {
    await browser.close();
  }
}

await withTemporaryServer(async (address) => {
  await learnParts(address);
  await takePictures(address);
});
