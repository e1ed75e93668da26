/** Checks a request that opens a stream, before any call is made: the upgrade, the subprotocol and the origin. */

import { SUBPROTOCOL } from "../../rpc/transport/stream-upgrade";
import { nameRefusal } from "../../text/chosen-names";
import { excerpt } from "../../text/excerpt";
import { Refusal } from "../refusal";
import type { Address } from "../request-context";

/** The origins from which web pages may call. */
interface Origins {
  allows(origin: string): boolean;
}

/**
 * @param url the request's own
 * @param subprotocol the required one
 * @throws Refusal 426 when the request does not ask for a WebSocket, 400 when it does not offer the subprotocol or its
 *   query is not UTF-8, 403 when it comes from a web page of another origin, which browsers do not check for WebSockets
 */
export function checkUpgrade({ headers }: Request, url: URL, origins: Origins, subprotocol = SUBPROTOCOL): void {
  if (headers.get("upgrade")?.toLowerCase() !== "websocket") {
    const subject = subprotocol === SUBPROTOCOL ? "a stream" : "this";
    throw new Refusal(
      426,
      `${subject} is a WebSocket: connect with one, such as new WebSocket(url, ['${subprotocol}'])`,
      {
        upgrade: "websocket",
      },
    );
  }
  const offered = protocolsIn(headers);
  if (!offered.includes(subprotocol)) {
    const names = offered.map((protocol) => (protocol.startsWith(KEY_PROTOCOL) ? `${KEY_PROTOCOL}...` : protocol));
    throw new Refusal(
      400,
      `the header Sec-WebSocket-Protocol must offer ${subprotocol}, got ` +
        `${names.length === 0 ? "nothing" : excerpt(names.join(", "))}`,
    );
  }
  checkQueryText(url.search);
  const origin = foreignOrigin(headers, url, origins);
  if (origin === undefined) return;
  throw new Refusal(
    403,
    `pages of the origin ${excerpt(origin)} may not open streams here; NOEMA_ALLOW_ORIGINS names those that may`,
  );
}

/**
 * The origin of a web page that may not call: neither the server's own nor an allowed one.
 *
 * @param url the request's own
 * @returns `undefined` if the request does not come from a page, or the page may call
 */
export function foreignOrigin(headers: Headers, url: URL, origins: Origins): string | undefined {
  const origin = headers.get("origin");
  const mayCall = origin === null || origin === url.origin || hostOf(origin) === url.host || origins.allows(origin);
  return mayCall ? undefined : origin;
}

/**
 * Refuses text that the standard would decode with replacement characters, because two sources could get one name.
 * @throws Refusal 400
 */
function checkQueryText(search: string): void {
  try {
    decodeURIComponent(search);
  } catch {
    // The only error that it throws: a percent sign does not begin a byte of UTF-8.
    throw new Refusal(400, `the query must be percent-encoded UTF-8, got ${excerpt(search)}`);
  }
}

/** Prefix of a subprotocol that holds a key. */
const KEY_PROTOCOL = "noema.key.";

/** The subprotocols that a client offers. */
function protocolsIn(headers: Headers): string[] {
  const header = headers.get("sec-websocket-protocol") ?? "";
  return header
    .split(",")
    .map((each) => each.trim())
    .filter((each) => each !== "");
}

/** The host and port of an origin; `undefined` for one such as "null". */
function hostOf(origin: string): string | undefined {
  try {
    return new URL(origin).host;
  } catch {
    // The only error that URL throws: the text is not a URL.
    return undefined;
  }
}

/**
 * The key that a client offers as a subprotocol if it cannot set headers: `noema.key.` and the base64url of the key,
 * unpadded.
 *
 * @returns `undefined` if it offers none, or it is not base64url of UTF-8
 */
export function offeredKey({ headers }: Request): string | undefined {
  if (!headers.has("sec-websocket-protocol")) return undefined;
  const encoded = protocolsIn(headers)
    .find((each) => each.startsWith(KEY_PROTOCOL))
    ?.slice(KEY_PROTOCOL.length);
  if (encoded === undefined || !/^[\w-]+$/.test(encoded)) return undefined;
  try {
    const bytes = Uint8Array.from(atob(encoded.replace(/-/g, "+").replace(/_/g, "/")), (each) => each.charCodeAt(0));
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    // Not base64url of UTF-8, so it is not a key.
    return undefined;
  }
}

/** The source that a stream names in its query; `undefined` for none. @throws Refusal 400 if it is not a name */
export function sourceIn({ query: { source } }: Address): string | undefined {
  if (source === undefined) return undefined;
  const refusal = typeof source === "string" ? nameRefusal(source) : "given once";
  if (refusal !== undefined) throw new Refusal(400, `source in the query must be ${refusal}, got ${excerpt(source)}`);
  return source as string;
}
