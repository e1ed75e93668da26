/**
 * Answers requests for pages that need no key. The pages are built in advance by scripts/pages, as gzipped files in the
 * binding ASSETS. The Worker carries only a table of them.
 */

import Negotiator from "negotiator";
import { missingPage, type PageForm, pages } from "../../build/pages";
import { Refusal } from "./refusal";
import { HEALTH_PATH } from "./watching/health";

/** The binding with the files of the pages. */
export interface AssetsEnv {
  /** Static assets of Cloudflare, or a substitute. Absent if none are bound: then there are no pages. */
  readonly ASSETS?: { fetch(url: string): Promise<Response> } | undefined;
}

/** The folder of the files. Separate, so that a Worker around this one can have other assets. */
const FOLDER = "http://assets/noema/";

const NO_FILES =
  "this deployment has no files for its pages: the console, the reference and /openapi.json. " +
  "Bind the folder assets of the package as ASSETS: docs/package.md has the lines of wrangler.toml";

/** The methods of pages. HEAD is answered wherever GET is. */
const METHODS: readonly string[] = ["GET"];

/** The first segments of paths that have only pages: a missing one is answered by a page that says so. */
export const PAGE_SEGMENTS: readonly string[] = ["console", "docs"];

const FOLDERS = PAGE_SEGMENTS.map((segment) => `/${segment}/`);

/** The methods of the page at a path; none without a page. */
export function pageMethods(path: string): readonly string[] {
  return Object.hasOwn(pages, pagePath(path)) || path === HEALTH_PATH ? METHODS : [];
}

/**
 * Answers a request for a page.
 *
 * @param url the request's URL
 * @param env the binding of the pages' files
 * @returns `undefined` if there is no page for this path and method; rejects with Refusal 500 if its file is missing
 */
export function pageAt(request: Request, url: Pick<URL, "pathname">, env: AssetsEnv): Promise<Response> | undefined {
  const { method } = request;
  // Most requests are POST, and need no lookup.
  if (method !== "GET" && method !== "HEAD") return undefined;
  const path = pagePath(url.pathname);
  const forms = Object.hasOwn(pages, path) ? pages[path] : undefined;
  if (forms !== undefined) return answer(request.headers, forms, 200, env);
  return isInFolder(path) ? answer(request.headers, [missingPage], 404, env) : undefined;
}

/** The path of a page, with or without a final slash. */
function pagePath(path: string): string {
  return isInFolder(path) && path.endsWith("/") ? path.slice(0, -1) : path;
}

function isInFolder(path: string): boolean {
  return FOLDERS.some((folder) => path.startsWith(folder));
}

async function answer(
  headers: Headers,
  forms: readonly [PageForm, ...PageForm[]],
  status: 200 | 404,
  env: AssetsEnv,
): Promise<Response> {
  const form = forms.find(({ type }) => type === preferred(headers, forms)) ?? forms[0];
  const isPacked = takesGzip(headers);
  const about = new Headers({
    "cache-control": "no-cache",
    "content-security-policy": form.policy,
    // A weak tag: gzipped it is another sequence of bytes.
    etag: isPacked ? `W/${form.etag}` : form.etag,
    "referrer-policy": "no-referrer",
    vary: forms.length > 1 ? "accept, accept-encoding" : "accept-encoding",
    "x-content-type-options": "nosniff",
  });
  if (status === 200 && isKnown(headers.get("if-none-match"), form.etag)) {
    return new Response(null, { status: 304, headers: about });
  }
  const gzipped = await fileOf(form, env);
  about.set("content-type", `${form.type}; charset=utf-8`);
  if (!isPacked) return new Response(await unpacked(gzipped), { status, headers: about });
  about.set("content-encoding", "gzip");
  // Manual: the bytes are gzipped already.
  return new Response(gzipped, { status, headers: about, encodeBody: "manual" });
}

function preferred(headers: Headers, forms: readonly { readonly type: string }[]): string | undefined {
  const accept = headers.get("accept") ?? undefined;
  return new Negotiator({ headers: { accept } }).mediaType(forms.map(({ type }) => type));
}

function takesGzip(headers: Headers): boolean {
  const encodings = headers.get("accept-encoding") ?? undefined;
  return new Negotiator({ headers: { "accept-encoding": encodings } }).encoding(["gzip", "identity"]) === "gzip";
}

/** The gzipped text of a form. @throws Refusal 500 if no file of its name and length is bound */
async function fileOf({ etag, bytes }: PageForm, { ASSETS }: AssetsEnv): Promise<ArrayBuffer> {
  const file = await ASSETS?.fetch(`${FOLDER}${etag.slice(1, -1)}.gz`);
  const content = file?.ok ? await file.arrayBuffer() : undefined;
  // Other assets may answer every path with a page of their own.
  if (content?.byteLength !== bytes) throw new Refusal(500, NO_FILES);
  return content;
}

async function unpacked(gzipped: ArrayBuffer): Promise<ArrayBuffer> {
  return new Response(new Blob([gzipped]).stream().pipeThrough(new DecompressionStream("gzip"))).arrayBuffer();
}

/** Whether the client has the answer with this entity tag, gzipped or not. */
function isKnown(ifNoneMatch: string | null, etag: string): boolean {
  if (ifNoneMatch === null) return false;
  return ifNoneMatch.split(",").some((tag) => ["*", etag, `W/${etag}`].includes(tag.trim()));
}
