/**
 * A device: its readings, what is expected next, and what is in its working memory. Live if the key may open a stream,
 * else a snapshot.
 */

import { effect, type ReadonlySignal, useComputed, useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useEffect, useMemo } from "preact/hooks";
import { getForecast, getPredictions, type Memory, type Processor } from "../../client";
import { DeviceReadings } from "../device/device-readings";
import { HistoryReader } from "../device/history-reader";
import { LiveMemory } from "../live/live-memory";
import { RecallCounter } from "../live/recall-counts";
import { FIELDS, type ShownMemory, type ShownPrediction } from "../live/shown-memory";
import { Allowed } from "../parts/allowed";
import { useAnswer } from "../parts/answer";
import { Failure } from "../parts/failure";
import type { Parts as OddParts } from "../parts/odd-symbols";
import { Section } from "../parts/section";
import { place } from "../place";
import { may, refusal } from "../rights";
import { Flags } from "./flags";
import { ForecastBars } from "./forecast-bars";
import { Lanes } from "./lanes";
import { MemoryChips } from "./memory-chips";
import { Closed, Reading, SurpriseUnheard } from "./not-live";
import { ObserveForm } from "./observe-form";
import { RecallSlider } from "./recall-slider";

const STATES = {
  opening: "Connecting …",
  live: "Live",
  lost: "Connection lost, trying again …",
  ended: "Not connected",
};

/** A memory and its processor. */
interface Shown {
  readonly memory: Memory;
  readonly processor: Processor;
}

export function Now({ memory, processor }: Shown) {
  const what = { of: "memory", session: place.value.session } as const;
  const mayPredict = may(what, "read");
  if (mayPredict && may(what, "observe")) return <Live memory={memory} processor={processor} />;
  const closed = refusal(what, "read", "observe");
  if (closed !== "") return <Closed refusal={closed} />;
  return (
    <Reading memory={memory} mayPredict={mayPredict}>
      {(read) => (
        <Parts shown={read} memory={memory} processor={processor}>
          <SurpriseUnheard />
        </Parts>
      )}
    </Reading>
  );
}

function Live({ memory, processor }: Shown) {
  const live = useMemo(() => new LiveMemory(memory), [memory.path]);
  useEffect(() => () => live.close(), [live]);
  // If the stream never opened, an empty memory is only unknown.
  const isUnknown = useComputed(() => live.state.value === "ended" && live.status.value === undefined);
  return (
    <>
      <Link live={live} />
      {isUnknown.value ? (
        <p class="nothing">Without a connection, the page cannot show working memory or what is expected.</p>
      ) : (
        <Parts shown={live} memory={memory} processor={processor} />
      )}
    </>
  );
}

function Parts({
  shown,
  memory,
  processor,
  children,
}: Shown & { readonly shown: ShownMemory; readonly children?: ComponentChildren }) {
  const { session } = place.value;
  const cannotPredict = refusal({ of: "memory", session }, "read");
  const reader = useHistory(shown, memory, session !== undefined, cannotPredict === "");
  const odd = useSignal(NONE_ODD);
  const isNew = useComputed(() => shown.status.value?.models_kb === NO_MODELS);
  return (
    <>
      {isNew.value && <Beginning />}
      <Allowed what="ask what is expected" refusal={cannotPredict}>
        {reader !== undefined && <DeviceReadings shown={shown} memory={memory} processor={processor} reader={reader} />}
        <div class="pair">
          <Section title="What comes next">
            <Next shown={shown} memory={memory} />
          </Section>
          {children}
        </div>
        <Section title="Predictions">
          <Recall shown={shown} memory={memory} processor={processor} />
          <Best shown={shown} memory={memory} odd={odd} />
        </Section>
      </Allowed>
      <Section title="Working memory" actions={<Size shown={shown} />}>
        <MemoryChips shown={shown} memory={memory} history={reader?.events} odd={odd} />
        <ObserveForm shown={shown} />
      </Section>
    </>
  );
}

const NONE_ODD: OddParts = new Map();

/** Reads the history of a memory as long as the view is open; `undefined` if the key may not. */
function useHistory(shown: ShownMemory, memory: Memory, isSession: boolean, mayRead: boolean) {
  const reader = useMemo(
    () => (mayRead ? new HistoryReader(memory, isSession) : undefined),
    [memory.path, isSession, mayRead],
  );
  useEffect(() => {
    if (reader === undefined) return;
    const stop = effect(() => {
      // Every change of memory may be an observation.
      if (shown.events.value.length >= 0) reader.touch();
    });
    return () => {
      stop();
      reader.close();
    };
  }, [reader, shown]);
  return reader;
}

/** The knowledge base in the status of a processor without models. */
const NO_MODELS = "{KB| objects: 0}";

function Beginning() {
  return (
    <p class="beginning-hint">
      This processor has learned nothing yet, so it expects nothing. To see it at work, observe first <code>alarm</code>
      , then <code>coffee</code>, then <code>bus</code>, and press <b>Learn</b>. From then on it expects coffee after
      alarm. A device does the same <a href="/docs/guides/quick-start">over HTTP</a>.
    </p>
  );
}

// Each part reads its own signals, so that an event redraws only what changed.
interface Part {
  readonly shown: ShownMemory;
}

