/**
 * Opens streams for commands, with the package ws: Node has its own WebSocket from version 22 on, but that one cannot
 * set the Host header.
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

/** Number of retries of a first link: few, because a user waits, and a running server answers. */
const FIRST_RETRIES = 5;

/** Number of consecutive retries of a lost link: for some 25 s, which is longer than a server takes to start. */
const RETRIES = 8;

/** Adds the option of a command that can also work without a stream. */
export function withHttp(command: Command): Command {
  return command.option(
    "--http",
    "send one request after another instead of a stream, where WebSockets do not get through",
  );
}

/** What a command may set for a stream. */
interface Settings extends Omit<StreamOptions, "onLost" | "retries" | "signal" | "webSocket"> {
  /** Whether a stream that was open once reconnects without end. */
  readonly isLasting?: true;
}

/** Opens a stream to a memory. Ctrl-C ends it, and each loss of an open link is reported on stderr. */
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
      // A reason is reported once, however often it repeats in a row.
      if (wasOpen && error.message !== noted) output.note(`noema: ${error.message}; trying again`);
      noted = error.message;
    },
    onOpen() {
      wasOpen = true;
      settings.onOpen?.();
    },
  });
}

/** Part of a server's message about a full disk. */
const DISK_FULL = "the disk of the server is full";

/**
 * The reason why a stream ended, with advice if the command can also work without a stream.
 *
 * @param instead the advice, such as `--http sends requests instead`
 */
export function withAdvice(reason: unknown, instead: string): unknown {
  // Requests would fail because of the full disk, too.
  if (reason instanceof NoemaError && reason.message.includes(DISK_FULL)) return reason;
  // With another key, or through a proxy, ordinary requests may succeed.
  if (!(reason instanceof NoemaError) || ![0, 403, 426].includes(reason.status) || reason.cause !== undefined)
    return reason;
  const { operation, status } = reason;
  return new NoemaError(`${reason.message}; ${instead}`, { operation, status });
}

/** A WebSocket class that connects to a server on this machine at its own address, whatever the host in the URL. */
function socketsAt(server: string): SocketClass {
  return class extends WebSocket {
    constructor(address: string, protocols: string[]) {
      const url = new URL(address);
      const { host } = url;
      // An agent of a server on this machine has a host that many systems cannot resolve.
      if (isLoopback(server) && url.protocol === "ws:") url.host = new URL(server).host;
      super(url, protocols, { headers: { host }, perMessageDeflate: false });
    }
  } as SocketClass;
}
