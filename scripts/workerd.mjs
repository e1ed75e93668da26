/**
 * Starts workerd, on the built bundle when nothing else is said, and waits until it answers.
 */

import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:net";
import { join } from "node:path";
import { createInterface } from "node:readline";
import workerd from "workerd";
import { DIST } from "./project.mjs";
import { Complaint } from "./settings.mjs";
import { PASSED_ON } from "./workerd-config.mjs";

const READY_MS = 30_000;
const RETRY_MS = 20;

/** `host:port` as in an address; IPv6 in brackets. */
function authority(host, port) {
  return `${host.includes(":") ? `[${host}]` : host}:${port}`;
}

/** Throws a Complaint when nobody can listen there. workerd would say so too, but in words about its own insides. */
async function assertFree(host, port) {
  const probe = createServer();
  try {
    await once(probe.listen(port, host), "listening");
  } catch (error) {
    const taken = error.code === "EADDRINUSE";
    const reason = taken ? "another program listens there" : error.message;
    throw new Complaint(
      `Cannot listen on ${authority(host, port)}: ${reason}. Set PORT (0 takes any free one)${taken ? "" : " or HOST"}.`,
    );
  }
  probe.close();
  await once(probe, "close");
}

/** The ports on which workerd has begun to listen, as it reports on the control pipe, the inspector's before the other. */
async function listeningPorts(child) {
  let inspector;
  for await (const line of createInterface({ input: child.stdio[3] })) {
    const message = JSON.parse(line);
    if (message.event === "listen-inspector") inspector = message.port;
    if (message.event === "listen" && message.socket === "http") return { port: message.port, inspector };
  }
  throw new Complaint("workerd ended before it listened; its own words are above.");
}

/** Waits until the gateway answers a ping with the key, or the child ends. */
async function untilAnswering(child, address, key) {
  const deadline = Date.now() + READY_MS;
  while (child.exitCode === null && child.signalCode === null && Date.now() < deadline) {
    const response = await fetch(`${address}/agent/ping`, { headers: { "X-API-KEY": key } }).catch(() => undefined);
    if (response?.ok) return;
    await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
  }
  throw new Complaint(`${address}/agent/ping did not answer within ${READY_MS / 1000} s.`);
}

/** Only what the Worker's bindings read: the keys, or the permission to accept the local one, and what is passed on as it is. */
function workerEnvironment(keys) {
  const passed = PASSED_ON.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]]));
  return { ...Object.fromEntries(passed), ...(keys === undefined ? { NOEMA_LOCAL: "true" } : { API_KEYS: keys }) };
}

/**
 * Starts workerd.
 *
 * @param {ReturnType<import("./settings.mjs").readSettings>} settings where to listen, and which keys are accepted
 * @param {string} objects the folder for the objects' data, which exists
 * @param {AbortSignal} stop ends workerd, at any time
 * @param {string} config the configuration that it serves: that of the built bundle, when none is named
 * @param {string[]} flags what else workerd is told, `--inspector-addr` for example
 * @returns {Promise<{ pid: number, address: string, inspector: number | undefined, ended: Promise<string> }>} resolves once it answers;
 *   `inspector` is the inspector's port, where there is one, `ended` says how it ended. Throws a Complaint
 */
export async function startWorkerd(
  { host, port, keys, firstKey },
  objects,
  stop,
  config = join(DIST, "workerd.capnp"),
  flags = [],
) {
  await assertFree(host, port);
  stop.throwIfAborted();
  const args = [
    "serve",
    config,
    `--socket-addr=http=${authority(host, port)}`,
    `--directory-path=objects=${objects}`,
    "--control-fd=3",
    ...flags,
  ];
  const stdio = ["ignore", "inherit", "inherit", "pipe"];
  const child = spawn(workerd.default, args, { env: workerEnvironment(keys), stdio });
  const ended = once(child, "exit").then(([code, signal]) => signal ?? `exit code ${code}`);
  stop.addEventListener("abort", () => child.kill());
  const killAtExit = () => child.kill("SIGKILL");
  process.once("exit", killAtExit);
  child.once("exit", () => process.off("exit", killAtExit));
  try {
    const { port: listening, inspector } = await listeningPorts(child);
    const address = `http://${authority(host, listening)}`;
    await untilAnswering(child, address, firstKey);
    return { pid: child.pid, address, inspector, ended };
  } catch (error) {
    child.kill();
    await ended;
    throw error;
  }
}
