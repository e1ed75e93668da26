/**
 * A server under attack: what `npm start` serves, on any free port, with its state in a temporary folder. The caller has built the bundle: to
 * look at each start whether it is up to date would take nearly as long as the start. Owns the processes that it starts, and ends only those.
 */

import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { ROOT } from "../../scripts/project.mjs";
import { Client } from "./client.mjs";
import { delayedMs, descendants, processorMs, residentMebibytes, signal } from "./processes.mjs";

const GREETING = /^Noema listens on (http:\S+)$/m;
const START_MS = 60_000;
const OUTPUT_KEPT_CHARACTERS = 200_000;

/** Deletes a folder. A process that was just killed may not have ended yet, and make a file meanwhile. */
function remove(folder) {
  rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
}

/** Every server that may still run. */
const running = new Set();

/** Makes a folder for a server's state. */
export function makeStateDir() {
  return mkdtempSync(join(tmpdir(), "noema-torture-"));
}

/**
 * Ends every server that this program started, at once.
 *
 * @param {boolean} keepsState whether their state stays, to be looked at; else it is deleted
 * @returns {string[]} the folders of the state that is kept
 */
export function endAll(keepsState = false) {
  const folders = [...new Set([...running].map(({ stateDir }) => stateDir))];
  for (const server of running) server.strike();
  running.clear();
  if (keepsState) return folders;
  for (const folder of folders) remove(folder);
  return [];
}

/** A server, or an attempt to start one that was refused. */
export class Server {
  stateDir;
  /** undefined when it was refused. */
  address;
  /** What it printed to both streams, the last part of it. */
  output = "";
  /** How long the start took, in milliseconds. */
  startMs = 0;
  #child;

  /** Starts it, but does not wait. */
  constructor({ stateDir = makeStateDir(), env = {}, wrapper = [] } = {}) {
    const { API_KEYS: _, NOEMA_LOCAL: __, HOST: ___, ...inherited } = process.env;
    const [program, ...args] = [
      ...wrapper,
      process.execPath,
      join(ROOT, "test", "support", "server", "serve-built.mjs"),
    ];
    this.stateDir = stateDir;
    this.#child = spawn(program, args, {
      // A group of its own, so that a kill strikes all of it at the same moment, as a power cut does.
      detached: true,
      env: { ...inherited, PORT: "0", STATE_DIR: stateDir, ...env },
      stdio: ["ignore", "pipe", "pipe"],
    });
    running.add(this);
    const collect = (chunk) => {
      this.output = (this.output + chunk).slice(-OUTPUT_KEPT_CHARACTERS);
    };
    this.#child.stdout.on("data", collect);
    this.#child.stderr.on("data", collect);
  }

  /**
   * Starts a server and waits until it serves.
   *
   * @param {{ stateDir?: string, env?: Record<string, string>, wrapper?: string[] }} options `wrapper` is a program, and its
   *   arguments, that runs the server
   * @returns {Promise<Server>} throws with the server's own words when it does not come to serve
   */
  static async start(options = {}) {
    // An attack must not blame the server for a folder that another program has cleaned away.
    if (options.stateDir !== undefined && !existsSync(join(options.stateDir, "objects")))
      throw new Error(`the state folder ${options.stateDir} is gone: it was deleted during the attack`);
    const server = new Server(options);
    if (await server.serves()) return server;
    await server.discard();
    throw new Error(`the server did not start: ${server.output}`);
  }

  /** Waits until it greets or ends. Returns whether it greets. */
  async serves(limitMs = START_MS) {
    const began = performance.now();
    while (this.alive && performance.now() - began < limitMs) {
      this.address = GREETING.exec(this.output)?.[1];
      if (this.address !== undefined && this.output.includes("Try: ")) {
        this.startMs = performance.now() - began;
        return true;
      }
      await sleep(10);
    }
    return false;
  }

  get pid() {
    return this.#child.pid;
  }

  /** Whether `npm start`'s own process runs. */
  get alive() {
    return this.#child.exitCode === null && this.#child.signalCode === null;
  }

  /** The exit code; null while it runs and when a signal ended it. */
  get exitCode() {
    return this.#child.exitCode;
  }

  /** A client of its default processor. */
  client(options) {
    return new Client(this.address, options);
  }

  /** The ids of the workerd processes that serve. */
  workerds() {
    return descendants(this.pid)
      .filter(({ name }) => name === "workerd")
      .map(({ pid }) => pid);
  }

  /** The memory of workerd in mebibytes. */
  memory() {
    return this.workerds().reduce((sum, pid) => sum + residentMebibytes(pid), 0);
  }

  /** The processor time that workerd has used, in milliseconds. */
  processorMs() {
    return this.workerds().reduce((sum, pid) => sum + processorMs(pid), 0);
  }

  /** How long workerd has waited for a processor, in milliseconds. */
  delayedMs() {
    return this.workerds().reduce((sum, pid) => sum + delayedMs(pid), 0);
  }

  /** Sends a signal to every process of it. */
  signalAll(name) {
    const all = [this.pid, ...descendants(this.pid).map(({ pid }) => pid)];
    for (const pid of all) signal(pid, name);
  }

  /** Kills every process of it, unasked, without waiting. */
  strike() {
    const all = descendants(this.pid).map(({ pid }) => pid);
    signal(-this.pid, "SIGKILL");
    // What left the group, should there be any.
    for (const pid of all) signal(pid, "SIGKILL");
  }

  /** Kills every process of it at the same moment and waits. */
  async kill() {
    const ended = this.#closed();
    this.strike();
    await ended;
    running.delete(this);
  }

  /**
   * Asks it to stop.
   *
   * @param {number} limitMs after which it is killed
   * @returns {Promise<number>} how long it took, in milliseconds; Infinity when it had to be killed
   */
  async stop(limitMs = 15_000) {
    const began = performance.now();
    const ended = this.#closed();
    if (this.alive) this.#child.kill("SIGTERM");
    const inTime = await Promise.race([ended.then(() => true), sleep(limitMs, false, { ref: false })]);
    if (!inTime) await this.kill();
    running.delete(this);
    return inTime ? performance.now() - began : Number.POSITIVE_INFINITY;
  }

  /** Stops it and deletes its state. Returns as stop does. */
  async discard(limitMs) {
    const took = await this.stop(limitMs);
    remove(this.stateDir);
    return took;
  }

  async #closed() {
    if (this.alive) await once(this.#child, "exit");
  }
}
