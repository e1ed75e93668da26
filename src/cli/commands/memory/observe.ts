/** `noema observe`: adds one record to working memory, or a stream of them. */

import { createReadStream } from "node:fs";
import { pipeline } from "node:stream";
import type { Command } from "commander";
import split2 from "split2";
import { observe, type Schemas } from "../../../client";
import { collect } from "../../terminal/arguments";
import type { Context } from "../../terminal/context";
import { UsageError } from "../../terminal/failure";
import { jsonIn } from "../../terminal/input";
import type { Form } from "../../terminal/output";
import { type MemoryOptions, memoryOf, withMemory } from "../../terminal/place";

interface ObserveOptions extends MemoryOptions, Form {
  readonly vector: readonly string[];
  readonly emotive: readonly string[];
  readonly data?: string;
  readonly lines?: string;
}

/** Adds the command. */
export function addObserve(program: Command, context: Context): void {
  withMemory(program.command("observe"))
    .description("Add one record to working memory: the symbols of one moment.")
    .argument("[symbols...]", "its symbols")
    .option("--vector <numbers>", "a vector: 0.5,1,2 (repeatable)", collect, [])
    .option("--emotive <name=number>", "an emotive: joy=0.5 (repeatable)", collect, [])
    .option("--data <json>", "the record as JSON; @file reads a file, @- stdin")
    .option("--lines <file>", "records, a line of JSON for each, one after the other; - for stdin")
    .action(async (symbols: string[], options: ObserveOptions) => {
      const { data, lines } = options;
      const record = recordOf(symbols, options);
      if ([data, lines, record].filter((one) => one !== undefined).length !== 1) {
        throw new UsageError("one record is to be observed: name its symbols, or give --data, or --lines");
      }
      if (lines !== undefined) return observeLines(lines, options, context);
      const gdf = record ?? ((await jsonIn("--data", data ?? "", context)) as Schemas.Gdf);
      const observed = await observe(memoryOf(options, context), gdf, { signal: context.signal });
      await context.output.result(options, observed, () => plain(observed));
    });
}

/** The record that the arguments make; `undefined` if there are none. */
function recordOf(strings: string[], { vector, emotive }: ObserveOptions): Schemas.Gdf | undefined {
  if (strings.length + vector.length + emotive.length === 0) return undefined;
  return {
    ...(strings.length > 0 && { strings }),
    ...(vector.length > 0 && {
      vectors: vector.map((text) => text.split(",").map((part) => numberIn("--vector", part))),
    }),
    ...(emotive.length > 0 && { emotives: Object.fromEntries(emotive.map(emotiveIn)) }),
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

async function observeLines(file: string, options: ObserveOptions, context: Context): Promise<void> {
  const memory = memoryOf(options, context);
  const source = file === "-" ? context.stdin : createReadStream(file);
  let [line, count] = [0, 0];
  for await (const text of pipeline(source, split2("\n"), () => {}) as AsyncIterable<string>) {
    line++;
    if (text.trim() === "") continue;
    const observed = await observe(memory, gdfIn(text, line), { signal: context.signal }).catch((error) => {
      context.signal.throwIfAborted();
      throw new Error(`line ${line}: ${error.message}`, { cause: error });
    });
    count++;
    if (options.json === true) await context.output.write(`${JSON.stringify(observed)}\n`);
  }
  if (options.json !== true) await context.output.write(`Observed ${count} records.\n`);
}

function gdfIn(text: string, line: number): Schemas.Gdf {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new Error(`line ${line}: ${(error as Error).message}`, { cause: error });
  }
}
