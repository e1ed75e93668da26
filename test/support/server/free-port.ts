/**
 * Finds ports of this machine on which no program listens, among those that the system gives to no program that asks for any port. So a port stays free
 * until a test uses it, and while a server on it starts again.
 */

import { randomInt } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:net";

/** Below the ports that the system gives away (32768 and up on Linux), and above those that the states of earlier releases name. */
const FIRST_PORT = 22_000;

/** Each of vitest's workers has this many ports for itself. */
const PORTS_PER_WORKER = 1_000;
const WORKERS = 10;

const first = FIRST_PORT + PORTS_PER_WORKER * (Number(process.env.VITEST_POOL_ID ?? 0) % WORKERS);

/** Another run on this machine begins elsewhere. */
let next = randomInt(PORTS_PER_WORKER);

/** A port of 127.0.0.1 that is not in use, another one each time. Throws when there is none. */
export async function freePort(): Promise<number> {
  for (let tries = 0; tries < PORTS_PER_WORKER; tries++) {
    const port = first + (next++ % PORTS_PER_WORKER);
    if (await isFree(port)) return port;
  }
  throw new Error(`all ports from ${first} to ${first + PORTS_PER_WORKER - 1} are in use`);
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer();
  try {
    await once(server.listen(port, "127.0.0.1"), "listening");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EADDRINUSE") throw error;
    return false;
  }
  server.close();
  await once(server, "close");
  return true;
}
