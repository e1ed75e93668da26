/**
 * A server as `npm start` runs it, in processes of its own, on any free port and with a state folder of its own. Owns its
 * processes and ends only those.
 */

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Answer, exchange, type Outgoing } from "./http-exchange";

const SERVE = fileURLToPath(new URL("../../../scripts/serve.mjs", import.meta.url));
const GREETING = /^Noema listens on (http:\S+)$/m;

/** Makes a folder for a server's state, outside the project. */
export function makeStateDir(): string {
  return mkdtempSync(join(tmpdir(), "noema-"));
}

/** How an attempt to start ended that did not come to serve. */
export interface Refusal {
  code: number | null;
  /** What it printed to both streams. */
  output: string;
}

/** An envelope or any other JSON answer. */
export interface JsonAnswer extends Answer {
  // biome-ignore lint/suspicious/noExplicitAny: tests reach into answers whose shape is what they check
  json: any;
}

function spawnServe(stateDir: string, env: Record<string, string>): ChildProcess {
  const { API_KEYS: _, NOEMA_LOCAL: __, HOST: ___, ...inherited } = process.env;
  return spawn(process.execPath, [SERVE], {
    // A group of its own, so that a kill can strike parent and workerd at the same moment, as a power cut does.
    detached: true,
    env: { ...inherited, PORT: "0", STATE_DIR: stateDir, ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
}

/** Waits for the greeting or the end, whichever comes first. */
function settle(child: ChildProcess): Promise<{ address: string; greeting: string } | Refusal> {
  return new Promise((resolve) => {
    let output = "";
    const collect = (chunk: Buffer) => {
      output += chunk.toString();
      const address = GREETING.exec(output)?.[1];
      if (address !== undefined && output.includes("Try: ")) resolve({ address, greeting: output });
    };
    child.stdout?.on("data", collect);
    child.stderr?.on("data", collect);
    child.once("close", (code) => resolve({ code, output }));
  });
}

/** Starts a server that is expected to refuse, and waits for its end. Throws when it serves. */
export async function startRefused(stateDir: string, env: Record<string, string>): Promise<Refusal> {
  const child = spawnServe(stateDir, env);
  const outcome = await settle(child);
  if ("code" in outcome) return outcome;
  child.kill();
  throw new Error(`expected a refusal, but it serves on ${outcome.address}`);
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

  /** Starts one and waits until it answers. Throws with all that it printed when it does not come to serve. */
  static async start(stateDir = makeStateDir(), env: Record<string, string> = {}): Promise<Server> {
    const child = spawnServe(stateDir, env);
    const outcome = await settle(child);
    if ("code" in outcome) throw new Error(`the server ended with code ${outcome.code}: ${outcome.output}`);
    return new Server(child, stateDir, outcome.address, outcome.greeting);
  }

  /** Sends one request and reads the answer as JSON. Throws when it is not JSON. */
  async send(outgoing: Outgoing): Promise<JsonAnswer> {
    const answer = await exchange(this.address, outgoing);
    return { ...answer, json: JSON.parse(answer.text) };
  }

  /** Waits until it ends by itself. Returns the exit code. */
  async ended(): Promise<number | null> {
    return this.#end(() => {});
  }

  /** Asks it to stop and waits. Returns the exit code. */
  async stop(): Promise<number | null> {
    return this.#end(() => this.#child.kill("SIGTERM"));
  }

  /** Kills it and workerd at the same moment, unasked, and waits. */
  async kill(): Promise<void> {
    await this.#end(() => process.kill(-Number(this.#child.pid), "SIGKILL"));
  }

  /** Stops it and deletes its state. */
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
