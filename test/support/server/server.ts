/**
 * A server as `npm start` runs it, on any free port and with its own state folder. Owns the server's processes and ends only
 * those.
 */

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Ended, requireOutput, serverEnvironment, waitForOutput } from "./child-output";
import { type Answer, exchange, type Outgoing } from "./http-exchange";

const SERVE = fileURLToPath(new URL("../../../scripts/serve.mjs", import.meta.url));
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

function spawnServe(stateDir: string, env: Record<string, string>): ChildProcess {
  return spawn(process.execPath, [SERVE], {
    // A group of its own, so that a kill hits parent and workerd at the same moment, as a power cut does.
    detached: true,
    env: serverEnvironment({ STATE_DIR: stateDir, ...env }),
    stdio: ["ignore", "pipe", "pipe"],
  });
}

/** Starts a server that should refuse, and waits for its end. Throws when it serves. */
export async function startRefused(stateDir: string, env: Record<string, string>): Promise<Ended> {
  const child = spawnServe(stateDir, env);
  const result = await waitForOutput(child, GREETING);
  if ("code" in result) return result;
  child.kill();
  throw new Error(`expected a refusal, but it serves on ${result.match[1]}`);
}

/** A running server. */
export class Server {
  readonly address: string;
  /** What it printed when it began to serve. */
  readonly greeting: string;
  readonly stateDir: string;
  readonly #child: ChildProcess;

  private constructor(child: ChildProcess, stateDir: string, address: string, greeting: string) {
    this.#child = child;
    this.stateDir = stateDir;
    this.address = address;
    this.greeting = greeting;
  }

  /** Starts a server and waits until it answers. Throws with all it printed when it ends instead. */
  static async start(stateDir = makeStateDir(), env: Record<string, string> = {}): Promise<Server> {
    const child = spawnServe(stateDir, env);
    const { match, output } = await requireOutput(child, GREETING);
    return new Server(child, stateDir, match[1] ?? "", output);
  }

  /** Sends one request and reads the answer as JSON. Throws when the answer is not JSON. */
  async send(outgoing: Outgoing): Promise<JsonAnswer> {
    const answer = await exchange(this.address, outgoing);
    return { ...answer, json: JSON.parse(answer.text) };
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
    await this.#end(() => process.kill(-Number(this.#child.pid), "SIGKILL"));
  }

  /** Stops the server and deletes its state. */
  async discard(): Promise<void> {
    await this.stop();
    rmSync(this.stateDir, { recursive: true, force: true });
  }

  async #end(strike: () => void): Promise<number | null> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return this.#child.exitCode;
    const ended = once(this.#child, "close");
    strike();
    await ended;
    return this.#child.exitCode;
  }
}
