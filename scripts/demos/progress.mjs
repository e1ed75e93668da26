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
  const progress = progressOf(name, items.length);
  let done = 0;
  const takeOne = async (item) => {
    await step(item);
    progress.update(++done);
  };
  try {
    await Readable.from(items).forEach(takeOne, { concurrency: atOnce });
  } finally {
    progress.stop();
  }
  return progress.seconds();
}

/**
 * The progress of a run that takes its steps by itself.
 *
 * @typedef {object} Progress
 * @property {(done: number) => void} update says how many steps are done
 * @property {(line: string) => void} print prints a line above the progress
 * @property {() => number} seconds how long the run has taken
 * @property {() => void} stop ends it; call it also when the run fails
 *
 * @param {string} name the run's name
 * @param {number} total how many steps there are
 * @returns {Progress}
 */
export function progressOf(name, total) {
  const started = performance.now();
  const seconds = () => (performance.now() - started) / 1000;
  const { update, ...shown } = process.stdout.isTTY ? bar(name, total) : lines(name, total);
  return { ...shown, seconds, update: (done) => update(done, seconds()) };
}

function bar(name, total) {
  const format = `${name} {bar} {percentage} % | {value}/{total} | {rate}/s | {eta_formatted} left`;
  const one = new cliProgress.MultiBar({ format, hideCursor: true }, cliProgress.Presets.shades_classic);
  const line = one.create(total, 0, { rate: 0 });
  return {
    update: (done, seconds) => line.update(done, { rate: Math.round(done / seconds) }),
    print: (text) => one.log(`${text}\n`),
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
    print: (text) => console.log(text),
    stop() {},
  };
}
