/**
 * Starts workerd on a bundle, waits until it answers, and ends it when told to.
 */

import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { Agent, get, request } from "node:http";
import { createServer } from "node:net";
import { createInterface } from "node:readline";
import { json } from "node:stream/consumers";
import { setTimeout as pause } from "node:timers/promises";
import { watchClock } from "./clock.mjs";
import { Complaint } from "./complaint.mjs";
import { watchForStop } from "./foreign-stop.mjs";
import { watchForHang } from "./hang.mjs";
import { LEASH_FD, leashed } from "./leash.mjs";
import { residentBytes, watchMemory } from "./memory.mjs";

/** Time limit until workerd answers, in milliseconds. */
const READY_MS = 30_000;
const RETRY_MS = 20;

/** Default for how long running requests may delay a stop, in milliseconds. */
const STOP_MS = 8000;

/** How long closing the streams may delay a stop, in milliseconds. */
const STREAMS_MS = 1000;

/** If workerd seems to be stopping and does not answer for this long, in milliseconds, it is stopping. */
const SILENT_MS = 2000;

/** `host:port` as in an address; IPv6 in brackets. */
function authority(host, port) {
  return `${host.includes(":") ? `[${host}]` : host}:${port}`;
}

/** Throws a Complaint if the address cannot be listened on. workerd's own message would be about its internals. */
export async function assertFree({ host, port }) {
  const probe = createServer();
  try {
    await once(probe.listen(port, host), "listening");
  } catch (error) {
    const taken = error.code === "EADDRINUSE";
    const reason = taken ? "another program listens there" : error.message;
    throw new Complaint(
      `Cannot listen on ${authority(host, port)}: ${reason}. Set PORT (0 takes any free ` +
        `one)${taken ? "" : " or HOST"}.`,
    );
  }
  probe.close();
  await once(probe, "close");
}

/** The path of the program. */
async function program() {
  try {
    const { default: workerd } = await import("workerd");
    return workerd.default;
  } catch (error) {
    throw new Complaint(
      `workerd is not installed for this system (${error.message}): install the packages again, the optional ones too.`,
    );
  }
}

/**
 * The ports on which workerd has begun to listen, as it reports on the control pipe, the inspector's before the other.
 */
async function listeningPorts(child) {
  let inspector;
  for await (const line of createInterface({ input: child.stdio[3] })) {
    const message = JSON.parse(line);
    if (message.event === "listen-inspector") inspector = message.port;
    if (message.event === "listen" && message.socket === "http") return { port: message.port, inspector };
  }
  throw new Complaint("workerd ended before it listened; its own output is above.");
}

/**
 * Asks the gateway for something. A key of one agent works only at a host that names the agent.
 *
 * @param requestId that of the start for requests that are neither counted nor logged
 * @param connections the HTTP agent whose connections to use; `false` for a new connection
 * @returns the request
 */
function ask(path, address, { key, agent }, requestId, connections) {
  const host = agent === undefined ? {} : { host: `${agent}.localhost` };
  return get(address + path, {
    headers: { "X-API-KEY": key, "X-Request-Id": requestId, ...host },
    agent: connections,
  });
}

/** Pings the gateway, as {@link ask} does. */
function ping(...where) {
  return ask("/agent/ping", ...where);
}

/**
 * Calls each processor of an agent once, after the clock was set back: one that waits for an alarm sets it again. Does
 * not wait for the answer.
 */
function callProcessors(address, call) {
  const asked = ask("/processors", address, call, randomUUID(), false);
  asked.once("response", (response) => response.resume());
  // workerd has ended again. Its next start calls them.
  asked.once("error", () => {});
}

/** Pings the gateway. Returns the reason for a refusal; `undefined` if it answers. */
async function refusal(address, probe, startId) {
  // Do not keep the connection alive: the server would close it, which would look like a failure.
  const [response] = await once(ping(address, probe, startId, false), "response");
  if (response.statusCode === 200) {
    response.resume();
    return undefined;
  }
  const { message } = await json(response).catch(() => ({ message: `its first call got HTTP ${response.statusCode}` }));
  return message;
}

/** Waits until the gateway answers a ping. Throws a Complaint when it refuses it, or the child ends. */
async function untilAnswering(child, address, probe, startId) {
  while (child.exitCode === null && child.signalCode === null) {
    const answer = await refusal(address, probe, startId).then(
      (reason) => ({ reason }),
      () => undefined,
    );
    if (answer !== undefined && answer.reason === undefined) return;
    if (answer !== undefined) throw new Complaint(`The server cannot serve with these settings: ${answer.reason}.`);
    await pause(RETRY_MS);
  }
  throw new Complaint("workerd ended before it answered; its own output is above.");
}

/**
 * Only what the Worker's bindings read: the keys, or the permission to accept the local one; the identifier of this
 * start's pings; and the variables that are passed on unchanged.
 */
