/**
 * What a device has sent, as lines over time, with its surprise and its forecast on the same axis and its incidents
 * marked. Above them, in words: the current state, whether it is normal at this hour, and what comes next.
 */

import { type Signal, useComputed, useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useMemo } from "preact/hooks";
import { changeGenes, getGene, type Memory, type Processor, type Schemas } from "../../client";
import type { ShownMemory } from "../live/shown-memory";
import type { Surprise } from "../live/surprise-hour";
import { useAnswer } from "../parts/answer";
import { bitsText } from "../parts/bits";
import { readable } from "../parts/chip";
import { FirstReading } from "../parts/copy-button";
import { duration, leading, oddity } from "../parts/device-words";
import { Failure } from "../parts/failure";
import { ago, chance, clock, moment, rarity, whole } from "../parts/figures";
import { Coming, later } from "../parts/later";
import { OddSymbols } from "../parts/odd-symbols";
import { binOf, clockNames, encodersNow } from "../parts/ranges";
import { Section } from "../parts/section";
import { linkToForecast, linkToSurprise } from "../parts/why-link";
import { linkTo } from "../place";
import { may, refusal } from "../rights";
import { currentProcessor } from "../server";
import { MAX_BEFORE } from "../why/moment";
import type { Ahead } from "./ahead";
import type { HistoryReader } from "./history-reader";
import { endOf, type Readings, readingsOf, type Span } from "./readings";
import { UsualHour } from "./usual-hour";

const Charts = later(async () => (await import("./charts")).Charts);

/** The value that the button for keeping a history sets the gene to. */
const KEPT_EVENTS = 500;

/** If there are more events, only the newest are shown at first: otherwise the forecast would have no room. */
const SHOWN_AT_FIRST = 100;

/** The selectable ranges, in seconds. */
const RANGES = [
  { text: "last hour", seconds: 3600 },
  { text: "last 24 hours", seconds: 86_400 },
] as const;

/** Maximum number of incidents listed below the charts. */
const MAX_LISTED = 5;

/** Maximum number of surprises listed below the charts, and the minimum bits of one. */
const MAX_SURPRISES = 5;
const MIN_SURPRISE = 1;

/** Minimum surprise that is worth mentioning, in bits: below it, the event was more probable than not. */
const MIN_UNUSUAL = 1;

/** Maximum number of symbols listed of an expected event. */
const MAX_EXPECTED = 4;

export function DeviceReadings({
  shown,
  memory,
  processor,
  reader,
}: {
  readonly shown: ShownMemory;
  readonly memory: Memory;
  readonly processor: Processor;
  readonly reader: HistoryReader;
}) {
  const kept = reader.events.value;
  const heard = useHeard(shown);
  // Without a history, the events received since the page was opened are drawn.
  const isHeard = kept?.length === 0 && heard.length > 0;
  const events = isHeard ? heard : kept;
  const forecast = reader.forecast.value;
  const readings = useMemo(
    () => (events === undefined ? undefined : readingsOf(events, forecast, binOf)),
    [events, forecast, encodersNow()],
  );
  return (
    <>
      <Failure error={reader.error.value} onRetry={() => reader.refresh()} />
      {readings === undefined && reader.error.value === undefined && <Coming />}
      {kept?.length === 0 && (
        <NoHistory isHeard={isHeard} memory={memory} processor={processor} onKept={() => reader.refresh()} />
      )}
      {readings !== undefined && readings.events.length > 0 && (
        <Drawn readings={readings} incidents={reader.incidents} memory={memory} processor={processor} />
      )}
    </>
  );
}

/**
 * The events received since the page was opened, without numbers: the most surprising event of each second, newest
 * first.
 */
function useHeard({ surprises }: ShownMemory): readonly Schemas.HistoryEvent[] {
  const heard = surprises?.value.filter((slot) => slot !== undefined) ?? [];
  // The list changes with the clock, but is usually equal to the previous one.
  return useMemo(() => heard.map(eventOf).reverse(), [`${heard[0]?.at} ${heard.at(-1)?.at} ${heard.at(-1)?.bits}`]);
}

