/** What a memory has in mind at this moment, and what is expected next. */

import { useEffect, useMemo } from "preact/hooks";
import type { Memory } from "../../client";
import { LiveMemory } from "../live/live-memory";
import { ForecastBars } from "./forecast-bars";
import { Lanes } from "./lanes";
import { MemoryChips } from "./memory-chips";
import { ObserveForm } from "./observe-form";
import { SurpriseStrip } from "./surprise-strip";

const STATES = {
  opening: "Connecting …",
  live: "Live",
  lost: "Connection lost, trying again …",
  ended: "Not connected",
};

export function Now({ memory }: { readonly memory: Memory }) {
  const live = useMemo(() => new LiveMemory(memory), [memory.path]);
  useEffect(() => () => live.close(), [live]);
  const state = live.state.value;
  const status = live.status.value;
  return (
    <>
      <p class={`link ${state}`} role="status">
        <span class="dot" aria-hidden="true" /> {STATES[state]}
        {live.trouble.value !== "" && <span>: {live.trouble.value}</span>}
      </p>
      <section aria-labelledby="in-mind">
        <h2 id="in-mind">In mind</h2>
        <MemoryChips live={live} />
        {status !== undefined && (
          <p class="facts">
            {status.size_WM} symbols · time {live.status.value?.time} · {status.models_kb}
          </p>
        )}
        <ObserveForm live={live} />
      </section>
      <div class="pair">
        <section aria-labelledby="next">
          <h2 id="next">What comes next</h2>
          {live.forecast.value === undefined ? (
            <p class="nothing">…</p>
          ) : (
            <ForecastBars forecast={live.forecast.value} />
          )}
        </section>
        <section aria-labelledby="surprise">
          <h2 id="surprise">Surprise</h2>
          <SurpriseStrip live={live} />
        </section>
      </div>
      <section aria-labelledby="predictions">
        <h2 id="predictions">Predictions</h2>
        {live.predictions.value === undefined ? (
          <p class="nothing">…</p>
        ) : (
          <Lanes predictions={live.predictions.value} />
        )}
      </section>
    </>
  );
}
