/**
 * A report of scored rows as a single self-contained HTML page: readings as lines, surprise below them on the same
 * axis, and each incident with its evidence.
 */

import { chartOf, rangeOf } from "./chart";
import { escaped } from "./escape";
import { STYLE } from "./style";

/** A row, or a sequence, as the report shows it. */
export interface ReportRow {
  /** The name to show, such as `line 17`. */
  readonly name: string;
  readonly bits: number;
  /** Epoch seconds; `undefined` if the row has no time. */
  readonly time: number | undefined;
  /** By column. */
  readonly numbers: ReadonlyMap<string, number>;
}

/** The details of an incident. */
export interface ReportIncident {
  /** The first and the last row over the threshold, and the row with the most bits, by index. */
  readonly first: number;
  readonly last: number;
  readonly worst: number;
  /** Number of rows over the threshold. */
  readonly count: number;
  /** Lists of evidence, such as the causes; empty lists are left out. */
  readonly evidence: readonly { readonly title: string; readonly items: readonly Item[] }[];
}

/** A line of evidence. */
export interface Item {
  readonly text: string;
  /** The amount, such as `12 bits`. */
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

/** Maximum number of incidents with their own charts, those with the most bits. All incidents are marked and listed. */
const MAX_CHARTS = 50;

/** Number of rows that an incident's charts show before and after it. */
const ROWS_AROUND = 60;

/** Maximum number of times or rows labelled below a chart. */
const TICKS = 5;

/** Number of digits of readings on their axis. */
const DIGITS = 5;

const MS_PER_SECOND = 1_000;

const counted = (count: number) => count.toLocaleString("en-US");

/** A time in the report's format, in UTC. @param time epoch seconds */
export function timeText(time: number): string {
  return new Date(MS_PER_SECOND * time).toISOString().slice(0, 19).replace("T", " ");
}

/** The horizontal position of each row: its time if the times never fall, else its index. */
function axisOf(rows: readonly ReportRow[]): { readonly at: readonly number[]; readonly isTime: boolean } {
  const times = rows.map(({ time }) => time);
  const isTime = times.every((time, at) => time !== undefined && time >= (times[at - 1] ?? time)) && times.length > 0;
  return { at: isTime ? (times as number[]) : rows.map((_, index) => index), isTime };
}

type Axis = ReturnType<typeof axisOf>;

/** The rows to draw: consecutive rows of the report. */
interface Part {
  readonly report: Report;
  readonly axis: Axis;
  readonly from: number;
  /** Exclusive. */
  readonly to: number;
  readonly incidents: readonly Pick<ReportIncident, "first" | "last">[];
  /** The number of the part's first incident. */
  readonly first: number;
}

function numberText(value: number, digits = DIGITS): string {
  return String(Number(value.toPrecision(digits)));
}

/** Bits, with enough digits to tell rows apart. */
function bitsText(bits: number): string {
  return `${bits < 10 ? bits.toFixed(1) : Math.round(bits)} bits`;
}

/** A chart with its caption, and its axis on the left: the maximum, the middle and the minimum. */
function figure({ caption, note, axis, digits, chart }: Figure): string {
  const labels = axis === undefined ? [] : [axis[1], (axis[0] + axis[1]) / 2, axis[0]];
  const spans = labels.map((value) => `<span>${numberText(value, digits)}</span>`);
  return (
    `<figure><figcaption><b>${escaped(caption)}</b><span class="soft">${escaped(note)}</span></figcaption>` +
    `<div class="plot"><div class="scale" aria-hidden="true">${spans.join("")}</div>${chart}</div></figure>`
  );
}

interface Figure {
  readonly caption: string;
  /** The text next to the caption, such as the range of the numbers. */
  readonly note: string;
  /** The values at the lower and the upper end of the chart. */
  readonly axis: readonly [number, number] | undefined;
  /** Number of digits on the axis. */
  readonly digits: number;
  readonly chart: string;
}

/** The text next to the name of a chart of numbers. */
function extentText(range: readonly [number, number] | undefined): string {
  return range === undefined ? "no numbers" : `${numberText(range[0])} to ${numberText(range[1])}`;
}

function charts(part: Part): string {
  const { report, axis, from, to, incidents } = part;
  const rows = report.rows.slice(from, to);
  const at = axis.at.slice(from, to);
  const [left, right] = [at[0] ?? 0, at.at(-1) ?? 0];
  const bands = incidents.map(({ first, last }) => ({ from: axis.at[first] ?? 0, to: axis.at[last] ?? 0 }));
  const readings = report.columns.map((column) => {
    const values = rows.map(({ numbers }) => numbers.get(column));
    const range = rangeOf(values);
    const chart = chartOf({ label: column, values, at, bands, kind: "reading" }, left, right);
    return figure({ caption: column, note: extentText(range), axis: range, digits: DIGITS, chart });
  });
  const bits = rows.map((row) => row.bits);
  const { threshold } = report;
  const line = { label: "surprise", values: bits, at, bands, kind: "surprise", mark: threshold } as const;
  const surprise = figure({
    caption: "surprise, in bits",
    note: `dashed: the threshold, ${bitsText(threshold)}`,
    axis: rangeOf([rangeOf(bits)?.[1], threshold, 0]),
    digits: 2,
    chart: chartOf(line, left, right),
  });
  return [numbersAbove(part), ...readings, surprise, axisText(part, left, right)].join("");
}

/** A position as a percentage of the charts' width. */
function shareOf(place: number, left: number, right: number): number {
  return right > left ? (100 * (place - left)) / (right - left) : 50;
}

/** Minimum distance between the numbers of incidents, in percent: closer ones would overlap. */
const MIN_APART = 3;

/** The numbers of the incidents, above the charts at their positions. */
function numbersAbove({ axis, from, to, incidents, first }: Part): string {
  const [left, right] = [axis.at[from] ?? 0, axis.at[to - 1] ?? 0];
  let last = Number.NEGATIVE_INFINITY;
  const spans = incidents.flatMap(({ first: begin, last: end }, index) => {
    const place = shareOf(((axis.at[begin] ?? 0) + (axis.at[end] ?? 0)) / 2, left, right);
    if (place - last < MIN_APART) return [];
    last = place;
    return [`<span style="left:${place.toFixed(2)}%">${first + index}</span>`];
  });
  return spans.length === 0 ? "" : `<div class="marks" aria-hidden="true"><div>${spans.join("")}</div></div>`;
}

/** Steps between times on the axis, in seconds, as on clocks and calendars. */
const TIME_STEPS = [
  1, 5, 15, 30, 60, 300, 900, 1_800, 3_600, 10_800, 21_600, 43_200, 86_400, 172_800, 604_800, 1_209_600, 2_592_000,
  7_776_000, 31_536_000,
];

const DAY = 86_400;

/** The times on the axis: multiples of a step, or only the ends if no step fits. */
function timesBetween(left: number, right: number): { readonly times: readonly number[]; readonly step: number } {
  const step = TIME_STEPS.find((each) => (right - left) / each <= TICKS) ?? (right - left) / TICKS;
  const times: number[] = [];
  for (let time = step * Math.ceil(left / step); time <= right && times.length <= TICKS + 1; time += step)
    times.push(time);
  return times.length >= 2 ? { times, step } : { times: left < right ? [left, right] : [left], step: 1 };
}

function axisText({ axis, report, from }: Part, left: number, right: number): string {
  const { rows } = report;
  const ticks = axis.isTime
    ? timeTicks(left, right)
    : rowTicks(left, right, (at) => rows[at]?.name ?? rows[from]?.name);
  const spans = ticks.map(({ place, text }) => {
    const share = shareOf(place, left, right);
    // A label at the left end is aligned left, and one at the right end is aligned right, so that no label leaves the
    // page.
    const percent = `${share.toFixed(2)}%`;
    return `<span style="left:${percent};transform:translateX(-${percent})">${escaped(text)}</span>`;
  });
  return `<div class="axis"><div>${spans.join("")}</div></div>`;
}

interface Tick {
  readonly place: number;
  readonly text: string;
}

function timeTicks(left: number, right: number): Tick[] {
  const { times, step } = timesBetween(left, right);
  const shortest = step >= DAY ? "2026-03-01".length : "2026-03-01 08:30".length;
  const length = step % 60 === 0 ? shortest : undefined;
  return times.map((time) => ({ place: time, text: timeText(time).slice(0, length) }));
}

function rowTicks(left: number, right: number, nameOf: (at: number) => string | undefined): Tick[] {
  const places = Array.from({ length: TICKS }, (_, tick) => left + ((right - left) * tick) / (TICKS - 1));
  return places.map((place) => ({ place, text: nameOf(Math.round(place)) ?? "" }));
}

/** The position of an incident, in words. */
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

/** The incidents with charts of their own: those with the most bits, the earlier ones of equals. */
function withCharts({ incidents, rows }: Report): ReadonlySet<ReportIncident> {
  const bitsOf = ({ worst }: ReportIncident) => rows[worst]?.bits ?? 0;
  return new Set([...incidents].sort((one, other) => bitsOf(other) - bitsOf(one)).slice(0, MAX_CHARTS));
}

function article(incident: ReportIncident, index: number, report: Report, axis: Axis, hasCharts: boolean): string {
  const { first, last, worst, count } = incident;
  const row = report.rows[worst];
  const passed = count === 1 ? "" : `; ${counted(count)} ${report.noun} pass`;
  const part = {
    report,
    axis,
    from: Math.max(0, first - ROWS_AROUND),
    to: Math.min(report.rows.length, last + ROWS_AROUND + 1),
    incidents: [incident],
    first: index + 1,
  };
  return (
    `<article id="incident-${index + 1}"><h2>${index + 1}. ${escaped(placeOf(incident, report))}</h2>` +
    `<p>${bitsText(row?.bits ?? 0)} at ${escaped(row?.name ?? "")}${passed}.</p>` +
    `${evidenceOf(incident)}${hasCharts && report.rows.length > 1 ? charts(part) : ""}</article>`
  );
}

/** The report as an HTML page. */
export function pageOf(report: Report): string {
  const { title, summary, rows, incidents } = report;
  const axis = axisOf(rows);
  const sentences = summary.map((sentence) => `<p>${escaped(sentence)}</p>`);
  const all = charts({ report, axis, from: 0, to: rows.length, incidents, first: 1 });
  const charted = withCharts(report);
  const found = incidents.map((incident, index) => article(incident, index, report, axis, charted.has(incident)));
  if (incidents.length > charted.size) {
    found.unshift(`<p class="soft">The ${charted.size} incidents with the most bits have charts of their own.</p>`);
  }
  const bits = "Surprise is −log2 of the probability that Noema gave to what came: each bit more is half as likely.";
  const legend = axis.isTime ? `${bits} Times are in UTC.` : bits;
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
<p class="soft">${legend}</p>
</main>
</body>
</html>
`;
}
