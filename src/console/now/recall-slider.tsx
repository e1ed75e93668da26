/** A slider of the gene recall_threshold. Shows how many models would match before the gene is set. */

import { useSignal } from "@preact/signals";
import { useEffect, useId, useRef } from "preact/hooks";
import { type RecallCounter, type RecallCounts, STEPS } from "../live/recall-counts";
import { Allowed } from "../parts/allowed";
import { Failure } from "../parts/failure";
import { whole } from "../parts/figures";
import type { Refusal } from "../rights";

/** When the slider is moved by keys, the gene is set after a pause of this length. */
const DEBOUNCE_MS = 500;

/** Height of the curve behind the slider. */
const HEIGHT = 24;

export function RecallSlider({
  recall,
  refusal,
  onSet,
}: {
  readonly recall: RecallCounter;
  /** Why the key may not set the gene; empty if it may. If not, the slider only shows how many would match. */
  readonly refusal: Refusal;
  /** Called when the gene was set. */
  readonly onSet: () => void;
}) {
  const id = useId();
  /** The step being chosen; `undefined` if none is. */
  const chosen = useSignal<number | undefined>(undefined);
  const rest = useRef<ReturnType<typeof setTimeout>>(undefined);
  const isHeld = useRef(false);
  useEffect(() => () => clearTimeout(rest.current), []);
  const known = recall.counts.value;
  if (known === undefined) return <Failure error={recall.error.value} onRetry={() => recall.request()} />;

  const settle = () => {
    clearTimeout(rest.current);
    const step = chosen.value;
    if (step === undefined) return;
    if (refusal !== "" || step / STEPS === known.threshold) {
      chosen.value = undefined;
      return;
    }
    void recall.set(step / STEPS).then(() => {
      // The slider may have moved on meanwhile.
      if (chosen.value === step) chosen.value = undefined;
      onSet();
    });
  };
  const giveUp = () => {
    clearTimeout(rest.current);
    chosen.value = undefined;
  };
  const step = chosen.value ?? Math.round(known.threshold * STEPS);
  const words = wordsFor(known, chosen.value);
  return (
    <div class="recall">
      <label for={id}>Least similarity of a match (recall_threshold)</label>
      <div class="dial">
        <svg viewBox={`0 0 ${STEPS} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
          <path d={curveOf(known)} />
        </svg>
        <input
          id={id}
          type="range"
          min={0}
          max={STEPS}
          step={1}
          value={step}
          aria-valuetext={`${(step / STEPS).toFixed(2)}: ${words}`}
          onPointerDown={() => {
            isHeld.current = true;
          }}
          onPointerUp={() => {
            isHeld.current = false;
            settle();
          }}
          onPointerCancel={() => {
            isHeld.current = false;
          }}
          onInput={({ currentTarget }) => {
            chosen.value = Number(currentTarget.value);
            clearTimeout(rest.current);
            if (!isHeld.current) rest.current = setTimeout(settle, DEBOUNCE_MS);
          }}
          onBlur={settle}
          onKeyDown={({ key }) => {
            if (key === "Escape") giveUp();
            if (key === "Enter") settle();
          }}
        />
      </div>
      <p class="facts">
        <output for={id}>
          <b>{(step / STEPS).toFixed(2)}</b> {words}
        </output>
      </p>
      <Allowed what="set it" refusal={refusal} />
      <Failure error={recall.error.value} />
    </div>
  );
}

function wordsFor({ counts, matching, models, threshold }: RecallCounts, chosen: number | undefined): string {
  const all = `of ${whole(models)} ${models === 1 ? "model" : "models"}`;
  const now = matching === 1 ? "matches now" : "match now";
  if (chosen === undefined || chosen / STEPS === threshold) return `${whole(matching)} ${all} ${now}`;
  return `${whole(counts[chosen] ?? 0)} ${all} would match; ${whole(matching)} ${now}, with ${threshold}`;
}

/** The number of matching models by threshold, as the path of an area. */
function curveOf({ counts }: RecallCounts): string {
  const most = Math.max(1, counts[0] ?? 0);
  const line = counts.map((count, at) => `L${at} ${(HEIGHT * (1 - count / most)).toFixed(2)}`).join("");
  return `M0 ${HEIGHT}${line}V${HEIGHT}Z`;
}
