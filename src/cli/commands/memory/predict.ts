/** `noema predict`: what working memory predicts, or what given events would. */

import type { Command } from "commander";
import { getPredictions, type Schemas } from "../../../client";
import { wholeNumber } from "../../terminal/arguments";
import type { Context } from "../../terminal/context";
import { sequenceText } from "../../terminal/events";
import { UsageError } from "../../terminal/failure";
import { jsonIn } from "../../terminal/input";
import type { Form } from "../../terminal/output";
import { type MemoryOptions, memoryOf, withMemory } from "../../terminal/place";

interface PredictOptions extends MemoryOptions, Form {
  readonly sequence?: string;
  readonly top: string;
}

const MOST = 10_000;

/** Adds the command. */
export function addPredict(program: Command, context: Context): void {
  withMemory(program.command("predict"))
    .description("Show what comes next: after working memory, or after the events given, which are not observed.")
    .argument("[symbols...]", "events of one symbol each, oldest first")
    .option("--sequence <json>", 'events as JSON: [["tea", "milk"], ["train"]]; @file reads a file, @- stdin')
    .option("--top <predictions>", `how many at most, 1 to ${MOST}`, "10")
    .action(async (symbols: string[], options: PredictOptions) => {
      const top = wholeNumber("--top", options.top, 1, MOST);
      const sequence = await sequenceOf(symbols, options, context);
      const query = { top, ...(sequence !== undefined && { sequence }) };
      const predictions = await getPredictions(memoryOf(options, context), query, { signal: context.signal });
      await context.output.result(options, predictions, () => plain(predictions, context));
    });
}

async function sequenceOf(
  symbols: readonly string[],
  { sequence }: PredictOptions,
  context: Context,
): Promise<string[][] | undefined> {
  if (symbols.length > 0 && sequence !== undefined) {
    throw new UsageError("events are given twice: name symbols, or give --sequence");
  }
  if (sequence !== undefined) return (await jsonIn("--sequence", sequence, context)) as string[][];
  return symbols.length === 0 ? undefined : symbols.map((symbol) => [symbol]);
}

function plain(predictions: readonly Schemas.Prediction[], { output }: Context): string {
  if (predictions.length === 0) return "No predictions.";
  return output.table(
    ["potential", "past", "present", "future", "model"],
    predictions.map(({ potential, past, present, future, name }) => [
      potential.toFixed(3),
      output.colors.dim(sequenceText(past)),
      sequenceText(present),
      output.colors.green(sequenceText(future)),
      name,
    ]),
  );
}
