/**
 * Time under attack: how long an attack may take, how long a client waits for a server, and how fast this machine is. On a busy machine, a
 * wait says little about the server: what counts is the processor time that the server took during it, and a part of the wait. On a slow
 * machine, the server may take longer.
 */

import { delayedMs } from "./processes.mjs";

/**
 * Of a wait in which the server did not work, and neither it nor this program waited for a processor, this share counts: the server may
 * have waited for itself.
 */
const IDLE_SHARE = 0.25;

/** A wait in milliseconds: what the clock says, the processor time that the server used, and what counts. */
export class Wait {
  #server;
  #began = performance.now();
  #usedBefore;
  #delayedBefore;

  /** Begins now. */
  constructor(server) {
    this.#server = server;
    this.#usedBefore = server.processorMs();
    this.#delayedBefore = this.#delays();
  }

  /** How long the server, and this program, have waited for a processor, in milliseconds. */
  #delays() {
    return [this.#server.delayedMs(), delayedMs(process.pid)];
  }

  /** Ends now. @returns {{ clock: number, used: number, counts: number }} `used` is 0 where the system does not say */
  end() {
    const clock = performance.now() - this.#began;
    const used = this.#server.processorMs() - this.#usedBefore;
    // Both may have waited at the same time.
    const longest = Math.max(...this.#delays().map((ms, at) => ms - this.#delayedBefore[at]));
    const delayed = Math.min(clock, longest);
    return { clock, used, counts: Math.min(clock, Math.max(used, (clock - delayed) * IDLE_SHARE)) };
  }
}

/** The processor time that {@link work} takes on the machine on which the bounds were set, in milliseconds. */
const WORK_MS = 13;

const DOCUMENT = Array.from({ length: 400 }, (_, at) => ({
  strings: [`symbol ${at}`, "a"],
  emotives: { joy: at / 7 },
}));

/** Does a little of what a server does: reads and writes JSON, sorts texts, computes. Returns a number, so that nothing is left out. */
function work() {
  let sum = 0;
  for (let turn = 0; turn < 40; turn++) {
    const records = JSON.parse(JSON.stringify(DOCUMENT));
    records.sort((a, b) => (a.strings[0] < b.strings[0] ? -1 : 1));
    for (const { emotives } of records) for (let at = 0; at < 100; at++) sum += Math.sqrt(emotives.joy * at);
  }
  return sum;
}

let isWarm = false;

/**
 * How many times as long this machine takes for the same work, now, as the one on which the bounds were set. Blocks for some 30 ms.
 *
 * @returns {number} 1 or more: a faster machine has no stricter bounds
 */
export function slowness() {
  // The first time, the engine has not compiled the work yet.
  if (!isWarm) work();
  isWarm = true;
  const times = [0, 1].map(() => {
    const before = process.cpuUsage();
    work();
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1000;
  });
  return Math.max(1, Math.min(...times) / WORK_MS);
}

/**
 * When a part must end, so that those after it have as much time.
 *
 * @param {number} deadline of all parts, as performance.now() tells time
 * @param {number} left how many parts there are, this one too
 */
export function deadlineOfPart(deadline, left) {
  const now = performance.now();
  return now + (deadline - now) / left;
}
