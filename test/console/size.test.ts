/** The console stays light: what a browser loads for all views together has at most 120 KB. */

import { expect, test } from "vitest";
import { pages } from "../../build/pages";
import { loadedBytes } from "../support/reference/served-page";

const MOST_BYTES = 120 * 1024;

test("page, style and script have at most 120 KB, gzipped", () => {
  const paths = Object.keys(pages).filter((path) => /^\/console(\/|$)/.test(path));
  expect(paths.sort()).toEqual(["/console", "/console/console.js", "/console/style.css"]);
  const sizes = paths.map(loadedBytes);
  // A page that was not made would be light, too.
  expect(Math.max(...sizes)).toBeGreaterThan(10_000);
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(MOST_BYTES);
});
