/** The targets of calls: a server with its key, a processor there, a session of the processor. Sends nothing. */

import { checked } from "./members";
import { nameSegment, segment } from "./names";

/** What a request can carry. A stream can be sent only once. */
export type Body = string | Blob | ReadableStream<Uint8Array>;

/** The part of `fetch` that the client uses. A service binding of a Worker has it, too. */
export type Fetch = (
  url: string,
  init: {
    method: string;
    headers: Record<string, string>;
    body?: Body;
    /** Set with a stream as the body, as the standard requires. */
    duplex?: "half";
    redirect: "manual";
    signal: AbortSignal;
  },
) => Promise<Response>;

/** How to reach a server. Times are in milliseconds. */
export interface Connection {
  /** The server's address, such as `https://noema.example`. A path in it stands before every path of a call. */
  readonly address: string | URL;
  /**
   * The key: visible ASCII characters. It is sent in the header `X-API-KEY`; by a stream that can set no header, in the
   * subprotocol. It appears nowhere else.
   */
  readonly key: string;
  /**
   * The agent, where the server has several: the label that goes before the address's host. The
   * default agent if absent.
   */
  readonly agent?: string;
  /**
   * The function that sends requests: `globalThis.fetch` if absent. For a service binding: `(url, init) =>
   * env.NOEMA.fetch(url, init)`.
   */
  readonly fetch?: Fetch;
  /** The longest silence of the server in one attempt; 0 for no limit. 30,000 if absent. */
  readonly timeout?: number;
  /** Maximum number of retries of a failed call, 0 to 100. 5 if absent. */
  readonly retries?: number;
  /** The longest pause before the first retry; it doubles with each. 200 if absent. */
  readonly firstPause?: number;
  /** The longest pause at all. If the server asks for a longer one, the call fails at once. 30,000 if absent. */
  readonly longestPause?: number;
}

/** A server, or the agent of it that {@link Connection.agent} names. Made by {@link connect}. */
export interface Noema {
  readonly kind: "noema";
  /** The beginning of every URL, without a slash at the end. */
  readonly base: string;
  /** Sends a request with the key. The key is in no member, so that no log shows it. */
  readonly fetch: Fetch;
  /** Whether requests go through a `fetch` that the caller gave. */
  readonly hasOwnFetch: boolean;
  /** The key, for what cannot send headers. A function, so that no log shows it. */
  readonly key: () => string;
  readonly timeout: number;
  readonly retries: number;
  readonly firstPause: number;
  readonly longestPause: number;
}

/** A processor of an agent, with its own memory. Made by {@link processor}. */
export interface Processor {
  readonly kind: "processor";
  readonly noema: Noema;
  /** The path of its operations: a slash and its name. */
  readonly path: string;
}

/** A session: one of many working memories over the knowledge of one processor. Made by {@link session}. */
export interface Session {
  readonly kind: "session";
  readonly noema: Noema;
  readonly path: string;
}

/** Where a memory is: the processor's own, or a session. */
export type Memory = Processor | Session;

/** The longest time that timers of all platforms take. */
const MAX_TIMEOUT_MS = 2 ** 31 - 1;
const MAX_RETRIES = 100;
/** A label of a host name. */
const LABEL = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;
/** The last part of a host that is an IP address, or all of an IPv6 address. */
const ADDRESS_END = /(?:^|\.)\d+$|\]$/;

/**
 * Describes how to reach a server. Sends nothing until the first call.
 *
 * @throws TypeError if there is no such option; the address is not one of HTTP, names a user or a query, or is a number
 *   where an agent needs a name; or the key has characters that a header cannot carry. The message never holds the key.
 * @throws RangeError if a time or the number of retries is out of range
 */
