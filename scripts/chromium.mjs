/**
 * The browser of tests, benchmarks and pictures: the system's Chromium, driven by playwright-core,
 * which brings none of its own.
 */

/** Its path: the variable CHROMIUM, else Debian's location. */
export const CHROMIUM = process.env.CHROMIUM || "/usr/bin/chromium";

/** How it is started. It needs no user, no graphics and no services of its maker. */
export const CHROMIUM_FLAGS = [
  "--headless",
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];
