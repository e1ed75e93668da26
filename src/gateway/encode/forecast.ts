/** Writes forecasts, and how unexpected events were, as JSON text. */

import type { Forecast, ForecastStep, ForecastSymbol, ForecastWhen, Surprise } from "../../gen/noema/v1/forecast_pb";
import type { GetForecastResponse } from "../../gen/noema/v1/memory_service_pb";
import { list, number, text, texts } from "../json/writer";
import { okay } from "./envelope";

/**
 * The answer of forecast.
 *
 * @throws Error when the processor leaves out the forecast
 */
export function encodeForecast(reply: GetForecastResponse): string {
  return okay(reply, forecastObject(reply.forecast));
}

/** A forecast. @throws Error when the processor leaves it out */
export function forecastObject(forecast: Forecast | undefined): string {
  if (forecast === undefined) throw new Error("a processor left out a forecast");
  const { context, models, steps, within } = forecast;
  return (
    `{"context":${number(context)},"models":${number(models)},"steps":${list(steps.map(step))},` +
    `"within":${list(within.map(symbolObject))}}`
  );
}

function step({ none, symbols, when }: ForecastStep): string {
  return `{"none":${number(none)},"symbols":${list(symbols.map(symbolObject))},"when":${whenObject(when)}}`;
}

function whenObject(when: ForecastWhen | undefined): string {
  return when === undefined
    ? "null"
    : `{"p10":${number(when.p10)},"p50":${number(when.p50)},"p90":${number(when.p90)}}`;
}

function symbolObject({ models, probability, support, symbol }: ForecastSymbol): string {
  return (
    `{"models":${texts(models)},"probability":${number(probability)},"support":${number(support)},` +
    `"symbol":${text(symbol)}}`
  );
}

/** The surprise of an event; null if there was nothing to base an expectation on. */
export function surpriseObject(surprise: Surprise | undefined): string {
  if (surprise === undefined) return "null";
  const { bits, expected, probability, unexpected } = surprise;
  const likely = expected.map((one) => `{"probability":${number(one.probability)},"symbol":${text(one.symbol)}}`);
  return (
    `{"bits":${number(bits)},"expected":${list(likely)},"probability":${number(probability)},` +
    `"unexpected":${texts(unexpected)}}`
  );
}
