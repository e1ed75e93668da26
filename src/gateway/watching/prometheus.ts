/** Writes the metrics of an isolate in Prometheus' text format, version 0.0.4. */

import { BOUNDS_MS, metrics, type ObjectMetrics, type OperationMetrics } from "./metrics";

/** The media type of the format. */
export const PROMETHEUS_TYPE = "text/plain; version=0.0.4; charset=utf-8";

/** The labels of a sample. */
type Labels = { readonly [name: string]: string };

/** One line: the end of its name, its labels and its value. */
type Sample = readonly [suffix: string, labels: Labels, value: number];

/** What one metric is, and its samples. */
interface Family {
  readonly name: string;
  readonly type: "counter" | "gauge" | "histogram";
  readonly help: string;
  readonly samples: readonly Sample[];
}

/** All metrics of this isolate as text. */
export function prometheusText(): string {
  const { objects } = metrics;
  const families = [...requestFamilies(metrics.operations), ...gatewayFamilies()];
  if (objects !== undefined) {
    const counts = objects();
    families.push(...objectFamilies(counts), ...memoryFamilies(counts), ...callFamilies(counts));
  }
  return families.map(familyText).join("");
}

function requestFamilies(operations: readonly OperationMetrics[]): Family[] {
  return [
    {
      name: "noema_requests_total",
      type: "counter",
      help: "Requests answered, by operation and HTTP status.",
      samples: operations.flatMap(({ name, byStatus }) =>
        Array.from(byStatus, ([status, count]): Sample => ["", { operation: name, status: String(status) }, count]),
      ),
    },
    {
      name: "noema_request_duration_seconds",
      type: "histogram",
      help: "Time from a request's arrival until its answer begins.",
      samples: operations.flatMap(durationSamples),
    },
  ];
}

/** A bucket counts all durations up to its bound, including those of the previous buckets. */
function durationSamples({ name: operation, durations: { buckets, sumMs } }: OperationMetrics): Sample[] {
  let count = 0;
  const samples: Sample[] = [];
  buckets.forEach((own, at) => {
    count += own;
    const bound = BOUNDS_MS[at];
    const le = bound === undefined ? "+Inf" : String(bound / 1000);
    samples.push(["_bucket", { operation, le }, count]);
  });
  return [...samples, ["_sum", { operation }, sumMs / 1000], ["_count", { operation }, count]];
}

function gatewayFamilies(): Family[] {
  const { keyRefusals, overloads, redeliveries, replays, startedMs, unlogged } = metrics;
  return [
    gauge("noema_calls_under_way", "Calls that were admitted and are not answered yet.", metrics.callsUnderWay()),
    {
      name: "noema_overloads_total",
      type: "counter",
      help: "Calls refused because too many were under way, by whose limit was reached.",
      samples: Object.entries(overloads).map(([limit, count]): Sample => ["", { limit }, count]),
    },
    counter("noema_key_refusals_total", "Requests without an accepted key; no other metric counts them.", keyRefusals),
    gauge("noema_start_time_seconds", "When counting began, in seconds since 1970.", startedMs / 1000),
    counter("noema_redeliveries_total", "Repeated deliveries of clients, without effect.", redeliveries),
    counter("noema_replays_total", "Answers that were kept under an Idempotency-Key and sent again.", replays),
    counter(
      "noema_unlogged_total",
      "Failed and slow requests without a line in the log: there were too many.",
      unlogged,
    ),
  ];
}

