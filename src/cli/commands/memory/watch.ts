/** `noema watch`: what a memory observes, learns and predicts, as it happens. Changes nothing. */

import { setTimeout as pause } from "node:timers/promises";
import type { Command } from "commander";
import { NoemaError, type StreamEvent } from "../../../client";
import { type RangeWords, rangeWords } from "../../table/range-words";
import { wholeNumber } from "../../terminal/arguments";
import type { Context } from "../../terminal/context";
import { OrdinaryEnd, UsageError } from "../../terminal/failure";
import type { Form } from "../../terminal/output";
import { type MemoryOptions, memoryOf, processorOf, withMemory } from "../../terminal/place";
import { openStream, withAdvice } from "../../terminal/streams";
import { EventFeed } from "../../watching/event-feed";
import { lineOf, lookAt, screenOf } from "../../watching/looking";

interface WatchOptions extends MemoryOptions, Form {
  readonly interval?: string;
  readonly sessions?: true;
  readonly times?: string;
  readonly top: string;
}

/** The options, with numbers parsed. */
interface Settings {
  readonly options: WatchOptions;
  readonly top: number;
  /** The number of events or screens to show. */
  readonly times: number;
  /** Seconds between two polls; `undefined` when a stream sends events. */
  readonly seconds: number | undefined;
}

const MIN_SECONDS = 0.1;
const MAX_SECONDS = 86_400;
const MAX_TOP = 100;

/** From this status on, the server or a proxy before it is temporarily unavailable. */
const BAD_GATEWAY = 502;

/**
 * Minimum time between screens, in milliseconds: people cannot read faster, and each screen fetches the predictions.
 */
const BETWEEN_SCREENS_MS = 200;

/** Adds the command. */
export function addWatch(program: Command, context: Context): void {
  withMemory(program.command("watch"))
    .description("Show what a memory observes, learns and predicts, as it happens. End with Ctrl-C.")
    .option("--sessions", "also show all sessions of the processor")
    .option("--times <events>", "end after this number of events; with --interval, of polls")
    .option("--top <predictions>", `how many predictions to show, 1 to ${MAX_TOP}`, "5")
    .option(
      "--interval <seconds>",
      `instead of opening a stream, poll memory and predictions at this interval in seconds, ${MIN_SECONDS} or more`,
    )
    .action(async (options: WatchOptions) => {
      try {
        await watch(settingsOf(options), context);
      } catch (error) {
        throw context.signal.aborted ? new OrdinaryEnd() : error;
      }
    });
}

function settingsOf(options: WatchOptions): Settings {
  const { interval, sessions, session } = options;
  const top = wholeNumber("--top", options.top, 1, MAX_TOP);
  const times = options.times === undefined ? Number.POSITIVE_INFINITY : wholeNumber("--times", options.times, 1, 1e9);
  if (sessions && session !== undefined) throw new UsageError("--sessions and --session exclude each other");
  if (sessions && interval !== undefined) {
    throw new UsageError("--sessions and --interval exclude each other: only a stream hears of all sessions");
  }
  const seconds = interval === undefined ? undefined : Number(interval);
  if (seconds === undefined || (seconds >= MIN_SECONDS && seconds <= MAX_SECONDS)) {
    return { options, top, times, seconds };
  }
  throw new UsageError(`--interval is ${JSON.stringify(interval)}; accepted is ${MIN_SECONDS} to ${MAX_SECONDS}`);
}

async function watch(settings: Settings, context: Context): Promise<void> {
  const { options, seconds } = settings;
  const isScreen = context.output.isTerminal && options.json !== true;
  if (seconds !== undefined) return lookEvery(seconds, isScreen, settings, context);
  try {
    await (isScreen ? showScreens(settings, context) : writeEvents(settings, context));
  } catch (error) {
    throw withAdvice(error, "noema watch --interval 1 looks without a stream");
  }
}

