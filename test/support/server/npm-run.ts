/** A server that npm runs. Owns npm and the processes below it until they have ended. */

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { requireOutput, serverEnvironment } from "./child-output";

/** A running `npm run`. */
export class NpmRun {
  readonly address: string;
  readonly #npm: ChildProcess;
  #output: string;

  private constructor(npm: ChildProcess, address: string, output: string) {
    this.#npm = npm;
    this.address = address;
    this.#output = output;
    for (const stream of [npm.stdout, npm.stderr]) {
      stream?.on("data", (chunk: Buffer) => {
        this.#output += chunk.toString();
      });
    }
  }

  /**
   * Has npm run a script that serves on any free port, and waits until it says where.
   *
   * @param args the script and its arguments
   * @param env added to this process's own environment
   * @param line matches the whole line that the script prints when it serves; the first group is the address
   * @throws Error with all that was printed, when npm ends first
   */
  static async start(args: string[], env: Record<string, string>, line: RegExp): Promise<NpmRun> {
    const npm = spawn("npm", ["run", ...args], { env: serverEnvironment(env), stdio: ["ignore", "pipe", "pipe"] });
    const { match, output } = await requireOutput(npm, line);
    return new NpmRun(npm, match[1] ?? "", output);
  }

  /** What was printed until now, to both streams. */
  get output(): string {
    return this.#output;
  }

  /** Sends npm, and npm alone, a signal. Waits until the last process that holds npm's output has ended. */
  async end(): Promise<void> {
    if (this.#npm.exitCode !== null || this.#npm.signalCode !== null) return;
    const closed = once(this.#npm, "close");
    this.#npm.kill("SIGTERM");
    await closed;
  }
}
