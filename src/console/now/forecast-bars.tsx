/** What comes next, as bars with their probabilities. */

import type { Schemas } from "../../client";
import { readable } from "../parts/chip";
import { linkToForecast } from "../parts/why-link";

export function ForecastBars({ forecast }: { readonly forecast: Schemas.Forecast }) {
  const [step] = forecast.steps;
  if (step === undefined || step.symbols.length === 0) return <p class="nothing">No model says what comes next.</p>;
  const [first] = step.symbols;
  return (
    <>
      {first !== undefined && (
        <p class="headline">
          <b>{readable(first.symbol)}</b> is most likely, with {percent(first.probability)}:{" "}
          {first.support.toLocaleString("en")} of the {forecast.models.toLocaleString("en")} models that share something
          with what is in mind lead to it.
        </p>
      )}
      <ol class="bars" aria-label="What comes next, most probable first">
        {step.symbols.map(({ symbol, probability, support }) => (
          <li key={symbol}>
            <a class="what" href={linkToForecast(symbol)} title={`${symbol}: why it is expected`}>
              {readable(symbol)}
            </a>
            <span class="bar" aria-hidden="true">
              <span style={{ width: `${100 * probability}%` }} />
            </span>
            <span class="how" title={String(probability)}>
              {percent(probability)}
            </span>
            <small>{support === 1 ? "1 model" : `${support} models`}</small>
          </li>
        ))}
        <li class="none">
          <span class="what">an end, or else</span>
          <span class="bar" aria-hidden="true">
            <span style={{ width: `${100 * step.none}%` }} />
          </span>
          <span class="how" title={String(step.none)}>
            {percent(step.none)}
          </span>
          <small />
        </li>
      </ol>
      <p class="facts">
        {forecast.models === 1 ? "1 model speaks" : `${forecast.models} models speak`}, from the last {forecast.context}{" "}
        {forecast.context === 1 ? "event" : "events"}.
      </p>
    </>
  );
}

function percent(probability: number): string {
  return `${(100 * probability).toFixed(probability < 0.0995 ? 1 : 0)} %`;
}
