/**
 * Makes the pages that the Worker serves without a key, as gzipped files in assets/noema and a table of them,
 * build/pages.js; and build/http.md, the reference as one file. Does so when their sources have changed. `npm run pages`
 * does only that.
 */

import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { basename, join, relative } from "node:path";
import { pathToFileURL } from "node:url";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";
import { fingerprint, isFresh, markFresh } from "./fingerprint.mjs";
import { importTypeScript } from "./import-typescript.mjs";
import { ROOT } from "./project.mjs";

const BUILD = join(ROOT, "build");
const PAGES = join(BUILD, "pages.js");
const ASSETS = join(ROOT, "assets", "noema");
const HTTP_PAGE = join(BUILD, "http.md");
const TYPES = join(BUILD, "pages.d.ts");
const METAFILES = join(BUILD, "pages.metafiles.json");
const STAMP = join(BUILD, "pages.inputs");
const INPUTS = ["docs", "scripts", "src", "package.json", "package-lock.json"];

const HEAD = "// Written by scripts/pages.mjs.\n";

const DECLARATIONS = `${HEAD}
/** One form of a page. */
export interface PageForm {
  /** The media type, without parameters. */
  readonly type: string;
  /** The entity tag of the text, with its quotes. Its file in assets/noema has the same name, with .gz at the end. */
  readonly etag: string;
  /** The length of that file. */
  readonly bytes: number;
  /** The Content-Security-Policy. */
  readonly policy: string;
}

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

/** The view that the console begins with: it is loaded along with the first script. */
const FIRST_VIEW = "src/console/home/home.tsx";

/** The outputs that a script needs before it can run, itself included. */
function neededBy(outputs, path, found = new Set()) {
  if (found.has(path)) return found;
  found.add(path);
  for (const { kind, path: next } of outputs[path].imports) {
    if (kind === "import-statement") neededBy(outputs, next, found);
  }
  return found;
}

/** Builds the console as modules, minified. */
function buildConsole(plugins) {
  return build({
    absWorkingDir: ROOT,
    entryPoints: { [CONSOLE_ENTRY]: join(ROOT, "src", "console", "main.tsx") },
    outdir: join(BUILD, "console"),
    chunkNames: "[name]-[hash]",
    // Only the parser of tables names Buffer.
    inject: [join(ROOT, "src", "console", "import", "buffer.ts")],
    bundle: true,
    splitting: true,
    minify: true,
    format: "esm",
    target: "es2022",
    jsx: "automatic",
    jsxImportSource: "preact",
    metafile: true,
    write: false,
    plugins,
  });
}

/** The first script's output, the first view's, and all that they need before they can run, themselves included. */
function firstOutputs({ outputs }) {
  const [entry] = Object.entries(outputs).find(([path]) => basename(path) === `${CONSOLE_ENTRY}.js`);
  const [view] = Object.entries(outputs).find(([, { entryPoint }]) => entryPoint === FIRST_VIEW);
  return { entry, view, needed: neededBy(outputs, view, neededBy(outputs, entry)) };
}

/**
 * A plugin for the next build, by what esbuild says of the last one: the files that the first script and the first view
 * share with others get into one output. esbuild makes an output for each set of views that need a file, so this has
 * each view need all of them.
 */
function sharedInOne(metafile) {
  const { entry, view, needed } = firstOutputs(metafile);
  const shared = [...needed]
    .filter((path) => path !== entry && path !== view)
    .flatMap((path) => Object.keys(metafile.outputs[path].inputs))
    .filter((path) => path.startsWith("src/"));
  const imports = shared.map((path) => `import ${JSON.stringify(join(ROOT, path))};`).join("\n");
  const views = Object.values(metafile.outputs).flatMap(({ entryPoint }) => entryPoint ?? []);
  return {
    name: "shared-in-one",
    setup({ onLoad }) {
      onLoad({ filter: /\.tsx$/ }, ({ path }) => {
        if (!views.includes(relative(ROOT, path).replaceAll("\\", "/"))) return undefined;
        return { contents: `${readFileSync(path, "utf8")}\n${imports}\n`, loader: "tsx" };
      });
    },
  };
}

/**
 * The console for browsers: the text of each module by its name, the names of those that the first one and the first
 * view need before they can run, and what esbuild says of all. Built twice, because each script is a request: what the
 * first view needs would be in a dozen.
 */
async function consoleModules() {
  const apart = await buildConsole([]);
  const { metafile, outputFiles } = await buildConsole([sharedInOne(apart.metafile)]);
  const { entry, needed } = firstOutputs(metafile);
  return {
    metafile,
    scripts: Object.fromEntries(outputFiles.map(({ path, text }) => [basename(path), text])),
    preloaded: [...needed].filter((path) => path !== entry).map((path) => basename(path)),
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

/** The files of the pages by name, gzipped, and what the table says of each page. */
class Shelf {
  /** The content of each file. */
  files = new Map();

  /** Takes a text. Returns its line of the table. */
  add({ text, ...form }) {
    const gzipped = gzipSync(text, { level: 9 });
    this.files.set(`${form.etag.slice(1, -1)}.gz`, gzipped);
    return { ...form, bytes: gzipped.length };
  }
}

async function makePages() {
  const [{ missingPage, pages }, { httpPage }, style, script, consoleStyle, early, consoleScript] = await Promise.all([
    importTypeScript(join("scripts", "pages", "pages.ts")),
    importTypeScript(join("scripts", "openapi", "http-page.ts")),
    browserFile("scripts", "pages", "style", "style.css"),
    browserFile("scripts", "pages", "browser", "page.ts"),
    browserFile("src", "console", "style", "console.css"),
    browserFile("src", "console", "early.ts"),
    consoleModules(),
  ]);
  const { scripts, preloaded } = consoleScript;
  const consoleFiles = { style: consoleStyle.text, early: early.text, scripts, preloaded };
  const { version } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));
  const made = pages({ version, style: style.text, script: script.text, consoleFiles, documents: documents() });
  const shelf = new Shelf();
  const all = Object.fromEntries(
    Object.entries(made).map(([path, forms]) => [path, forms.map((one) => shelf.add(one))]),
  );
  const missing = shelf.add(missingPage(version));
  const values = { pages: all, missingPage: missing };
  return {
    files: shelf.files,
    module:
      HEAD +
      Object.entries(values)
        .map(([name, value]) => `export const ${name} = ${JSON.stringify(value)};\n`)
        .join(""),
    httpPage: httpPage(),
    metafiles: [style, script, consoleStyle, early, consoleScript].map(({ metafile }) => metafile),
  };
}

/** Writes a file at once, because another build may be reading it. */
function writeWhole(path, content) {
  const file = `${path}.${process.pid}`;
  writeFileSync(file, content);
  renameSync(file, path);
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
  if ([PAGES, METAFILES, ASSETS].every((path) => existsSync(path)) && isFresh(STAMP, inputs)) return;
  console.log("Making the pages ...");
  mkdirSync(BUILD, { recursive: true });
  rmSync(STAMP, { force: true });
  const { files, module, metafiles, httpPage } = await makePages();
  writeFileSync(HTTP_PAGE, httpPage);
  writeFileSync(METAFILES, JSON.stringify(metafiles));
  mkdirSync(ASSETS, { recursive: true });
  for (const [name, content] of files) writeWhole(join(ASSETS, name), content);
  writeWhole(PAGES, module);
  for (const name of readdirSync(ASSETS)) if (!files.has(name)) rmSync(join(ASSETS, name), { force: true });
  writeFileSync(TYPES, DECLARATIONS);
  markFresh(STAMP, inputs);
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) await buildPages();
