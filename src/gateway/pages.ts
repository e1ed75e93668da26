/**
 * Answers requests for pages that need no key. The pages themselves are made at build time, by scripts/pages, and are
 * carried gzipped, many in one pack.
 */

import Negotiator from "negotiator";
import { missingPage, type PageForm, packs, pages } from "../../build/pages";
import { HEALTH_PATH } from "./watching/health";

/** The methods that pages know. HEAD is answered wherever GET is. */
const METHODS: readonly string[] = ["GET"];

/** The first segments of paths that have only pages: what is not there is answered by a page that says so. */
export const PAGE_SEGMENTS: readonly string[] = ["console", "docs"];

const FOLDERS = PAGE_SEGMENTS.map((segment) => `/${segment}/`);

/** The methods that the page at a path knows; none when there is no page. */
export function pageMethods(path: string): readonly string[] {
  return Object.hasOwn(pages, pagePath(path)) || path === HEALTH_PATH ? METHODS : [];
}

/**
 * Answers a request for a page.
 *
 * @param url the request's URL
 * @returns `undefined` when there is no page for this path and method
 */
export function pageAt(request: Request, url: URL): Promise<Response> | undefined {
  const { method } = request;
  // Most requests are POST: their paths need no look.
  if (method !== "GET" && method !== "HEAD") return undefined;
  const path = pagePath(url.pathname);
  const forms = Object.hasOwn(pages, path) ? pages[path] : undefined;
  if (forms !== undefined) return answer(request.headers, forms, 200);
  return isInFolder(path) ? answer(request.headers, [missingPage], 404) : undefined;
}

/** The path of a page, with or without a slash at its end. */
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
  about.set("content-type", `${form.type}; charset=utf-8`);
  if (!isPacked) return new Response(await textOf(form), { status, headers: about });
  about.set("content-encoding", "gzip");
  // Manual: the bytes are gzipped already.
  return new Response(await gzipOf(form), { status, headers: about, encodeBody: "manual" });
}

function preferred(headers: Headers, forms: readonly { readonly type: string }[]): string | undefined {
  const accept = headers.get("accept") ?? undefined;
  return new Negotiator({ headers: { accept } }).mediaType(forms.map(({ type }) => type));
}

function takesGzip(headers: Headers): boolean {
  const encodings = headers.get("accept-encoding") ?? undefined;
  return new Negotiator({ headers: { "accept-encoding": encodings } }).encoding(["gzip", "identity"]) === "gzip";
}

/** The gzipped bytes of the forms requested so far. */
const gzipped = new WeakMap<PageForm, Promise<Uint8Array<ArrayBuffer>>>();

/** The packs unpacked so far, by their place. */
const unpacked = new Map<number, Promise<Uint8Array<ArrayBuffer>>>();

function gzipOf(form: PageForm): Promise<Uint8Array<ArrayBuffer>> {
  const known = gzipped.get(form);
  if (known !== undefined) return known;
  const made = form.range === undefined ? Promise.resolve(packAt(form.pack)) : compressed(textOf(form));
  gzipped.set(form, made);
  return made;
}

async function compressed(text: Promise<Uint8Array<ArrayBuffer>>): Promise<Uint8Array<ArrayBuffer>> {
  return through(await text, new CompressionStream("gzip"));
}

async function textOf({ pack, range }: PageForm): Promise<Uint8Array<ArrayBuffer>> {
  const whole = unpacked.get(pack) ?? through(packAt(pack), new DecompressionStream("gzip"));
  // A text that is alone in its pack is asked for unpacked by few: they wait for it each time.
  if (range !== undefined) unpacked.set(pack, whole);
  return (await whole).subarray(...(range ?? []));
}

function packAt(place: number): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(packs[place] ?? ""), (character) => character.charCodeAt(0));
}

async function through(bytes: Uint8Array<ArrayBuffer>, stream: CompressionStream | DecompressionStream) {
  return new Uint8Array(await new Response(new Blob([bytes]).stream().pipeThrough(stream)).arrayBuffer());
}

/** Whether the client has the answer with this entity tag, gzipped or not. */
function isKnown(ifNoneMatch: string | null, etag: string): boolean {
  if (ifNoneMatch === null) return false;
  return ifNoneMatch.split(",").some((tag) => ["*", etag, `W/${etag}`].includes(tag.trim()));
}
