/** The console stays light: a browser loads little before the first view is there, and the code of the others when they are opened. */

import { expect, test } from "vitest";
import { pages } from "../../build/pages";
import { htmlOf, loadedBytes, textAt } from "../support/reference/served-page";

const MAX_FIRST_BYTES = 100 * 1024;
const MAX_BYTES = 200 * 1024;

const PATHS = Object.keys(pages).filter((path) => /^\/console(\/|$)/.test(path));

/** The scripts that a script needs before it runs, by its own imports, and so on; with the script itself. */
function neededBy(path: string, found = new Set<string>()): Set<string> {
  if (found.has(path)) return found;
  found.add(path);
  for (const [, name] of textAt(path).matchAll(/(?:from|import)"\.\/([^"]+)"/g)) neededBy(`/console/${name}`, found);
  return found;
}

function sum(paths: Iterable<string>): number {
  return [...paths].reduce((bytes, path) => bytes + loadedBytes(path), 0);
}

test("page, style and the scripts of the first view have at most 100 KB, gzipped", () => {
  const home = PATHS.find((path) => /\/home-[^/]*\.js$/.test(path));
  if (home === undefined) throw new Error("the home view is no file of its own");
  const scripts = new Set([...neededBy("/console/console.js"), ...neededBy(home)]);
  // All of the first script's, and no view's.
  expect(scripts.size).toBeGreaterThan(2);
  expect([...scripts].filter((path) => /\/(?:agent|knowledge|now|operate|why)-/.test(path))).toEqual([]);
  const bytes = sum(["/console", "/console/style.css", ...scripts]);
  // A page that was not made would be light, too.
  expect(bytes).toBeGreaterThan(10_000);
  expect(bytes).toBeLessThanOrEqual(MAX_FIRST_BYTES);
});

test("all views together have at most 200 KB, gzipped", () => {
  expect(sum(PATHS)).toBeLessThanOrEqual(MAX_BYTES);
});

test("the page names beforehand what the first script and Home import, so that all of it comes at once", () => {
  const named = [...htmlOf("/console").matchAll(/rel="modulepreload" href="([^"]+)"/g)].map(([, path]) => path);
  const home = PATHS.find((path) => /\/home-[^/]*\.js$/.test(path)) ?? "";
  const imported = [...neededBy(home, neededBy("/console/console.js"))].filter(
    (path) => path !== "/console/console.js",
  );
  expect(imported).toContain(home);
  expect(named.sort()).toEqual(imported.sort());
});
