/** What a device has sent, as lines over time, with its surprise on the same axis and its incidents marked. */

import { effect, type Signal, useComputed, useSignal } from "@preact/signals";
import { useEffect, useMemo } from "preact/hooks";
import { changeGenes, type Memory, type Processor, type Schemas } from "../../client";
import type { ShownMemory } from "../live/shown-memory";
import { bitsText, oddity } from "../parts/device-words";
import { Failure } from "../parts/failure";
import { ago, clock, moment, rarity, whole } from "../parts/figures";
import { Coming, later } from "../parts/later";
import { ranged } from "../parts/ranges";
import { Section } from "../parts/section";
import { linkToSurprise } from "../parts/why-link";
import { linkTo } from "../place";
import { refusal } from "../rights";
import { currentProcessor } from "../server";
import { HistoryReader } from "./history-reader";
import { type Readings, readingsOf, type Span } from "./readings";

const Charts = later(async () => (await import("./charts")).Charts);

/** What the button for a history sets the gene to. */
const KEPT_EVENTS = 500;

/** Ranges to choose, in seconds. */
const RANGES = [
  { text: "last hour", seconds: 3600 },
  { text: "last 24 hours", seconds: 86_400 },
] as const;

/** Incidents listed below the charts. */
const MOST_LISTED = 5;

/** Fewer bits are nothing to speak of: more than half as likely as anything. */
const LEAST_UNUSUAL = 1;

/** Symbols of an event that are written out. */
const MOST_SYMBOLS = 6;

export function DeviceReadings({
  shown,
  memory,
  processor,
  session,
}: {
  readonly shown: ShownMemory;
  readonly memory: Memory;
  readonly processor: Processor;
  readonly session: string | undefined;
}) {
  const reader = useMemo(() => new HistoryReader(memory, session !== undefined), [memory.path]);
  useEffect(() => {
    const stop = effect(() => {
      // Every change of memory may be an observation.
      if (shown.events.value.length >= 0) reader.touch();
    });
    return () => {
      stop();
      reader.close();
    };
  }, [reader, shown]);
  const events = reader.events.value;
  const readings = useMemo(() => (events === undefined ? undefined : readingsOf(events)), [events]);
  return (
    <>
      <Failure error={reader.error.value} onRetry={() => reader.refresh()} />
      {readings === undefined && reader.error.value === undefined && <Coming />}
      {readings?.events.length === 0 && <NoHistory processor={processor} onKept={() => reader.refresh()} />}
      {readings !== undefined && readings.events.length > 0 && (
        <Drawn readings={readings} incidents={reader.incidents} />
      )}
    </>
  );
}

function Drawn({
  readings,
  incidents,
}: {
  readonly readings: Readings;
  readonly incidents: Signal<readonly Schemas.Incident[]>;
}) {
  const span = useSignal<Span | undefined>(undefined);
  const point = useSignal<number | undefined>(undefined);
  const marks = useComputed(() => incidents.value.map(({ from, to }) => ({ from, to })));
  return (
    <Section title="Readings" actions={<RangeChoice readings={readings} span={span} />}>
      <At readings={readings} point={point} />
      <Charts
        readings={readings}
        marks={marks.value}
        span={span.value}
        point={point}
        onSpan={(chosen) => {
          span.value = chosen;
        }}
      />
      <Incidents incidents={incidents.value} />
    </Section>
  );
}

/** Which range the charts show: all, one of a list, or what was dragged. */
function RangeChoice({ readings, span }: { readonly readings: Readings; readonly span: Signal<Span | undefined> }) {
  const [first, last] = [readings.times[0] ?? 0, readings.times.at(-1) ?? 0];
  const chosen = span.value;
  const ranges = RANGES.filter(({ seconds }) => seconds < last - first);
  const known = ranges.find(({ seconds }) => chosen?.to === last && chosen.from === last - seconds);
  const value = chosen === undefined ? "all" : (known?.text ?? "dragged");
  return (
    <label class="range-choice">
      <span class="facts">Drag in a chart to choose a range</span>
      <select
        aria-label="Range"
        value={value}
        onChange={({ currentTarget }) => {
          const range = RANGES.find(({ text }) => text === currentTarget.value);
          span.value = range === undefined ? undefined : { from: last - range.seconds, to: last };
        }}
      >
        <option value="all">all {whole(readings.events.length)} events</option>
        {ranges.map(({ text }) => (
          <option key={text} value={text}>
            {text}
          </option>
        ))}
        {value === "dragged" && chosen !== undefined && (
          <option value="dragged">
            {clock(1000 * chosen.from)} to {clock(1000 * chosen.to)}
          </option>
        )}
      </select>
    </label>
  );
}

