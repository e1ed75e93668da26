/**
 * The transport to a processor on another server: Connect over HTTP, to addresses that the deployment allows. Every
 * call has a deadline, and the host's key if the deployment has one. A call without side effects is tried once more if
 * the processor cannot be reached. Redirects are never followed.
 */

import { MethodOptions_IdempotencyLevel } from "@bufbuild/protobuf/wkt";
import { Code, ConnectError, type Interceptor, type Transport } from "@connectrpc/connect";
import { createConnectTransport } from "@connectrpc/connect-web";
import { excerpt } from "../../text/excerpt";
import { isHost, isLoopback, parsedUrl } from "../../text/hosts";
import { wordsOf } from "../../text/variables";

/** The part of the Worker's environment about the addresses that may be called. */
export interface EndpointEnv {
  /** The hosts that may serve processors, each with its port unless that is 443, separated by white space or commas. */
  readonly NOEMA_ENDPOINT_HOSTS?: string;
  /** The keys for these hosts, as `host=key`, separated by white space or commas. */
  readonly NOEMA_ENDPOINT_KEYS?: string;
  /** "true" only in local use and in tests: it allows http to this machine. */
  readonly NOEMA_LOCAL?: string;
  /** Reaches this machine where the global `fetch` cannot. */
  readonly LOOPBACK?: { fetch(url: string, init: RequestInit): Promise<Response> };
}

/** Time limit for the answer of a processor on another server, in milliseconds. */
const TIMEOUT_MS = 10_000;

/** Maximum size of the answer of a processor on another server, in bytes: the same as for local ones. */
export const MAX_REPLY_BYTES = 32_505_856;

/** The header that holds an API key. */
export const API_KEY_HEADER = "x-api-key";

/** The header that names the processor, for a server of many. */
export const PROCESSOR_HEADER = "x-processor-id";

/** The header that names the session, percent-encoded. */
export const SESSION_HEADER = "x-session";

/** The header that identifies a repeatable request. Not sent to processors on other servers, which keep no answers. */
export const IDEMPOTENCY_HEADER = "idempotency-key";

/** The header, also of errors, with the seconds after which a client should try again. */
export const RETRY_AFTER_HEADER = "retry-after";

/**
 * Why an address may not be called; `undefined` if it may.
 *
 * @param endpoint the address of a processor in a genome
 * @returns the end of a sentence about the address, or `undefined`
 */
export function endpointRefusal(endpoint: string, env: EndpointEnv): string | undefined {
  const url = parsedUrl(endpoint);
  if (url === undefined) return "it must be a URL such as https://processors.example.org";
  if (url.username !== "" || url.password !== "" || url.search !== "" || url.hash !== "") {
    return "it must be a URL without user, query and fragment";
  }
  const isLocal = env.NOEMA_LOCAL === "true" && url.protocol === "http:" && isLoopback(url.hostname);
  if (url.protocol !== "https:" && !isLocal) return "it must begin with https://";
  if (wordsOf(env.NOEMA_ENDPOINT_HOSTS).includes(url.host)) return undefined;
  return `its host ${url.host} is not listed in the variable NOEMA_ENDPOINT_HOSTS`;
}

/** What is wrong with the variables about addresses, in a sentence without a key; `undefined` for nothing. */
export function endpointsRefusal(env: EndpointEnv): string | undefined {
  const wrong = wordsOf(env.NOEMA_ENDPOINT_HOSTS).find((host) => !isHost(host));
  if (wrong !== undefined) {
    return (
      `the variable NOEMA_ENDPOINT_HOSTS has ${excerpt(wrong)}; it must list hosts as URLs have them, ` +
      "in lower case and without https://, such as processors.example.org or 192.168.0.7:8443"
    );
  }
  const fits = wordsOf(env.NOEMA_ENDPOINT_KEYS).every((entry) => {
    const at = entry.indexOf("=");
    return at > 0 && at < entry.length - 1 && isHost(entry.slice(0, at));
  });
  return fits ? undefined : "the secret NOEMA_ENDPOINT_KEYS has an entry that is not of the form host:port=key";
}