/** The events up to and including each received event: of most seconds not all events are listed. */
const heardBefore = new WeakMap<Schemas.HistoryEvent, Surprise["events"]>();

function eventOf({ at, bits, events, unexpected }: Surprise, interval: number): Schemas.HistoryEvent {
  const event = { bits, interval, numbers: {}, symbols: [...(events.at(-1) ?? unexpected)], time: at / 1000 };
  heardBefore.set(event, events);
  return event;
}

function Drawn({
  readings,
  incidents,
  memory,
  processor,
}: {
  readonly readings: Readings;
  readonly incidents: Signal<readonly Schemas.Incident[]>;
  readonly memory: Memory;
  readonly processor: Processor;
}) {
  const span = useSignal<Chosen>("newest");
  const point = useSignal<number | undefined>(undefined);
  const marks = useComputed(() => incidents.value.map(({ from, to }) => ({ from, to })));
  const shownSpan = spanOf(readings, span.value);
  return (
    <Section title="Readings" actions={<RangeChoice readings={readings} span={span} />}>
      <dl class="answers">
        <Now readings={readings} point={point} memory={memory} />
        <Hour readings={readings} point={point} processor={processor} />
        <Next readings={readings} />
      </dl>
      <Charts
        readings={readings}
        marks={marks.value}
        span={shownSpan}
        point={point}
        onSpan={(chosen) => {
          span.value = chosen ?? "all";
        }}
      />
      <Incidents incidents={incidents.value} />
      <Surprises readings={readings} span={shownSpan} memory={memory} />
    </Section>
  );
}

/** The selection: a dragged range, or the name of a range that moves with the readings. */
type Chosen = Span | "all" | "newest" | (typeof RANGES)[number]["text"];

/** The displayed range; `undefined` for everything. */
function spanOf(readings: Readings, chosen: Chosen): Span | undefined {
  if (typeof chosen === "object") return chosen;
  const { times } = readings;
  const range = RANGES.find(({ text }) => text === chosen);
  const newest = chosen === "newest" && times.length > SHOWN_AT_FIRST ? times.at(-SHOWN_AT_FIRST) : undefined;
  const from = range === undefined ? newest : (times.at(-1) ?? 0) - range.seconds;
  return from === undefined ? undefined : { from, to: endOf(readings) };
}

/** Chooses the range of the charts: the newest events, everything, a preset, or the dragged range. */
function RangeChoice({ readings, span }: { readonly readings: Readings; readonly span: Signal<Chosen> }) {
  const { events, times } = readings;
  const chosen = span.value;
  const dragged = typeof chosen === "object" ? chosen : undefined;
  const ranges = RANGES.filter(({ seconds }) => seconds < (times.at(-1) ?? 0) - (times[0] ?? 0));
  const isLong = events.length > SHOWN_AT_FIRST;
  const named = chosen === "newest" && !isLong ? "all" : chosen;
  return (
    <label class="range-choice">
      <span class="facts">Drag in a chart to choose a range</span>
      <select
        aria-label="Range"
        value={typeof named === "object" ? DRAGGED : named}
        onChange={({ currentTarget }) => {
          span.value = currentTarget.value as Exclude<Chosen, Span>;
        }}
      >
        {isLong && <option value="newest">newest {SHOWN_AT_FIRST} events</option>}
        <option value="all">all {whole(events.length)} events</option>
        {ranges.map(({ text }) => (
          <option key={text} value={text}>
            {text}
          </option>
        ))}
        {dragged !== undefined && (
          <option value={DRAGGED}>
            {clock(1000 * dragged.from)} to {clock(1000 * dragged.to)}
          </option>
        )}
      </select>
    </label>
  );
}

/** The value of the select while a range has been dragged. */
const DRAGGED = "dragged";

interface AtPointer {
  readonly readings: Readings;
  /** The event at the pointer; `undefined` for the newest. */
  readonly point: Signal<number | undefined>;
}