/** The event at the pointer in words, or the newest. */
function At({ readings, point }: { readonly readings: Readings; readonly point: Signal<number | undefined> }) {
  const at = point.value ?? readings.events.length - 1;
  const event = readings.events[at];
  if (event === undefined) return null;
  const { time, symbols, numbers, bits } = event;
  // Ranges of numbers are in the charts.
  const named = symbols.filter((symbol) => !Object.keys(numbers).some((name) => symbol.startsWith(`${name}=`)));
  return (
    <p class="at-pointer">
      <time dateTime={new Date(1000 * time).toISOString()} title={moment(1000 * time)}>
        {point.value === undefined ? ago(1000 * time) : moment(1000 * time)}
      </time>{" "}
      <b>{named.slice(0, MOST_SYMBOLS).map(ranged).join(", ")}</b>{" "}
      {bits !== null && <span class="facts">{unusual(bits)}</span>} <WhyAt readings={readings} at={at} />
    </p>
  );
}

/** How unexpected an event was, in words. */
function unusual(bits: number): string {
  return bits < LEAST_UNUSUAL ? "as expected" : `${bitsText(bits)} bits: ${rarity(bits)}`;
}

function WhyAt({ readings, at }: { readonly readings: Readings; readonly at: number }) {
  const href = linkToSurprise(readings.events.slice(Math.max(0, at - 10), at + 1).map(({ symbols }) => symbols));
  return href === undefined ? null : <a href={href}>Why?</a>;
}

/** The newest incidents, one line each. */
function Incidents({ incidents }: { readonly incidents: readonly Schemas.Incident[] }) {
  const processor = currentProcessor.value?.id;
  if (incidents.length === 0 || processor === undefined) return null;
  return (
    <ul class="incident-lines" aria-label="Incidents">
      {incidents.slice(0, MOST_LISTED).map((incident) => (
        <li key={incident.id}>
          <span class="mark-of-incident" aria-hidden="true" />
          <time dateTime={new Date(1000 * incident.from).toISOString()} title={moment(1000 * incident.from)}>
            {ago(1000 * incident.from)}
          </time>{" "}
          <a href={linkTo({ view: "incidents", path: [processor, String(incident.id)], query: {} })}>
            {oddity(incident)}
          </a>{" "}
          <span class="facts">{incident.verdict ?? "open"}</span>
        </li>
      ))}
    </ul>
  );
}

/** For a memory that keeps no history, or has none yet. */
function NoHistory({ processor, onKept }: { readonly processor: Processor; readonly onKept: () => void }) {
  const isKept = useSignal(false);
  const error = useSignal<unknown>(undefined);
  const cannot = refusal({ of: "processor" }, "manage");
  const keep = async () => {
    try {
      await changeGenes(processor, { history: KEPT_EVENTS });
      isKept.value = true;
      error.value = undefined;
      onKept();
    } catch (reason) {
      error.value = reason;
    }
  };
  return (
    <Section title="Readings">
      <p class="nothing">
        {isKept.value
          ? "What is observed from now on is drawn here."
          : "There are no readings to draw: this memory keeps no history yet, or has observed nothing since it does."}
      </p>
      {!isKept.value && cannot === "" && (
        <button type="button" onClick={() => void keep()}>
          Keep the newest {whole(KEPT_EVENTS)} events
        </button>
      )}
      <Failure error={error.value} />
    </Section>
  );
}
