/** Predictions as lanes: past, present and future of each model, aligned on the present. */

import { type ReadonlySignal, useComputed, useSignal } from "@preact/signals";
import { useMemo } from "preact/hooks";
import type { ShownPrediction } from "../live/shown-memory";
import { Chip, Events, type Standing, shortHash } from "../parts/chip";
import { linkToPrediction } from "../parts/why-link";

/** Lanes shown before "show all". */
const LANES_AT_FIRST = 6;

/**
 * Maximum number of events, and of symbols, shown of a past, present or future: the newest, or of a future the
 * nearest. *Why* has them all.
 */
const MOST_EVENTS = 12;
const MOST_SYMBOLS = 30;

type Sequence = readonly (readonly string[])[];

export function Lanes({
  predictions,
  memory,
}: {
  readonly predictions: readonly ShownPrediction[];
  /** The events that they were made from; `undefined` while unknown. */
  readonly memory: ReadonlySignal<Sequence | undefined>;
}) {
  const showsAll = useSignal(false);
  if (predictions.length === 0) return <p class="nothing">No model matches working memory.</p>;
  const shown = showsAll.value ? predictions : predictions.slice(0, LANES_AT_FIRST);
  const others = predictions.length - LANES_AT_FIRST;
  return (
    <div class="lanes">
      <p class="legend">
        <Chip symbol="in both" standing="matched" />
        <Chip symbol="only in the model" standing="missing" />
        <Chip symbol="only in memory" standing="extra" />
        <Chip symbol="to come" standing="expected" />
      </p>
      <p class="heads" aria-hidden="true">
        <span>past</span>
        <span>present</span>
        <span>future</span>
      </p>
      <ol aria-label="Predictions, best first">
        {shown.map((prediction) => (
          <Lane key={prediction.name} prediction={prediction} memory={memory} />
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
          {showsAll.value ? `Show the best ${LANES_AT_FIRST}` : `Show ${others} more`}
        </button>
      )}
    </div>
  );
}

function Lane({
  prediction,
  memory,
}: {
  readonly prediction: ShownPrediction;
  readonly memory: ReadonlySignal<Sequence | undefined>;
}) {
  // Each answer has new objects, most of them equal to the old ones: do not redraw those lanes.
  return useMemo(() => lane(prediction, memory), [JSON.stringify(prediction), memory]);
}

function lane(prediction: ShownPrediction, memory: ReadonlySignal<Sequence | undefined>) {
  const { name, past, present, future, matches, extras, frequency, potential, similarity } = prediction;
  const matched = new Set(matches);
  const standingOf = (symbol: string): Standing => (matched.has(symbol) ? "matched" : "missing");
  const [before, now, after] = [newestOf(past), newestOf(present), nearestOf(future)];
  return (
    <li class="lane">
      <div class="past">
        <LeftOut count={past.length - before.length} where="before" />
        {past.length > 0 && <Events events={before} label="past" most={MOST_SYMBOLS} />}
      </div>
      <div class="present">
        <LeftOut count={present.length - now.length} where="before" />
        <Events events={now} label="present" standingOf={standingOf} most={MOST_SYMBOLS} />
        {extras.length > 0 && (
          <p class="extras">
            <span class="hidden">only in memory: </span>
            <LeftOut count={extras.length - MOST_EVENTS} where="before" />
            {extras.slice(-MOST_EVENTS).map((symbol, at) => (
              <Chip key={at} symbol={symbol} standing="extra" />
            ))}
          </p>
        )}
      </div>
      <div class="future">
        {future.length > 0 ? (
          <Events events={after} label="future" standingOf={() => "expected"} most={MOST_SYMBOLS} />
        ) : (
          <small>ends here</small>
        )}
        <LeftOut count={future.length - after.length} where="later" />
      </div>
      <p class="about">
        <span>learned {frequency === 1 ? "once" : `${frequency.toLocaleString("en")} times`}</span>
        <span title={`similarity ${similarity}`}>similarity {similarity.toFixed(2)}</span>
        <span title={`potential ${potential}`}>potential {potential.toFixed(2)}</span>
        <WhyLink model={name} memory={memory} />
      </p>
    </li>
  );
}

function WhyLink({ model, memory }: { readonly model: string; readonly memory: ReadonlySignal<Sequence | undefined> }) {
  // A computed signal: the link follows memory without a redraw.
  const href = useComputed(() => linkToPrediction(model, memory.value));
  return (
    <a href={href} title={model}>
      Why model {shortHash(model)}?
    </a>
  );
}

function LeftOut({ count, where }: { readonly count: number; readonly where: "before" | "later" }) {
  return count > 0 ? (
    <small class="left-out">
      {count.toLocaleString("en")} {where}
    </small>
  ) : null;
}

/** The first events within the limits, at least one. */
function nearestOf(events: Sequence): Sequence {
  let symbols = 0;
  const end = events.findIndex((event, at) => {
    symbols += event.length;
    return at > 0 && (at >= MOST_EVENTS || symbols > MOST_SYMBOLS);
  });
  return end < 0 ? events : events.slice(0, end);
}

/** The last events within the limits. */
function newestOf(events: Sequence): Sequence {
  return [...nearestOf([...events].reverse())].reverse();
}
