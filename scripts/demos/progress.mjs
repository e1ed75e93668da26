/** Shows the progress of a long run: a bar on a terminal, elsewhere one line for every tenth. */

import { Readable } from "node:stream";
import cliProgress from "cli-progress";

const TENTHS = 10;

/**
 * Does a step for every item, begun in their order, and shows the progress.
 *
 * @template T
 * @param {string} name the run's name
 * @param {T[]} items
 * @param {number} atOnce how many steps may be under way; 1 for one after the other
 * @param {(item: T) => Promise<unknown>} step
 * @returns {Promise<number>} the duration in seconds
 */
export async function eachWithProgress(name, items, atOnce, step) {
  const progress = process.stdout.isTTY ? bar(name, items.length) : lines(name, items.length);
  const started = performance.now();
  const seconds = () => (performance.now() - started) / 1000;
  let done = 0;
  const takeOne = async (item) => {
    await step(item);
    done++;
    progress.update(done, seconds());
  };
  try {
    await Readable.from(items).forEach(takeOne, { concurrency: atOnce });
  } finally {
    progress.stop();
  }
  return seconds();
}

function bar(name, total) {
  const format = `${name} {bar} {percentage} % | {value}/{total} | {rate}/s | {eta_formatted} left`;
  const one = new cliProgress.SingleBar({ format, hideCursor: true }, cliProgress.Presets.shades_classic);
  one.start(total, 0, { rate: 0 });
  return {
    update: (done, seconds) => one.update(done, { rate: Math.round(done / seconds) }),
    stop: () => one.stop(),
  };
}

function lines(name, total) {
  const tenth = Math.ceil(total / TENTHS);
  return {
    update(done, seconds) {
      if (done % tenth !== 0 && done !== total) return;
      console.log(`${name} ${done}/${total}, ${Math.round(done / seconds)}/s`);
    },
    stop() {},
  };
}
