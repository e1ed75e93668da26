/**
 * Predictions, a line each: what comes next, how much of the model is in working memory, and what differs. A line opens
 * into a lane: past, present and future of the model, aligned on the present.
 */

import { type ReadonlySignal, useComputed, useSignal } from "@preact/signals";
import { useMemo } from "preact/hooks";
import type { ShownPrediction } from "../live/shown-memory";
import { Chip, Events, readable, type Standing, shortHash } from "../parts/chip";
import { chance, whole } from "../parts/figures";
import type { Parts } from "../parts/odd-symbols";
import { sensorColumns, wordsFirst } from "../parts/sensors";
import { linkToPrediction } from "../parts/why-link";

/** Lines shown before "show all". */
const LINES_AT_FIRST = 10;

/**
 * Maximum number of events, and of symbols, shown of a past, present or future: the newest, or of a future the
 * nearest. *Why* has them all.
 */
const MAX_EVENTS = 12;
const MAX_SYMBOLS = 30;

/** Maximum number of symbols in a line, of the next event and of each kind of difference. The others are counted. */
const MAX_NEXT = 4;
const MAX_DIFFERENCES = 2;

/** Maximum number of sensors that have a column each in a lane. */
const MAX_COLUMNS = 6;

type Sequence = readonly (readonly string[])[];

