/** The pages that need no key: their paths, and the forms in which each is sent. Pure: reads no file and asks no server. */

import { createHash } from "node:crypto";
import { openApiDocument } from "../openapi/document";
import { frontJson, frontPage, inline } from "./front-page";

/** One form of a page. */
export interface PageForm {
  /** The media type, without parameters. */
  readonly type: string;
  readonly text: string;
  /** The entity tag, with its quotes. Changes with the text. */
  readonly etag: string;
  /** The Content-Security-Policy. */
  readonly policy: string;
}

const NOTHING = "default-src 'none'; frame-ancestors 'none'";

/**
 * All pages by path. The first form is for clients that do not care.
 *
 * @param version the version of Noema
 */
export function pages(version: string): { readonly [path: string]: readonly PageForm[] } {
  return {
    "/": [form("application/json", frontJson(version)), form("text/html", frontPage(version), policyOf(inline))],
    "/openapi.json": [form("application/json", JSON.stringify(openApiDocument(version)))],
  };
}

function form(type: string, text: string, policy = NOTHING): PageForm {
  return { type, text, etag: `"${digest(text).slice(0, 22)}"`, policy };
}

/** Allows a page its own style and script, and nothing from anywhere. */
function policyOf({ style, script }: { readonly style: string; readonly script: string }): string {
  const own = [`style-src '${hash(style)}'`, `script-src '${hash(script)}'`, "img-src data:"];
  return [NOTHING, ...own, "base-uri 'none'", "form-action 'none'"].join("; ");
}

function hash(text: string): string {
  return `sha256-${createHash("sha256").update(text).digest("base64")}`;
}

function digest(text: string): string {
  return createHash("sha256").update(text).digest("base64url");
}
