/**
 * A report of scored rows as one HTML page that needs nothing else: readings as lines, surprise below them on the same
 * axis, and each incident with its evidence.
 */

import { chartOf, rangeOf } from "./chart";
import { escaped } from "./escape";
import { STYLE } from "./style";

/** A row, or a sequence, as the report shows it. */
export interface ReportRow {
  /** What to call it, such as `line 17`. */
  readonly name: string;
  readonly bits: number;
  /** Epoch seconds; `undefined` where there is none. */
  readonly time: number | undefined;
  /** By column. */
  readonly numbers: ReadonlyMap<string, number>;
}

/** What is said about an incident. */
export interface ReportIncident {
  /** The first and the last row that pass, and the one with the most bits, by their places. */
  readonly first: number;
  readonly last: number;
  readonly worst: number;
  /** How many rows pass. */
  readonly count: number;
  /** Lists of evidence, such as what caused it; empty ones are left out. */
  readonly evidence: readonly { readonly title: string; readonly items: readonly Item[] }[];
}

/** A line of evidence. */
export interface Item {
  readonly text: string;
  /** How much, such as `12 bits`. */
  readonly amount: string;
}

/** A whole report. */
export interface Report {
  readonly title: string;
  /** Sentences below the title. */
  readonly summary: readonly string[];
  /** What rows are called: `rows` or `sequences`. */
  readonly noun: string;
  readonly columns: readonly string[];
  readonly rows: readonly ReportRow[];
  readonly threshold: number;
  readonly incidents: readonly ReportIncident[];
}

/** How many incidents have charts of their own. All are marked, and listed. */
const MOST_CHARTS = 50;

/** How many rows before and after an incident its charts show. */
const AROUND = 60;

/** How many times stand below the charts. */
const TICKS = 5;

const MS_PER_SECOND = 1_000;

const counted = (count: number) => count.toLocaleString("en-US");

/** A time as the report prints it, in UTC. @param time epoch seconds */
export function timeText(time: number): string {
  return new Date(MS_PER_SECOND * time).toISOString().slice(0, 19).replace("T", " ");
}

/** Where each row stands on the axis: at its time if these never fall, else one after the other. */
function axisOf(rows: readonly ReportRow[]): { readonly at: readonly number[]; readonly isTime: boolean } {
  const times = rows.map(({ time }) => time);
  const isTime = times.every((time, at) => time !== undefined && time >= (times[at - 1] ?? time)) && times.length > 0;
  return { at: isTime ? (times as number[]) : rows.map((_, index) => index), isTime };
}

type Axis = ReturnType<typeof axisOf>;

/** What is drawn: some rows of the report, one after the other. */
interface Part {
  readonly report: Report;
  readonly axis: Axis;
  readonly from: number;
  /** Exclusive. */
  readonly to: number;
  readonly incidents: readonly Pick<ReportIncident, "first" | "last">[];
}

function numberText(value: number): string {
  return String(Number(value.toPrecision(5)));
}

function figure(caption: string, range: readonly [number, number] | undefined, unit: string, chart: string): string {
  const extent = range === undefined ? "no numbers" : `${numberText(range[0])} to ${numberText(range[1])}${unit}`;
  return `<figure><figcaption><b>${escaped(caption)}</b><span class="soft">${extent}</span></figcaption>${chart}</figure>`;
}

function charts({ report, axis, from, to, incidents }: Part): string {
  const rows = report.rows.slice(from, to);
  const at = axis.at.slice(from, to);
  const [left, right] = [at[0] ?? 0, at.at(-1) ?? 0];
  const bands = incidents.map(({ first, last }) => ({ from: axis.at[first] ?? 0, to: axis.at[last] ?? 0 }));
  const drawn = (label: string, values: (number | undefined)[], kind: "reading" | "surprise", unit: string) => {
    const mark = kind === "surprise" ? { mark: report.threshold } : {};
    return figure(label, rangeOf(values), unit, chartOf({ label, values, at, bands, kind, ...mark }, left, right));
  };
  const readings = report.columns.map((column) =>
    drawn(
      column,
      rows.map(({ numbers }) => numbers.get(column)),
      "reading",
      "",
    ),
  );
  const bits = rows.map((row) => row.bits);
  return [...readings, drawn("surprise", bits, "surprise", " bits"), axisText(axis, report, left, right, from)].join(
    "",
  );
}

function axisText({ isTime }: Axis, { rows }: Report, left: number, right: number, from: number): string {
  const ticks = Array.from({ length: TICKS }, (_, tick) => {
    const share = left + ((right - left) * tick) / (TICKS - 1);
    const text = isTime ? timeText(share) : (rows[Math.round(share)]?.name ?? rows[from]?.name ?? "");
    return `<span>${escaped(text)}</span>`;
  });
  return `<div class="axis">${ticks.join("")}</div>`;
}

/** Where an incident was, in words. */
function placeOf({ first, last }: ReportIncident, { rows }: Report): string {
  const [begin, end] = [rows[first], rows[last]];
  const whenOf = (row: ReportRow | undefined) => (row?.time === undefined ? row?.name : timeText(row.time)) ?? "";
  return first === last ? whenOf(begin) : `${whenOf(begin)} to ${whenOf(end)}`;
}

function evidenceOf({ evidence }: ReportIncident): string {
  const lists = evidence
    .filter(({ items }) => items.length > 0)
    .map(({ title, items }) => {
      const lines = items.map(({ text, amount }) => `<li>${escaped(text)} <span>${escaped(amount)}</span></li>`);
      return `<div><h3>${escaped(title)}</h3><ul>${lines.join("")}</ul></div>`;
    });
  return lists.length === 0 ? "" : `<div class="evidence">${lists.join("")}</div>`;
}

function article(incident: ReportIncident, index: number, report: Report, axis: Axis): string {
  const { first, last, worst, count } = incident;
  const row = report.rows[worst];
  const passed = count === 1 ? "" : `; ${counted(count)} ${report.noun} pass`;
  const part = {
    report,
    axis,
    from: Math.max(0, first - AROUND),
    to: Math.min(report.rows.length, last + AROUND + 1),
    incidents: [incident],
  };
  return (
    `<article id="incident-${index + 1}"><h2>${index + 1}. ${escaped(placeOf(incident, report))}</h2>` +
    `<p>${numberText(row?.bits ?? 0)} bits at ${escaped(row?.name ?? "")}${passed}.</p>` +
    `${evidenceOf(incident)}${index < MOST_CHARTS && report.rows.length > 1 ? charts(part) : ""}</article>`
  );
}

/** The report as a page of HTML. */
export function pageOf(report: Report): string {
  const { title, summary, rows, incidents } = report;
  const axis = axisOf(rows);
  const sentences = summary.map((sentence) => `<p>${escaped(sentence)}</p>`);
  const all = charts({ report, axis, from: 0, to: rows.length, incidents });
  const found = incidents.map((incident, index) => article(incident, index, report, axis));
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>${escaped(title)}: surprise</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<h1>${escaped(title)}</h1>
${sentences.join("\n")}
<section aria-label="All ${escaped(report.noun)}">${all}</section>
<section aria-label="Incidents">
${found.join("\n") || '<p class="soft">There are no incidents.</p>'}
</section>
<p class="soft">Surprise is −log2 of the probability that Noema gave to what came: each bit more is half as likely.${axis.isTime ? " Times are in UTC." : ""}</p>
</main>
</body>
</html>
`;
}
