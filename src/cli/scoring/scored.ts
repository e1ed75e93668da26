/** What is scored: the rows of a table as events, or its groups as sequences, and what is written about each. */

import type { Schemas } from "../../client";
import { MS_PER_SECOND } from "../table/columns";
import { type ShownEncoders, shownSymbol } from "../table/ranges";
import type { Scored } from "./incidents";
import type { Cause, Event, Judgement, Verdict } from "./judging";

/** A row or a sequence with its judgement. */
export interface Result extends Scored {
  /** The line of the file on which the row or sequence begins, from 1. */
  readonly line: number;
  /** By column; empty for a sequence. */
  readonly numbers: ReadonlyMap<string, number>;
  /** The events by which a row is judged; absent for a sequence. */
  readonly row?: { readonly events: readonly Event[]; readonly at: number; readonly judgement: Judgement };
  /** The events of a sequence with its judgement; absent for a row. */
  readonly sequence?: {
    readonly rows: number;
    readonly events: readonly Event[];
    readonly verdict: NonNullable<Verdict>;
  };
}

/** Maximum number of events, and of expected, missing or surplus symbols, that are listed. */
const MAX_LISTED = 3;

/** Minimum number of bits of an event that is listed: it was less probable than not. */
const MIN_SURPRISE = 1;

/** The time of a row as ISO 8601 in UTC; empty if the row has none. */
export function isoTime(time: number | undefined): string {
  return time === undefined ? "" : new Date(MS_PER_SECOND * time).toISOString();
}

const rounded = (value: number, decimals: number) => Number(value.toFixed(decimals));

const percent = (probability: number) => `${rounded(100 * probability, 1)} %`;

/** The most probable symbols that did not come. */
export function insteadOf({ row }: Result): readonly Schemas.ExpectedSymbol[] {
  if (row === undefined) return [];
  const came = new Set(row.events[row.at]);
  return row.judgement.expected.filter(({ symbol }) => !came.has(symbol)).slice(0, MAX_LISTED);
}

/** The symbols that caused a row's surprise; if the causes are unknown, the symbols that were not expected at all. */
function causing({ row }: Result, causes: readonly Cause[] | undefined): readonly string[] {
  return causes?.map(({ symbol }) => symbol) ?? row?.judgement.unexpected ?? [];
}

/** The events of a sequence that were surprising at all, the most surprising first, with their places from 1. */
export function surprisingIn({ events, verdict }: NonNullable<Result["sequence"]>) {
  const placed = events.map((event, at) => ({ event, place: at + 1, bits: verdict.events[at]?.bits ?? 0 }));
  return placed
    .filter(({ bits }) => bits >= MIN_SURPRISE)
    .sort((one, other) => other.bits - one.bits)
    .slice(0, MAX_LISTED);
}

/** The unexpected symbols of a sequence, each once. */
export function unexpectedIn({ events }: NonNullable<Verdict>): string[] {
  return [...new Set(events.flatMap(({ unexpected }) => unexpected))];
}

/** A result as a value for JSON. */
export function jsonOf(result: Result, causes: readonly Cause[] | undefined, encoders: ShownEncoders): object {
  const { line, group, time, bits, row, sequence } = result;
  const shown = (symbol: string) => shownSymbol(symbol, encoders);
  const named = group === "" ? {} : { group };
  if (sequence !== undefined) {
    const { rank, end, missing, excess } = sequence.verdict;
    const unexpected = unexpectedIn(sequence.verdict);
    return { ...named, line, rows: sequence.rows, bits, rank, end, missing, excess, unexpected };
  }
  const shownCauses = (causes ?? causing(result, undefined).map((symbol) => ({ symbol }))).map((cause) => ({
    ...cause,
    shown: shown(cause.symbol),
  }));
  const expected = insteadOf(result).map((one) => ({ ...one, shown: shown(one.symbol) }));
  const timeMember = time === undefined ? {} : { time: isoTime(time) };
  return {
    ...named,
    line,
    ...timeMember,
    bits,
    causes: shownCauses,
    expected,
    ...(row === undefined && { judged: false }),
  };
}

/** The column names for {@link cellsOf}. */
export function headingOf(isSequences: boolean, isGrouped: boolean): string[] {
  if (isSequences) return ["group", "line", "rows", "bits", "rank", "missing", "excess", "unexpected"];
  return [...(isGrouped ? ["group"] : []), "line", "time", "bits", "causes", "expected"];
}

/** A result as the cells of a CSV row. */
export function cellsOf(
  result: Result,
  causes: readonly Cause[] | undefined,
  encoders: ShownEncoders,
  isGrouped: boolean,
): (number | string)[] {
  const { line, group, time, bits, sequence } = result;
  const shown = (symbol: string) => shownSymbol(symbol, encoders);
  if (sequence !== undefined) {
    const { rank, missing, excess } = sequence.verdict;
    return [
      group,
      line,
      sequence.rows,
      rounded(bits, 3),
      rank === null ? "" : rounded(rank, 4),
      missing
        .slice(0, MAX_LISTED)
        .map(({ symbol, probability }) => `${shown(symbol)} ${percent(probability)}`)
        .join("; "),
      excess
        .slice(0, MAX_LISTED)
        .map(({ symbol, count }) => `${shown(symbol)} ${count} times`)
        .join("; "),
      unexpectedIn(sequence.verdict).slice(0, MAX_LISTED).map(shown).join("; "),
    ];
  }
  const expected = insteadOf(result).map(({ symbol, probability }) => `${shown(symbol)} ${percent(probability)}`);
  const cells = [line, isoTime(time), rounded(bits, 3), causing(result, causes).map(shown).join("; ")];
  return [...(isGrouped ? [group] : []), ...cells, expected.join("; ")];
}
