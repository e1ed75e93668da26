/** Answers requests for pages that need no key. The pages themselves are made at build time, by scripts/pages. */

import Negotiator from "negotiator";
import { pages } from "../../build/pages";

/** The methods that pages know. HEAD is answered wherever GET is. */
const METHODS: readonly string[] = ["GET"];

/** The methods that the page at a path knows; none when there is no page. */
export function pageMethods(path: string): readonly string[] {
  return Object.hasOwn(pages, path) ? METHODS : [];
}

/**
 * Answers a request for a page.
 *
 * @param url the request's URL
 * @returns `undefined` when there is no page for this path and method
 */
export function pageAt(request: Request, url: URL): Response | undefined {
  const { method } = request;
  // Most requests are POST: their paths need no look.
  if (method !== "GET" && method !== "HEAD") return undefined;
  const { pathname } = url;
  const forms = Object.hasOwn(pages, pathname) ? pages[pathname] : undefined;
  if (forms === undefined) return undefined;
  const { headers } = request;
  const form = forms.find(({ type }) => type === preferred(headers, forms)) ?? forms[0];
  const about = new Headers({
    "cache-control": "no-cache",
    "content-security-policy": form.policy,
    etag: form.etag,
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
  });
  if (forms.length > 1) about.set("vary", "accept");
  if (isKnown(headers.get("if-none-match"), form.etag)) return new Response(null, { status: 304, headers: about });
  about.set("content-type", `${form.type}; charset=utf-8`);
  return new Response(form.text, { headers: about });
}

function preferred(headers: Headers, forms: readonly { readonly type: string }[]): string | undefined {
  const accept = headers.get("accept") ?? undefined;
  return new Negotiator({ headers: { accept } }).mediaType(forms.map(({ type }) => type));
}

/** Whether the client has the answer with this entity tag. A proxy that compresses an answer makes its tag a weak one. */
function isKnown(ifNoneMatch: string | null, etag: string): boolean {
  if (ifNoneMatch === null) return false;
  return ifNoneMatch.split(",").some((tag) => ["*", etag, `W/${etag}`].includes(tag.trim()));
}
