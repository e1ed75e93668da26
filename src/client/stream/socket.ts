/** Opens the WebSocket of a stream, in whichever way the platform offers. Knows nothing of the messages on it. */

import type { Noema } from "../transport/connection";
import { NoemaError } from "../transport/noema-error";

/** An event of a WebSocket. */
interface SocketEvent {
  readonly type: string;
  /** Of a message. */
  readonly data?: unknown;
  /** Of a close. */
  readonly code?: number;
  readonly reason?: string;
  /** Of an error, if the platform gives one. */
  readonly message?: string;
}

/** The part of a WebSocket that streams use. Those of browsers, Node, Workers and the package `ws` have it. */
export interface Socket {
  addEventListener(type: "close" | "error" | "message", listener: (event: SocketEvent) => void): void;
  send(text: string): void;
  close(code?: number, reason?: string): void;
}

/** A WebSocket constructor, such as the class `WebSocket` of a browser or of the package `ws`. */
export type SocketClass = new (url: string, protocols: string[]) => Socket;

/** Receives the events of a socket. No calls follow `ended`. */
export interface Ears {
  /** The socket exists; it may still be opening. Called first. */
  begun(socket: Socket): void;
  message(text: string): void;
  /** @param code the close code; 1006 when there was none */
  ended(code: number, reason: string): void;
}

/** Where to open a stream, and how. */
export interface Target {
  readonly noema: Noema;
  /** Path and query, percent-encoded. */
  readonly path: string;
  /** The class to use, instead of the one that the platform has. */
  readonly webSocket: SocketClass | undefined;
}

/** The name of the function in errors. */
export const OPERATION = "stream";

const SUBPROTOCOL = "noema.v1";

/** A socket from `fetch`, which is silent until it is accepted. */
type Upgraded = Response & { readonly webSocket?: (Socket & { accept(): void }) | null };

/** The class of the package `ws`, which can send headers. */
type WsClass = new (url: string, protocols: string[], options: object) => Socket;

/**
 * Opens a WebSocket: with the class that was given; through the connection's `fetch`, if it was given one; with the
 * platform's own class; else with the package `ws`. The key goes in the header `X-API-KEY` where headers can be
 * set, else in a subprotocol.
 *
 * @param signal ends the opening by `fetch`; the others end when the socket is closed
 * @throws NoemaError 426 if the connection's `fetch` cannot open WebSockets; 0 if the platform has no
 *   WebSocket and `ws` is missing
 * @throws what the class throws for an address that it does not accept. Trying again would help in none of these cases.
 */
export async function openSocket(target: Target, signal: AbortSignal, ears: Ears): Promise<void> {
  const { noema, path } = target;
  const url = noema.base + path;
  const given = target.webSocket;
  if (given === undefined && noema.hasOwnFetch) return upgrade(noema, url, signal, ears);
  const own = given ?? (globalThis as { WebSocket?: SocketClass }).WebSocket;
  const address = url.replace(/^http/, "ws");
  if (own !== undefined) {
    listen(new own(address, [SUBPROTOCOL, `noema.key.${base64url(noema.key())}`]), ears);
    return;
  }
  const Ws = await installedWs("ws");
  if (signal.aborted) return;
  const headers = { "x-api-key": noema.key() };
  listen(new Ws(address, [SUBPROTOCOL], { headers, perMessageDeflate: false }), ears);
}

async function upgrade(noema: Noema, url: string, signal: AbortSignal, ears: Ears): Promise<void> {
  const headers = { upgrade: "websocket", "sec-websocket-protocol": SUBPROTOCOL };
  let response: Upgraded;
  try {
    response = await noema.fetch(url, { method: "GET", headers, redirect: "manual", signal });
  } catch (error) {
    ears.ended(1006, error instanceof Error ? error.message : String(error));
    return;
  }
  const { status, webSocket } = response;
  if (webSocket) {
    listen(webSocket, ears);
    webSocket.accept();
    return;
  }
  await response.body?.cancel();
  if (status !== 426) {
    ears.ended(1006, `HTTP ${status}`);
    return;
  }
  throw new NoemaError("the fetch of this connection cannot open WebSockets; connect without it, or set webSocket", {
    operation: OPERATION,
    status,
  });
}

/**
 * The class of the package `ws`.
 *
 * @param name its name, as an argument: bundlers for browsers, which never come here, would look for
 *   a name that they can read
 */
async function installedWs(name: string): Promise<WsClass> {
  try {
    return (await import(/* @vite-ignore */ /* webpackIgnore: true */ name)).default;
  } catch (cause) {
    throw new NoemaError(
      "this platform has no WebSocket: run npm install ws, set webSocket to its class, or use Node 22 or newer",
      { operation: OPERATION, status: 0, cause },
    );
  }
}

function listen(socket: Socket, ears: Ears): void {
  ears.begun(socket);
  socket.addEventListener("message", ({ data }) => ears.message(String(data)));
  socket.addEventListener("close", ({ code, reason }) => ears.ended(code ?? 1006, reason ?? ""));
  // Some platforms do not report a close after an error.
  socket.addEventListener("error", ({ message }) => ears.ended(1006, message ?? ""));
}

/** Unpadded, from ASCII. */
function base64url(text: string): string {
  return btoa(text).replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "");
}
