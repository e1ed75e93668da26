/**
 * A server for one script: `npm start` on any free port, with state in a temporary folder that is deleted at the end.
 */

import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { ROOT } from "../project.mjs";

const GREETING = /^Noema listens on (\S+)$/;

/**
 * Reads the address from the greeting. Throws when the server ends without one; its error messages go to the terminal.
 */
async function addressFrom(output) {
  for await (const line of createInterface({ input: output })) {
    const address = GREETING.exec(line)?.[1];
    if (address !== undefined) return address;
  }
  throw new Error("the server did not start; its message is above");
}

/**
 * Starts a server, passes its address to `use`, and stops the server when `use` has finished or failed. A signal also
 * stops the server, and then ends this process.
 *
 * @template T
 * @param {(address: string) => Promise<T>} use
 * @param {Record<string, string>} [variables] of the server
 * @returns {Promise<T>} the result of `use`
 */
export async function withTemporaryServer(use, variables = {}) {
  const stateDir = mkdtempSync(join(tmpdir(), "noema-"));
  const { API_KEYS: _, HOST: __, ...env } = process.env;
  const server = spawn(process.execPath, [join(ROOT, "scripts", "serve.mjs")], {
    env: { ...env, ...variables, PORT: "0", STATE_DIR: stateDir },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = once(server, "exit");
  const discard = async () => {
    server.kill();
    await ended;
    rmSync(stateDir, { recursive: true, force: true });
  };
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) {
    process.once(signal, async () => {
      await discard();
      process.kill(process.pid, signal);
    });
  }
  try {
    return await use(await addressFrom(server.stdout));
  } finally {
    await discard();
  }
}
