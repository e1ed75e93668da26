/**
 * Serves a built bundle with workerd on this machine, keeps the state on disk, and starts workerd again
 * when it ends by itself. `npm start` and `noema serve` both do this. Settings come as variables;
 * settings.mjs and limits.mjs say which.
 */

import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { Complaint } from "./complaint.mjs";
import { LOCAL_KEY, readSettings } from "./settings.mjs";
import { openStateFolder, wasKilled } from "./state-folder.mjs";
import { supervise } from "./supervisor.mjs";
import { unknownVariables } from "./variables.mjs";
import { assertFree, startWorkerd } from "./workerd.mjs";
import { adaptWorkerdConfig } from "./workerd-config.mjs";

/** The processor of the default genome. */
const EXAMPLE_PROCESSOR = "p46b6b076c";

/** How long the leftovers of a killed server may take to end, and how often to check, in milliseconds. */
const LEFTOVERS_END_MS = 5000;
const LOOK_MS = 50;

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"];

/**
 * What a server prints when it is ready.
 *
 * @typedef {{ address: string, stateDir: string, text: string }} Greeting `text` is the text for people, in four lines,
 *   or five if MQTT is accepted: the address, the key, and how to try it. No member holds a configured key
 */

/**
 * A server to run.
 *
 * @typedef {object} Server
 * @property {Record<string, string | undefined>} env the settings, as variables
 * @property {string} home the folder in which the state is kept, in `.state`, when STATE_DIR names no other
 * @property {string} bundle the folder of the bundle
 * @property {string} [around] the folder of a user's bundle that wraps it, to be served instead
 * @property {(stop: AbortSignal, stopMs: number) => Promise<void>} [prepare] makes the bundle ready, while the state
 *   folder is opened; throws a Complaint when it cannot. A stop waits for it, for `stopMs` milliseconds at most
 * @property {{ everyMs?: number, hungMs?: number }} [hang] how often to ask whether workerd still answers, and how long
 *   it may be silent, in milliseconds; by default as hang.mjs says
 * @property {(greeting: Greeting) => void} [greet] reports that the server is ready; by default
 *   prints to standard output
 */

/** @returns {Greeting} */
function greeting(address, { isLocal, probe, stateDir }, mqtt) {
  const key = isLocal ? LOCAL_KEY : "$KEY";
  const accepted = probe.agent === undefined ? "any of API_KEYS" : "any of AGENT_KEYS, each at the host of its agent";
  const host = probe.agent === undefined ? "" : ` -H "Host: ${probe.agent}.localhost"`;
  const text = [
    `Noema listens on ${address}`,
    `Key (X-API-KEY): ${isLocal ? key : accepted}`,
    `State: ${stateDir}`,
    ...(mqtt === undefined ? [] : [`MQTT: ${mqtt}`]),
    `Try: curl -H "X-API-KEY: ${key}"${host} ${address}/${EXAMPLE_PROCESSOR}/status`,
  ].join("\n");
  return { address, stateDir, text };
}

/**
 * Retries an operation that a workerd whose server has just been killed may block for a moment.
 * Throws the last Complaint.
 */
async function afterKill({ stateDir }, attempt) {
  const until = performance.now() + LEFTOVERS_END_MS;
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      if (!(error instanceof Complaint) || performance.now() > until || !wasKilled(stateDir)) throw error;
      await pause(LOOK_MS);
    }
  }
}

/**
 * Serves until `stop` aborts.
 *
 * @param {Server} server what to serve, and how
 * @param {AbortSignal} stop ends the server
 * @returns {Promise<void>} resolves when it has ended after `stop`; throws a Complaint when it
 *   cannot start or cannot go on
 */
export async function serve(
  { env, home, bundle, around, prepare = async () => {}, hang, greet = printGreeting },
  stop,
) {
  const settings = { ...readSettings(env, home), hang };
  for (const sentence of unknownVariables(env, "servers")) console.error(sentence);
  if (around !== undefined) adaptWorkerdConfig(around, bundle);
  await afterKill(settings, () => assertFree(settings));
  const preparing = prepare(stop, settings.stopMs);
  // If the folder is refused, the result of the preparation is not awaited.
  preparing.catch(() => {});
  const folder = await afterKill(settings, () => openStateFolder(settings.stateDir));
  let gate;
  let served;
  try {
    await preparing;
    // Before workerd, so that MQTT is accepted when /health answers, and a taken port is found before all else.
    if (settings.mqtt !== undefined) {
      // Loaded only where it is wanted: to load its WebSockets takes a third of the processor time of a start.
      const { openMqttGate } = await import("./mqtt-gate.mjs");
      gate = await openMqttGate(settings.mqtt, () => served);
    }
    const start = async (previous) => {
      const port = previous?.port ?? settings.port;
      const wasSetBack = previous === undefined ? folder.hasLaterAlarms : previous.wasSetBack();
      const config = join(around ?? bundle, "workerd.capnp");
      const workerd = await startWorkerd({ ...settings, port, wasSetBack }, folder, stop, config);
      folder.note(workerd.pid, workerd.address);
      served = workerd.address;
      if (previous !== undefined) return workerd;
      greet(greeting(workerd.address, settings, gate?.address));
      return workerd;
    };
    await supervise(start, stop, settings.failedStarts);
  } catch (error) {
    // An early end after a stop is not a failure.
    if (!stop.aborted) throw error;
  } finally {
    gate?.close();
    folder.release();
  }
}

/** @param {Greeting} greeting */
function printGreeting({ text }) {
  console.log(text);
}

/**
 * Serves until this process gets SIGINT, SIGTERM or SIGHUP. Prints to standard error why it cannot serve.
 *
 * @param {Server} server what to serve, and how
 * @returns {Promise<number>} the exit code: 0 after a signal, 1 when it cannot start or cannot go on
 */
export async function serveUntilStopped(server) {
  const stopping = new AbortController();
  const stop = () => stopping.abort();
  for (const signal of SIGNALS) process.on(signal, stop);
  try {
    await serve(server, stopping.signal);
    return 0;
  } catch (error) {
    if (stopping.signal.aborted) return 0;
    console.error(error instanceof Complaint ? error.message : error);
    return 1;
  } finally {
    for (const signal of SIGNALS) process.off(signal, stop);
  }
}
