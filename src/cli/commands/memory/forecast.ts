/** `noema forecast`: what comes next, and how probable it is. */

import type { Command } from "commander";
import { getForecast, MAX_FORECAST_SYMBOLS, MAX_HORIZON, type Schemas } from "../../../client";
import { type RangeWords, rangeWords } from "../../table/range-words";
import { wholeNumber } from "../../terminal/arguments";
import type { Context } from "../../terminal/context";
import { percent } from "../../terminal/events";
import { eventsGiven } from "../../terminal/input";
import type { Form } from "../../terminal/output";
import { type MemoryOptions, memoryOf, processorOf, withMemory } from "../../terminal/place";

interface ForecastOptions extends MemoryOptions, Form {
  readonly sequence?: string;
  readonly horizon: string;
  readonly top: string;
}

/** Adds the command. */
export function addForecast(program: Command, context: Context): void {
  withMemory(program.command("forecast"))
    .description("Say what comes next, and how likely: after working memory, or after the events given.")
    .argument("[symbols...]", "events of one symbol each, oldest first; they are not observed")
    .option("--sequence <json>", 'events as JSON: [["tea", "milk"], ["train"]]; @file reads a file, @- stdin')
    .option("--horizon <events>", `how many events ahead, 1 to ${MAX_HORIZON}`, "1")
    .option("--top <symbols>", `how many symbols to list for each, 1 to ${MAX_FORECAST_SYMBOLS}`, "10")
    .action(async (symbols: string[], options: ForecastOptions) => {
      const horizon = wholeNumber("--horizon", options.horizon, 1, MAX_HORIZON);
      const top = wholeNumber("--top", options.top, 1, MAX_FORECAST_SYMBOLS);
      const sequence = await eventsGiven(symbols, options.sequence, context);
      const query = { horizon, top, ...(sequence !== undefined && { sequence }) };
      const { signal } = context;
      const [forecast, shown = String] = await Promise.all([
        getForecast(memoryOf(options, context), query, { signal }),
        options.json === true ? undefined : rangeWords(processorOf(options, context), signal),
      ]);
      await context.output.result(options, forecast, () => plain(forecast, shown, context));
    });
}

function plain({ steps, within, models }: Schemas.Forecast, shown: RangeWords, { output }: Context): string {
  if (models === 0) return "Nothing is known about what comes next.";
  const header = ["symbol", "probability", "models"];
  const rows = (symbols: readonly Schemas.ForecastSymbol[]) =>
    symbols.map(({ symbol, probability, support }) => [
      output.colors.green(shown(symbol)),
      percent(probability),
      support,
    ]);
  const tables = steps.map(({ symbols, none }, at) => [
    ...(steps.length > 1 ? [`Event ${at + 1} ahead:`] : []),
    output.table(header, [...rows(symbols), ["(an end, or something unknown)", percent(none), ""]]),
    "",
  ]);
  const withinTable = steps.length > 1 ? ["In one or more of them:", output.table(header, rows(within))] : [];
  return [...tables.flat(), ...withinTable].join("\n").trimEnd();
}
