/** The reference as the Worker has it, taken apart for tests. */

import { gunzipSync } from "node:zlib";
import { pages } from "../../../build/pages";

/** The HTML of a page. Throws Error when there is none. */
export function htmlOf(path: string): string {
  const form = pages[path]?.find(({ type }) => type === "text/html");
  if (form === undefined) throw new Error(`there is no page at ${path}`);
  return gunzipSync(Buffer.from(form.gzip, "base64")).toString();
}

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
  const sections = htmlOf("/docs").matchAll(/<section id="(\w+)" class=operation[\s\S]*?<\/section>/g);
  return new Map([...sections].map(([html, id = ""]) => [id, html]));
}

/** The code of an operation's section in one language; `undefined` when it has none. */
export function snippetOf(section: string, language: "python" | "sh" | "ts"): string | undefined {
  const opening = String.raw`data-language=${language}><h4>\w+</h4><pre><code>`;
  const [, html] = new RegExp(String.raw`${opening}([\s\S]*?)</code>`).exec(section) ?? [];
  return html === undefined ? undefined : textOf(html);
}