function workerEnvironment({ variables, keys, isLocal, liveObjects }, startId) {
  return {
    ...variables,
    NOEMA_START_ID: startId,
    ...(liveObjects === undefined ? {} : { NOEMA_LIVE_OBJECTS: String(liveObjects) }),
    ...(keys === undefined ? {} : { API_KEYS: keys }),
    ...(isLocal ? { NOEMA_LOCAL: "true" } : {}),
  };
}

/** Keeps workerd running for as long as this process runs. */
function holdLeash(child) {
  const leash = child.stdio[LEASH_FD];
  // The shell that reads from it may have been killed.
  leash.on("error", () => {});
  child.once("exit", () => leash.destroy());
}

/**
 * Opens a request whose end tells the Worker to close its streams, for which workerd would otherwise wait. It is
 * held open from the start, because workerd accepts no new requests after a signal, and the process that stops us
 * may signal workerd, too.
 *
 * @returns {() => Promise<void>} ends it, and resolves when the streams are closed, or after
 *   {@link STREAMS_MS}. Never rejects
 */
function streamsOf(address, startId) {
  const headers = { "X-Request-Id": startId, "transfer-encoding": "chunked" };
  const held = request(`${address}/stop`, { method: "PUT", headers, agent: false });
  const over = new Promise((resolve) => {
    held.once("response", (response) => response.resume().once("end", resolve));
    // workerd has ended by itself.
    held.once("error", resolve);
  });
  held.flushHeaders();
  return async () => {
    held.end();
    await Promise.race([over, pause(STREAMS_MS, undefined, { ref: false })]);
    held.destroy();
  };
}

/**
 * Ends the child when `stop` aborts: gracefully, and by force after `stopMs`. Nothing that was
 * answered is lost either way.
 *
 * @param {{ endWatch: () => void, endStreams: () => Promise<void> }} serving what to do first
 * @returns {() => Promise<void>} ends it without `stop`
 */
function endWith(stop, child, stopMs, serving) {
  let force;
  let isEnding = false;
  const end = async () => {
    if (isEnding) return;
    isEnding = true;
    // A workerd that ends answers nothing new for as long as its requests take.
    serving.endWatch();
    await serving.endStreams();
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill();
    force = setTimeout(() => {
      console.error(`Requests were still under way after ${stopMs / 1000} s; they are cut off.`);
      child.kill("SIGKILL");
    }, stopMs);
  };
  const killAtExit = () => child.kill("SIGKILL");
  stop.addEventListener("abort", end);
  process.once("exit", killAtExit);
  child.once("exit", () => {
    clearTimeout(force);
    stop.removeEventListener("abort", end);
    process.off("exit", killAtExit);
  });
  return end;
}

/**
 * Whether workerd leaves a ping unanswered for {@link SILENT_MS}. A failure counts as an answer: workerd closes
 * connections when it runs out of files, but a stopping one does not even accept them.
 */
function isSilent({ address }, { probe }, startId) {
  const answered = refusal(address, probe, startId).then(
    () => false,
    () => false,
  );
  return Promise.race([answered, pause(SILENT_MS, true, { ref: false })]);
}

/** Whether an error says that nothing came back at all; connecting to a name tries several addresses. */
function isTimeout({ code, errors = [] }) {
  return code === "ETIMEDOUT" || errors.some(isTimeout);
}

/** Whether a ping gets any answer; a failure is one, as in {@link isSilent}, except when nothing came back. */
async function isAnswered(address, probe, startId, connections) {
  try {
    const [response] = await once(ping(address, probe, startId, connections), "response");
    response.resume();
    return true;
  } catch (error) {
    return !isTimeout(error);
  }
}

/**
 * Kills workerd when it answers nothing any more.
 *
 * @param {{ address: string }} ready
 * @param {{ hungFor?: number }} serving takes the length of the silence, in milliseconds
 * @returns {() => void} ends the watch
 */
function killWhenHung(child, { address }, { host, probe, hang }, startId, serving) {
  const connections = new Agent({ keepAlive: true });
  let isOver = false;
  const hung = async (silentMs) => {
    // While the machine does not have the address, no question arrives, and a new workerd could not listen.
    const couldListen = await assertFree({ host, port: 0 }).then(
      () => true,
      () => false,
    );
    if (!couldListen || isOver) return;
    serving.hungFor = silentMs;
    child.kill("SIGKILL");
  };
  const endWatch = watchForHang(() => isAnswered(address, probe, startId, connections), hung, hang);
  const end = () => {
    isOver = true;
    endWatch();
    connections.destroy();
  };
  child.once("exit", end);
  return end;
}

/**
 * Kills workerd when it takes more memory than it may.
 *
 * @param {{ processBytes?: number }} settings the maximum in bytes; without one nothing is watched
 * @param {{ excess?: string }} serving takes a sentence about what it took
 */
function killWhenTooLarge(child, { processBytes }, serving) {
  if (processBytes === undefined) return;
  const exceeded = (bytes) => {
    const taken = `${mebibytes(bytes)} of memory, more than ${mebibytes(processBytes)}`;
    serving.excess = `workerd took ${taken}, and was killed.`;
    child.kill("SIGKILL");
  };
  child.once(
    "exit",
    watchMemory(() => residentBytes(child.pid), processBytes, exceeded),
  );
}

