/** The charts of a device with their heads: what each shows at the pointer, or at last. Loaded when there is something to draw. */

import { type Signal, useSignal } from "@preact/signals";
import { useEffect, useId, useLayoutEffect, useRef } from "preact/hooks";
import { bitsText } from "../parts/device-words";
import { short } from "../parts/figures";
import type { Readings, Span } from "./readings";
import { TimeCharts } from "./time-charts";

export function Charts({
  readings,
  marks,
  span,
  point,
  onSpan,
}: {
  readonly readings: Readings;
  /** The times to mark. */
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
      const at = Math.max(0, Math.min(last, to));
      charts.value?.point(at);
      point.value = at;
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
        {readings.lines.map(({ name, values }) => (
          <Chart key={name} name={name} unit="" values={values} point={point} />
        ))}
        <Chart name="surprise" unit="bits" values={readings.bits} point={point} say={bitsText} />
      </section>
      <p class="hidden" id={hint}>
        The arrows left and right move from event to event.
      </p>
    </>
  );
}

function Chart({
  name,
  unit,
  values,
  point,
  say = short,
}: {
  readonly name: string;
  readonly unit: string;
  readonly values: readonly (number | null)[];
  readonly point: Signal<number | undefined>;
  /** Writes a value. */
  readonly say?: (value: number) => string;
}) {
  const known = values.filter((value) => value !== null);
  const range = known.length === 0 ? "nothing" : `${short(Math.min(...known))} to ${short(Math.max(...known))}`;
  return (
    <div class="time-chart">
      <p class="chart-head">
        <b>{name}</b> <Value values={values} unit={unit} point={point} say={say} />
      </p>
      <div class="canvas" role="img" aria-label={`${name}: ${range} ${unit}`} />
    </div>
  );
}

/** Reads the pointer by itself, so that a move draws one number. */
function Value({
  values,
  unit,
  point,
  say,
}: {
  readonly values: readonly (number | null)[];
  readonly unit: string;
  readonly point: Signal<number | undefined>;
  readonly say: (value: number) => string;
}) {
  const value = values[point.value ?? values.length - 1];
  return (
    <span title={value === null || value === undefined ? undefined : `${value} ${unit}`}>
      {value === null || value === undefined ? "–" : say(value)} <small>{unit}</small>
    </span>
  );
}
