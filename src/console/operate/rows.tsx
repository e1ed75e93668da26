/** Rows that calls have written, which are most of the cost of a deployment. */

import { type Column, DataTable, type Sorting } from "../parts/data-table";
import { day, short, whole } from "../parts/figures";
import { Section } from "../parts/section";
import { moveTo, place } from "../place";
import type { MetricsHistory } from "./metrics-history";
import { MetricsState } from "./metrics-state";
import { startOf } from "./readings";
import { type Metrics, sumOf } from "./samples";

/**
 * Cloudflare's price of a million rows written beyond the plan's allowance, in dollars. docs/guides/cost.md
 * has the date of the price.
 */
const DOLLARS_PER_MILLION = 1;

/** Name of the row that sums up what was written outside calls of processors. */
const OTHER_ROWS = "other";

/** The cost of one kind of call. */
interface Cost {
  readonly call: string;
  /** `undefined` for rows written outside calls. */
  readonly calls: number | undefined;
  readonly rows: number;
}

const COLUMNS: readonly Column<Cost>[] = [
  { name: "call", title: "Call", isRowHeader: true, isSortable: true, cell: ({ call }) => nameOf(call) },
  {
    name: "calls",
    title: "Calls",
    isNumber: true,
    isSortable: true,
    cell: ({ calls }) => (calls === undefined ? "" : whole(calls)),
  },
  { name: "rows", title: "Rows", isNumber: true, isSortable: true, cell: ({ rows }) => whole(rows) },
  {
    name: "each",
    title: "Rows a call",
    isNumber: true,
    isSortable: true,
    cell: (cost) => {
      const each = eachOf(cost);
      return each === undefined ? "" : <span title={String(each)}>{short(each)}</span>;
    },
  },
  {
    name: "dollars",
    title: "$ per million calls",
    isNumber: true,
    cell: (cost) => {
      const each = eachOf(cost);
      return each === undefined ? "" : (each * DOLLARS_PER_MILLION).toFixed(2);
    },
  },
];

function nameOf(call: string) {
  if (call === "frame") return "frame of a stream";
  if (call === OTHER_ROWS) return "other: deliveries, agents, sessions that ended";
  return <code>{call}</code>;
}

function eachOf({ calls, rows }: Cost): number | undefined {
  return calls === undefined || calls === 0 ? undefined : rows / calls;
}

function costsIn(metrics: Metrics): Cost[] {
  const calls = new Map((metrics.get("noema_calls_total") ?? []).map(({ labels, value }) => [labels.call, value]));
  return (metrics.get("noema_call_rows_written_total") ?? []).map(({ labels: { call = "" }, value }) => ({
    call,
    calls: calls.get(call),
    rows: value,
  }));
}

/** Sort key of each column. Unknown values come last in descending order. */
const RANKS = {
  calls: ({ calls = -1 }: Cost) => calls,
  each: (cost: Cost) => eachOf(cost) ?? -1,
  rows: ({ rows }: Cost) => rows,
};

function isRank(name: string): name is keyof typeof RANKS {
  return name in RANKS;
}

function sorted(costs: readonly Cost[], { name, order }: Sorting): Cost[] {
  const rank = RANKS[isRank(name) ? name : "rows"];
  const compare = (one: Cost, other: Cost) =>
    name === "call" ? one.call.localeCompare(other.call) : rank(one) - rank(other);
  return [...costs].sort((one, other) => (order === "asc" ? compare(one, other) : compare(other, one)));
}

export function RowsPart({ history }: { readonly history: MetricsHistory }) {
  const metrics = history.latest.value?.metrics;
  return (
    <Section title="Rows written">
      <MetricsState history={history} />
      {metrics !== undefined && <Costs metrics={metrics} />}
    </Section>
  );
}

function Costs({ metrics }: { readonly metrics: Metrics }) {
  const { sort = "rows", order } = place.value.query;
  const sorting: Sorting = { name: sort, order: order === "asc" ? "asc" : "desc" };
  const rows = sumOf(metrics, "noema_rows_written_total");
  const alarms = sumOf(metrics, "noema_alarms_set_total");
  const dollars = ((rows + alarms) / 1e6) * DOLLARS_PER_MILLION;
  return (
    <>
      <p>
        <b>{whole(rows)}</b> rows and <b>{whole(alarms)}</b> alarms, each billed as a row, since{" "}
        {day(startOf(metrics) * 1000)}. On Cloudflare, beyond what the plan includes, that is{" "}
        <b title={`${dollars} dollars`}>${dollars < 0.01 ? dollars.toPrecision(2) : dollars.toFixed(2)}</b>; on a server
        of your own nothing is billed. <a href="/docs/guides/cost">Cost</a> has the prices and how to spend less.
      </p>
      <DataTable
        caption="Calls of processors, by what they wrote"
        columns={COLUMNS}
        rows={sorted(costsIn(metrics), sorting)}
        keyOf={({ call }) => call}
        sorting={sorting}
        onSort={({ name, order }) => moveTo({ query: { sort: name, order } })}
        nothing="No calls yet."
      />
    </>
  );
}
