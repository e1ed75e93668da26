/** `noema observe`: adds a record, or a stream of records, to working memory. */

import { randomBytes } from "node:crypto";
import { createReadStream } from "node:fs";
import { addAbortSignal, pipeline } from "node:stream";
import type { Command } from "commander";
import split2 from "split2";
import { type Memory, type NoemaError, observe, type Schemas, type Stream } from "../../../client";
import { collect } from "../../terminal/arguments";
import type { Context } from "../../terminal/context";
import { UsageError } from "../../terminal/failure";
import { batchesOf, jsonIn } from "../../terminal/input";
import type { Form } from "../../terminal/output";
import { type MemoryOptions, memoryOf, withMemory } from "../../terminal/place";
import { type HttpOptions, openStream, withAdvice, withHttp } from "../../terminal/streams";

interface ObserveOptions extends MemoryOptions, HttpOptions, Form {
  readonly vector: readonly string[];
  readonly emotive: readonly string[];
  readonly time?: string;
  readonly data?: string;
  readonly lines?: string;
}

/** Maximum number of records in a frame. */
const MAX_RECORDS = 1000;

/** A time in epoch seconds. */
const DECIMAL = /^\d+(\.\d*)?$/;

const BAD_REQUEST = 400;
const TOO_LARGE = 413;

/** Adds the command. */
export function addObserve(program: Command, context: Context): void {
  withHttp(withMemory(program.command("observe")))
    .description("Add one record to working memory: the symbols of one moment.")
    .argument("[symbols...]", "its symbols")
    .option("--vector <numbers>", "a vector: 0.5,1,2 (repeatable)", collect, [])
    .option("--emotive <name=number>", "an emotive: joy=0.5 (repeatable)", collect, [])
    .option("--time <time>", "when it happened: epoch seconds, or RFC 3339 such as 2026-11-23T05:30:00Z")
    .option("--data <json>", "the record as JSON; @file reads a file, @- stdin")
    .option("--lines <file>", "a file of records, a line of JSON for each; - for stdin")
    .action(async (symbols: string[], options: ObserveOptions) => {
      const { data, lines } = options;
      const record = recordOf(symbols, options);
      if (record === undefined && options.time !== undefined) {
        throw new UsageError(
          "--time dates the record that the arguments make; with --data and --lines, the records have their own time",
        );
      }
      if ([data, lines, record].filter((one) => one !== undefined).length !== 1) {
        throw new UsageError("nothing to observe: name the symbols of a record, or give --data or --lines");
      }
      if (lines !== undefined) return observeLines(lines, options, context);
      const gdf = record ?? ((await jsonIn("--data", data ?? "", context)) as Schemas.Gdf);
      const observed = await observe(memoryOf(options, context), gdf, { signal: context.signal });
      await context.output.result(options, observed, () => plain(observed));
    });
}

/** The record that the arguments describe; `undefined` if there are none. */
function recordOf(strings: string[], { vector, emotive, time }: ObserveOptions): Schemas.Gdf | undefined {
  if (strings.length + vector.length + emotive.length === 0) return undefined;
  return {
    ...(strings.length > 0 && { strings }),
    ...(vector.length > 0 && {
      vectors: vector.map((text) => text.split(",").map((part) => numberIn("--vector", part))),
    }),
    ...(emotive.length > 0 && { emotives: Object.fromEntries(emotive.map(emotiveIn)) }),
    // Anything that is not a number is sent as text; the server refuses it with a clear message if it is not a time.
    ...(time !== undefined && { time: DECIMAL.test(time) ? Number(time) : time }),
  };
}

function emotiveIn(text: string): [name: string, value: number] {
  const at = text.lastIndexOf("=");
  if (at < 1) throw new UsageError(`--emotive is ${JSON.stringify(text)}; accepted is <name>=<number>`);
  return [text.slice(0, at), numberIn("--emotive", text.slice(at + 1))];
}

function numberIn(option: string, text: string): number {
  const value = text.trim() === "" ? Number.NaN : Number(text);
  if (Number.isFinite(value)) return value;
  throw new UsageError(`${option} has ${JSON.stringify(text)}; accepted is a finite number`);
}

function plain({ status, auto_learned_model: model, prediction_made: predicts }: Schemas.Observed): string {
  if (status === "asleep") return "The processor sleeps and has ignored the record.";
  const learned = model === "" ? "" : ` Learned ${model}.`;
  return `Observed.${learned}${predicts ? " There are predictions." : ""}`;
}

/** Over a stream: all lines that are ready go into one frame, and the next frame waits for the answer. */
async function observeLines(file: string, options: ObserveOptions, context: Context): Promise<void> {
  const memory = memoryOf(options, context);
  const input = file === "-" ? context.stdin : createReadStream(file);
  // On a terminal, the next line may never come: Ctrl-C ends the wait.
  const lines = addAbortSignal(
    context.signal,
    pipeline(input, split2("\n"), () => {}),
  );
  const source = `observe ${randomBytes(4).toString("hex")}`;
  const link = options.http ? undefined : openStream(memory, options, context, { source });
  let count = 0;
  try {
    for await (const batch of batchesOf(
      recordsIn(lines as AsyncIterable<string>),
      link === undefined ? 1 : MAX_RECORDS,
    )) {
      const observed = await observeBatch(batch, memory, link, context);
      count += batch.length;
      if (options.json === true) await context.output.write(observed.map((one) => `${JSON.stringify(one)}\n`).join(""));
    }
  } finally {
    await link?.close();
  }
  if (options.json !== true) await context.output.write(`Observed ${count} records.\n`);
}

/** A record, and the number of its line, from 1. */
interface LineRecord {
  readonly line: number;
  readonly gdf: Schemas.Gdf;
}

async function* recordsIn(lines: AsyncIterable<string>): AsyncGenerator<LineRecord> {
  let line = 0;
  for await (const text of lines) {
    line++;
    if (text.trim() !== "") yield { line, gdf: gdfIn(text, line) };
  }
}

/**
 * Observes a batch and returns the result of each record. Throws Error that names the line of the first refused record;
 * the records before it are observed.
 */
async function observeBatch(
  batch: readonly LineRecord[],
  memory: Memory,
  link: Stream | undefined,
  { signal }: Context,
): Promise<unknown[]> {
  if (link !== undefined) {
    try {
      const { observed = [], redelivered } = await link.observe(batch.map(({ gdf }) => gdf));
      return redelivered ? batch.map(() => ({ redelivered })) : observed;
    } catch (error) {
      signal.throwIfAborted();
      const { status = 0 } = error as Partial<NoemaError>;
      // The frame was refused as a whole and had no effect. Sending its records one at a time shows which record is at
      // fault.
      if (status !== BAD_REQUEST && status !== TOO_LARGE) throw withAdvice(error, "--http sends requests instead");
    }
  }
  const all: unknown[] = [];
  for (const { gdf, line } of batch) all.push(await observeOne(gdf, line, memory, signal));
  return all;
}

function observeOne(gdf: Schemas.Gdf, line: number, memory: Memory, signal: AbortSignal): Promise<Schemas.Observed> {
  return observe(memory, gdf, { signal }).catch((error) => {
    signal.throwIfAborted();
    throw new Error(`line ${line}: ${error.message}`, { cause: error });
  });
}

function gdfIn(text: string, line: number): Schemas.Gdf {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new Error(`line ${line}: ${(error as Error).message}`, { cause: error });
  }
}
