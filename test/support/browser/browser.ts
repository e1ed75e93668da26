/** A real browser for tests: Debian's Chromium, driven by playwright-core, which brings none of its own. */

import { existsSync } from "node:fs";
import { type Browser, type BrowserContextOptions, chromium, type Page } from "playwright-core";
import { CHROMIUM, CHROMIUM_FLAGS } from "../../../scripts/chromium.mjs";

/** How long a page may take for one thing, such as a click: as long as a test, because a busy machine is no mistake of the page. */
const PATIENCE_MS = 100_000;

/**
 * Why there is no browser to test with; `undefined` when there is one. Where NOEMA_BROWSER is `required`, as in .ci/run, there must be
 * one.
 *
 * @throws Error when there must be one and there is none
 */
export function browserMissing(): string | undefined {
  if (existsSync(CHROMIUM)) return undefined;
  const missing = `there is no browser at ${CHROMIUM}; install it with "apt-get install chromium", or set CHROMIUM to its path`;
  if (process.env.NOEMA_BROWSER === "required") throw new Error(missing);
  return missing;
}

/** Starts the browser. The caller closes it. */
export function startBrowser(): Promise<Browser> {
  return chromium.launch({ executablePath: CHROMIUM, args: CHROMIUM_FLAGS });
}

/** Opens an empty page. The caller closes it. */
export async function openPage(browser: Browser, options?: BrowserContextOptions): Promise<Page> {
  const page = await browser.newPage(options);
  page.setDefaultTimeout(PATIENCE_MS);
  return page;
}
