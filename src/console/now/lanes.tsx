/** Predictions as lanes: past, present and future of each model, aligned on the present. */

import { useSignal } from "@preact/signals";
import { useMemo } from "preact/hooks";
import type { ShownPrediction } from "../live/live-memory";
import { Chip, Events, type Standing, shortHash } from "../parts/chip";
import { linkToPrediction } from "../parts/why-link";

/** More lanes than this are left out until somebody asks for them. */
const FEW = 6;

/** More events than this of a past or a future are cut: the ones next to the present stay. */
const MOST_EVENTS = 12;

export function Lanes({ predictions }: { readonly predictions: readonly ShownPrediction[] }) {
  const showsAll = useSignal(false);
  if (predictions.length === 0) return <p class="nothing">No model matches what is in mind.</p>;
  const shown = showsAll.value ? predictions : predictions.slice(0, FEW);
  const others = predictions.length - FEW;
  return (
    <div class="lanes">
      <p class="legend">
        <Chip symbol="in both" standing="matched" />
        <Chip symbol="only in the model" standing="missing" />
        <Chip symbol="only in mind" standing="extra" />
        <Chip symbol="to come" standing="expected" />
      </p>
      <p class="heads" aria-hidden="true">
        <span>past</span>
        <span>present</span>
        <span>future</span>
      </p>
      <ol aria-label="Predictions, best first">
        {shown.map((prediction) => (
          <Lane key={prediction.name} prediction={prediction} href={linkToPrediction(prediction.name)} />
        ))}
      </ol>
      {others > 0 && (
        <button
          type="button"
          aria-expanded={showsAll.value}
          onClick={() => {
            showsAll.value = !showsAll.value;
          }}
        >
          {showsAll.value ? `Show the best ${FEW}` : `Show ${others} more`}
        </button>
      )}
    </div>
  );
}

function Lane({ prediction, href }: { readonly prediction: ShownPrediction; readonly href: string }) {
  // Each answer brings new objects, most of which say the same as before: then the lane stays as it is.
  return useMemo(() => lane(prediction, href), [JSON.stringify(prediction), href]);
}

function lane(prediction: ShownPrediction, href: string) {
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
        {extras.length > 0 && (
          <p class="extras">
            <span class="hidden">only in mind: </span>
            {extras.slice(-MOST_EVENTS).map((symbol, at) => (
              <Chip key={at} symbol={symbol} standing="extra" />
            ))}
          </p>
        )}
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
        <span>learned {frequency === 1 ? "once" : `${frequency.toLocaleString("en")} times`}</span>
        <span title={`similarity ${similarity}`}>similarity {similarity.toFixed(2)}</span>
        <span title={`potential ${potential}`}>potential {potential.toFixed(2)}</span>
        <a href={href} title={name}>
          Why model {shortHash(name)}?
        </a>
      </p>
    </li>
  );
}
