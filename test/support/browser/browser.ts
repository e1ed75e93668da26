/** A real browser for tests: Debian's Chromium, driven by playwright-core, which brings none of its own. */

import { existsSync } from "node:fs";
import { type Browser, type BrowserContext, type BrowserContextOptions, chromium, type Page } from "playwright-core";
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

/** Opens an empty page, as a browser that has never been used. The caller closes it. */
export async function openPage(browser: Browser, options?: BrowserContextOptions): Promise<Page> {
  return patient(await browser.newPage(options));
}

/**
 * The context of each browser in which its next tab opens. One for each page would cost more processor time than all else that opens a
 * page of the console: it makes a profile, loads all scripts and compiles them anew. An empty tab stays open in each: without it a context
 * would close its window with each page and open one for the next, with all that surrounds the pages of a window, which takes twice as long.
 */
const contexts = new WeakMap<Browser, { readonly context: BrowserContext; readonly options: string }>();

/**
 * Opens an empty page as a new tab beside those that were closed: it has what these have loaded, and nothing that they have kept for
 * their session. As long as a tab is open, or other options are wished, it is a tab of a browser that has never been used. The caller
 * closes it.
 */
export async function openTab(browser: Browser, options: BrowserContextOptions = {}): Promise<Page> {
  const wished = JSON.stringify(options);
  const former = contexts.get(browser);
  if (former?.options === wished && former.context.pages().length <= 1) return patient(await former.context.newPage());
  const context = await browser.newContext(options);
  await context.newPage();
  contexts.set(browser, { context, options: wished });
  return patient(await context.newPage());
}

/** Has the next tab open in a browser that has never been used, because what was set holds for all tabs of this page's. */
export function keepTabsAway(page: Page): void {
  const browser = page.context().browser();
  if (browser !== null) contexts.delete(browser);
}

function patient(page: Page): Page {
  page.setDefaultTimeout(PATIENCE_MS);
  return page;
}
