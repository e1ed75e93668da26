/** The reference as the Worker has it, taken apart for tests. */

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { type PageForm, pages } from "../../../build/pages";

/** The file of a form of a page, gzipped. */
function fileOf({ etag }: PageForm): Buffer {
  return readFileSync(join("assets", "noema", `${etag.slice(1, -1)}.gz`));
}

/** The text of a form of a page, as bytes. */
function bytesOf(form: PageForm): Buffer {
  return gunzipSync(fileOf(form));
}

/** How many bytes a browser loads for the first form of a page. Throws Error when there is no page at the path. */
export function loadedBytes(path: string): number {
  return fileOf(formAt(path)).length;
}

function formAt(path: string): PageForm {
  const form = pages[path]?.[0];
  if (form === undefined) throw new Error(`there is no page at ${path}`);
  return form;
}

/** The text of the first form of a page. Throws Error when there is no page at the path. */
export function textAt(path: string): string {
  return bytesOf(formAt(path)).toString();
}

/** The HTML of a page. Throws Error when there is none. */
export function htmlOf(path: string): string {
  const form = pages[path]?.find(({ type }) => type === "text/html");
  if (form === undefined) throw new Error(`there is no page at ${path}`);
  return bytesOf(form).toString();
}

/** The paths of the pages of the reference: the list of everything, and a page for each group of operations. */
export const referencePaths: readonly string[] = Object.keys(pages).filter((path) =>
  /^\/docs(?:\/reference\/.*)?$/.test(path),
);

/** HTML as the text that a reader sees. */
export function textOf(html: string): string {
  return html
    .replace(/<[^>]*>/g, "")
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&quot;", '"')
    .replaceAll("&amp;", "&");
}

/** The section of each operation: HTML by operation. */
export function operationSections(): Map<string, string> {
  const all = referencePaths.map(htmlOf).join("\n");
  const sections = all.matchAll(/<section id="(\w+)" class=operation[\s\S]*?<\/section>/g);
  return new Map([...sections].map(([html, id = ""]) => [id, html]));
}

/** The code of an operation's section in one language; `undefined` when it has none. */
export function snippetOf(section: string, language: "python" | "sh" | "ts" | "urllib"): string | undefined {
  const opening = String.raw`data-language=${language}><h4>\w+</h4><pre><code>`;
  const [, html] = new RegExp(String.raw`${opening}([\s\S]*?)</code>`).exec(section) ?? [];
  return html === undefined ? undefined : textOf(html);
}