/**
 * Creates a transport to a processor on another server. A call fails with `Unavailable` if the processor cannot be
 * reached or its address is not allowed, and with `DeadlineExceeded` if it answers too late.
 *
 * @param endpoint the URL of the server
 * @param id the processor's identifier, for a server of many
 * @param session the session that the calls are about, if any
 */
export function createEndpointTransport(endpoint: string, id: string, env: EndpointEnv, session?: string): Transport {
  const refusal = endpointRefusal(endpoint, env);
  const url = parsedUrl(endpoint);
  const headers = {
    [PROCESSOR_HEADER]: id,
    ...(session === undefined ? {} : { [SESSION_HEADER]: encodeURIComponent(session) }),
  };
  return createConnectTransport({
    baseUrl: endpoint,
    useBinaryFormat: true,
    defaultTimeoutMs: TIMEOUT_MS,
    interceptors: [withHeaders(headers, keyFor(url?.host ?? "", env)), retryOnce],
    fetch: (input, init) => {
      if (refusal !== undefined) throw unreachable(`${endpoint} may not be called: ${refusal}`);
      return fetchEndpoint(String(input), init ?? {}, url?.protocol === "http:" ? env.LOOPBACK : undefined);
    },
  });
}

function keyFor(host: string, env: EndpointEnv): string | undefined {
  const entry = wordsOf(env.NOEMA_ENDPOINT_KEYS).find((each) => each.startsWith(`${host}=`));
  return entry?.slice(host.length + 1);
}

async function fetchEndpoint(url: string, init: RequestInit, loopback: EndpointEnv["LOOPBACK"]): Promise<Response> {
  // The runtime refuses the redirect mode that the library asks for.
  const request = { ...init, redirect: "manual" } as const;
  let response: Response;
  try {
    response = await (loopback ?? globalThis).fetch(url, request);
  } catch (error) {
    if (init.signal?.aborted === true) throw error;
    throw unreachable("it did not answer", error);
  }
  if (response.status < 300 || response.status > 399) return bounded(response);
  await response.body?.cancel();
  throw unreachable("it answered with a redirect, which is not followed");
}

/** A response whose body fails beyond MAX_REPLY_BYTES, because the library reads all of it. */
function bounded(response: Response): Response {
  if (response.body === null) return response;
  let bytes = 0;
  const counting = new TransformStream<Uint8Array, Uint8Array>({
    transform(part, controller) {
      bytes += part.byteLength;
      if (bytes > MAX_REPLY_BYTES) throw unreachable(`it answered with more than ${MAX_REPLY_BYTES} bytes`);
      controller.enqueue(part);
    },
  });
  const { status, statusText, headers } = response;
  return new Response(response.body.pipeThrough(counting), { status, statusText, headers });
}

function unreachable(reason: string, cause?: unknown): ConnectError {
  return new ConnectError(`the processor cannot be reached: ${reason}`, Code.Unavailable, undefined, undefined, cause);
}

/** Adds headers and the key. A refused key is the deployment's mistake, not the client's: `Unavailable`. */
function withHeaders(headers: { readonly [name: string]: string }, key: string | undefined): Interceptor {
  return (next) => async (request) => {
    for (const [name, value] of Object.entries(headers)) request.header.set(name, value);
    if (key !== undefined) request.header.set(API_KEY_HEADER, key);
    try {
      return await next(request);
    } catch (error) {
      const { code } = ConnectError.from(error);
      if (code !== Code.Unauthenticated && code !== Code.PermissionDenied) throw error;
      throw unreachable("it does not accept the key that is configured for it", error);
    }
  };
}

/** Tries a call without side effects once more if the processor could not be reached. */
const retryOnce: Interceptor = (next) => async (request) => {
  try {
    return await next(request);
  } catch (error) {
    const isRepeatable = request.method.idempotency === MethodOptions_IdempotencyLevel.NO_SIDE_EFFECTS;
    if (!isRepeatable || ConnectError.from(error).code !== Code.Unavailable) throw error;
    return next(request);
  }
};
