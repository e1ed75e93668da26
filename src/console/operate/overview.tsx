/** Overview: whether storage works, how busy the server is, and how full its processors are. */

import { Allowed } from "../parts/allowed";
import { bytes, short } from "../parts/figures";
import { Section } from "../parts/section";
import { refusal } from "../rights";
import type { Agent } from "../server";
import { Chart, type ChartOf } from "./chart";
import { HealthLine } from "./health-line";
import type { MetricsHistory } from "./metrics-history";
import { MetricsState } from "./metrics-state";
import { ProcessorTable } from "./processor-table";
import { type Metrics, sumOf } from "./samples";

const PER_SECOND = "a second";

/** Text for durations beyond the last bucket of the server's histogram. */
const BEYOND_LAST_BUCKET = "over 10,000";

function milliseconds(value: number): string {
  return Number.isFinite(value) ? short(value) : BEYOND_LAST_BUCKET;
}

const CHARTS: readonly (ChartOf & { readonly noteOf?: (metrics: Metrics) => string })[] = [
  {
    title: "Requests",
    unit: PER_SECOND,
    lines: [
      { name: "answered", value: "answered" },
      { name: "refused (4xx)", value: "refused" },
      { name: "failed (5xx)", value: "failed" },
      { name: "key not accepted", value: "keyRefused" },
    ],
    format: short,
  },
  {
    title: "Time to answer",
    unit: "ms at most",
    lines: [
      { name: "half (p50)", value: "half" },
      { name: "99 of 100 (p99)", value: "most" },
    ],
    format: milliseconds,
  },
  {
    title: "Calls under way",
    unit: "now",
    lines: [{ name: "admitted, not answered", value: "underWay" }],
    format: short,
    noteOf: (metrics) => `${short(sumOf(metrics, "noema_overloads_total"))} refused for overload since the start`,
  },
  {
    title: "Observed and learned",
    unit: PER_SECOND,
    lines: [
      { name: "records", value: "records" },
      { name: "models learned", value: "learned" },
    ],
    format: short,
  },
  {
    title: "Predicted",
    unit: PER_SECOND,
    lines: [
      { name: "predictions", value: "predictions" },
      { name: "forecasts", value: "forecasts" },
    ],
    format: short,
  },
  {
    title: "Streams",
    unit: "open",
    lines: [
      { name: "streams", value: "streams" },
      { name: "MQTT", value: "mqtt" },
    ],
    format: short,
  },
  {
    title: "Frames",
    unit: PER_SECOND,
    lines: [
      { name: "taken", value: "framesTaken" },
      { name: "refused", value: "framesRefused" },
      { name: "repeated", value: "framesRedelivered" },
    ],
    format: short,
  },
  {
    title: "Waiting deliveries",
    unit: "now",
    lines: [
      { name: "alerts", value: "alertsWaiting" },
      { name: "events for processors", value: "eventsWaiting" },
    ],
    format: short,
    noteOf: (metrics) => `${short(sumOf(metrics, "noema_alerts_dropped_total"))} alerts dropped since the start`,
  },
  {
    title: "Rows written",
    unit: PER_SECOND,
    lines: [
      { name: "rows", value: "rows" },
      { name: "alarms", value: "alarms" },
    ],
    format: short,
  },
  {
    title: "Kernel memory",
    unit: "",
    lines: [{ name: "held", value: "kernelBytes" }],
    format: bytes,
    noteOf: (metrics) =>
      `of ${bytes(sumOf(metrics, "noema_kernel_limit_bytes"))}; processors in memory: ` +
      `${short(sumOf(metrics, "noema_live_processors"))}`,
  },
];

export function Overview({ agent, history }: { readonly agent: Agent; readonly history: MetricsHistory }) {
  const points = history.points.value;
  const metrics = history.latest.value?.metrics;
  return (
    <>
      <HealthLine noema={agent.noema} />
      <Allowed what="see metrics, or how full processors are" refusal={refusal({ of: "agent" }, "read")}>
        <Section title="Now and in the last minutes">
          <MetricsState history={history} />
          {metrics !== undefined && (
            <div class="charts">
              {CHARTS.map((chart) => (
                <Chart key={chart.title} chart={{ ...chart, note: chart.noteOf?.(metrics) }} points={points} />
              ))}
            </div>
          )}
        </Section>
        <ProcessorTable agent={agent} />
      </Allowed>
    </>
  );
}
