/**
 * Makes build/pages.js, the pages that the Worker serves without a key, and build/http.md, the reference as one file,
 * when their sources have changed. `npm run pages` does only that.
 */

import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { pathToFileURL } from "node:url";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";
import { clientCalls, OPERATION_CALLS } from "./client-calls.mjs";
import { fingerprint, isFresh, markFresh } from "./fingerprint.mjs";
import { importTypeScript } from "./import-typescript.mjs";
import { ROOT } from "./project.mjs";

const BUILD = join(ROOT, "build");
const PAGES = join(BUILD, "pages.js");
const HTTP_PAGE = join(BUILD, "http.md");
const TYPES = join(BUILD, "pages.d.ts");
const METAFILES = join(BUILD, "pages.metafiles.json");
const STAMP = join(BUILD, "pages.inputs");
const INPUTS = ["docs", "scripts", "src", "package.json", "package-lock.json", OPERATION_CALLS];

const HEAD = "// Written by scripts/pages.mjs.\n";

const DECLARATIONS = `${HEAD}
/** One form of a page. */
export interface PageForm {
  /** The media type, without parameters. */
  readonly type: string;
  /** The place in \`packs\` of the pack that has the text. */
  readonly pack: number;
  /** The text's first byte in the unpacked pack and the byte after its last; absent where the pack has nothing else. */
  readonly range?: readonly [start: number, end: number];
  /** The entity tag of the text, with its quotes. */
  readonly etag: string;
  /** The Content-Security-Policy. */
  readonly policy: string;
}

/** Texts, gzipped and in base64, so that they cost an isolate little until one is requested. */
export declare const packs: readonly string[];

/** The pages by path, without a slash at the end. The first form is for clients that do not care. */
export declare const pages: { readonly [path: string]: readonly [PageForm, ...PageForm[]] };

/** The page where there is none. */
export declare const missingPage: PageForm;
`;

/** A file for browsers, minified, and what esbuild says of it. @param path its path from the root */
async function browserFile(...path) {
  const { metafile, outputFiles } = await build({
    absWorkingDir: ROOT,
    entryPoints: [join(ROOT, ...path)],
    bundle: true,
    minify: true,
    format: "iife",
    target: "es2022",
    jsx: "automatic",
    jsxImportSource: "preact",
    metafile: true,
    write: false,
  });
  return { metafile, text: outputFiles[0].text };
}

/** The file that starts the console; its views are files of their own, loaded when they are opened. */
const CONSOLE_ENTRY = "console";

/**
 * The console for browsers as modules, minified: the text of each by its name, the names of those that the first one
 * needs before it can run, and what esbuild says of all.
 */
async function consoleModules() {
  const { metafile, outputFiles } = await build({
    absWorkingDir: ROOT,
    entryPoints: { [CONSOLE_ENTRY]: join(ROOT, "src", "console", "main.tsx") },
    outdir: join(BUILD, "console"),
    chunkNames: "[name]-[hash]",
    bundle: true,
    splitting: true,
    minify: true,
    format: "esm",
    target: "es2022",
    jsx: "automatic",
    jsxImportSource: "preact",
    metafile: true,
    write: false,
  });
  const entry = Object.entries(metafile.outputs).find(([path]) => basename(path) === `${CONSOLE_ENTRY}.js`);
  const imports = entry[1].imports.filter(({ kind }) => kind === "import-statement");
  return {
    metafile,
    scripts: Object.fromEntries(outputFiles.map(({ path, text }) => [basename(path), text])),
    preloaded: imports.map(({ path }) => basename(path)),
  };
}

/** The documents below docs/ from which pages are made: Markdown and pictures, but no decisions. */
function documents() {
  const paths = readdirSync(join(ROOT, "docs"), { recursive: true, encoding: "utf8" });
  return paths
    .filter((path) => /\.(?:md|svg)$/.test(path) && !path.startsWith("decisions"))
    .sort()
    .map((path) => ({ path: path.replaceAll("\\", "/"), text: readFileSync(join(ROOT, "docs", path), "utf8") }));
}

/**
 * Packs texts. Pages of one shelf repeat each other's frame: packed together, they take two thirds of the bytes.
 * What has no shelf is packed alone.
 */
class Packer {
  #shelves = new Map();

  /** Takes a text, and returns what is known of it before all texts are there. */
  add({ text, shelf = Symbol("alone"), ...form }) {
    const { place, bytes } = this.#shelves.get(shelf) ?? { place: this.#shelves.size, bytes: [] };
    this.#shelves.set(shelf, { place, bytes });
    const start = bytes.reduce((sum, { length }) => sum + length, 0);
    bytes.push(Buffer.from(text));
    return {
      ...form,
      pack: place,
      ...(typeof shelf === "symbol" ? {} : { range: [start, start + bytes.at(-1).length] }),
    };
  }

  /** All packs. */
  packs() {
    const shelves = [...this.#shelves.values()];
    return shelves.map(({ bytes }) => gzipSync(Buffer.concat(bytes), { level: 9 }).toString("base64"));
  }
}

async function makePages() {
  const [{ missingPage, pages }, { httpPage }, calls, style, script, consoleStyle, consoleScript] = await Promise.all([
    importTypeScript(join("scripts", "pages", "pages.ts")),
    importTypeScript(join("scripts", "openapi", "http-page.ts")),
    clientCalls(),
    browserFile("scripts", "pages", "style", "style.css"),
    browserFile("scripts", "pages", "browser", "page.ts"),
    browserFile("src", "console", "style", "console.css"),
    consoleModules(),
  ]);
  const { scripts, preloaded } = consoleScript;
  const consoleFiles = { style: consoleStyle.text, scripts, preloaded };
  const { version } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));
  const made = pages({ version, calls, style: style.text, script: script.text, consoleFiles, documents: documents() });
  const packer = new Packer();
  const all = Object.fromEntries(
    Object.entries(made).map(([path, forms]) => [path, forms.map((one) => packer.add(one))]),
  );
  const missing = packer.add(missingPage(version));
  const values = { packs: packer.packs(), pages: all, missingPage: missing };
  return {
    module:
      HEAD +
      Object.entries(values)
        .map(([name, value]) => `export const ${name} = ${JSON.stringify(value)};\n`)
        .join(""),
    httpPage: httpPage(),
    metafiles: [style, script, consoleStyle, consoleScript].map(({ metafile }) => metafile),
  };
}

/** What esbuild says of the scripts and styles of the pages that were made last. */
export function pageMetafiles() {
  return JSON.parse(readFileSync(METAFILES, "utf8"));
}

/**
 * Makes the pages unless they are up to date. Throws when a row of the table is not described,
 * or a page would be wrong.
 */
export async function buildPages() {
  const inputs = fingerprint(ROOT, INPUTS);
  if (existsSync(PAGES) && existsSync(METAFILES) && isFresh(STAMP, inputs)) return;
  console.log("Making the pages ...");
  mkdirSync(BUILD, { recursive: true });
  rmSync(STAMP, { force: true });
  const { module, metafiles, httpPage } = await makePages();
  writeFileSync(HTTP_PAGE, httpPage);
  writeFileSync(METAFILES, JSON.stringify(metafiles));
  // All at once, because another build may be reading it.
  const file = `${PAGES}.${process.pid}`;
  writeFileSync(file, module);
  renameSync(file, PAGES);
  writeFileSync(TYPES, DECLARATIONS);
  markFresh(STAMP, inputs);
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) await buildPages();
