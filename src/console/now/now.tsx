/** What a memory has in mind at this moment, and what is expected next. */

import { effect, useComputed } from "@preact/signals";
import { useEffect, useMemo } from "preact/hooks";
import type { Memory, Processor, Schemas } from "../../client";
import { LiveMemory } from "../live/live-memory";
import { RecallCounter } from "../live/recall-counts";
import { Section } from "../parts/section";
import { ForecastBars } from "./forecast-bars";
import { Lanes } from "./lanes";
import { MemoryChips } from "./memory-chips";
import { ObserveForm } from "./observe-form";
import { RecallSlider } from "./recall-slider";
import { SurpriseStrip } from "./surprise-strip";

const STATES = {
  opening: "Connecting …",
  live: "Live",
  lost: "Connection lost, trying again …",
  ended: "Not connected",
};

export function Now({ memory, processor }: { readonly memory: Memory; readonly processor: Processor }) {
  const live = useMemo(() => new LiveMemory(memory), [memory.path]);
  const recall = useMemo(() => new RecallCounter(memory, processor), [memory.path]);
  useEffect(() => () => live.close(), [live]);
  useEffect(() => {
    // New predictions mean that memory, knowledge or genes may have changed.
    const stop = effect(() => {
      if (live.predictions.value !== undefined) recall.request();
    });
    return () => {
      stop();
      recall.close();
    };
  }, [live, recall]);
  // A memory that could never be followed is not known to be empty.
  const isUnknown = useComputed(() => live.state.value === "ended" && live.status.value === undefined);
  return (
    <>
      <Link live={live} />
      {isUnknown.value ? (
        <p class="nothing">Without a connection, the page cannot show what is in mind or what is expected.</p>
      ) : (
        <Parts live={live} recall={recall} />
      )}
    </>
  );
}

function Parts({ live, recall }: { readonly live: LiveMemory; readonly recall: RecallCounter }) {
  return (
    <>
      <Section title="In mind" actions={<Size live={live} />}>
        <MemoryChips live={live} />
        <ObserveForm live={live} />
      </Section>
      <div class="pair">
        <Section title="What comes next">
          <Next live={live} />
        </Section>
        <Section title="Surprise">
          <SurpriseStrip live={live} />
        </Section>
      </div>
      <Section title="Predictions">
        <RecallSlider recall={recall} onSet={() => live.refresh()} />
        <Best live={live} />
      </Section>
    </>
  );
}

// Each part reads what it shows, so that no event draws all of them.
interface Part {
  readonly live: LiveMemory;
}

function Link({ live }: Part) {
  const state = live.state.value;
  return (
    <p class={`link ${state}`} role="status">
      <span class="dot" aria-hidden="true" /> <span>{STATES[state]}</span>
      {live.trouble.value !== "" && <span>: {live.trouble.value}</span>}
      {live.status.value !== undefined && <Flags status={live.status.value} />}
    </p>
  );
}

/** Why a processor may be still, or learn without being told. */
function Flags({ status: { SLEEPING, PREDICT, AUTOLEARN, target } }: { readonly status: Schemas.Status }) {
  return (
    <>
      {SLEEPING && <span class="flag">asleep: it ignores observations</span>}
      {!PREDICT && <span class="flag">not predicting</span>}
      {AUTOLEARN && <span class="flag">learns by itself</span>}
      {target !== "" && <span class="flag">only models that end with {target}</span>}
    </>
  );
}

function Size({ live }: Part) {
  const status = live.status.value;
  if (status === undefined) return null;
  return (
    <span class="facts">
      {counted(status.size_WM, "symbol")} · observed {counted(status.time, "time")}
    </span>
  );
}

function counted(count: number, what: string): string {
  return `${count.toLocaleString("en")} ${what}${count === 1 ? "" : "s"}`;
}

function Next({ live }: Part) {
  const forecast = live.forecast.value;
  return forecast === undefined ? <p class="nothing">…</p> : <ForecastBars forecast={forecast} />;
}

function Best({ live }: Part) {
  const predictions = live.predictions.value;
  return predictions === undefined ? <p class="nothing">…</p> : <Lanes predictions={predictions} />;
}
