/**
 * The console's views share one stylesheet. A class that two views style at large would change the other view, so each such class belongs
 * to one file. frame.css and parts.css are for all views.
 */

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "postcss";
import { expect, test } from "vitest";

const STYLE = "src/console/style";
/** What every view may use, tokens.css, and console.css, which only joins the files. */
const SHARED: ReadonlySet<string> = new Set(["console.css", "frame.css", "parts.css", "tokens.css"]);
const FILES = readdirSync(STYLE).filter((name) => name.endsWith(".css"));

interface Selector {
  file: string;
  text: string;
  classes: string[];
}

/** The selectors of a file, without the steps of animations. */
function selectorsOf(file: string): Selector[] {
  const found: Selector[] = [];
  parse(readFileSync(join(STYLE, file), "utf8")).walkRules((rule) => {
    const { parent } = rule;
    if (parent?.type === "atrule" && "name" in parent && parent.name === "keyframes") return;
    for (const text of rule.selectors) {
      found.push({ file, text, classes: [...text.matchAll(/\.([a-z][\w-]*)/gi)].map(([, name = ""]) => name) });
    }
  });
  return found;
}

const SELECTORS = FILES.flatMap(selectorsOf);

/** The files that name each class. */
const FILES_OF = new Map<string, Set<string>>();
for (const { file, classes } of SELECTORS) {
  for (const name of classes) FILES_OF.set(name, (FILES_OF.get(name) ?? new Set()).add(file));
}

/** Whether no other file names a class that this one names. */
function isOnlyHere(name: string): boolean {
  return FILES_OF.get(name)?.size === 1;
}

/** The selectors that name no class of their own file's: they reach wherever their classes stand. */
const AT_LARGE = SELECTORS.filter(({ classes }) => !classes.some(isOnlyHere));

test("the views' files style no element without a class", () => {
  const found = AT_LARGE.filter(({ file, classes }) => !SHARED.has(file) && classes.length === 0);
  expect(found).toEqual([]);
});

test("a class that more than one file names is styled at large by one of them", () => {
  const places = AT_LARGE.flatMap(({ file, classes }) => classes.map((name) => `${name}: ${file}`));
  const [...once] = new Set(places);
  const classes = once.map((place) => place.split(":")[0]);
  expect(classes.filter((name, at) => classes.indexOf(name) !== at)).toEqual([]);
});
