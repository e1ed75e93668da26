/**
 * Opens streams for commands, with the package ws: Node has WebSockets of its own from version 22 on, and
 * they can name no other host.
 */

import type { Command } from "commander";
import { WebSocket } from "ws";
import { type Memory, NoemaError, type Stream, type StreamOptions, stream } from "../../client";
import type { Context } from "./context";
import { isLoopback, type ServerOptions } from "./place";

type SocketClass = NonNullable<StreamOptions["webSocket"]>;

/** What {@link withHttp} reads. */
export interface HttpOptions {
  readonly http?: true;
}

/** How often a first link is tried again: few times, because a user waits, and a server that is up answers. */
const FIRST_RETRIES = 5;

/** How often in a row a lost link is opened again: for some 25 s, which is longer than a server takes to start. */
const RETRIES = 8;

/** Adds the option of a command that can do without a stream. */
export function withHttp(command: Command): Command {
  return command.option(
    "--http",
    "send a request after the other instead of a stream, where no WebSocket gets through",
  );
}

/** What a command may set for a stream. */
interface Settings extends Omit<StreamOptions, "onLost" | "retries" | "signal" | "webSocket"> {
  /** Whether it is tried again without end once it was open. */
  readonly isLasting?: true;
}

/** Opens a stream to a memory. Ctrl-C ends it, and stderr hears each time it is lost after it was open. */
export function openStream(
  memory: Memory,
  { address }: ServerOptions,
  { output, signal }: Context,
  { isLasting, ...settings }: Settings,
): Stream {
  let [failures, wasOpen, noted] = [0, false, ""];
  const hopeless = new AbortController();
  return stream(memory, {
    ...settings,
    webSocket: socketsAt(address),
    retries: isLasting ? Number.POSITIVE_INFINITY : RETRIES,
    signal: AbortSignal.any([signal, hopeless.signal]),
    onLost(error) {
      if (!wasOpen && ++failures > FIRST_RETRIES) hopeless.abort(error);
      // One reason is said once, however often it comes in a row.
      if (wasOpen && error.message !== noted) output.note(`noema: ${error.message}; trying again`);
      noted = error.message;
    },
    onOpen() {
      wasOpen = true;
      settings.onOpen?.();
    },
  });
}

/** Stands in what a server says of a full disk. */
const DISK_FULL = "the disk of the server is full";

/**
 * Why a stream ended, with what to do where a command can do without one.
 *
 * @param instead what to do, such as `--http sends requests instead`
 */
export function withAdvice(reason: unknown, instead: string): unknown {
  // Requests would find the disk as full.
  if (reason instanceof NoemaError && reason.message.includes(DISK_FULL)) return reason;
  // A key or a proxy may let other requests pass.
  if (!(reason instanceof NoemaError) || ![0, 403, 426].includes(reason.status) || reason.cause !== undefined)
    return reason;
  const { operation, status } = reason;
  return new NoemaError(`${reason.message}; ${instead}`, { operation, status });
}

/**
 * The class of WebSockets that connect to a server on this machine where it listens, whatever
 * the host in their address.
 */
function socketsAt(server: string): SocketClass {
  return class extends WebSocket {
    constructor(address: string, protocols: string[]) {
      const url = new URL(address);
      const { host } = url;
      // An agent of a server here has a host that many systems do not find.
      if (isLoopback(server) && url.protocol === "ws:") url.host = new URL(server).host;
      super(url, protocols, { headers: { host }, perMessageDeflate: false });
    }
  } as SocketClass;
}
