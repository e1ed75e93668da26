/** How far a long run has come: a bar on a terminal, a line for every tenth elsewhere. */

import cliProgress from "cli-progress";

const TENTHS = 10;

/**
 * Plays a step for every item, one after the other, and shows how far it is.
 *
 * @template T
 * @param {string} what names the run
 * @param {T[]} items
 * @param {(item: T) => Promise<void>} step
 * @returns {Promise<number>} the seconds that it took
 */
export async function eachWithProgress(what, items, step) {
  const show = process.stdout.isTTY ? bar(what, items.length) : lines(what, items.length);
  const started = performance.now();
  const seconds = () => (performance.now() - started) / 1000;
  try {
    for (const [index, item] of items.entries()) {
      await step(item);
      show.update(index + 1, seconds());
    }
  } finally {
    show.stop();
  }
  return seconds();
}

function bar(what, total) {
  const format = `${what} {bar} {percentage} % | {value}/{total} | {rate}/s | {eta_formatted} left`;
  const one = new cliProgress.SingleBar({ format, hideCursor: true }, cliProgress.Presets.shades_classic);
  one.start(total, 0, { rate: 0 });
  return {
    update: (done, seconds) => one.update(done, { rate: Math.round(done / seconds) }),
    stop: () => one.stop(),
  };
}

function lines(what, total) {
  const tenth = Math.ceil(total / TENTHS);
  return {
    update(done, seconds) {
      if (done % tenth !== 0 && done !== total) return;
      console.log(`${what} ${done}/${total}, ${Math.round(done / seconds)}/s`);
    },
    stop() {},
  };
}
