/**
 * The pages that need no key: their paths, and the forms in which each is sent. Pure: reads no file and asks no server.
 */

import { createHash } from "node:crypto";
import { openApiDocument } from "../openapi/document";
import { CONSOLE_STYLE_PATH, consolePage, consoleScriptPath } from "./console-page";
import { frontJson, frontPage, inline } from "./front-page";
import { guidePages, linksFrom, pictures, type SourceFile } from "./guides/guides";
import { layout, SCRIPT_PATH, STYLE_PATH } from "./layout";
import { MARK, MARK_PATH } from "./mark";
import type { Document } from "./reference/document";
import { referencePages } from "./reference/reference-pages";
import { searchData } from "./search/entries";
import { SEARCH_PATH } from "./search/entry";

/** One form of a page. */
export interface PageText {
  /** The media type, without parameters. */
  readonly type: string;
  readonly text: string;
  /** The entity tag, with its quotes. Changes with the text. */
  readonly etag: string;
  /** The Content-Security-Policy. */
  readonly policy: string;
}

/** The sources of the pages in addition to the table of operations. */
export interface PageSources {
  /** The version of Noema. */
  readonly version: string;
  /** The style and the script of the pages below /docs. */
  readonly style: string;
  readonly script: string;
  /**
   * The style of the console, the script in its page, the others by name, and the names of those that the first one
   * needs at once.
   */
  readonly consoleFiles: {
    readonly style: string;
    readonly early: string;
    readonly scripts: { readonly [name: string]: string };
    readonly preloaded: readonly string[];
  };
  /** The files below docs/. */
  readonly documents: readonly SourceFile[];
}

const NOTHING = "default-src 'none'; frame-ancestors 'none'";
const NO_FORMS = "base-uri 'none'; form-action 'none'";

/** The pages below /docs load their own style, script and pictures, and call their own server. */
const OWN = own();

/** The policy of {@link OWN}, and of a page that also holds a script. */
function own(script?: string): string {
  const scripts = script === undefined ? "'self'" : `'self' '${hash(script)}'`;
  return `${NOTHING}; style-src 'self'; script-src ${scripts}; img-src 'self' data:; connect-src 'self'; ${NO_FORMS}`;
}

/** A picture may have a style of its own: it can load nothing, and no script runs in it. */
const PICTURE = `${NOTHING}; style-src 'unsafe-inline'; sandbox`;

/** All pages by path. The first form is for clients that do not care. */
export function pages(sources: PageSources): { readonly [path: string]: readonly PageText[] } {
  const { version, style, script, consoleFiles, documents } = sources;
  const openApi = openApiDocument(version);
  const document = openApi as unknown as Document;
  const reference = referencePages({ document, target: linksFrom("interface.md", documents) });
  const guides = guidePages({ files: documents, version });
  const search = searchData({ document, reference, documents, guides });
  return {
    "/": [form("application/json", frontJson(version)), form("text/html", frontPage(version), policyOf(inline))],
    "/openapi.json": [form("application/json", JSON.stringify(openApi))],
    ...formsOf(reference.pages, "text/html", OWN),
    [SEARCH_PATH]: [form("application/json", JSON.stringify(search))],
    ...formsOf(guides, "text/html", OWN),
    ...formsOf(pictures(documents), "image/svg+xml", PICTURE),
    "/console": [form("text/html", consolePage(consoleFiles.early, consoleFiles.preloaded), own(consoleFiles.early))],
    [CONSOLE_STYLE_PATH]: [form("text/css", consoleFiles.style)],
    ...formsOf(scriptsByPath(consoleFiles.scripts), "text/javascript", NOTHING),
    [MARK_PATH]: [form("image/svg+xml", MARK, PICTURE)],
    [STYLE_PATH]: [form("text/css", style)],
    [SCRIPT_PATH]: [form("text/javascript", script)],
  };
}

/** The page where there is none. */
export function missingPage(version: string): PageText {
  const text = `<h1>There is no such page</h1>
<p>The <a href="/docs">reference</a> has every operation; the <a href="/docs/guides">guides</a> explain the rest.</p>`;
  const page = { title: "No such page · Noema", description: "There is no such page.", contents: "", text, version };
  return form("text/html", layout({ ...page, place: "/docs/guides" }), OWN);
}

function scriptsByPath(scripts: { readonly [name: string]: string }): { readonly [path: string]: string } {
  return Object.fromEntries(Object.entries(scripts).map(([name, text]) => [consoleScriptPath(name), text]));
}

function formsOf(texts: { readonly [path: string]: string }, type: string, policy: string) {
  return Object.fromEntries(Object.entries(texts).map(([path, text]) => [path, [form(type, text, policy)]]));
}

function form(type: string, text: string, policy = NOTHING): PageText {
  return { type, text, etag: `"${digest(text).slice(0, 22)}"`, policy };
}

/** Allows a page its own style and script, and nothing from anywhere. */
function policyOf({ style, script }: { readonly style: string; readonly script: string }): string {
  const own = [`style-src '${hash(style)}'`, `script-src '${hash(script)}'`, "img-src 'self'"];
  return [NOTHING, ...own, NO_FORMS].join("; ");
}

function hash(text: string): string {
  return `sha256-${createHash("sha256").update(text).digest("base64")}`;
}

function digest(text: string): string {
  return createHash("sha256").update(text).digest("base64url");
}