function Link({ live }: { readonly live: LiveMemory }) {
  const state = live.state.value;
  return (
    <p class={`link ${state}`} role="status">
      <span class="dot" aria-hidden="true" /> <span>{STATES[state]}</span>
      {live.trouble.value !== "" && <span> {live.trouble.value}</span>}
      <Flags shown={live} />
    </p>
  );
}

function Size({ shown }: Part) {
  const status = shown.status.value;
  if (status === undefined) return null;
  return (
    <span class="facts">
      {counted(status.size_WM, "symbol")} · observed {counted(status.time, "time")}
      {status.near_limits?.map((near) => (
        <strong key={near.limit} role="alert">
          {" "}
          · nearly full: {near.used.toLocaleString("en")} of {near.most.toLocaleString("en")}{" "}
          {near.limit.replaceAll("_", " ")}
        </strong>
      ))}
    </span>
  );
}

function counted(count: number, what: string): string {
  return `${count.toLocaleString("en")} ${what}${count === 1 ? "" : "s"}`;
}

function Next({ shown, memory }: Part & { readonly memory: Memory }) {
  const forecast = shown.forecast.value;
  const events = useEvents(shown);
  if (forecast !== undefined) return <ForecastBars forecast={forecast} memory={events} />;
  if (shown.tooLarge.value.forecast !== true) return <Unanswered shown={shown} />;
  return (
    <OnRequest
      of={answeredTime(shown)}
      why="The expected symbols are too long to show live."
      button="Read the forecast now"
      read={(signal) => getForecast(memory, { top: MAX_LARGE_PREDICTIONS }, { signal })}
    >
      {(read) => <ForecastBars forecast={read} memory={events} />}
    </OnRequest>
  );
}

/** In place of an answer that has not come. */
function Unanswered({ shown }: Part) {
  return <p class="nothing">{shown.trouble?.value ? "The server did not answer: the reason is at the top." : "…"}</p>;
}

/** The slider, if the key may read what it shows. */
function Recall({ shown, memory, processor }: Shown & Part) {
  const mayKnow = may({ of: "processor" }, "read", "manage");
  const recall = useMemo(() => new RecallCounter(memory, processor), [memory.path]);
  useEffect(() => {
    if (!mayKnow) return;
    // New predictions mean that memory, knowledge or genes may have changed.
    const stop = effect(() => {
      if (shown.predictions.value !== undefined) recall.request();
    });
    return () => {
      stop();
      recall.close();
    };
  }, [shown, recall, mayKnow]);
  if (!mayKnow) return null;
  return (
    <RecallSlider recall={recall} refusal={refusal({ of: "processor" }, "manage")} onSet={() => shown.refresh()} />
  );
}

function Best({ shown, memory, odd }: Part & { readonly memory: Memory; readonly odd: ReadonlySignal<OddParts> }) {
  const predictions = shown.predictions.value;
  const events = useEvents(shown);
  if (predictions === undefined) return <Unanswered shown={shown} />;
  if (shown.tooLarge.value.predictions !== true) return <Lanes predictions={predictions} memory={events} odd={odd} />;
  return (
    <OnRequest
      of={answeredTime(shown)}
      why="The predictions are too long to show live."
      button={`Read the best ${MAX_LARGE_PREDICTIONS} now`}
      read={(signal) => getPredictions(memory, { top: MAX_LARGE_PREDICTIONS, fields: [...FIELDS] }, { signal })}
    >
      {(read) => <Lanes predictions={read as ShownPrediction[]} memory={events} />}
    </OnRequest>
  );
}

/** Number of predictions, and of expected symbols, read where none fits into a frame. */
const MAX_LARGE_PREDICTIONS = 3;

/** The memory's time that the answers are about; `undefined` while it is uncertain. */
function answeredTime(shown: ShownMemory): number | undefined {
  return shown.answered.value === undefined ? undefined : shown.status.value?.time;
}

/** A button that reads what exceeds a frame of the stream, as answers with long models or symbols do. */
function OnRequest<Answer>({
  of,
  why,
  button,
  read,
  children,
}: {
  /** The memory's time: what was read is about this one only. `undefined` while it is uncertain. */
  readonly of: number | undefined;
  readonly why: string;
  readonly button: string;
  readonly read: (signal: AbortSignal) => Promise<Answer>;
  readonly children: (read: Answer) => ComponentChildren;
}) {
  const wanted = useSignal<{ readonly of: number | undefined } | undefined>(undefined);
  const isWanted =
    wanted.value !== undefined && (of === undefined || wanted.value.of === undefined || wanted.value.of === of);
  // Pressed before the memory's time was known: it is about the first time that is.
  useEffect(() => {
    if (wanted.value !== undefined && wanted.value.of === undefined && of !== undefined) wanted.value = { of };
  }, [of, wanted.value]);
  const { value, error } = useAnswer(async (signal) => (isWanted ? await read(signal) : undefined), [isWanted]);
  if (value !== undefined) return <>{children(value)}</>;
  return (
    <>
      <p class="nothing">{why}</p>
      <Failure error={error} />
      <button
        type="button"
        onClick={() => {
          wanted.value = { of };
        }}
      >
        {button}
      </button>
    </>
  );
}

/** The symbols of the events that the answers are about. */
function useEvents(shown: ShownMemory) {
  return useComputed(() => shown.answered.value?.map(({ symbols }) => symbols));
}
