/** An agent inside your own tests: the deployed bundle in Miniflare, with storage of its own. */

import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import {
  connect,
  type Fetch,
  getInfo,
  hotswapGenome,
  type Noema,
  type Processor,
  processor as processorOf,
  type Schemas,
} from "../client/index";
import { type Runtime, startRuntime } from "./runtime";
import { lockStorage } from "./storage-lock";

/** The names of the variables that a Worker reads. Inserted by scripts/testing.mjs. */
declare const NOEMA_VARIABLES: readonly string[];

/** The key that is accepted if the variables set no other. */
const LOCAL_KEY = "ABCD-1234";

/** The agent that always exists. */
const DEFAULT_AGENT = "simple";

/** Base URL of requests that never leave this process. The agents' names are subdomains of it. */
const BASE_URL = "http://localhost";

/** How an agent starts inside a test. Everything has a default. */
export interface TestOptions {
  /**
   * The default agent's genome. It is put in place at the start, as `hotswapGenome` does. The agent's
   * own first genome if absent.
   */
  readonly genome?: Schemas.Genome;
  /** The names of further agents, as in `NOEMA_AGENTS`. */
  readonly agents?: readonly string[];
  /** Variables of the Worker, by name, such as `{ NOEMA_MATCHING_STEPS: "1000" }`. */
  readonly variables?: Readonly<Record<string, string>>;
  /**
   * The folder of the storage, which is made if it is missing and stays after {@link TestNoema.stop}. One agent at a
   * time may use it: another one does not start. A new temporary folder if absent, which `stop` deletes.
   */
  readonly storage?: string;
}

/** An agent inside a test. Made by {@link startNoema}. */
export interface TestNoema {
  /**
   * A real address on this machine, such as `http://127.0.0.1:40123`, for what cannot use
   * {@link fetch}. A restart keeps it.
   */
  readonly address: string;
  /** A key that opens every agent: the first of `API_KEYS` in the variables, else the local key `ABCD-1234`. */
  readonly key: string;
  /** The default agent, as `connect` of `noema/client` makes it. Its calls need no port. */
  readonly client: Noema;
  /** Sends a request into the agent without a port. The host `<agent>.localhost` names another agent. Adds no key. */
  readonly fetch: Fetch;
  /**
   * Another agent, as {@link client}.
   *
   * @param name one of the names of {@link TestOptions.agents}, or `simple`
   * @throws TypeError if no host can carry the name
   */
  agent(name: string): Noema;
  /**
   * Evicts objects from memory, as the platform does when they are idle: the next call reads storage. Calls under way
   * may get no answer; those of the client are repeated.
   *
   * @param processor one processor: its identifier or friendly name at the default agent, or a `processor(…)` of
   *   `noema/client`. Everything of all agents if absent
   * @throws NoemaError if there is no such processor
   */
  evict(processor?: string | Processor): Promise<void>;
  /**
   * Ends the whole runtime, and starts it again on the same storage and the same address. Calls wait until it is back.
   */
  restart(): Promise<void>;
  /** Ends the runtime and deletes temporary storage. Further calls fail. Stopping again does nothing. */
  stop(): Promise<void>;
  /** The same as {@link stop}, for `await using`. */
  [Symbol.asyncDispose](): Promise<void>;
}

const OPTIONS: readonly string[] = [
  "genome",
  "agents",
  "variables",
  "storage",
] satisfies readonly (keyof TestOptions)[];

/** @throws TypeError if an object has a member that is unknown */
function assertKnown(what: string, given: object, known: readonly string[]): void {
  const unknown = Object.keys(given).find((name) => !known.includes(name));
  if (unknown !== undefined) throw new TypeError(`there is no ${what} "${unknown}"; there are ${known.join(", ")}`);
}

/** The variables of the Worker. */
function variablesOf(options: TestOptions): Record<string, string> {
  assertKnown("option", options, OPTIONS);
  const { agents = [], variables = {} } = options;
  assertKnown("variable", variables, NOEMA_VARIABLES);
  if (variables.AGENT_KEYS !== undefined && variables.API_KEYS === undefined) {
    throw new TypeError(
      "variables has AGENT_KEYS without API_KEYS: set API_KEYS too, so that there is a key for every agent",
    );
  }
  const names = [variables.NOEMA_AGENTS, ...agents].filter((name) => name !== undefined);
  return { ...variables, NOEMA_LOCAL: "true", ...(names.length > 0 ? { NOEMA_AGENTS: names.join(" ") } : {}) };
}

