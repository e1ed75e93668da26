/** A server that npm runs, in processes of its own; owns them until npm has ended them. */

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";

/** Waits for a line with an address; throws with all that was printed when there comes none before the end. */
function addressIn(npm: ChildProcess, line: RegExp): Promise<string> {
  let output = "";
  return new Promise((resolve, reject) => {
    const collect = (chunk: Buffer) => {
      output += chunk.toString();
      const [, address] = line.exec(output) ?? [];
      if (address !== undefined) resolve(address);
    };
    npm.stdout?.on("data", collect);
    npm.stderr?.on("data", collect);
    npm.once("close", (code) => reject(new Error(`npm ended with code ${code}: ${output}`)));
  });
}

/** What npm runs. */
export class NpmRun {
  readonly address: string;
  readonly #npm: ChildProcess;

  private constructor(npm: ChildProcess, address: string) {
    this.#npm = npm;
    this.address = address;
  }

  /**
   * Has npm run a script, on any free port.
   *
   * @param args the script and its arguments
   * @param env besides this process's own environment
   * @param line what is printed when it serves; the first group is the address
   */
  static async start(args: string[], env: Record<string, string>, line: RegExp): Promise<NpmRun> {
    const { API_KEYS: _, NOEMA_LOCAL: __, HOST: ___, ...inherited } = process.env;
    const npm = spawn("npm", ["run", ...args], {
      env: { ...inherited, PORT: "0", ...env },
      stdio: ["ignore", "pipe", "pipe"],
    });
    return new NpmRun(npm, await addressIn(npm, line));
  }

  /** Sends npm, and npm alone, a signal, and waits until the last process that holds its output has ended. */
  async end(): Promise<void> {
    if (this.#npm.exitCode !== null || this.#npm.signalCode !== null) return;
    const closed = once(this.#npm, "close");
    this.#npm.kill("SIGTERM");
    await closed;
  }
}
