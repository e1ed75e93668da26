/**
 * Where a command connects: the options for the server, its key, the processor and the session. A key comes from
 * NOEMA_API_KEY or a file, never from a flag, because everyone on a machine can read the flags of its processes.
 */

import { readFileSync } from "node:fs";
import { type Command, InvalidArgumentError, Option } from "commander";
import { connect, type Fetch, type Memory, type Noema, type Processor, processor, session } from "../../client";
import { fetchAt } from "./agent-here";
import type { Context } from "./context";
import { UsageError } from "./failure";

/** What {@link withServer} reads. */
export interface ServerOptions {
  readonly address: string;
  readonly agent?: string;
  readonly keyFile?: string;
}

/** What {@link withProcessor} reads. */
export interface ProcessorOptions extends ServerOptions {
  readonly processor: string;
}

/** What {@link withMemory} reads. */
export interface MemoryOptions extends ProcessorOptions {
  readonly session?: string;
}

/** The key that a server on the user's own machine accepts until it has another one. It is public. */
const LOCAL_KEY = "ABCD-1234";

/** Adds the flag `--json`. Every command has it. */
export function withJson(command: Command): Command {
  return command.option("--json", "write the result as JSON");
}

/** Adds the options of a command that calls a server without a key. */
export function withAddress(command: Command): Command {
  return withJson(command).addOption(
    new Option("--address <url>", "the server's address")
      .env("NOEMA_ADDRESS")
      .default("http://127.0.0.1:8787")
      .argParser(addressIn),
  );
}

/** @throws InvalidArgumentError for an address without a scheme: a host and a port alone are not a URL */
function addressIn(address: string): string {
  // The client reports any other wrong scheme.
  if (address.includes("://")) return address;
  throw new InvalidArgumentError("It must begin with http:// or https://, such as http://127.0.0.1:8787.");
}

/** Adds the options of a command that calls a server. */
export function withServer(command: Command): Command {
  return withAddress(command)
    .addOption(new Option("--agent <name>", "the agent, where the server has several").env("NOEMA_AGENT"))
    .addOption(
      new Option("--key-file <path>", "the file that holds the key (otherwise the key is in NOEMA_API_KEY)").env(
        "NOEMA_KEY_FILE",
      ),
    );
}

/** Adds the options of a command that calls a processor. */
export function withProcessor(command: Command): Command {
  return withServer(command).addOption(
    new Option("--processor <id or name>", "the processor").env("NOEMA_PROCESSOR").default("P1"),
  );
}

/** Adds the options of a command that works on one working memory. */
export function withMemory(command: Command): Command {
  return withProcessor(command).addOption(
    new Option("--session <name>", "the session, if not the processor's own memory").env("NOEMA_SESSION"),
  );
}

/**
 * The server that the options name. Throws UsageError if the address, the agent or the key is invalid, or there is no
 * key.
 */
export function noemaOf(options: ServerOptions, context: Context): Noema {
  const { address, agent } = options;
  const key = keyFor(options, context);
  if (agent === undefined) return accepted(() => connect({ address, key }));
  return accepted(() => connect({ agent, key, ...(isLoopback(address) ? agentHere(address) : { address }) }));
}

/** The processor that the options name. Throws UsageError like {@link noemaOf}. */
export function processorOf(options: ProcessorOptions, context: Context): Processor {
  const noema = noemaOf(options, context);
  return accepted(() => processor(noema, options.processor));
}

/** The memory that the options name. Throws UsageError like {@link noemaOf}. */
export function memoryOf(options: MemoryOptions, context: Context): Memory {
  const own = processorOf(options, context);
  const { session: name } = options;
  return name === undefined ? own : accepted(() => session(own, name));
}

/** The result of `make`. A value that the client refuses is a mistake on the command line. */
export function accepted<T>(make: () => T): T {
  try {
    return make();
  } catch (error) {
    if (error instanceof TypeError || error instanceof RangeError) throw new UsageError(error.message);
    throw error;
  }
}

/**
 * How to reach an agent of a server on this machine: connect to the server's address, with the agent's host. An IP
 * address has no subdomains.
 */
function agentHere(address: string): { readonly address: URL | string; readonly fetch?: Fetch } {
  const named = parsed(address);
  // The client reports an invalid address.
  if (named?.protocol !== "http:") return { address };
  const { origin } = named;
  named.hostname = "localhost";
  return { address: named, fetch: fetchAt(origin) };
}

function keyFor({ address, keyFile }: ServerOptions, { env }: Context): string {
  if (keyFile !== undefined) return keyIn(keyFile);
  if (env.NOEMA_API_KEY) return env.NOEMA_API_KEY;
  if (isLoopback(address)) return LOCAL_KEY;
  throw new UsageError(
    `there is no key for ${address}: set NOEMA_API_KEY, or name a file that holds the key with --key-file`,
  );
}

function keyIn(file: string): string {
  const key = readFileSync(file, "utf8").trim();
  if (/^[\x21-\x7e]+$/.test(key)) return key;
  throw new UsageError(`${file} holds no key: accepted is one line of visible ASCII characters`);
}

/** Whether an address leads only to this machine. An invalid address counts as one that does: the client reports it. */
export function isLoopback(address: string): boolean {
  const url = parsed(address);
  return url === undefined || /^(?:localhost|.*\.localhost|127(?:\.\d+){3}|\[::1\])$/.test(url.hostname);
}

function parsed(address: string): URL | undefined {
  try {
    return new URL(address);
  } catch {
    return undefined;
  }
}