/** Writes a line for each event. */
async function writeEvents({ options, times }: Settings, context: Context): Promise<void> {
  const { output } = context;
  const feed = feedOf(options, context);
  let [openings, shown] = [0, 0];
  let words = await wordsOf(options, context);
  for await (const news of feed) {
    const missed = feed.takeMissed();
    if (missed > 0) output.note(`noema: ${missed} events were left out: they came faster than they were read here`);
    if (news === "open") {
      const again = "noema: the stream is open again; what happened in between is not shown";
      if (openings > 0) words = await wordsOf(options, context);
      output.note(openings++ === 0 ? `Watching ${placeOf(options)}; Ctrl-C ends.` : again);
      continue;
    }
    await output.result(options, { time: now(), ...news }, () => `${now()} ${eventText(news, words)}`);
    if (++shown >= times) return;
  }
}

/** Draws the memory and its predictions again after each event. */
async function showScreens({ options, top, times }: Settings, context: Context): Promise<void> {
  const { output, signal } = context;
  const memory = memoryOf(options, context);
  const feed = feedOf(options, context);
  let words = await wordsOf(options, context);
  let shown = 0;
  let last = "";
  for await (const news of feed) {
    if (news === "open") words = await wordsOf(options, context);
    else {
      shown++;
      last = `  ${eventText(news, words)}`;
    }
    // Events that arrived together are drawn together.
    if (feed.waiting > 0 && shown < times) continue;
    const title = `${placeOf(options)}; Ctrl-C ends. Events: ${shown}${last}`;
    const look = await lookAt(memory, top, signal).catch(ignoreAbsence);
    if (look !== undefined) await output.redraw(screenOf(look, title, output, words));
    if (shown >= times) return;
    await pause(BETWEEN_SCREENS_MS, undefined, { signal });
  }
}

/** A server that does not answer may be going down: the stream reports that, and when the server is back. */
function ignoreAbsence(error: unknown): undefined {
  if (error instanceof NoemaError && (error.status === 0 || error.status >= BAD_GATEWAY)) return undefined;
  throw error;
}

function feedOf(options: WatchOptions, context: Context): EventFeed {
  const memory = memoryOf(options, context);
  const sessions = options.sessions && { sessions: true };
  return new EventFeed((settings) =>
    openStream(memory, options, context, { ...settings, ...sessions, isLasting: true }),
  );
}

/** Polls the memory. If stdout is not a terminal, writes a line only when something has changed. */
async function lookEvery(
  seconds: number,
  isScreen: boolean,
  { options, top, times }: Settings,
  context: Context,
): Promise<void> {
  const { output, signal } = context;
  const memory = memoryOf(options, context);
  const title = `${placeOf(options)}, every ${seconds} s; Ctrl-C ends`;
  const words = await wordsOf(options, context);
  let last = "";
  for (let looks = 1; ; looks++) {
    const look = await lookAt(memory, top, signal);
    const text = JSON.stringify(look);
    if (isScreen) await output.redraw(screenOf(look, title, output, words));
    else if (text !== last)
      await output.result(options, { time: now(), ...look }, () => `${now()} ${lineOf(look, words)}`);
    last = text;
    if (looks >= times) return;
    await pause(1000 * seconds, undefined, { signal });
  }
}

/** The words for symbols. They are fetched again when a stream reconnects, because the encoders may have changed. */
async function wordsOf(options: WatchOptions, context: Context): Promise<RangeWords> {
  if (options.json === true) return (symbol) => symbol;
  return rangeWords(processorOf(options, context), context.signal);
}

const now = () => new Date().toISOString();

function placeOf({ address, processor, session }: WatchOptions): string {
  return `${processor}${session === undefined ? "" : `, session ${session},`} at ${address}`;
}

/** `15 observed door + light`, and before it the session, if there is one. */
function eventText(event: StreamEvent, words: RangeWords): string {
  const sessionText = event.session === null ? "" : `session ${event.session} `;
  return `${sessionText}${event.interval} ${event.event} ${whatHappened(event, words)}`;
}

function whatHappened(event: StreamEvent, words: RangeWords): string {
  switch (event.event) {
    case "observed":
      return event.symbols.map(words).join(" + ") || "-";
    case "learned":
      return event.model;
    case "incident":
      return `${event.incident.id} of the alert ${event.incident.alert}`;
    default:
      return event.surprise === null ? "-" : `${event.surprise.bits.toFixed(1)} bits`;
  }
}