export function Lanes({
  predictions,
  memory,
  odd,
}: {
  readonly predictions: readonly ShownPrediction[];
  /** The events that they were made from; `undefined` while unknown. */
  readonly memory: ReadonlySignal<Sequence | undefined>;
  /** The bits that symbols in memory add to the surprise of their events; absent if memory is not shown. */
  readonly odd?: ReadonlySignal<Parts>;
}) {
  const showsAll = useSignal(false);
  if (predictions.length === 0) return <p class="nothing">No model matches working memory.</p>;
  const shown = showsAll.value ? predictions : predictions.slice(0, LINES_AT_FIRST);
  const others = predictions.length - LINES_AT_FIRST;
  return (
    <div class="lanes">
      <p class="lane-heads" aria-hidden="true">
        <span>comes next</span>
        <span>in memory</span>
        <span>what differs</span>
        <span>learned</span>
        <span>alike</span>
      </p>
      <ol aria-label="Predictions, best first">
        {shown.map((prediction) => (
          <Line key={prediction.name} prediction={prediction} memory={memory} odd={odd} />
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
          {showsAll.value ? `Show the best ${LINES_AT_FIRST}` : `Show ${others} more`}
        </button>
      )}
    </div>
  );
}

interface OfPrediction {
  readonly prediction: ShownPrediction;
  readonly memory: ReadonlySignal<Sequence | undefined>;
  readonly odd: ReadonlySignal<Parts> | undefined;
}

function Line({ prediction, memory, odd }: OfPrediction) {
  const isOpen = useSignal(false);
  const toggled = ({ currentTarget }: { readonly currentTarget: HTMLDetailsElement }) => {
    isOpen.value = currentTarget.open;
  };
  // Each answer has new objects, most of them equal to the old ones: do not redraw those lines.
  return useMemo(
    () => (
      <li class="lane">
        <details open={isOpen.value} onToggle={toggled}>
          <Summary prediction={prediction} odd={odd} />
          {isOpen.value && <Lane prediction={prediction} memory={memory} odd={odd} />}
        </details>
      </li>
    ),
    [JSON.stringify(prediction), memory, odd, isOpen.value],
  );
}

function Summary({ prediction, odd }: Omit<OfPrediction, "memory">) {
  const { present, future, matches, extras, frequency, similarity } = prediction;
  const matched = new Set(matches);
  const symbols = present.flat();
  const missing = symbols.filter((symbol) => !matched.has(symbol));
  return (
    <summary>
      <span class="next">
        <Next event={future[0]} />
      </span>
      <span class="share">
        {symbols.length - missing.length} of {symbols.length}
        <span class="hidden"> symbols in working memory</span>
      </span>
      <span class="differences">
        <Differences symbols={missing} standing="missing" />
        <Differences symbols={oddestFirst(extras, odd?.value)} standing="extra" odd={odd?.value} />
        {missing.length + extras.length === 0 && <small>nothing</small>}
      </span>
      <span class="learned">
        <span class="hidden">learned </span>
        {frequency === 1 ? "once" : `${whole(frequency)} times`}
      </span>
      <span class="alike">
        {chance(similarity)}
        <span class="hidden"> alike</span>
      </span>
    </summary>
  );
}

/** What only memory has, the most surprising symbols first. */
function oddestFirst(symbols: readonly string[], odd: Parts | undefined): readonly string[] {
  if (odd === undefined || odd.size === 0) return symbols;
  return [...symbols].sort((one, other) => (odd.get(other) ?? 0) - (odd.get(one) ?? 0));
}

/** The nearest event of a future, in words. */
function Next({ event }: { readonly event: readonly string[] | undefined }) {
  if (event === undefined) return <small>the end</small>;
  const left = event.length - MAX_NEXT;
  return (
    <span title={event.map(readable).join(", ")}>
      <span aria-hidden="true">→ </span>
      {wordsFirst(event).slice(0, MAX_NEXT).map(readable).join(" · ")}
      {left > 0 && ` and ${left} more`}
    </span>
  );
}

function Differences({
  symbols,
  standing,
  odd,
}: {
  readonly symbols: readonly string[];
  readonly standing: "extra" | "missing";
  readonly odd?: Parts | undefined;
}) {
  const left = symbols.length - MAX_DIFFERENCES;
  return (
    <>
      {symbols.slice(0, MAX_DIFFERENCES).map((symbol, at) => (
        <Chip key={at} symbol={symbol} standing={standing} bits={odd?.get(symbol)} />
      ))}
      {left > 0 && <small>{whole(left)} more</small>}
    </>
  );
}

function Lane({ prediction, memory, odd }: OfPrediction) {
  const { name, past, present, future, matches, extras, potential, similarity } = prediction;
  const matched = new Set(matches);
  const standingOf = (symbol: string): Standing => (matched.has(symbol) ? "matched" : "missing");
  const [before, now, after] = [newestOf(past), newestOf(present), nearestOf(future)];
  const columns = sensorColumns([...before, ...now, ...after], MAX_COLUMNS);
  return (
    <div class="parts">
      <div class="past">
        <LeftOut count={past.length - before.length} where="before" />
        {past.length > 0 && <Events events={before} label="past" most={MAX_SYMBOLS} columns={columns} />}
      </div>
      <div class="present">
        <LeftOut count={present.length - now.length} where="before" />
        <Events events={now} label="present" standingOf={standingOf} most={MAX_SYMBOLS} columns={columns} />
        {extras.length > 0 && (
          <p class="extras">
            <span class="hidden">only in memory: </span>
            <LeftOut count={extras.length - MAX_EVENTS} where="before" />
            {extras.slice(-MAX_EVENTS).map((symbol, at) => (
              <Chip key={at} symbol={symbol} standing="extra" bits={odd?.value.get(symbol)} />
            ))}
          </p>
        )}
      </div>
      <div class="future">
        {future.length > 0 ? (
          <Events events={after} label="future" standingOf={() => "expected"} most={MAX_SYMBOLS} columns={columns} />
        ) : (
          <small>ends here</small>
        )}
        <LeftOut count={future.length - after.length} where="later" />
      </div>
      <p class="about">
        <WhyLink model={name} memory={memory} />
        <span>✓ in both · ? only in the model · + only in memory · → to come</span>
      </p>
      <details class="about">
        <summary>Details</summary>
        similarity {similarity}, potential {potential}
      </details>
    </div>
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
    return at > 0 && (at >= MAX_EVENTS || symbols > MAX_SYMBOLS);
  });
  return end < 0 ? events : events.slice(0, end);
}

/** The last events within the limits. */
function newestOf(events: Sequence): Sequence {
  return [...nearestOf([...events].reverse())].reverse();
}
