/**
 * The charts of a device with their headings: the values at the pointer, or the newest ones. Loaded when there is
 * something to draw.
 */

import { type Signal, useSignal } from "@preact/signals";
import { useEffect, useId, useLayoutEffect, useRef } from "preact/hooks";
import { bitsText } from "../parts/bits";
import { chance, short } from "../parts/figures";
import { ranged } from "../parts/ranges";
import type { ExpectedBin } from "./ahead";
import type { Line, Readings, Span } from "./readings";
import { TimeCharts } from "./time-charts";

/** Maximum number of ranges in a chart's heading. */
const MAX_BINS = 3;

export function Charts({
  readings,
  marks,
  span,
  point,
  onSpan,
}: {
  readonly readings: Readings;
  /** The time spans to mark. */
  readonly marks: readonly Span[];
  /** The range to show; `undefined` for all. */
  readonly span: Span | undefined;
  /** The event at the pointer, set here. */
  readonly point: Signal<number | undefined>;
  readonly onSpan: (span: Span | undefined) => void;
}) {
  const host = useRef<HTMLElement>(null);
  const charts = useSignal<TimeCharts | undefined>(undefined);
  const hint = useId();
  const names = readings.lines.map(({ name }) => name);
  useLayoutEffect(() => {
    const hosts = [...(host.current?.querySelectorAll<HTMLElement>(".canvas") ?? [])];
    const made = new TimeCharts(hosts, readings, {
      onPoint: (at) => {
        point.value = at;
      },
      onSpan,
    });
    charts.value = made;
    return () => made.close();
  }, [names.join("\n")]);
  useEffect(() => charts.value?.show(readings, marks, span), [charts.value, readings, marks, span]);
  useEffect(() => {
    const section = host.current;
    const press = (event: KeyboardEvent) => {
      const last = readings.events.length - 1;
      const from = point.value ?? last;
      const to = { ArrowLeft: from - 1, ArrowRight: from + 1, Home: 0, End: last }[event.key];
      if (to === undefined) return;
      event.preventDefault();
      const at = Math.max(0, Math.min(last + readings.ahead.length, to));
      // At the end, the pointer follows new readings.
      const next = event.key === "End" ? undefined : at;
      charts.value?.point(next);
      point.value = next;
    };
    section?.addEventListener("keydown", press);
    return () => section?.removeEventListener("keydown", press);
  });
  return (
    <>
      <section
        class="charts-over-time"
        ref={host}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: the arrows move the pointer in it.
        tabIndex={0}
        aria-label="Readings over time"
        aria-describedby={hint}
      >
        {readings.lines.map((line) => (
          <Chart key={line.name} line={line} unit="" point={point} />
        ))}
        <Chart
          line={{ name: "surprise", values: readings.bits, expected: [] }}
          unit="bits"
          point={point}
          say={bitsText}
        />
      </section>
      <p class="hidden" id={hint}>
        The arrows left and right move from event to event, and behind the last one to what is expected.
      </p>
    </>
  );
}

interface OfChart {
  readonly line: Line;
  readonly unit: string;
  readonly point: Signal<number | undefined>;
  /** Formats a value. */
  readonly say?: (value: number) => string;
}

function Chart({ line, unit, point, say = short }: OfChart) {
  const { name, values } = line;
  const known = values.filter((value) => value !== null);
  const range = known.length === 0 ? "nothing" : `${short(Math.min(...known))} to ${short(Math.max(...known))}`;
  return (
    <div class="time-chart">
      <p class="chart-head">
        <b>{name}</b> <Value line={line} unit={unit} point={point} say={say} />
      </p>
      <div class="canvas" role="img" aria-label={`${name}: ${range} ${unit}`} />
    </div>
  );
}

/** Reads the pointer's signal itself, so that moving the pointer redraws only one number. */
function Value({ line: { values, expected }, unit, point, say = short }: OfChart) {
  const at = point.value ?? values.length - 1;
  const bins = expected[at - values.length];
  if (bins !== undefined) return <Expected bins={bins} />;
  const value = values[at];
  return (
    <>
      <span title={value === null || value === undefined ? undefined : `${value} ${unit}`}>
        {value === null || value === undefined ? "–" : say(value)} <small>{unit}</small>
      </span>
      {point.value === undefined && expected[0] !== undefined && (
        <small class="then">
          then <Expected bins={expected[0].slice(0, 1)} />
        </small>
      )}
    </>
  );
}

/** The bins in which a number is expected, most probable first. */
function Expected({ bins }: { readonly bins: readonly ExpectedBin[] }) {
  if (bins.length === 0) return <span class="expected">–</span>;
  return (
    <span class="expected">
      {bins.slice(0, MAX_BINS).map(({ symbol, name, probability }, at) => (
        <span key={symbol} title={`${symbol}: ${probability}`}>
          {at > 0 && ", "}
          {ranged(symbol).slice(name.length + 1)} <small>({chance(probability)})</small>
        </span>
      ))}
    </span>
  );
}
