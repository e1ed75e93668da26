/** What comes next, as bars with their probabilities. */

import { type ReadonlySignal, useComputed } from "@preact/signals";
import type { Schemas } from "../../client";
import { readable } from "../parts/chip";
import { duration, leading } from "../parts/device-words";
import { chance, whole } from "../parts/figures";
import { ProbabilityBar } from "../parts/probability-bar";
import { linkToForecast } from "../parts/why-link";

type Events = readonly (readonly string[])[];

export function ForecastBars({
  forecast,
  memory,
}: {
  readonly forecast: Schemas.Forecast;
  /** The events that it was made from; `undefined` while unknown. */
  readonly memory: ReadonlySignal<Events | undefined>;
}) {
  const [step] = forecast.steps;
  const first = leading(step?.symbols ?? []);
  if (step === undefined || first === undefined) return <p class="nothing">No model predicts what comes next.</p>;
  const leads = partOf(first.support, forecast.models);
  return (
    <>
      <p class="headline">
        <b>{readable(first.symbol)}</b> is most likely, with {chance(first.probability)}
        {step.when !== null && `, in about ${duration(step.when.p50)}`}: {leads} to it.{" "}
        <WhyLink symbol={first.symbol} memory={memory}>
          Why?
        </WhyLink>
      </p>
      <ol class="bars" aria-label="What comes next, most probable first">
        {step.symbols.map(({ symbol, probability, support }) => (
          <li key={symbol}>
            <WhyLink isName symbol={symbol} memory={memory}>
              {readable(symbol)}
            </WhyLink>
            <ProbabilityBar probability={probability} />
            <small>{support === 1 ? "1 model" : `${whole(support)} models`}</small>
          </li>
        ))}
        <li class="none">
          <span class="what" title="The sequence ends, or something comes that no model predicts">
            end or unknown
          </span>
          <ProbabilityBar probability={step.none} />
          <small />
        </li>
      </ol>
      <p class="facts">
        By {forecast.models === 1 ? "1 model" : `${whole(forecast.models)} models`} and the last{" "}
        {forecast.context === 1 ? "event" : `${forecast.context} events`}.
      </p>
    </>
  );
}

function WhyLink({
  symbol,
  memory,
  isName = false,
  children,
}: {
  readonly symbol: string;
  readonly memory: ReadonlySignal<Events | undefined>;
  /** Whether it labels the bar. */
  readonly isName?: boolean;
  readonly children: string;
}) {
  // A computed signal: the link follows memory without a redraw.
  const href = useComputed(() => linkToForecast(symbol, memory.value));
  return (
    <a class={isName ? "what" : ""} href={href} title={`${symbol}: why it is expected`}>
      {children}
    </a>
  );
}

/** How many of the models that take part lead to a symbol, in words. */
function partOf(support: number, models: number): string {
  const sharing = "something with working memory";
  if (models === 1) return `the one model that shares ${sharing} leads`;
  const part = support === models ? `all ${whole(models)}` : `${whole(support)} of the ${whole(models)}`;
  return `${part} models that share ${sharing} ${support === 1 ? "leads" : "lead"}`;
}
