/** `noema watch`: working memory and what it predicts, as they change. Asks again and again; it changes nothing. */

import { setTimeout as pause } from "node:timers/promises";
import type { Command } from "commander";
import { getPredictions, getWorkingMemory, type Memory } from "../../../client";
import { wholeNumber } from "../../terminal/arguments";
import type { Context } from "../../terminal/context";
import { sequenceText } from "../../terminal/events";
import { UsageError } from "../../terminal/failure";
import type { Form } from "../../terminal/output";
import { type MemoryOptions, memoryOf, withMemory } from "../../terminal/place";

interface WatchOptions extends MemoryOptions, Form {
  readonly interval: string;
  readonly top: string;
  readonly times?: string;
}

const LEAST_SECONDS = 0.1;
const MOST_TOP = 100;
const FIELDS = ["name", "past", "potential", "present", "future"] as const;

/** Adds the command. */
export function addWatch(program: Command, context: Context): void {
  withMemory(program.command("watch"))
    .description(
      "Show working memory and the past, present and future of its predictions, as they change. End with Ctrl-C.",
    )
    .option("--interval <seconds>", `how long to wait between looks, ${LEAST_SECONDS} or more`, "1")
    .option("--top <predictions>", `how many predictions to show, 1 to ${MOST_TOP}`, "5")
    .option("--times <looks>", "end after so many looks")
    .action((options: WatchOptions) => watch(options, context));
}

async function watch(options: WatchOptions, context: Context): Promise<void> {
  const seconds = Number(options.interval);
  if (!(seconds >= LEAST_SECONDS && seconds <= 86_400)) {
    throw new UsageError(`--interval is ${JSON.stringify(options.interval)}; accepted is ${LEAST_SECONDS} to 86400`);
  }
  const top = wholeNumber("--top", options.top, 1, MOST_TOP);
  const { times } = options;
  const looks = times === undefined ? Number.POSITIVE_INFINITY : wholeNumber("--times", times, 1, 1e9);
  const memory = memoryOf(options, context);
  const isScreen = context.output.isTerminal && options.json !== true;
  let last = "";
  for (let look = 1; ; look++) {
    const seen = await lookAt(memory, top, context.signal);
    const text = JSON.stringify(seen);
    if (isScreen) await context.output.redraw(screenOf(seen, options, context));
    else if (text !== last) await context.output.result(options, { time: now(), ...seen }, () => lineOf(seen));
    last = text;
    if (look >= looks) return;
    await pause(1000 * seconds, undefined, { signal: context.signal });
  }
}

const now = () => new Date().toISOString();

async function lookAt(memory: Memory, top: number, signal: AbortSignal) {
  const [workingMemory, predictions] = await Promise.all([
    getWorkingMemory(memory, { signal }),
    getPredictions(memory, { top, fields: [...FIELDS] }, { signal }),
  ]);
  return { working_memory: workingMemory, predictions };
}

type Seen = Awaited<ReturnType<typeof lookAt>>;

/** The best prediction on one line. */
function lineOf({ working_memory: memory, predictions: [best] }: Seen): string {
  const lanes = [best?.past, best?.present, best?.future].map((lane) => sequenceText(lane ?? []));
  const predicted =
    best === undefined ? "no predictions" : `past ${lanes[0]} | present ${lanes[1]} | future ${lanes[2]}`;
  return `${now()} memory ${sequenceText(memory)} | ${predicted}`;
}

const POTENTIAL_WIDTH = 11;

/** Three lanes, a prediction on each line. */
function screenOf({ working_memory: memory, predictions }: Seen, options: WatchOptions, { output }: Context): string {
  const { colors, width } = output;
  const lane = Math.max(8, Math.floor((width - POTENTIAL_WIDTH - 6) / 3));
  const place = options.session === undefined ? options.processor : `${options.processor}, session ${options.session}`;
  const rows = predictions.map(({ past, present, future, potential }) => [
    (potential ?? 0).toFixed(3),
    colors.dim(sequenceText(past ?? [])),
    colors.bold(sequenceText(present ?? [])),
    colors.green(sequenceText(future ?? [])),
  ]);
  const lanes = output.table(["potential", "past", "present", "future"], rows, [POTENTIAL_WIDTH, lane, lane, lane]);
  return [
    colors.dim(`${place} at ${options.address}, every ${options.interval} s; Ctrl-C ends`),
    `memory  ${sequenceText(memory)}`,
    "",
    predictions.length === 0 ? "No predictions." : lanes,
  ].join("\n");
}
