/** Predictions as lanes: past, present and future of each model, aligned on the present. */

import type { Schemas } from "../../client";
import { Chip, Events, type Standing, shortHash } from "../parts/chip";

/** More lanes than this are left out until somebody asks for them. */
const FEW = 8;

/** More events than this of a past or a future are cut: the ones next to the present stay. */
const MOST_EVENTS = 12;

export function Lanes({ predictions }: { readonly predictions: readonly Schemas.Prediction[] }) {
  if (predictions.length === 0) return <p class="nothing">No model matches what is in mind.</p>;
  const shown = predictions.slice(0, FEW);
  return (
    <div class="lanes">
      <p class="heads" aria-hidden="true">
        <span>past</span>
        <span>present</span>
        <span>future</span>
      </p>
      <ol aria-label="Predictions, best first">
        {shown.map((prediction) => (
          <Lane key={prediction.name} prediction={prediction} />
        ))}
      </ol>
    </div>
  );
}

function Lane({ prediction }: { readonly prediction: Schemas.Prediction }) {
  const { name, past, present, future, matches, extras, frequency, potential, similarity } = prediction;
  const matched = new Set(matches);
  const standingOf = (symbol: string): Standing => (matched.has(symbol) ? "matched" : "missing");
  const before = past.slice(-MOST_EVENTS);
  const after = future.slice(0, MOST_EVENTS);
  return (
    <li class="lane">
      <div class="past">
        {past.length > before.length && <small>{past.length - before.length} before</small>}
        {past.length > 0 && <Events events={before} label="past" />}
      </div>
      <div class="present">
        <Events events={present} label="present" standingOf={standingOf} />
      </div>
      <div class="future">
        {future.length > 0 ? (
          <Events events={after} label="future" standingOf={() => "expected"} />
        ) : (
          <small>ends here</small>
        )}
        {future.length > after.length && <small>{future.length - after.length} more</small>}
      </div>
      <p class="about">
        <span title={name}>model {shortHash(name)}</span>
        <span>learned {frequency} ×</span>
        <span>potential {potential.toFixed(2)}</span>
        <span>similarity {similarity.toFixed(2)}</span>
        {extras.length > 0 && (
          <span class="extras">
            not in the model:{" "}
            {extras.slice(-MOST_EVENTS).map((symbol, at) => (
              <Chip key={at} symbol={symbol} standing="extra" />
            ))}
          </span>
        )}
      </p>
    </li>
  );
}
