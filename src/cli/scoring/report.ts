/** Makes a report of the scores: its sentences, and the evidence of each incident. */

import type { Item, Report, ReportIncident } from "../report/page";
import { type ShownEncoders, shownSymbol } from "../table/ranges";
import { type Incident, ROWS_PER_ALARM, type Threshold } from "./incidents";
import type { Cause } from "./judging";
import { insteadOf, type Result, surprisingIn, unexpectedIn } from "./scored";

/** Everything that a report contains. */
export interface Findings {
  readonly title: string;
  readonly results: readonly Result[];
  readonly threshold: Threshold;
  readonly incidents: readonly Incident[];
  /** The causes of the rows over the threshold, by row index. */
  readonly causes: ReadonlyMap<number, readonly Cause[]>;
  readonly encoders: ShownEncoders;
  /** The columns with numbers. */
  readonly columns: readonly string[];
  readonly isSequences: boolean;
}

const counted = (count: number) => count.toLocaleString("en-US");

const bitsText = (bits: number) => `${bits < 10 ? bits.toFixed(1) : Math.round(bits)} bits`;

const share = (probability: number) => `${(100 * probability).toFixed(probability < 0.0995 ? 1 : 0)} %`;

/** The number that the given share of sorted numbers do not exceed. */
function quantile(sorted: readonly number[], part: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(part * sorted.length))] ?? 0;
}

/** Maximum number of symbols of an event that evidence names. */
const MAX_SYMBOLS = 5;

/** What a report is of, and its singular. */
const NOUNS = { rows: "row", sequences: "sequence" } as const;

/** The findings, in sentences. @param findings of at least one result */
export function sentencesOf({ results, threshold, incidents, isSequences }: Findings): string[] {
  const noun = isSequences ? "sequences" : "rows";
  const nounOf = (count: number) => (count === 1 ? NOUNS[noun] : noun);
  const sorted = results.map(({ bits }) => bits).sort((one, other) => one - other);
  const worst = results.reduce((one, other) => (other.bits > one.bits ? other : one), results[0] as Result);
  const passing = incidents.reduce((sum, { rows }) => sum + rows.length, 0);
  const { perDay = 1 } = threshold;
  const whys: { readonly [why in Threshold["why"]]: string } = {
    threshold: "as you have set it",
    per_day: `chosen so that ${perDay} ${nounOf(perDay)} a day ${perDay === 1 ? "passes" : "pass"}`,
    share: `chosen so that one ${NOUNS[noun]} in ${counted(ROWS_PER_ALARM)} passes`,
  };
  const incident = incidents.length === 1 ? "incident" : "incidents";
  const pass = `${counted(passing)} ${nounOf(passing)} ${passing === 1 ? "passes" : "pass"}`;
  const passed =
    passing === 0 ? `no ${NOUNS[noun]} passes it` : `${pass} it, in ${counted(incidents.length)} ${incident}`;
  return [
    `Of ${counted(results.length)} ${nounOf(results.length)}, half have at most ` +
      `${bitsText(quantile(sorted, 0.5))}, 99 of 100 at most ${bitsText(quantile(sorted, 0.99))}; ` +
      `the maximum is ${bitsText(worst.bits)}, in line ${worst.line}.`,
    `The threshold is ${bitsText(threshold.bits)}, ${whys[threshold.why]}: ${passed}.`,
  ];
}

function symbolsText(symbols: readonly string[]): string {
  return [...symbols.slice(0, MAX_SYMBOLS), ...(symbols.length > MAX_SYMBOLS ? ["…"] : [])].join(", ");
}

function evidenceOf(result: Result, causes: readonly Cause[], encoders: ShownEncoders): ReportIncident["evidence"] {
  const shown = (symbol: string) => shownSymbol(symbol, encoders);
  const list = (title: string, items: readonly Item[]) => ({ title, items });
  if (result.sequence === undefined) {
    const bits = causes.map((cause) => ({ text: shown(cause.symbol), amount: bitsText(cause.bits) }));
    const expected = insteadOf(result).map((one) => ({ text: shown(one.symbol), amount: share(one.probability) }));
    return [list("What caused it", bits), list("What was likelier", expected)];
  }
  const { missing, excess, end } = result.sequence.verdict;
  return [
    list(
      "Never expected",
      unexpectedIn(result.sequence.verdict).map((symbol) => ({ text: shown(symbol), amount: "" })),
    ),
    list(
      "Most surprising",
      surprisingIn(result.sequence).map(({ event, place, bits }) => ({
        text: `event ${place}: ${symbolsText(event.map(shown))}`,
        amount: bitsText(bits),
      })),
    ),
    list(
      "Missing",
      missing.map((one) => ({ text: shown(one.symbol), amount: `in ${share(one.probability)} of those like it` })),
    ),
    list(
      "Too often",
      excess.map((one) => ({
        text: shown(one.symbol),
        amount: `${one.count} times, ${one.expected.toFixed(1)} expected`,
      })),
    ),
    list("Ended here", end === null || end.bits < 1 ? [] : [{ text: "the end", amount: bitsText(end.bits) }]),
  ];
}

/** A report for {@link pageOf}. */
export function reportOf(findings: Findings): Report {
  const { title, results, threshold, incidents, causes, encoders, columns, isSequences } = findings;
  return {
    title,
    summary: sentencesOf(findings),
    noun: isSequences ? "sequences" : "rows",
    columns,
    rows: results.map(({ line, group, bits, time, numbers }) => ({
      name: isSequences ? `${group} (line ${line})` : `line ${line}`,
      bits,
      time: isSequences ? undefined : time,
      numbers,
    })),
    threshold: threshold.bits,
    incidents: incidents.map(({ first, last, worst, rows }) => {
      const result = results[worst];
      const evidence = result === undefined ? [] : evidenceOf(result, causes.get(worst) ?? [], encoders);
      return { first, last, worst, count: rows.length, evidence };
    }),
  };
}
