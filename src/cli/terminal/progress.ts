/** Shows the progress of a long run: a bar on a terminal, otherwise a line for every 10 %. Writes only to stderr. */

import cliProgress from "cli-progress";

/** A text stream, which may be a terminal: stdout, stderr, or a test's replacement. */
export type TextStream = NodeJS.WritableStream & {
  readonly isTTY?: boolean;
  readonly columns?: number;
  readonly rows?: number;
};

/** The progress of one run. */
export interface Progress {
  /** @param done number of completed steps */
  update(done: number): void;
  stop(): void;
}

const TENTHS = 10;
/** Minimum time between lines if the total is unknown, in milliseconds. */
const MS_BETWEEN_LINES = 5000;

/** The progress of a run; see {@link Output.progress}. */
export function progressOn(stream: TextStream, name: string, total: number | undefined): Progress {
  const started = performance.now();
  const rate = (done: number) => Math.round((1000 * done) / Math.max(1, performance.now() - started));
  return stream.isTTY === true ? bar(stream, name, total, rate) : lines(stream, name, total, rate);
}

type Rate = (done: number) => number;

function bar(stream: TextStream, name: string, total: number | undefined, rate: Rate): Progress {
  const counted = total === undefined ? "{value}" : "{bar} {percentage} % | {value}/{total}";
  const shown = new cliProgress.SingleBar(
    { format: `${name} ${counted} | {rate}/s`, hideCursor: true, clearOnComplete: false, stream },
    cliProgress.Presets.shades_classic,
  );
  shown.start(total ?? 0, 0, { rate: 0 });
  return { update: (done) => shown.update(done, { rate: rate(done) }), stop: () => shown.stop() };
}

function lines(stream: TextStream, name: string, total: number | undefined, rate: Rate): Progress {
  let written = 0;
  let last = performance.now();
  const isDue = (done: number) =>
    total === undefined
      ? performance.now() - last >= MS_BETWEEN_LINES
      : Math.floor((TENTHS * done) / total) > Math.floor((TENTHS * written) / total);
  return {
    update(done) {
      if (!isDue(done)) return;
      written = done;
      last = performance.now();
      stream.write(`${name} ${done}${total === undefined ? "" : `/${total}`}, ${rate(done)}/s\n`);
    },
    stop() {},
  };
}