function objectFamilies(objects: ObjectMetrics): Family[] {
  return [
    counter(
      "noema_rows_written_total",
      "Rows and entries of indexes written, as they are billed.",
      objects.rowsWritten,
    ),
    counter("noema_alarms_set_total", "Alarms set; each is billed as a row.", objects.alarmsSet),
    gauge("noema_live_processors", "Processors in memory.", objects.liveProcessors),
    gauge("noema_kernel_bytes", "Linear memory of the kernels.", objects.kernelBytes),
    gauge("noema_kernel_limit_bytes", "Maximum linear memory of the kernels.", objects.kernelLimitBytes),
    counter("noema_outbox_events_total", "Events recorded for other processors.", objects.eventsRecorded),
    counter("noema_outbox_delivered_total", "Events that have left an outbox.", objects.eventsDelivered),
    counter("noema_outbox_failures_total", "Attempts to deliver that failed.", objects.deliveriesFailed),
    gauge("noema_outbox_waiting", "Events that wait for another attempt.", objects.eventsWaiting),
    counter(
      "noema_outbox_redeliveries_total",
      "Repeated deliveries between processors, without effect.",
      objects.redeliveries,
    ),
    counter("noema_alerts_total", "Notices of alerts; one delivery may hold several.", objects.alertsTold),
    counter("noema_alerts_delivered_total", "Deliveries of alerts that were accepted.", objects.alertsDelivered),
    counter("noema_alerts_failures_total", "Attempts to deliver an alert that failed.", objects.alertFailures),
    counter("noema_alerts_dropped_total", "Deliveries of alerts given up or dropped.", objects.alertsDropped),
    gauge("noema_alerts_waiting", "Deliveries of alerts that wait.", objects.alertsWaiting),
    counter("noema_incidents_total", "Incidents that began.", objects.incidents),
    counter("noema_verdicts_total", "Verdicts on incidents that were given or taken back.", objects.verdicts),
    {
      name: "noema_build_info",
      type: "gauge",
      help: "Always 1; the label says which version runs.",
      samples: [["", { version: objects.version }, 1]],
    },
  ];
}

function memoryFamilies(objects: ObjectMetrics): Family[] {
  const { framesTaken, framesRedelivered, framesRefused } = objects;
  return [
    counter("noema_records_total", "Records observed, over HTTP, streams and services.", objects.records),
    counter(
      "noema_records_near_limit_total",
      "Records after which a memory had used 90 % or more of what it may hold.",
      objects.nearLimit,
    ),
    counter("noema_learned_total", "Models learned, new or again.", objects.learned),
    counter("noema_predictions_total", "Answers with predictions.", objects.predictions),
    counter("noema_forecasts_total", "Answers with a forecast.", objects.forecasts),
    {
      name: "noema_omitted_total",
      type: "counter",
      help: "Records for which something was left undone, because it takes too many steps or bytes.",
      samples: Object.entries(objects.omitted).map(([what, count]): Sample => ["", { what }, count]),
    },
    gauge("noema_streams_open", "Streams and MQTT connections that are open.", objects.streamsOpen),
    gauge("noema_mqtt_connections_open", "MQTT connections that are open.", objects.mqttOpen),
    {
      name: "noema_stream_frames_total",
      type: "counter",
      help: "Messages received over streams, by outcome.",
      samples: [
        ["", { outcome: "taken" }, framesTaken],
        ["", { outcome: "redelivered" }, framesRedelivered],
        ["", { outcome: "refused" }, framesRefused],
      ],
    },
    counter("noema_stream_events_total", "Events sent over streams.", objects.streamEvents),
  ];
}

/** Rows written outside calls of processors are counted as `other`, so that the sum is the total. */
function callFamilies({ calls, rowsWritten }: ObjectMetrics): Family[] {
  const counts = [...calls].sort(([one], [other]) => (one < other ? -1 : 1));
  const others = counts.reduce((rest, [, { rows }]) => rest - rows, rowsWritten);
  return [
    {
      name: "noema_calls_total",
      type: "counter",
      help: "Calls of processors, by service and method; a frame of a stream is a call.",
      samples: counts.map(([call, count]): Sample => ["", { call }, count.calls]),
    },
    {
      name: "noema_call_rows_written_total",
      type: "counter",
      help: "Rows and entries of indexes written, by the call that wrote them.",
      samples: [...counts.map(([call, { rows }]): Sample => ["", { call }, rows]), ["", { call: "other" }, others]],
    },
  ];
}

function counter(name: string, help: string, value: number): Family {
  return { name, type: "counter", help, samples: [["", {}, value]] };
}

function gauge(name: string, help: string, value: number): Family {
  return { name, type: "gauge", help, samples: [["", {}, value]] };
}

function familyText({ name, type, help, samples }: Family): string {
  const lines = samples.map(([suffix, labels, value]) => `${name}${suffix}${labelsText(labels)} ${value}\n`);
  return `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n${lines.join("")}`;
}

function labelsText(labels: Labels): string {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${escaped(value)}"`);
  return pairs.length === 0 ? "" : `{${pairs.join(",")}}`;
}

function escaped(value: string): string {
  return value.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n");
}