/** The agent of a connection that leads here. */
function agentAt(base: string): string {
  const { hostname } = new URL(base);
  return hostname.endsWith(".localhost") ? hostname.slice(0, -".localhost".length) : DEFAULT_AGENT;
}

class MiniflareNoema implements TestNoema {
  readonly address: string;
  readonly key: string;
  readonly client: Noema;
  readonly fetch: Fetch;
  readonly #start: (port: number) => Promise<Runtime>;
  readonly #discard: () => void;
  #runtime: Promise<Runtime>;
  #isStopped = false;

  constructor(runtime: Runtime, key: string, start: (port: number) => Promise<Runtime>, discard: () => void) {
    this.address = runtime.address;
    this.key = key;
    this.#start = start;
    this.#discard = discard;
    this.#runtime = Promise.resolve(runtime);
    this.fetch = async (url, init) => {
      const { fetch } = await this.#running();
      // Miniflare uses the types of undici, on which Node's fetch is based.
      return (await fetch(url, init as Parameters<typeof fetch>[1])) as unknown as Response;
    };
    this.client = connect({ address: BASE_URL, key, fetch: this.fetch });
  }

  agent(name: string): Noema {
    return connect({ address: BASE_URL, key: this.key, fetch: this.fetch, agent: name });
  }

  async evict(processor?: string | Processor): Promise<void> {
    const { evict } = await this.#running();
    await evict(processor === undefined ? undefined : await this.#objectOf(processor));
  }

  async restart(): Promise<void> {
    const former = this.#running();
    const again = async () => {
      await (await former).stop();
      return this.#start(Number(new URL(this.address).port));
    };
    this.#runtime = again();
    await this.#runtime;
  }

  async stop(): Promise<void> {
    if (this.#isStopped) return;
    this.#isStopped = true;
    try {
      await (await this.#runtime).stop();
    } finally {
      this.#discard();
    }
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.stop();
  }

  #running(): Promise<Runtime> {
    return this.#isStopped ? Promise.reject(new Error("this Noema is stopped")) : this.#runtime;
  }

  /** The name of a processor's object. @throws NoemaError if there is no such processor */
  async #objectOf(processor: string | Processor): Promise<string> {
    const place = typeof processor === "string" ? processorOf(this.client, processor) : processor;
    const { id } = await getInfo(place);
    return `${agentAt(place.noema.base)}/${id}`;
  }
}

/** @throws Error with the Worker's message if it refuses every call because a variable is wrong */
async function assertServing(runtime: Runtime, key: string): Promise<void> {
  const answer = await runtime.fetch(`${BASE_URL}/agent/ping`, { headers: { "x-api-key": key } });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`Noema cannot start with these variables: ${JSON.parse(text).message}`);
}

/** Starts the runtime, and ends it again when it refuses to serve. */
async function serving(start: () => Promise<Runtime>, key: string): Promise<Runtime> {
  const runtime = await start();
  try {
    await assertServing(runtime, key);
  } catch (error) {
    await runtime.stop();
    throw error;
  }
  return runtime;
}

/**
 * Starts an agent in Miniflare, in a fraction of a second. Several may run at once. Needs the package `miniflare`.
 *
 * @param options how it starts; everything has a default
 * @returns the agent. Call `stop()` at the end, or declare it with `await using`: until then its process keeps running
 * @throws Error if Miniflare is not installed, a variable is wrong, or another agent uses the storage
 * @throws NoemaError if the genome is refused
 * @throws TypeError if there is no such option or variable, or the variables have `AGENT_KEYS` without `API_KEYS`
 */
export async function startNoema(options: TestOptions = {}): Promise<TestNoema> {
  const variables = variablesOf(options);
  const [key = LOCAL_KEY] = (variables.API_KEYS ?? "").split(/[\s,]+/).filter((word) => word !== "");
  const isTemporary = options.storage === undefined;
  const storage = resolve(options.storage ?? mkdtempSync(join(tmpdir(), "noema-testing-")));
  mkdirSync(storage, { recursive: true });
  const unlock = isTemporary ? () => {} : await lockStorage(storage);
  const discard = () => {
    unlock();
    if (isTemporary) rmSync(storage, { recursive: true, force: true });
  };
  const start = (port: number) => serving(() => startRuntime({ storage, port, variables }), key);
  let noema: TestNoema | undefined;
  try {
    noema = new MiniflareNoema(await start(0), key, start, discard);
    if (options.genome !== undefined) await hotswapGenome(noema.client, options.genome);
    return noema;
  } catch (error) {
    if (noema === undefined) discard();
    else await noema.stop();
    throw error;
  }
}