/**
 * Ends workerd when the clock was set back.
 *
 * @param {() => Promise<void>} end ends it gracefully
 * @param {{ setBackMs?: number }} serving takes the length of the step, in milliseconds
 */
function endWhenSetBack(child, end, serving) {
  const setBack = (stepMs) => {
    serving.setBackMs = stepMs;
    void end();
  };
  child.once("exit", watchClock(setBack));
}

function mebibytes(bytes) {
  return `${Math.round(bytes / 1_048_576)} MiB`;
}

/** A sentence that says why workerd ended. */
function endOf({ hungFor, excess, setBackMs }, end) {
  if (excess !== undefined) return excess;
  if (setBackMs !== undefined) return `The clock was set back by ${Math.round(setBackMs / 1000)} s.`;
  if (hungFor === undefined) return `workerd ended by itself (${end}).`;
  return `workerd answered nothing for ${Math.round(hungFor / 1000)} s and was killed.`;
}

/** Waits until the child answers, and kills it when it does not in time. */
async function untilReady(child, { host, probe }, startId) {
  let isLate = false;
  const patience = setTimeout(() => {
    isLate = true;
    child.kill("SIGKILL");
  }, READY_MS);
  try {
    const { port, inspector } = await listeningPorts(child);
    const address = `http://${authority(host, port)}`;
    await untilAnswering(child, address, probe, startId);
    return { port, address, inspector };
  } catch (error) {
    throw isLate ? new Complaint(`workerd did not answer within ${READY_MS / 1000} s.`) : error;
  } finally {
    clearTimeout(patience);
  }
}

/**
 * Starts workerd.
 *
 * @param {{ host: string, port: number, keys?: string, isLocal: boolean, probe: { key: string, agent?: string },
 *   calls?: { key: string, agent: string }[], variables?: Record<string, string>, liveObjects?: number,
 *   stopMs?: number, processBytes?: number, hang?: { everyMs?: number, hungMs?: number },
 *   wasSetBack?: boolean }} settings where to listen, which keys are accepted and whether the local one is, a call that
 *   works, one to each agent, the Worker's own variables, the maximum number of live objects, how long requests may
 *   delay a stop, workerd's maximum memory in bytes, the bounds of {@link watchForHang}, whether the clock was set back
 *   since the previous workerd began
 * @param {{ objects: string, lock?: number }} folder the folder for the objects' data, which exists, and the file that
 *   workerd holds open so that the folder stays locked as long as it runs
 * @param {AbortSignal} stop ends workerd, at any time
 * @param {string} config the configuration that it serves: `workerd.capnp` in the folder of a bundle
 * @param {string[]} flags other flags for workerd, such as `--inspector-addr`
 * @returns
 *   {Promise<{ pid: number, port: number, address: string, inspector: number | undefined, ended: Promise<string>,
 *   wasSetBack: () => boolean }>} resolves once it answers; `inspector` is the inspector's port, where there is one,
 *   `ended` says in a sentence why it ended, `wasSetBack` whether because the clock was set back. Throws a Complaint
 */
export async function startWorkerd(settings, folder, stop, config, flags = []) {
  const { host, port, stopMs = STOP_MS } = settings;
  await assertFree(settings);
  const [command, ...before] = leashed(await program());
  stop.throwIfAborted();
  const args = [
    ...before,
    "serve",
    config,
    `--socket-addr=http=${authority(host, port)}`,
    `--directory-path=objects=${folder.objects}`,
    "--control-fd=3",
    ...flags,
  ];
  const stdio = ["ignore", "inherit", "inherit", "pipe", folder.lock ?? "ignore", "pipe"];
  // Random, so that a client cannot use it to keep its failures out of the log.
  const startId = randomUUID();
  const child = spawn(command, args, { env: workerEnvironment(settings, startId), stdio });
  holdLeash(child);
  const serving = { endWatch: () => {}, endStreams: async () => {} };
  const ended = once(child, "exit").then(([code, signal]) => endOf(serving, signal ?? `exit code ${code}`));
  const end = endWith(stop, child, stopMs, serving);
  killWhenTooLarge(child, settings, serving);
  try {
    const ready = await untilReady(child, settings, startId);
    // Do this first: connections are accepted in order, so workerd never has the request below without a
    // connection that detects its stop.
    watchForStop(child, { host, port: ready.port }, async () => {
      if (await isSilent(ready, settings, startId)) await end();
    });
    serving.endStreams = streamsOf(ready.address, startId);
    serving.endWatch = killWhenHung(child, ready, settings, startId, serving);
    endWhenSetBack(child, end, serving);
    if (settings.wasSetBack) for (const call of settings.calls ?? []) callProcessors(ready.address, call);
    return { pid: child.pid, ended, ...ready, wasSetBack: () => serving.setBackMs !== undefined };
  } catch (error) {
    child.kill("SIGKILL");
    await ended;
    throw error;
  }
}
