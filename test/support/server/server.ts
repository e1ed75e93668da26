/**
 * A server as `npm start` runs it, on any free port and with its own state folder. Owns the server's processes and ends only
 * those.
 */

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { buildAll } from "../../../scripts/build-step.mjs";
import { type Ended, requireOutput, serverEnvironment, waitForOutput } from "./child-output";
import { type Answer, exchange, type Outgoing } from "./http-exchange";

/** This checkout of the project, for tests of what `npm start` does before it serves. */
export const ROOT = fileURLToPath(new URL("../../..", import.meta.url));
/** Serves this checkout's bundle as it is: to look whether it is up to date takes nearly as long as to start workerd. */
const SERVE_BUILT = fileURLToPath(new URL("./serve-built.mjs", import.meta.url));
/** The first line and the last one of the greeting. */
const GREETING = /^Noema listens on (http:\S+)\n[\s\S]*^Try: .*\n/m;

/** Makes a folder for a server's state, outside the project. */
export function makeStateDir(): string {
  return mkdtempSync(join(tmpdir(), "noema-"));
}

/** An envelope or any other JSON answer. */
export interface JsonAnswer extends Answer {
  // biome-ignore lint/suspicious/noExplicitAny: tests reach into answers whose shape is what they check
  json: any;
}

/** What a call may set besides method, path and body. */
export type CallOptions = Pick<Outgoing, "headers" | "key">;

/** What a server runs under: a program, and arguments before its own. */
export type Wrapper = readonly string[];

/** Lets a server open no more files than this: the hard limit, which it cannot raise. */
export function withDescriptors(limit: number): Wrapper {
  return ["/bin/sh", "-c", `ulimit -n ${limit}; exec "$@"`, "sh"];
}

/** Runs a server whose state folder is a disk of its own with 6 MB, in a mount namespace that ends with the server. */
export const WITH_SMALL_DISK: Wrapper = [
  "/usr/bin/unshare",
  "--map-root-user",
  "--mount",
  "/bin/sh",
  "-c",
  'mount -t tmpfs -o size=6m tmpfs "$STATE_DIR"; exec "$@"',
  "sh",
];

/** On a busy machine any request may be slow; the log says so, and tests compare what is in it. */
const QUIET = { NOEMA_SLOW_MS: "3600000" };

/**
 * Ends when this checkout's bundle is up to date; `undefined` before the first server of a test file. Where NOEMA_BUNDLE is `built`, as
 * in .ci/run, it was built before all tests.
 */
let built: Promise<void> | undefined;

/** To look whether it is up to date takes half a second of processor time for each file of tests. */
function makeBundle(): Promise<void> {
  built ??= process.env.NOEMA_BUNDLE === "built" ? Promise.resolve() : buildAll();
  return built;
}

async function spawnServe(
  stateDir: string,
  env: Record<string, string>,
  wrapper: Wrapper = [],
  checkout?: string,
): Promise<ChildProcess> {
  if (checkout === undefined) await makeBundle();
  const script = checkout === undefined ? SERVE_BUILT : join(checkout, "scripts", "serve.mjs");
  const [program = "", ...args] = [...wrapper, process.execPath, script];
  return spawn(program, args, {
    // A group of its own, so that a kill hits parent and workerd at the same moment, as a power cut does.
    detached: true,
    env: serverEnvironment({ STATE_DIR: stateDir, ...QUIET, ...env }),
    stdio: ["ignore", "pipe", "pipe"],
  });
}

/** Kills a server, its workerd and its wrapper at the same moment, without warning. */
function killGroup(child: ChildProcess): void {
  process.kill(-Number(child.pid), "SIGKILL");
}

/** Starts a server that should refuse, and waits for its end. Throws when it serves. @param checkout as for `Server.start` */
export async function startRefused(
  stateDir: string,
  env: Record<string, string>,
  wrapper?: Wrapper,
  checkout?: string,
): Promise<Ended> {
  const child = await spawnServe(stateDir, env, wrapper, checkout);
  const result = await waitForOutput(child, GREETING);
  if ("code" in result) return result;
  killGroup(child);
  throw new Error(`expected a refusal, but it serves on ${result.match[1]}`);
}