/** One of the answers above the charts. */
function Fact({ name, children }: { readonly name: ComponentChildren; readonly children: ComponentChildren }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

/** The event at the pointer in words, or the newest one. */
function Now({ readings, point, memory }: AtPointer & { readonly memory: Memory }) {
  const at = point.value ?? readings.events.length - 1;
  const expected = readings.ahead[at - readings.events.length];
  if (expected !== undefined) return <Then expected={expected} from={readings.times.at(-1) ?? 0} />;
  const event = readings.events[at];
  if (event === undefined) return null;
  const { time, symbols, numbers, bits } = event;
  // Numbers are in the charts, and the hour is below: they are named only if they stand out.
  const others = [...Object.keys(numbers), ...clockNames()];
  const isNamed = (symbol: string) => !others.some((name) => symbol.startsWith(`${name}=`));
  const href = linkToSurprise(before(readings, at));
  return (
    <Fact name={point.value === undefined ? "Newest" : "At the pointer"}>
      <span class="at-pointer">
        {symbols.length > 0 && (
          <OddSymbols memory={memory} events={before(readings, at)} bits={bits} said={isNamed} words={readable} />
        )}{" "}
        <time dateTime={new Date(1000 * time).toISOString()} title={moment(1000 * time)} class="facts">
          {point.value === undefined ? ago(1000 * time) : moment(1000 * time)}
        </time>{" "}
        {bits !== null && <span title={`${bits} bits`}>{unusual(bits)}</span>}{" "}
        {href !== undefined && <a href={href}>Why?</a>}
      </span>
    </Fact>
  );
}

/** The events that a surprise refers to: those before the event, and the event itself last. */
function before({ events }: Readings, at: number): readonly (readonly string[])[] {
  const heard = events[at] === undefined ? undefined : heardBefore.get(events[at]);
  if (heard !== undefined) return heard;
  return events.slice(Math.max(0, at - MAX_BEFORE), at + 1).map(({ symbols }) => symbols);
}

/** An expected event, in words. */
function Then({ expected, from }: { readonly expected: Ahead; readonly from: number }) {
  return (
    <Fact name={`After about ${duration(expected.time - from)}`}>
      <span class="at-pointer">
        <Expected symbols={expected.symbols} />
      </span>
    </Fact>
  );
}

/** The most probable symbol of each sensor, with the state first. */
function Expected({ symbols }: { readonly symbols: Ahead["symbols"] }) {
  const first = leading(symbols);
  const sensors = new Set<string>();
  const best = symbols.filter(({ symbol }) => {
    const sensor = binOf(symbol)?.name ?? "";
    if (sensors.has(sensor) || (sensor === "" && symbol !== first?.symbol)) return false;
    sensors.add(sensor);
    return true;
  });
  const all = [...best.filter((one) => one === first), ...best.filter((one) => one !== first)];
  return (
    <>
      {all.slice(0, MAX_EXPECTED).map(({ symbol, probability }, at) => (
        <span key={symbol} title={`${symbol}: ${probability}`}>
          {at > 0 && ", "}
          {at === 0 ? <b>{readable(symbol)}</b> : readable(symbol)} <span class="facts">({chance(probability)})</span>
        </span>
      ))}
    </>
  );
}

/** How surprising an event was, in words. */
function unusual(bits: number): string {
  return bits < MIN_UNUSUAL ? "as expected" : `${rarity(bits)}, ${bitsText(bits)} bits`;
}

function Hour({ readings, point, processor }: AtPointer & { readonly processor: Processor }) {
  const event = readings.events[point.value ?? readings.events.length - 1];
  if (event === undefined) return null;
  return (
    <Fact name="Normal at this hour?">
      <UsualHour processor={processor} event={event} />
    </Fact>
  );
}

function Next({ readings }: { readonly readings: Readings }) {
  const [next] = readings.ahead;
  const first = leading(next?.symbols ?? []);
  if (next === undefined || first === undefined) return null;
  const events = before(readings, readings.events.length - 1).slice(-MAX_BEFORE);
  return (
    <Fact name="Next">
      <Expected symbols={next.symbols} />{" "}
      <span class="facts">in about {duration(next.time - (readings.times.at(-1) ?? 0))}</span>{" "}
      <a href={linkToForecast(first.symbol, events)}>Why?</a>
    </Fact>
  );
}

/** The newest incidents, one per line. */
function Incidents({ incidents }: { readonly incidents: readonly Schemas.Incident[] }) {
  const processor = currentProcessor.value?.id;
  if (incidents.length === 0 || processor === undefined) return null;
  return (
    <ul class="incident-lines" aria-label="Incidents">
      {incidents.slice(0, MAX_LISTED).map((incident) => (
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

/** The greatest surprises of the range, one per line. */
function Surprises({
  readings,
  span,
  memory,
}: {
  readonly readings: Readings;
  readonly span: Span | undefined;
  readonly memory: Memory;
}) {
  const greatest = useMemo(
    () =>
      readings.events
        .map((event, at) => ({ ...event, at }))
        .filter(({ bits, time }) => {
          const isShown = span === undefined || (time >= span.from && time <= span.to);
          return isShown && bits !== null && bits >= MIN_SURPRISE;
        })
        .sort((one, other) => (other.bits ?? 0) - (one.bits ?? 0))
        .slice(0, MAX_SURPRISES),
    [readings, span],
  );
  if (greatest.length === 0) return null;
  return (
    <>
      <h3>What stood out</h3>
      <ol class="surprises" aria-label="The greatest surprises">
        {greatest.map(({ at, time, bits }) => (
          <li key={`${time} ${at}`}>
            <time dateTime={new Date(1000 * time).toISOString()} title={moment(1000 * time)}>
              {ago(1000 * time)}
            </time>{" "}
            <b title={`${bits} bits`}>{bitsText(bits ?? 0)} bits</b>{" "}
            <OddSymbols memory={memory} events={before(readings, at)} bits={bits} />{" "}
            <WhyAt events={before(readings, at)} time={time} />
          </li>
        ))}
      </ol>
    </>
  );
}

function WhyAt({ events, time }: { readonly events: readonly (readonly string[])[]; readonly time: number }) {
  const href = linkToSurprise(events);
  if (href === undefined) return <span />;
  return (
    <a href={href}>
      Why<span class="hidden"> the surprise at {clock(1000 * time)}</span>?
    </a>
  );
}

function noHistory(isHeard: boolean, isOff: boolean): string {
  if (isHeard) return "This memory keeps no history: the chart has what came since the page was opened.";
  const from = "There are no readings yet. What is observed from now on is drawn here";
  return isOff ? `${from}; to see later what came while no page was open, keep a history.` : `${from}.`;
}

/** Shown for a memory that keeps no history, or has none yet. */
function NoHistory({
  isHeard,
  memory,
  processor,
  onKept,
}: {
  /** Whether the events received since the page was opened are drawn. */
  readonly isHeard: boolean;
  readonly memory: Memory;
  readonly processor: Processor;
  readonly onKept: () => void;
}) {
  const isKept = useSignal(false);
  const error = useSignal<unknown>(undefined);
  const cannot = refusal({ of: "processor" }, "manage");
  const mayKnow = may({ of: "processor" }, "read", "manage");
  const gene = useAnswer(async (signal) => (mayKnow ? getGene(processor, "history", { signal }) : "0"), [processor]);
  const isOff = Number(gene.value) === 0 && !isKept.value;
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
    <div class="no-history">
      <p class="nothing">{isKept.value ? "What is observed from now on is drawn here." : noHistory(isHeard, isOff)}</p>
      {isOff && cannot === "" && (
        <button type="button" onClick={() => void keep()}>
          Keep the newest {whole(KEPT_EVENTS)} events
        </button>
      )}
      <Failure error={error.value} />
      {!isHeard && <FirstReading path={memory.path} />}
    </div>
  );
}
