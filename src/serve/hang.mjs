/**
 * Notices a workerd that runs and answers nothing any more, such as one in an endless loop. Its process does not end
 * then, and its connections stay open.
 */

/**
 * How often workerd is asked, in milliseconds. Less than the 5 s after which it closes an idle connection: the watch
 * keeps its connection, because a workerd that has no file left lets new ones wait and still serves the others.
 */
const ASK_EVERY_MS = 3000;

/**
 * A workerd that has answered nothing for this long hangs, in milliseconds. Work that is due delays others by about a
 * second; the rest is for a machine that swaps or whose disk is slow.
 */
const HUNG_MS = 60_000;

/** After a gap of more than this number of intervals this process itself, and perhaps the machine, was suspended. */
const LATE_INTERVALS = 2;

/**
 * Asks again and again, from now on. The silence is measured with the monotonic clock. It starts again when this
 * process itself was late: a laptop that slept, a paused container, Ctrl-Z.
 *
 * @param {() => Promise<boolean>} ask whether there was an answer; may stay open. Never rejects
 * @param {(silentMs: number) => void} hung called with the length of the silence when it reaches `hungMs`, and again if
 *   it goes on
 * @param {{ everyMs?: number, hungMs?: number }} bounds how often to ask, and the longest silence, in milliseconds; by
 *   default 3 s and 60 s
 * @returns {() => void} ends the watch
 */
export function watchForHang(ask, hung, { everyMs = ASK_EVERY_MS, hungMs = HUNG_MS } = {}) {
  let heardMs = performance.now();
  let lookedMs = heardMs;
  const look = async () => {
    const nowMs = performance.now();
    if (nowMs - lookedMs > LATE_INTERVALS * everyMs) heardMs = nowMs;
    lookedMs = nowMs;
    if (nowMs - heardMs >= hungMs) {
      hung(nowMs - heardMs);
      heardMs = nowMs;
    } else if (await ask()) {
      heardMs = performance.now();
    }
  };
  const looking = setInterval(look, everyMs);
  return () => clearInterval(looking);
}
