/**
 * Serves a built bundle with workerd on this machine, keeps the state on disk, and starts workerd again when it ends by itself.
 * `npm start` and `noema serve` both do this. Settings come as variables; settings.mjs and limits.mjs say which.
 */

import { join } from "node:path";
import { Complaint } from "./complaint.mjs";
import { LOCAL_KEY, readSettings } from "./settings.mjs";
import { openStateFolder } from "./state-folder.mjs";
import { supervise } from "./supervisor.mjs";
import { assertFree, startWorkerd } from "./workerd.mjs";

/** The processor of the default genome. */
const EXAMPLE_PROCESSOR = "p46b6b076c";

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"];

/** Says where the server is and how to try it. Configured keys are never printed. */
function greet(address, { isLocal, probe, stateDir }) {
  const key = isLocal ? LOCAL_KEY : "$KEY";
  const accepted = probe.agent === undefined ? "any of API_KEYS" : "any of AGENT_KEYS, each at the host of its agent";
  const host = probe.agent === undefined ? "" : ` -H "Host: ${probe.agent}.localhost"`;
  console.log(`Noema listens on ${address}`);
  console.log(`Key (X-API-KEY): ${isLocal ? key : accepted}`);
  console.log(`State: ${stateDir}`);
  console.log(`Try: curl -H "X-API-KEY: ${key}"${host} ${address}/${EXAMPLE_PROCESSOR}/status`);
}

/** Serves until `stop` aborts. Throws a Complaint when it cannot serve, or cannot any longer. */
async function serve({ env, home, bundle, prepare }, stop) {
  const settings = readSettings(env, home);
  await assertFree(settings);
  const preparing = prepare(stop, settings.stopMs);
  // Where the folder is refused, nobody asks how the preparation ended.
  preparing.catch(() => {});
  const folder = await openStateFolder(settings.stateDir);
  try {
    await preparing;
    const start = async (previous) => {
      const port = previous?.port ?? settings.port;
      const workerd = await startWorkerd({ ...settings, port }, folder, stop, join(bundle, "workerd.capnp"));
      folder.note(workerd.pid, workerd.address);
      if (previous === undefined) greet(workerd.address, settings);
      return workerd;
    };
    await supervise(start, stop, settings.failedStarts);
  } finally {
    folder.release();
  }
}

/**
 * Serves until this process gets SIGINT, SIGTERM or SIGHUP. Says on standard error why it cannot serve.
 *
 * @param {object} server what to serve, and how
 * @param {Record<string, string | undefined>} server.env the settings, as variables
 * @param {string} server.home the folder in which the state is kept, in `.state`, when STATE_DIR names no other
 * @param {string} server.bundle the folder of the bundle
 * @param {(stop: AbortSignal, stopMs: number) => Promise<void>} [server.prepare] makes the bundle ready, while the state folder is
 *   opened; throws a Complaint when it cannot. A stop waits for it, for `stopMs` milliseconds at most
 * @returns {Promise<number>} the exit code: 0 after a signal, 1 when it cannot serve, or cannot any longer
 */
export async function serveUntilStopped({ env, home, bundle, prepare = async () => {} }) {
  const stopping = new AbortController();
  const stop = () => stopping.abort();
  for (const signal of SIGNALS) process.on(signal, stop);
  try {
    await serve({ env, home, bundle, prepare }, stopping.signal);
  } catch (error) {
    // Whatever ends early because it was told to is no failure.
    if (stopping.signal.aborted) return 0;
    console.error(error instanceof Complaint ? error.message : error);
    return 1;
  } finally {
    for (const signal of SIGNALS) process.off(signal, stop);
  }
  return 0;
}
