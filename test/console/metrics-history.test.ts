/** What the page makes of metrics: rates between readings of the same life, times that are never too small, and lives told apart. */

import { describe, expect, test } from "vitest";
import { connect } from "../../src/client";
import { MAX_POINTS, MetricsHistory, POLL_MS } from "../../src/console/operate/metrics-history";
import { type Reading, valuesOf } from "../../src/console/operate/readings";
import { metricsIn, sumOf } from "../../src/console/operate/samples";

const OBSERVE = "POST /{id}/observe";

/** Requests by status, and their times by the bound of their bucket. */
interface Counted {
  readonly start?: number;
  readonly operation?: string;
  readonly statuses?: Record<string, number>;
  /** Seconds to counts that are not cumulative. */
  readonly times?: Record<string, number>;
  readonly records?: number;
}

function textOf({ start = 5, operation = OBSERVE, statuses = {}, times = {}, records = 0 }: Counted): string {
  let count = 0;
  const bounds = ["0.001", "0.002", "0.005", "10", "+Inf"];
  return [
    "# HELP noema_requests_total Requests.",
    ...Object.entries(statuses).map(
      ([status, value]) => `noema_requests_total{operation="${operation}",status="${status}"} ${value}`,
    ),
    ...bounds.map((le) => {
      count += times[le] ?? 0;
      return `noema_request_duration_seconds_bucket{operation="${operation}",le="${le}"} ${count}`;
    }),
    `noema_records_total ${records}`,
    `noema_start_time_seconds ${start}`,
    "",
  ].join("\n");
}

function reading(at: number, counted: Counted): Reading {
  return { at, metrics: metricsIn(textOf(counted)) };
}

test("a text is read with its labels, whatever stands in them", () => {
  const metrics = metricsIn('# TYPE a gauge\na{name="with \\"quotes\\", a \\\\ and } 7",other="b"} 1.5e3\na 2\nb 0\n');
  expect(metrics.get("a")).toEqual([
    { labels: { name: 'with "quotes", a \\ and } 7', other: "b" }, value: 1500 },
    { labels: {}, value: 2 },
  ]);
  expect(sumOf(metrics, "a")).toBe(1502);
  expect(sumOf(metrics, "nothing")).toBe(0);
});

describe("values", () => {
  test("are rates by class of status since the reading before", () => {
    const before = reading(1_000, { statuses: { 200: 10, 400: 1, 500: 0 }, records: 7 });
    const values = valuesOf(reading(6_000, { statuses: { 101: 1, 200: 20, 400: 6, 503: 10 }, records: 12 }), before);
    expect(values).toMatchObject({ answered: 11 / 5, refused: 1, failed: 2, records: 1 });
  });

  test("are none of the console's own questions", () => {
    const operation = "GET /metrics";
    const before = reading(0, { operation, statuses: { 200: 10 } });
    const values = valuesOf(reading(5_000, { operation, statuses: { 200: 20 }, times: { "0.001": 10 } }), before);
    expect(values).toMatchObject({ answered: 0, half: undefined });
  });

  test("have no rate where nothing was read before", () => {
    const values = valuesOf(reading(0, { statuses: { 200: 10 }, times: { "0.001": 1 } }), undefined);
    expect(values).toMatchObject({ answered: undefined, rows: undefined, half: undefined, streams: 0 });
  });

  test.each([
    [{ "0.001": 99, "0.005": 1 }, 1, 1],
    [{ "0.001": 98, "0.005": 2 }, 1, 5],
    [{ "0.001": 49, "0.002": 51 }, 2, 2],
    [{ "0.001": 50, "10": 50 }, 1, 10_000],
    [{ "+Inf": 1 }, Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY],
  ])("have times that are never too small: %j", (times, half, most) => {
    const before = reading(0, { times: { "0.001": 1_000 } });
    const grown = { ...times, "0.001": 1_000 + ((times as Record<string, number>)["0.001"] ?? 0) };
    expect(valuesOf(reading(5_000, { times: grown }), before)).toMatchObject({ half, most });
  });
});

describe("a history", () => {
  const fresh = () => new MetricsHistory(connect({ address: "http://127.0.0.1:1", key: "k" }));
  const ratesOf = (history: MetricsHistory) => history.points.value.map(({ values }) => values.records);

  test("begins anew after a restart, and says so", () => {
    const history = fresh();
    history.take(reading(0, { records: 100 }));
    history.take(reading(5_000, { records: 200 }));
    history.take(reading(10_000, { start: 9, records: 3 }));
    history.take(reading(15_000, { start: 9, records: 8 }));
    expect(ratesOf(history)).toEqual([undefined, 20, undefined, 1]);
    expect(history.points.value.map(({ isAnotherLife }) => isAnotherLife)).toEqual([false, false, true, false]);
    expect(history.isSampled.value).toBe(false);
  });

  test("knows isolates that answer in turn, and counts each by itself", () => {
    const history = fresh();
    history.take(reading(0, { start: 5, records: 0 }));
    history.take(reading(5_000, { start: 6, records: 1_000 }));
    expect(history.isSampled.value).toBe(false);
    history.take(reading(10_000, { start: 5, records: 10 }));
    expect(history.isSampled.value).toBe(true);
    expect(ratesOf(history)).toEqual([undefined, undefined, 1]);
  });

  test("has no rate over a pause, in which the page was not seen", () => {
    const history = fresh();
    history.take(reading(0, {}));
    history.take(reading(600_000, { records: 600 }));
    history.take(reading(605_000, { records: 605 }));
    expect(ratesOf(history)).toEqual([undefined, undefined, 1]);
  });

  test("is bounded", () => {
    const history = fresh();
    for (let at = 0; at < 2 * MAX_POINTS; at++) history.take(reading(at * POLL_MS, { records: at }));
    expect(history.points.value).toHaveLength(MAX_POINTS);
    expect(history.points.value.at(-1)?.at).toBe((2 * MAX_POINTS - 1) * POLL_MS);
  });
});
