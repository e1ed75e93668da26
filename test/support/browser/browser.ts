/** A real browser for tests: Debian's Chromium, driven by playwright-core, which brings none of its own. */

import { existsSync } from "node:fs";
import { type Browser, chromium } from "playwright-core";

const CHROMIUM = process.env.CHROMIUM || "/usr/bin/chromium";

/** It needs no user, no graphics and no services of its maker. */
const FLAGS = [
  "--headless",
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

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
  return chromium.launch({ executablePath: CHROMIUM, args: FLAGS });
}
