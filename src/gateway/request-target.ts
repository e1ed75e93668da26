/**
 * The target of a request, exactly as sent. `npm start` has workerd pass it on unchanged: otherwise workerd resolves
 * `/../`, and a session of that name would be another memory. Parses nothing but the URL.
 */

import { excerpt } from "../text/excerpt";
import { Refusal } from "./refusal";

/** The target of a request. Parses its URL on first use: most requests need only host and path. */
export class RequestTarget {
  /** The URL as its sender wrote it, with the segments that {@link url} resolves. */
  readonly text: string;
  /** The host of {@link url}: lower case, without a port. */
  readonly hostname: string;
  /** The path of {@link url}. */
  readonly pathname: string;
  #url: URL | undefined;

  /** @param url the URL of `text`, or the parts of it that are known */
  constructor(text: string, url: URL | Pick<URL, "hostname" | "pathname">) {
    this.text = text;
    this.hostname = url.hostname;
    this.pathname = url.pathname;
    if (url instanceof URL) this.#url = url;
  }

  /** The URL as parsed by the standard, which resolves `..` and `.` in its path, also with `%2e` for a dot. */
  get url(): URL {
    this.#url ??= new URL(this.text);
    return this.#url;
  }
}

/** A target whose path the standard does not change: without a dot, an escape or a query. */
const PLAIN = /^(https?:\/\/[^\s/\\?#@]+)(\/[\w~/-]*)$/;

/** Maximum number of hosts in the cache, which is emptied when full. */
const MAX_HOSTS = 64;

/** Longer hosts are not cached, in UTF-16 units. */
const MAX_HOST_LENGTH = 256;

/** The host names of plain targets by what precedes their path. Clients send the same few again and again. */
const hostnames = new Map<string, string>();

/** A target with a host, as from Cloudflare's runtime, and as a client may send it. */
const ABSOLUTE = /^https?:\/\//i;

/** What may stand in a Host header. */
const HOST = /^[^\s/\\?#@]+$/;

/**
 * The target of a request.
 *
 * @returns `undefined` if it is not an http URL, because the sender wrote no path or no host
 */
export function targetOf({ url, headers }: Pick<Request, "url" | "headers">): RequestTarget | undefined {
  if (ABSOLUTE.test(url)) return parsed(url);
  const host = headers.get("host");
  return host !== null && HOST.test(host) && url.startsWith("/") ? parsed(`http://${host}${url}`) : undefined;
}

function parsed(text: string): RequestTarget | undefined {
  const [, before = "", pathname = ""] = PLAIN.exec(text) ?? [];
  const known = hostnames.get(before);
  if (known !== undefined) return new RequestTarget(text, { hostname: known, pathname });
  try {
    const url = new URL(text);
    if (before !== "" && before.length <= MAX_HOST_LENGTH) {
      if (hostnames.size === MAX_HOSTS) hostnames.clear();
      hostnames.set(before, url.hostname);
    }
    return new RequestTarget(text, url);
  } catch {
    // The only error that URL throws: the text is not a URL.
    return undefined;
  }
}

/** The refusal of a request without a target. */
export function noTarget(): Refusal {
  return new Refusal(
    400,
    "the request must name a host and a path that make a URL, as in GET /P1/status with Host: localhost",
  );
}

/** What comes after a segment `sessions` in the path of a URL as its sender wrote it. */
const AFTER_SESSIONS = /^https?:\/\/[^/\\?#]*[^?#]*?[/\\]sessions([/\\][^?#]*)/i;

/** A segment that is `.` or `..`, percent-encoded or not. */
const DOTS = /[/\\](?:\.|%2e){1,2}(?=[/\\]|$)/i;

/** Characters that URLs turn into a slash, and the runtime's replacement for bytes that are not UTF-8. */
const CHANGED = /[\\\ufffd]/;

/**
 * Refuses a session's path that the standard would change, because it would lead to another memory.
 *
 * @param text the target as sent
 * @throws Refusal 400
 */
export function checkSessionPath(text: string): void {
  const [, rest = ""] = AFTER_SESSIONS.exec(text) ?? [];
  const dots = DOTS.exec(rest)?.[0].slice(1);
  if (dots !== undefined) {
    throw new Refusal(400, `the path has the segment ${excerpt(dots)} after sessions; no session is named . or ..`);
  }
  if (CHANGED.test(rest)) {
    throw new Refusal(400, `a session's name must stand in the path as percent-encoded UTF-8, got ${excerpt(rest)}`);
  }
}
