/**
 * The folder in which a server keeps its state: made when missing, for its owner's eyes only, and used by one server at a time.
 */

import { accessSync, constants, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Complaint } from "./settings.mjs";

/** Says which server uses the folder. */
const RUNNING = "running.json";

/** Whether the server that left `running` behind still lives: its process and its address must both answer. */
async function isAlive({ pid, address }) {
  try {
    process.kill(pid, 0);
    // Any answer will do, a refusal too.
    await fetch(`${address}/agent/ping`, { signal: AbortSignal.timeout(2000) });
    return true;
  } catch {
    return false;
  }
}

function readRunning(stateDir) {
  try {
    return JSON.parse(readFileSync(join(stateDir, RUNNING), "utf8"));
  } catch {
    // Missing, or cut short by a crash: nobody to ask.
    return undefined;
  }
}

/**
 * Makes the folder ready for a server.
 *
 * @param {string} stateDir the folder
 * @returns {Promise<string>} the folder for the objects in it; throws a Complaint when it cannot be written or is in use
 */
export async function openStateFolder(stateDir) {
  const objects = join(stateDir, "objects");
  try {
    mkdirSync(objects, { recursive: true, mode: 0o700 });
    accessSync(stateDir, constants.W_OK);
    accessSync(objects, constants.W_OK);
  } catch (error) {
    throw new Complaint(
      `The state cannot be kept in ${stateDir} (${error.message}): set STATE_DIR to a writable folder.`,
    );
  }
  const running = readRunning(stateDir);
  if (running !== undefined && (await isAlive(running))) {
    throw new Complaint(
      `The state in ${stateDir} is in use by the server at ${running.address} (process ${running.pid}): stop it, or set STATE_DIR to another folder.`,
    );
  }
  return objects;
}

/** Notes which server uses the folder. */
export function claimStateFolder(stateDir, pid, address) {
  writeFileSync(join(stateDir, RUNNING), JSON.stringify({ pid, address }));
}

/** Takes the note away. */
export function releaseStateFolder(stateDir) {
  rmSync(join(stateDir, RUNNING), { force: true });
}
