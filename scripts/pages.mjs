/** Makes build/pages.js, the pages that the Worker serves without a key, when their sources have changed. `npm run pages` does only that. */

import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { fingerprint, isFresh, markFresh } from "./fingerprint.mjs";
import { importTypeScript } from "./import-typescript.mjs";
import { ROOT } from "./project.mjs";

const BUILD = join(ROOT, "build");
const PAGES = join(BUILD, "pages.js");
const TYPES = join(BUILD, "pages.d.ts");
const STAMP = join(BUILD, "pages.inputs");
const INPUTS = ["scripts", "src", "package.json", "package-lock.json"];

const HEAD = "// Written by scripts/pages.mjs.\n";

const DECLARATIONS = `${HEAD}
/** One form of a page. */
export interface PageForm {
  /** The media type, without parameters. */
  readonly type: string;
  readonly text: string;
  /** The entity tag, with its quotes. */
  readonly etag: string;
  /** The Content-Security-Policy. */
  readonly policy: string;
}

/** The pages by path. The first form is for clients that do not care. */
export declare const pages: { readonly [path: string]: readonly [PageForm, ...PageForm[]] };
`;

/** Makes the pages unless they are up to date. Throws when a row of the table is not described. */
export async function buildPages() {
  const inputs = fingerprint(ROOT, INPUTS);
  if (existsSync(PAGES) && isFresh(STAMP, inputs)) return;
  console.log("Making the pages ...");
  mkdirSync(BUILD, { recursive: true });
  rmSync(STAMP, { force: true });
  const { pages } = await importTypeScript(join("scripts", "pages", "pages.ts"));
  const { version } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));
  // All at once, because another build may be reading it.
  const file = `${PAGES}.${process.pid}`;
  writeFileSync(file, `${HEAD}export const pages = ${JSON.stringify(pages(version))};\n`);
  renameSync(file, PAGES);
  writeFileSync(TYPES, DECLARATIONS);
  markFresh(STAMP, inputs);
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) await buildPages();
