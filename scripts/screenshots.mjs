/**
 * `npm run screenshots`: serves a Noema of its own, fills it with machines of which some have faults, and writes every picture of the
 * console that the documents show. It needs Chromium, at /usr/bin/chromium or where CHROMIUM says.
 */

import { statSync } from "node:fs";
import { join } from "node:path";
import { chromium } from "playwright-core";
import { LOCAL_KEY } from "../src/serve/settings.mjs";
import { CHROMIUM, CHROMIUM_FLAGS } from "./chromium.mjs";
import { withTemporaryServer } from "./demos/temporary-server.mjs";
import { ROOT } from "./project.mjs";
import { seedMachines } from "./seed.mjs";
import { acceptedArguments } from "./usage.mjs";

/** Small, so that the pictures are, too, and wide enough for a line of a device. In pixels. */
const WIDTH = 1180;
const HEIGHT = 800;

/** The machine that a picture shows: it jammed a few minutes ago. */
const MACHINE = "press-3";

/** Takes a picture of the open page, or of a part of it. @param clip the part, in pixels of the page */
async function picture(page, file, clip) {
  // Pictures that move would differ each time.
  await page.waitForTimeout(1500);
  const path = join(ROOT, "docs", file);
  await page.screenshot({ path, fullPage: true, clip: { x: 0, width: WIDTH, ...clip } });
  console.log(`${path}: ${Math.round(statSync(path).size / 1024)} KB`);
}

async function takePictures(address) {
  const browser = await chromium.launch({
    executablePath: CHROMIUM,
    args: CHROMIUM_FLAGS,
  });
  try {
    const page = await browser.newPage({ viewport: { width: WIDTH, height: HEIGHT }, colorScheme: "light" });
    await page.addInitScript((key) => sessionStorage.setItem("noema.key", key), LOCAL_KEY);
    await page.goto(`${address}/console`);
    await page.locator(".what", { hasText: "jam" }).waitFor();
    await picture(page, "console-home.png", { y: 0, height: 480 });
    await page.goto(`${address}/console#/incidents`);
    await page.getByRole("list", { name: "Incidents, newest first" }).getByRole("link").first().click();
    await page.getByRole("img", { name: "temperature around the incident" }).waitFor();
    await picture(page, "console-incident.png", { y: 0, height: HEIGHT });
    await page.goto(`${address}/console#/home`);
    await page.getByRole("link", { name: MACHINE }).click();
    await page.getByRole("region", { name: "Readings over time" }).waitFor();
    await page.locator(".bars").waitFor();
    await picture(page, "console-now.png", { y: 0, height: HEIGHT });
    await page.getByRole("region", { name: "Readings over time" }).focus();
    await page.keyboard.press("End");
    while (!(await page.locator(".at-pointer").innerText()).includes("jam")) await page.keyboard.press("ArrowLeft");
    await page.locator(".at-pointer a").click();
    await page.getByRole("heading", { level: 2 }).first().waitFor();
    await picture(page, "console-why.png", { y: 0, height: 420 });
  } finally {
    await browser.close();
  }
}

acceptedArguments(
  "npm run screenshots: renews the pictures of the console in docs/. CHROMIUM names the browser if it is not /usr/bin/chromium.",
);
await withTemporaryServer(async (address) => {
  await seedMachines(address);
  await takePictures(address);
});