export function connect(connection: Connection): Noema {
  const names = {
    address: 1,
    key: 1,
    agent: 1,
    fetch: 1,
    timeout: 1,
    retries: 1,
    firstPause: 1,
    longestPause: 1,
  } as const;
  const { key, agent, ...settings } = checked("connect", "option", connection, names);
  const { timeout = 30_000, retries = 5, firstPause = 200, longestPause = 30_000 } = settings;
  if (typeof key !== "string" || !/^[\x21-\x7e]+$/.test(key)) {
    throw new TypeError("key must be a string of one or more visible ASCII characters");
  }
  checkPatience(retries, timeout);
  within("firstPause", firstPause, MAX_TIMEOUT_MS);
  within("longestPause", longestPause, MAX_TIMEOUT_MS);
  // fetch of browsers and Workers refuses another `this` than the global one; a test may replace the global one later.
  const send: Fetch = connection.fetch ?? ((url, init) => globalThis.fetch(url, init));
  return {
    kind: "noema",
    base: baseOf(connection.address, agent),
    fetch: (url, init) => send(url, { ...init, headers: { ...init.headers, "x-api-key": key } }),
    hasOwnFetch: connection.fetch !== undefined,
    key: () => key,
    timeout,
    retries,
    firstPause,
    longestPause,
  };
}

/**
 * A processor.
 *
 * @param name its identifier, such as `p46b6b076c`, or its friendly name, such as `P1`
 * @throws TypeError if no path can carry the name, or there are not exactly two arguments
 */
export function processor(noema: Noema, name: string, ...none: never[]): Processor {
  checkPlace("processor", noema, "noema", none);
  return { kind: "processor", noema, path: `/${segment("the name of a processor", name)}` };
}

/**
 * A session of a processor. The first call that changes something creates it.
 *
 * @param name 1 to 128 bytes of UTF-8 without control characters, not `.` or `..`
 * @throws TypeError if the name is not valid, or there are not exactly two arguments
 */
export function session(processor: Processor, name: string, ...none: never[]): Session {
  checkPlace("session", processor, "processor", none);
  const { noema, path } = processor;
  return { kind: "session", noema, path: `${path}/sessions/${nameSegment("the name of a session", name)}` };
}

const MAKERS = { noema: "connect", processor: "processor" } as const;

function checkPlace(
  maker: string,
  place: Noema | Processor,
  kind: keyof typeof MAKERS,
  none: readonly unknown[],
): void {
  if (place?.kind !== kind) throw new TypeError(`the first argument of ${maker} must be what ${MAKERS[kind]} returns`);
  if (none.length > 0) throw new TypeError(`${maker} takes a name and no options`);
}

/** Checks the number of retries and the timeout of a call. Throws RangeError if one is out of range. */
export function checkPatience(retries: number, timeout: number): void {
  within("retries", retries, MAX_RETRIES);
  within("timeout", timeout, MAX_TIMEOUT_MS);
}

/** @throws RangeError unless the value is a whole number from 0 to `most` */
function within(name: string, value: number, most: number): void {
  if (Number.isInteger(value) && value >= 0 && value <= most) return;
  throw new RangeError(`${name} must be a whole number from 0 to ${most}, got ${value}`);
}

/** The beginning of every URL. */
function baseOf(address: string | URL, agent: string | undefined): string {
  const url = parsed(address);
  if (agent !== undefined) {
    if (!LABEL.test(agent)) {
      throw new TypeError(`agent must be a label of a host: lower-case letters, digits and hyphens, got "${agent}"`);
    }
    if (ADDRESS_END.test(url.hostname)) {
      throw new TypeError(`an agent is named by a host, so address must have one, such as localhost, got ${url.host}`);
    }
    url.hostname = `${agent}.${url.hostname}`;
  }
  return url.href.replace(/\/+$/, "");
}

function parsed(address: string | URL): URL {
  try {
    const url = new URL(address);
    const isPlain = /^https?:$/.test(url.protocol) && url.search === "" && url.hash === "";
    // A password in the address would show up in error messages of fetch.
    if (isPlain && url.username === "" && url.password === "") return url;
  } catch {
    // Not a URL at all.
  }
  throw new TypeError("address must be a URL of http or https, without a user, a query and a fragment");
}
