/** GET /metrics is text that a parser of Prometheus' format reads, with the numbers that were counted. */

import parsePrometheusTextFormat from "parse-prometheus-text-format";
import { afterEach, expect, test } from "vitest";
import { BOUNDS_MS, Histogram, metrics, type ObjectMetrics } from "../../../src/gateway/watching/metrics";
import { PROMETHEUS_TYPE, prometheusText } from "../../../src/gateway/watching/prometheus";
import { TestGateway } from "../../support/gateway/test-gateway";

const OBJECTS: ObjectMetrics = {
  nearLimit: 6,
  rowsWritten: 12,
  alarmsSet: 1,
  liveProcessors: 3,
  kernelBytes: 65_536,
  kernelLimitBytes: 100_663_296,
  eventsRecorded: 7,
  eventsDelivered: 5,
  deliveriesFailed: 2,
  eventsWaiting: 2,
  redeliveries: 1,
  incidents: 27,
  verdicts: 28,
  alertsTold: 9,
  alertsDelivered: 4,
  alertFailures: 3,
  alertsDropped: 1,
  alertsWaiting: 6,
  records: 21,
  learned: 20,
  predictions: 19,
  forecasts: 18,
  omitted: { prediction: 22, autolearn: 23, manipulatives: 24 },
  streamsOpen: 17,
  mqttOpen: 5,
  framesTaken: 16,
  framesRedelivered: 15,
  framesRefused: 14,
  streamEvents: 13,
  calls: new Map([
    ["MemoryService/Observe", { calls: 8, rows: 9 }],
    ["MemoryService/GetPredictions", { calls: 3, rows: 0 }],
  ]),
  version: 'with "quotes" and \\',
};

afterEach(() => {
  metrics.objects = undefined;
});

function parsed() {
  const text = prometheusText();
  expect(text.endsWith("\n")).toBe(true);
  return new Map(parsePrometheusTextFormat(text).map((family) => [family.name, family]));
}

test("what the objects count is there, a value each", () => {
  metrics.objects = () => OBJECTS;
  const families = parsed();
  const value = (name: string) => families.get(name)?.metrics.map((sample) => sample.value);
  expect(value("noema_rows_written_total")).toEqual(["12"]);
  expect(value("noema_live_processors")).toEqual(["3"]);
  expect(value("noema_kernel_limit_bytes")).toEqual(["100663296"]);
  expect(value("noema_outbox_waiting")).toEqual(["2"]);
  const alerts = ["total", "delivered_total", "failures_total", "dropped_total", "waiting"];
  expect(alerts.map((name) => value(`noema_alerts_${name}`))).toEqual([["9"], ["4"], ["3"], ["1"], ["6"]]);
  const memories = ["records", "learned", "predictions", "forecasts"];
  expect(memories.map((name) => value(`noema_${name}_total`))).toEqual([["21"], ["20"], ["19"], ["18"]]);
  expect(value("noema_records_near_limit_total")).toEqual(["6"]);
  expect(value("noema_streams_open")).toEqual(["17"]);
  expect(value("noema_mqtt_connections_open")).toEqual(["5"]);
  expect(value("noema_stream_frames_total")).toEqual(["16", "15", "14"]);
  expect(value("noema_stream_events_total")).toEqual(["13"]);
  expect(value("noema_calls_total")).toEqual(["3", "8"]);
  expect(families.get("noema_call_rows_written_total")?.metrics).toEqual([
    { labels: { call: "MemoryService/GetPredictions" }, value: "0" },
    { labels: { call: "MemoryService/Observe" }, value: "9" },
    // What no call of a processor wrote: together they are all rows.
    { labels: { call: "other" }, value: "3" },
  ]);
  expect(families.get("noema_build_info")?.metrics).toEqual([{ labels: { version: OBJECTS.version }, value: "1" }]);
  for (const { help, type } of families.values()) {
    expect(help).toMatch(/\.$/);
    expect(type).toMatch(/^(COUNTER|GAUGE|HISTOGRAM)$/);
  }
});

/** The histogram of one operation without the label that names it. */
function ownLines(operation: string): string {
  const label = `operation="${operation}"`;
  const isOwn = (line: string) =>
    line.includes("noema_request_duration_seconds") && (line.startsWith("#") || line.includes(label));
  const lines = prometheusText().split("\n").filter(isOwn);
  return `${lines.map((line) => line.replace(`${label},`, "").replace(`{${label}}`, "")).join("\n")}\n`;
}

test("a duration counts in its bucket and in all larger ones", () => {
  const operation = metrics.of({}, () => "GET /of/a/test");
  for (const ms of [0, 1, 2, 3, 50, 51, 9_999, 20_000]) operation.add(200, ms);
  // The parser reads no histogram with labels of its own.
  const [own] = parsePrometheusTextFormat(ownLines("GET /of/a/test"))[0]?.metrics ?? [];
  expect(own).toEqual({
    buckets: {
      "0.001": "2",
      "0.002": "3",
      "0.005": "4",
      "0.01": "4",
      "0.025": "4",
      "0.05": "5",
      "0.1": "6",
      "0.25": "6",
      "0.5": "6",
      "1": "6",
      "2.5": "6",
      "5": "6",
      "10": "7",
      "+Inf": "8",
    },
    count: "8",
    sum: "30.106",
  });
  expect(parsed().get("noema_requests_total")?.metrics).toContainEqual({
    labels: { operation: "GET /of/a/test", status: "200" },
    value: "8",
  });
});

test("each time is in the first bucket whose bound is not below it", () => {
  for (const ms of [0, 1, 1.5, 2, 1_000, 1_001, 10_000, 10_001, 1e9]) {
    const histogram = new Histogram();
    histogram.add(ms);
    const at = BOUNDS_MS.findIndex((bound) => ms <= bound);
    expect(histogram.buckets.indexOf(1)).toBe(at === -1 ? BOUNDS_MS.length : at);
  }
});

test("the operation answers with it, whatever media type is asked for, and calls no object", async () => {
  const gateway = new TestGateway();
  for (const accept of [
    "application/openmetrics-text;version=1.0.0,text/plain;version=0.0.4;q=0.5",
    "text/javascript",
  ]) {
    const { status, headers, text } = await gateway.ask("GET", "/metrics", { accept });
    expect([status, headers.get("content-type")]).toEqual([200, PROMETHEUS_TYPE]);
    expect(parsePrometheusTextFormat(text).length).toBeGreaterThan(5);
  }
  expect(gateway.calls).toEqual([]);
});
