/**
 * Lets web pages of other origins call the service, but only from the origins that the deployment names (CORS). Does
 * not check keys: a page needs one like any other client.
 */

import { excerpt } from "../text/excerpt";
import { wordsOf } from "../text/variables";
import { Refusal } from "./refusal";

/** The part of the Worker's environment that names the origins that may call. */
export interface CrossOriginEnv {
  /** The origins of pages, separated by white space or commas; none if it is not set. */
  readonly NOEMA_ALLOW_ORIGINS?: string;
}

/** The request headers that a page may send. */
const REQUEST_HEADERS =
  "authorization, content-type, idempotency-key, x-api-key, x-request-id, x-processor-id, x-session";

/** Further headers that clients of the Model Context Protocol send. */
const MCP_HEADERS = "mcp-method, mcp-name, mcp-protocol-version";

/** Further headers that clients of Connect and gRPC-Web send. */
const RPC_HEADERS = "connect-protocol-version, connect-timeout-ms, grpc-timeout, x-grpc-web, x-user-agent";

/** The response headers that a page may read. */
const EXPOSED_HEADERS =
  "allow, etag, grpc-message, grpc-status, grpc-status-details-bin, idempotency-replayed, retry-after, " +
  "server-timing, x-request-id";

const METHODS = "DELETE, GET, HEAD, POST, PUT";

/** Time for which a browser may cache the answer to a preflight, in seconds. */
const KEPT_S = 600;

/**
 * What is wrong with the variable that names origins.
 *
 * @returns a sentence; `undefined` for nothing
 */
export function originsRefusal({ NOEMA_ALLOW_ORIGINS }: CrossOriginEnv): string | undefined {
  const wrong = wordsOf(NOEMA_ALLOW_ORIGINS).find((origin) => !isOrigin(origin));
  if (wrong === undefined) return undefined;
  return (
    `the variable NOEMA_ALLOW_ORIGINS has ${excerpt(wrong)}; it must list exact origins as browsers send ` +
    "them, such as https://app.example.org or http://localhost:5173: no *, no null, no path, no / at the end, " +
    "lower case, and no port that is the protocol's own"
  );
}

/** URLs accept an asterisk as an ordinary character, but a user who writes one means every origin. */
function isOrigin(text: string): boolean {
  if (text.includes("*")) return false;
  try {
    const { origin, protocol } = new URL(text);
    return origin === text && (protocol === "https:" || protocol === "http:");
  } catch {
    // The only error that URL throws: the text is not a URL.
    return false;
  }
}

/** The origins that may call. */
export class CrossOrigin {
  readonly #origins: ReadonlySet<string>;

  constructor({ NOEMA_ALLOW_ORIGINS }: CrossOriginEnv) {
    this.#origins = new Set(wordsOf(NOEMA_ALLOW_ORIGINS).filter(isOrigin));
  }

  /** Whether no other origin may call. */
  get isClosed(): boolean {
    return this.#origins.size === 0;
  }

  /** Whether pages of an origin may call. @param origin in the form that browsers send */
  allows(origin: string): boolean {
    return this.#origins.has(origin);
  }

  /**
   * The answer to a preflight, which needs no key.
   *
   * @returns `undefined` if the request is not one, or comes from an origin that may not call
   */
  preflight(request: Request): Response | undefined {
    const origin = preflightOrigin(request);
    if (origin === undefined || !this.allows(origin)) return undefined;
    return new Response(null, {
      status: 204,
      headers: {
        "access-control-allow-headers": `${REQUEST_HEADERS}, ${MCP_HEADERS}, ${RPC_HEADERS}`,
        "access-control-allow-methods": METHODS,
        "access-control-allow-origin": origin,
        "access-control-max-age": String(KEPT_S),
        vary: "origin",
      },
    });
  }

  /**
   * The refusal of a preflight. The page does not see it, but the browser's developer tools show it.
   *
   * @returns 403; `undefined` when the request is no preflight, or comes from an origin that may call
   */
  preflightRefusal(request: Request): Refusal | undefined {
    const origin = preflightOrigin(request);
    if (origin === undefined || this.allows(origin)) return undefined;
    return new Refusal(
      403,
      `pages of the origin ${excerpt(origin)} may not call this server: ` +
        "list it in the variable NOEMA_ALLOW_ORIGINS, exactly as here",
    );
  }

  /** Marks in a response which origin may read it. */
  mark({ headers }: Request, response: Response): Response {
    // For all origins, because a cache must not give one origin the answer for another.
    response.headers.append("vary", "origin");
    const origin = headers.get("origin");
    if (origin === null || !this.allows(origin)) return response;
    response.headers.set("access-control-allow-origin", origin);
    response.headers.set("access-control-expose-headers", EXPOSED_HEADERS);
    return response;
  }
}

/** The origin of a preflight; `undefined` for any other request. */
function preflightOrigin({ method, headers }: Request): string | undefined {
  if (method !== "OPTIONS" || !headers.has("access-control-request-method")) return undefined;
  return headers.get("origin") ?? undefined;
}
