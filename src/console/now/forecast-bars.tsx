/** What comes next, as bars with their probabilities. */

import type { Schemas } from "../../client";
import { readable } from "../parts/chip";

export function ForecastBars({ forecast }: { readonly forecast: Schemas.Forecast }) {
  const [step] = forecast.steps;
  if (step === undefined || step.symbols.length === 0) return <p class="nothing">No model says what comes next.</p>;
  return (
    <>
      <ol class="bars" aria-label="What comes next, most probable first">
        {step.symbols.map(({ symbol, probability, support }) => (
          <li key={symbol}>
            <span class="what" title={symbol}>
              {readable(symbol)}
            </span>
            <span class="bar" aria-hidden="true">
              <span style={{ width: `${100 * probability}%` }} />
            </span>
            <span class="how">{percent(probability)}</span>
            <small>{support === 1 ? "1 model" : `${support} models`}</small>
          </li>
        ))}
        <li class="none">
          <span class="what">an end, or else</span>
          <span class="bar" aria-hidden="true">
            <span style={{ width: `${100 * step.none}%` }} />
          </span>
          <span class="how">{percent(step.none)}</span>
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
