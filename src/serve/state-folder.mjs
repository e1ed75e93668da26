/**
 * The folder in which a server keeps its state: made when missing, for its owner's eyes only, and used by one
 * server at a time. A lock of the operating system keeps out a second server, even in another container. The
 * system releases the lock when the last process that inherited it ends, for whatever reason, so the lock lasts
 * exactly as long as its server.
 */

import {
  accessSync,
  closeSync,
  constants,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { hostname } from "node:os";
import { dirname, join } from "node:path";
import { MIN_STEP_MS } from "./clock.mjs";
import { Complaint } from "./complaint.mjs";

/** Holds the lock. Never deleted: a new file of that name would be another lock. */
const LOCK = "lock";

/** Replaces the lock where the system has none. */
const IN_USE = "in-use";

/** Where workerd keeps the alarms of the objects of a class, in a folder of the class. */
const ALARMS = ["metadata.sqlite", "metadata.sqlite-wal"];

/** Names the server that uses the folder. Only for messages. */
const RUNNING = "running.json";

/**
 * Locks an open file against other processes, until the last process with this descriptor closes it.
 *
 * @param {number} fd a file open for writing
 * @returns {Promise<boolean>} false when another process holds the lock; throws when the system or the
 *   file system has no locks
 */
async function lockFile(fd) {
  const { tryLock } = await import("fs-native-extensions");
  return tryLock(fd);
}

function isFolder(path) {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

/**
 * Makes a folder and those above it, where they are missing. Without the option `recursive`: where no folder can be
 * made, as in /proc, Node 20 would loop forever.
 */
function makeFolder(path) {
  if (isFolder(path)) return;
  if (dirname(path) !== path) makeFolder(dirname(path));
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    // Another server may have made it meanwhile.
    if (!isFolder(path)) throw error;
  }
}

/** Makes the folder and opens its lock. Throws a Complaint when nothing can be written there. */
function openFolder(stateDir) {
  const objects = join(stateDir, "objects");
  try {
    makeFolder(objects);
    accessSync(stateDir, constants.W_OK);
    accessSync(objects, constants.W_OK);
    return { objects, fd: openSync(join(stateDir, LOCK), "a", 0o600) };
  } catch (error) {
    throw new Complaint(
      `The state cannot be kept in ${stateDir} (${error.message}): set STATE_DIR to a writable folder.`,
    );
  }
}

/** The note of the server that uses a folder. Throws if there is none. */
function noteIn(stateDir) {
  return JSON.parse(readFileSync(join(stateDir, RUNNING), "utf8"));
}

/**
 * Whether the last server of a folder was killed and could not release it: its workerd ends in a moment,
 * because it is on a leash.
 *
 * @param {string} stateDir the folder
 * @returns {boolean} false, too, when the server was on another machine, or when there is no note
 */
export function wasKilled(stateDir) {
  try {
    const { server, host } = noteIn(stateDir);
    if (host !== hostname() || !Number.isInteger(server)) return false;
    process.kill(server, 0);
    return false;
  } catch (error) {
    return error.code === "ESRCH";
  }
}

/** The complaint about a folder that another server uses, which may not have written its note yet. */
function inUse(stateDir) {
  let server = "another server";
  try {
    const { address, pid, host } = noteIn(stateDir);
    server = `the server at ${address} (process ${pid} on ${host})`;
  } catch {
    // It is starting.
  }
  return new Complaint(`The state in ${stateDir} is in use by ${server}: stop it, or set STATE_DIR to another folder.`);
}

/** Keeps other servers out by a file that only one of them can create. After a crash it must be deleted by hand. */
function claimByFile(stateDir, reason) {
  const file = join(stateDir, IN_USE);
  try {
    writeFileSync(file, `${hostname()} ${process.pid}\n`, { flag: "wx" });
  } catch (error) {
    if (error.code !== "EEXIST") throw error;
    throw new Complaint(
      `The state in ${stateDir} is in use by another server, or one that crashed: ` +
        `there are no file locks here (${reason}), and ${file} exists. Delete that file if no server uses the folder.`,
    );
  }
  console.error(`There are no file locks here (${reason}). ${file} keeps other servers out; delete it after a crash.`);
  return () => rmSync(file, { force: true });
}

/** A folder that this process holds exclusively. */
class StateFolder {
  #release;
  #running;

  constructor(stateDir, objects, lock, release) {
    this.#release = release;
    this.#running = join(stateDir, RUNNING);
    /** The folder for the objects in it. */
    this.objects = objects;
    /** The file descriptor to pass to every process that writes into the folder; undefined where there are no locks. */
    this.lock = lock;
    rmSync(this.#running, { force: true });
  }

  /** Whether an alarm was set at a time that is yet to come: the clock was set back since. */
  get hasLaterAlarms() {
    const latestMs = Date.now() + MIN_STEP_MS;
    // A check for room on the disk that was cut off leaves a file there.
    const folders = readdirSync(this.objects, { withFileTypes: true }).filter((entry) => entry.isDirectory());
    const files = folders.flatMap(({ name }) => ALARMS.map((file) => join(this.objects, name, file)));
    return files.some((file) => (statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0) > latestMs);
  }

  /** Writes the note: which process serves the folder, and where. */
  note(pid, address) {
    try {
      writeFileSync(this.#running, JSON.stringify({ pid, address, host: hostname(), server: process.pid }));
    } catch (error) {
      // For example a full disk. The note only improves the message for a second server.
      console.error(`Cannot note in ${this.#running} which server uses the folder: ${error.message}`);
    }
  }

  /** Releases the folder. The processes that inherited the lock must have ended. */
  release() {
    rmSync(this.#running, { force: true });
    this.#release();
  }
}

/**
 * Makes the folder ready for one server, and keeps others out.
 *
 * @param {string} stateDir the folder
 * @param {typeof lockFile} lock how files are locked
 * @returns {Promise<StateFolder>} throws a Complaint when the folder cannot be written or is in use
 */
export async function openStateFolder(stateDir, lock = lockFile) {
  const { objects, fd } = openFolder(stateDir);
  let isLocked;
  try {
    isLocked = await lock(fd);
  } catch (error) {
    closeSync(fd);
    return new StateFolder(stateDir, objects, undefined, claimByFile(stateDir, error.message));
  }
  if (!isLocked) {
    closeSync(fd);
    throw inUse(stateDir);
  }
  return new StateFolder(stateDir, objects, fd, () => closeSync(fd));
}
