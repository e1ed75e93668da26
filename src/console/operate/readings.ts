/**
 * Values for the charts from metrics: gauges as they are, and counters as rates per second since the previous reading.
 */

import { type Metrics, sumOf } from "./samples";

/** A reading of the metrics. */
export interface Reading {
  /** When, in milliseconds of the clock. */
  readonly at: number;
  readonly metrics: Metrics;
}

/**
 * What the charts draw. Rates are per second; a value that cannot be known, such as the rate of a first
 * reading, is `undefined`.
 */
export type Values = { readonly [name in ValueName]: number | undefined };

/**
 * The operations that the console and monitors poll. Left out of the charts, so that watching does not count as load.
 */
const WATCHING: ReadonlySet<string> = new Set(["GET /metrics", "GET /health"]);

const RATES = {
  answered: (m: Metrics) => requests(m, "1", "2", "3"),
  refused: (m: Metrics) => requests(m, "4"),
  failed: (m: Metrics) => requests(m, "5"),
  keyRefused: (m: Metrics) => sumOf(m, "noema_key_refusals_total"),
  overloads: (m: Metrics) => sumOf(m, "noema_overloads_total"),
  framesTaken: (m: Metrics) => sumOf(m, FRAMES, ({ outcome }) => outcome === "taken"),
  framesRedelivered: (m: Metrics) => sumOf(m, FRAMES, ({ outcome }) => outcome === "redelivered"),
  framesRefused: (m: Metrics) => sumOf(m, FRAMES, ({ outcome }) => outcome === "refused"),
  records: (m: Metrics) => sumOf(m, "noema_records_total"),
  learned: (m: Metrics) => sumOf(m, "noema_learned_total"),
  predictions: (m: Metrics) => sumOf(m, "noema_predictions_total"),
  forecasts: (m: Metrics) => sumOf(m, "noema_forecasts_total"),
  rows: (m: Metrics) => sumOf(m, "noema_rows_written_total"),
  alarms: (m: Metrics) => sumOf(m, "noema_alarms_set_total"),
};

const FRAMES = "noema_stream_frames_total";

const GAUGES = {
  underWay: (m: Metrics) => sumOf(m, "noema_calls_under_way"),
  streams: (m: Metrics) => sumOf(m, "noema_streams_open") - sumOf(m, "noema_mqtt_connections_open"),
  mqtt: (m: Metrics) => sumOf(m, "noema_mqtt_connections_open"),
  alertsWaiting: (m: Metrics) => sumOf(m, "noema_alerts_waiting"),
  eventsWaiting: (m: Metrics) => sumOf(m, "noema_outbox_waiting"),
  processors: (m: Metrics) => sumOf(m, "noema_live_processors"),
  kernelBytes: (m: Metrics) => sumOf(m, "noema_kernel_bytes"),
};

type ValueName = keyof typeof RATES | keyof typeof GAUGES | "half" | "most";

function requests(metrics: Metrics, ...classes: readonly string[]): number {
  return sumOf(
    metrics,
    "noema_requests_total",
    ({ operation = "", status = "" }) => !WATCHING.has(operation) && classes.includes(status.slice(0, 1)),
  );
}

/** When the server began to count, in seconds since 1970: each life of an isolate has its own. */
export function startOf(metrics: Metrics): number {
  return sumOf(metrics, "noema_start_time_seconds");
}

/** @param before an earlier reading of the same life; `undefined` when there is none: then there are no rates */
export function valuesOf({ at, metrics }: Reading, before: Reading | undefined): Values {
  const seconds = before === undefined ? 0 : (at - before.at) / 1000;
  const rate = (count: (metrics: Metrics) => number) =>
    before === undefined || seconds <= 0 ? undefined : (count(metrics) - count(before.metrics)) / seconds;
  return {
    ...(mapped(GAUGES, (gauge) => gauge(metrics)) as { [name in keyof typeof GAUGES]: number }),
    ...(mapped(RATES, rate) as { [name in keyof typeof RATES]: number | undefined }),
    half: before && quantile(metrics, before.metrics, 0.5),
    most: before && quantile(metrics, before.metrics, 0.99),
  };
}

function mapped<Value, Result>(values: { readonly [name: string]: Value }, change: (value: Value) => Result) {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, change(value)]));
}

/**
 * A quantile of the response times between two readings, in milliseconds: the upper bound of its bucket, so never too
 * small. Infinity for the last bucket; `undefined` if there were no requests.
 */
export function quantile(metrics: Metrics, before: Metrics, share: number): number | undefined {
  const counts = new Map<number, number>();
  for (const [side, sign] of [
    [metrics, 1],
    [before, -1],
  ] as const) {
    for (const { labels, value } of side.get("noema_request_duration_seconds_bucket") ?? []) {
      if (WATCHING.has(labels.operation ?? "")) continue;
      const bound = labels.le === "+Inf" ? Number.POSITIVE_INFINITY : Math.round(Number(labels.le) * 1000);
      counts.set(bound, (counts.get(bound) ?? 0) + sign * value);
    }
  }
  const all = counts.get(Number.POSITIVE_INFINITY) ?? 0;
  if (all <= 0) return undefined;
  const bounds = [...counts.keys()].sort((one, other) => one - other);
  return bounds.find((bound) => (counts.get(bound) ?? 0) >= share * all);
}
