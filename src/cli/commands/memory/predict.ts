/** `noema predict`: what working memory predicts, or what given events would. */

import type { Command } from "commander";
import { getForecast, getPredictions, type Schemas } from "../../../client";
import { type RangeWords, rangeWords } from "../../table/range-words";
import { wholeNumber } from "../../terminal/arguments";
import type { Context } from "../../terminal/context";
import { percent, sequenceText } from "../../terminal/events";
import { eventsGiven } from "../../terminal/input";
import type { Form } from "../../terminal/output";
import { type MemoryOptions, memoryOf, processorOf, withMemory } from "../../terminal/place";

interface PredictOptions extends MemoryOptions, Form {
  readonly sequence?: string;
  readonly top: string;
}

const MAX_PREDICTIONS = 10_000;

/** Number of symbols on the line below the predictions. */
const MAX_LIKELIEST = 3;

/** Adds the command. */
export function addPredict(program: Command, context: Context): void {
  withMemory(program.command("predict"))
    .description("Show what comes next: after working memory, or after the events given, which are not observed.")
    .argument("[symbols...]", "events of one symbol each, oldest first")
    .option("--sequence <json>", 'events as JSON: [["tea", "milk"], ["train"]]; @file reads a file, @- stdin')
    .option("--top <predictions>", `how many at most, 1 to ${MAX_PREDICTIONS}`, "10")
    .action(async (symbols: string[], options: PredictOptions) => {
      const top = wholeNumber("--top", options.top, 1, MAX_PREDICTIONS);
      const sequence = await eventsGiven(symbols, options.sequence, context);
      const about = { ...(sequence !== undefined && { sequence }) };
      const memory = memoryOf(options, context);
      const { signal } = context;
      const isPlain = options.json !== true;
      const [predictions, forecast, shown = String] = await Promise.all([
        getPredictions(memory, { top, ...about }, { signal }),
        isPlain ? getForecast(memory, { top: MAX_LIKELIEST, ...about }, { signal }) : undefined,
        isPlain ? rangeWords(processorOf(options, context), signal) : undefined,
      ]);
      const text = () => `${plain(predictions, shown, context)}${nextLine(forecast, shown)}`;
      await context.output.result(options, predictions, text);
    });
}

function plain(predictions: readonly Schemas.Prediction[], shown: RangeWords, { output }: Context): string {
  if (predictions.length === 0) return "No predictions.";
  return output.table(
    ["potential", "past", "present", "future", "model"],
    predictions.map(({ potential, past, present, future, name }) => [
      potential.toFixed(3),
      output.colors.dim(sequenceText(past, shown)),
      sequenceText(present, shown),
      output.colors.green(sequenceText(future, shown)),
      name,
    ]),
  );
}

/** The most probable next symbols, on a line below the predictions; empty if nothing is known. */
function nextLine(forecast: Schemas.Forecast | undefined, shown: RangeWords): string {
  const [next] = forecast?.steps ?? [];
  if (next === undefined || next.symbols.length === 0) return "";
  const symbols = next.symbols.map(({ symbol, probability }) => `${shown(symbol)} ${percent(probability)}`);
  return `\nMost likely next: ${symbols.join(", ")}.`;
}