/** A running server. */
export class Server {
  readonly address: string;
  /** What it printed when it began to serve. */
  readonly greeting: string;
  readonly stateDir: string;
  readonly #child: ChildProcess;
  #output = "";
  #isClosed = false;

  private constructor(child: ChildProcess, stateDir: string, address: string, greeting: string) {
    this.#child = child;
    for (const stream of [child.stdout, child.stderr]) {
      stream?.on("data", (chunk: Buffer) => {
        this.#output += chunk.toString();
      });
    }
    child.once("close", () => {
      this.#isClosed = true;
    });
    this.stateDir = stateDir;
    this.address = address;
    this.greeting = greeting;
  }

  /**
   * Starts a server and waits until it answers. Throws with all it printed when it ends instead.
   *
   * @param checkout the folder of the project's checkout whose `npm start` serves; without it, this checkout's bundle is served
   */
  static async start(
    stateDir = makeStateDir(),
    env: Record<string, string> = {},
    wrapper?: Wrapper,
    checkout?: string,
  ): Promise<Server> {
    const child = await spawnServe(stateDir, env, wrapper, checkout);
    const { match, output } = await requireOutput(child, GREETING);
    return new Server(child, stateDir, match[1] ?? "", output);
  }

  /** Sends one request and reads the answer as JSON. Throws when the answer is not JSON. */
  async send(outgoing: Outgoing): Promise<JsonAnswer> {
    const answer = await exchange(this.address, outgoing);
    const isText = /^(?:text\/plain|application\/x-ndjson)/.test(answer.headers["content-type"] ?? "");
    return { ...answer, json: isText ? answer.text : JSON.parse(answer.text) };
  }

  /** The same for a call written as one word: `"GET /connect"`. */
  call(call: string, body?: unknown, options: CallOptions = {}): Promise<JsonAnswer> {
    const [method = "", path = ""] = call.split(" ");
    return this.send({ method, path, body, ...options });
  }

  /** Makes a call that must succeed. Returns the envelope. Throws unless the answer is HTTP 200 and okay. */
  async okay(call: string, body?: unknown, options?: CallOptions): Promise<JsonAnswer["json"]> {
    const { status, json, text } = await this.call(call, body, options);
    if (status === 200 && json.status === "okay") return json;
    throw new Error(`${call} answered HTTP ${status}: ${text.slice(0, 300)}`);
  }

  /** What the server has printed since it began to serve. */
  get output(): string {
    return this.#output;
  }

  /** The process that writes the state: workerd. */
  get workerdPid(): number {
    return JSON.parse(readFileSync(join(this.stateDir, "running.json"), "utf8")).pid;
  }

  /** Sends a signal to the process that npm starts, alone. */
  signal(signal: NodeJS.Signals): void {
    this.#child.kill(signal);
  }

  /** Sends a signal to that process and to workerd. */
  signalAll(signal: NodeJS.Signals): void {
    process.kill(-Number(this.#child.pid), signal);
  }

  /** Waits until the process that npm starts has ended, even while workerd still runs. */
  async died(): Promise<void> {
    if (this.#child.exitCode === null && this.#child.signalCode === null) await once(this.#child, "exit");
  }

  /** Waits until the server ends by itself. Returns the exit code. */
  async ended(): Promise<number | null> {
    return this.#end(() => {});
  }

  /** Asks the server to stop, and waits. Returns the exit code. */
  async stop(): Promise<number | null> {
    return this.#end(() => this.#child.kill("SIGTERM"));
  }

  /** Kills the server and its workerd at the same moment, without warning, and waits. */
  async kill(): Promise<void> {
    await this.#end(() => killGroup(this.#child));
  }

  /** Stops the server and deletes its state. */
  async discard(): Promise<void> {
    await this.stop();
    rmSync(this.stateDir, { recursive: true, force: true });
  }

  /** Waits until no process holds the server's output any more: all of them have ended. */
  async #end(strike: () => void): Promise<number | null> {
    if (!this.#isClosed) {
      const closed = once(this.#child, "close");
      strike();
      await closed;
    }
    return this.#child.exitCode;
  }
}
