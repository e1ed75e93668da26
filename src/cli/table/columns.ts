/**
 * The meaning of a table's columns: which of them are symbols, numbers, vectors, emotives, the label and the group.
 * Checks every cell.
 */

import { wholeNumber } from "../terminal/arguments";
import { UsageError } from "../terminal/failure";
import { DEFAULT_RULE, decimal, hasDecimalComma, type NumberRule, numberRule } from "./number-rule";
import type { Row } from "./row";

/** The options of a command that reads a table, as given. */
export interface ColumnOptions {
  readonly groupBy?: string;
  readonly every?: string;
  readonly symbol: readonly string[];
  readonly number: readonly string[];
  readonly vector: readonly string[];
  readonly emotive: readonly string[];
  readonly label?: string;
  readonly time?: string;
  readonly decimalComma?: true;
}

/** A column whose cells are symbols. */
export interface SymbolColumn {
  readonly column: string;
  /** Whether its symbols are `<column>=<cell>`, rather than only the cell. */
  readonly isNamed: boolean;
}

/** What the columns mean. */
export interface Columns {
  /** The columns that identify a row's group; empty if each group is a fixed number of rows. */
  readonly groupBy: readonly string[];
  /** Number of rows in a group, if no column identifies it; 1 makes each row a group. */
  readonly every: number | undefined;
  readonly symbols: readonly SymbolColumn[];
  readonly numbers: readonly { readonly column: string; readonly rule: NumberRule }[];
  /** One entry for each vector: the columns of its components. */
  readonly vectors: readonly (readonly string[])[];
  readonly emotives: readonly string[];
  readonly label: SymbolColumn | undefined;
  /** The column with the time of each row; within a group of `groupBy` or `label`, rows are sorted by it. */
  readonly time: string | undefined;
  /** Whether numbers are written with a decimal comma, as in 20,5. */
  readonly isDecimalComma: boolean;
}

/** The parsed cells of a row. */
export interface Values {
  readonly line: number;
  /** By column, in the order of the options. */
  readonly symbols: ReadonlyMap<string, readonly string[]>;
  /** By column, sorted by name; columns with empty cells are left out. */
  readonly numbers: ReadonlyMap<string, number>;
  readonly vectors: readonly (readonly number[])[];
  readonly emotives: { readonly [name: string]: number };
  /** `undefined` if the cell is empty or there is no such column. */
  readonly label: string | undefined;
  /** The sort key of the row, ascending; 0 without a time column. */
  readonly time: number;
  /** The row's time in epoch seconds; `undefined` without a time column, or if its number is not a valid time. */
  readonly seconds: number | undefined;
  /** Whether the row has a time of day without a zone. */
  readonly lacksZone: boolean;
}

/**
 * Reads what the columns mean.
 *
 * @param isSeries whether all rows may form one series; otherwise an option must define the groups
 * @throws UsageError if an option is not accepted, no column is named, or no option defines the groups
 */
export function columnsOf(options: ColumnOptions, isSeries = false): Columns {
  const { symbol, number, vector, emotive, groupBy, label, time, decimalComma } = options;
  if (symbol.length + number.length + vector.length === 0) {
    throw new UsageError("no column makes symbols: name one with --symbol, --number or --vector");
  }
  if (groupBy !== undefined && options.every !== undefined) {
    throw new UsageError(
      "--group-by and --every exclude each other: a column says what a group is, or a number of rows",
    );
  }
  const every =
    options.every === undefined ? undefined : wholeNumber("--every", options.every, 1, Number.MAX_SAFE_INTEGER);
  if (groupBy === undefined && every === undefined && label === undefined && !isSeries) {
    throw new UsageError(
      "nothing says which rows belong together: name a column with --group-by, or a number of rows with --every",
    );
  }
  return {
    groupBy: groupBy?.split(",") ?? [],
    every: groupBy === undefined ? (every ?? (label === undefined ? undefined : 1)) : undefined,
    symbols: symbol.map(symbolColumn),
    // A server sorts the symbols of numbers by name.
    numbers: number.map(numberColumn).sort((one, other) => byBytes(one.column, other.column)),
    vectors: vector.map((text) => text.split(",")),
    emotives: emotive,
    label: label === undefined ? undefined : symbolColumn(label),
    time,
    isDecimalComma: decimalComma === true,
  };
}

/** Orders texts by their bytes in UTF-8, which is the order of their code points. */
export function byBytes(one: string, other: string): number {
  const [left, right] = [[...one], [...other]];
  for (const [at, character] of left.entries()) {
    const difference = (character.codePointAt(0) ?? 0) - (right[at]?.codePointAt(0) ?? -1);
    if (difference !== 0) return difference;
  }
  return left.length - right.length;
}

function symbolColumn(text: string): SymbolColumn {
  const [, column] = /^(.+):named$/.exec(text) ?? [];
  return { column: column ?? text, isNamed: column !== undefined };
}

function numberColumn(text: string): Columns["numbers"][number] {
  const colon = text.lastIndexOf(":");
  if (text === "" || colon === 0) throw new UsageError(`--number ${text} names no column; accepted is <column>:<bins>`);
  if (colon < 0) return { column: text, rule: DEFAULT_RULE };
  const column = text.slice(0, colon);
  return { column, rule: numberRule(column, text.slice(colon + 1)) };
}

/** All columns that are named, without duplicates. */
function named({ groupBy, symbols, numbers, vectors, emotives, label, time }: Columns): string[] {
  const all = [
    ...groupBy,
    ...symbols.map(({ column }) => column),
    ...numbers.map(({ column }) => column),
    ...vectors.flat(),
    ...emotives,
    ...[label?.column, time].filter((column) => column !== undefined),
  ];
  return [...new Set(all)];
}

/** Reads rows: {@link valuesOf} of each. */
export class RowReader {
  readonly #columns: Columns;
  readonly #named: readonly string[];

  constructor(columns: Columns) {
    this.#columns = columns;
    this.#named = named(columns);
  }

  /**
   * The parsed cells of a row.
   *
   * @throws Error that names the line and the column if a column is missing, or a cell is not accepted
   */
  valuesOf(row: Row): Values {
    const { cells, line } = row;
    const missing = this.#named.filter((column) => !Object.hasOwn(cells, column));
    if (missing.length > 0) throw missingColumns(row, missing);
    const { symbols, numbers, vectors, emotives, label, time, isDecimalComma } = this.#columns;
    const texts = (column: SymbolColumn) => symbolsIn(row, column);
    const number = (column: string) => numberIn(row, column, isDecimalComma);
    const found = numbers.map(({ column }) => [column, number(column)] as const);
    const eventTime = time === undefined ? undefined : timeIn(row, time);
    return {
      line,
      symbols: new Map(symbols.map((column) => [column.column, texts(column)])),
      numbers: new Map(found.filter((pair): pair is readonly [string, number] => pair[1] !== undefined)),
      vectors: vectors.flatMap((components) => vectorIn(row, components, number)),
      emotives: Object.fromEntries(
        emotives.map((name) => [name, number(name)]).filter(([, value]) => value !== undefined),
      ),
      label: label === undefined ? undefined : texts(label)[0],
      time: eventTime?.order ?? 0,
      seconds: eventTime?.seconds,
      lacksZone: time !== undefined && lacksZone(row.cells[time]),
    };
  }

  /** The group of a row, from the grouping columns: one text, equal only for rows of the same group. */
  groupOf({ cells }: Row): string {
    const values = this.#columns.groupBy.map((column) => cells[column]);
    return values.length === 1 && typeof values[0] === "string" ? values[0] : JSON.stringify(values);
  }
}

function missingColumns({ line, cells }: Row, missing: readonly string[]): Error {
  const quoted = (names: readonly string[]) => names.map((name) => JSON.stringify(name)).join(", ");
  const problem = missing.length === 1 ? "there is no column" : "there are no columns";
  const names = Object.keys(cells);
  const advice = names.some((name) => looksLikeCell(name)) ? "; the first line must hold the names of the columns" : "";
  return new Error(`line ${line}: ${problem} ${quoted(missing)}; there are ${quoted(names) || "none"}${advice}`);
}

function isEmpty(cell: unknown): boolean {
  return cell === null || cell === undefined || cell === "";
}

function symbolsIn({ cells, line }: Row, { column, isNamed }: SymbolColumn): string[] {
  const cell = cells[column];
  const all = Array.isArray(cell) ? cell : [cell];
  return all
    .filter((each) => !isEmpty(each))
    .map((each) => {
      if (typeof each === "object")
        throw wrongCell(line, column, each, "a string, a number, true, false or a list of these");
      return isNamed ? `${column}=${each}` : String(each);
    });
}

function numberIn({ cells, line }: Row, column: string, isDecimalComma: boolean): number | undefined {
  const cell = cells[column];
  if (isEmpty(cell)) return undefined;
  const text = typeof cell === "string" ? cell.trim() : "";
  const hasComma = hasDecimalComma(text);
  const written = hasComma && isDecimalComma ? text.replace(",", ".") : text;
  const value = typeof cell === "string" ? decimal(written) : cell;
  if (typeof value === "number" && Number.isFinite(value)) return value;
  const advice = hasComma ? "; --decimal-comma reads a comma as the decimal point" : "";
  throw wrongCell(line, column, cell, `a finite number in decimals${advice}`);
}

/** Whether a column's name looks like a cell of a file without a header: a number, or a time. */
function looksLikeCell(name: string): boolean {
  return !Number.isNaN(decimal(name.trim())) || hasDecimalComma(name.trim()) || TIME.test(name.trim());
}

/** A date, or a date with a time of day, in ISO 8601. */
const TIME = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d(?:[.,]\d+)?)?)(Z|[+-]\d\d(?::?\d\d)?)?)?$/;

/** The latest time of a record, 9999-12-31T23:59:59Z in epoch seconds, as on the server. */
const LATEST = 253_402_300_799;

/** Milliseconds in a second. */
export const MS_PER_SECOND = 1_000;

/** The number of units in a second, for numbers that are too large to be epoch seconds. */
const PARTS_OF_SECOND = [1, 1e3, 1e6, 1e9];

/**
 * A number as epoch seconds. A number beyond the latest time is taken as milliseconds, then as microseconds, then as
 * nanoseconds. `undefined` if none of these fits.
 */
function secondsOf(number: number): number | undefined {
  if (number < 0) return undefined;
  const parts = PARTS_OF_SECOND.find((each) => number / each <= LATEST);
  return parts === undefined ? undefined : number / parts;
}

/** The time of a row. A time without a zone counts as UTC, so that the order is the same on every machine. */
function timeIn({ cells, line }: Row, column: string): { order: number; seconds: number | undefined } {
  const cell = cells[column];
  const text = String(cell).trim();
  const number = decimal(text);
  if (!Number.isNaN(number)) {
    const seconds = secondsOf(number);
    return { order: seconds ?? number, seconds };
  }
  const time = isoTime(text) / MS_PER_SECOND;
  if (!Number.isNaN(time)) return { order: time, seconds: time < 0 ? undefined : time };
  const accepted = "a number, or a time such as 2026-11-22T08:30:00Z";
  throw wrongCell(line, column, cell, isDayFirst(text) ? `${accepted}: the year first, then month and day` : accepted);
}

/** Whether a text begins with a date whose day and month could be confused, such as 22.11.2026 or 11/22/2026. */
function isDayFirst(text: string): boolean {
  return /^\d{1,2}[./-]\d{1,2}[./-]\d{2,4}\b/.test(text);
}

/** Epoch milliseconds; NaN if the text is not a date of the calendar. */
function isoTime(text: string): number {
  const [, date, clock = "00:00", zone = "Z"] = TIME.exec(text) ?? [];
  if (date === undefined) return Number.NaN;
  const [year = 0, month = 0, day = 0] = date.split("-").map(Number);
  // Date.parse reads February 30 as March 2.
  if (new Date(Date.UTC(year, month - 1, day)).getUTCDate() !== day) return Number.NaN;
  const offset = zone.replace(/^([+-]\d\d):?(\d\d)?$/, (_, hours, minutes = "00") => `${hours}:${minutes}`);
  return Date.parse(`${date}T${clock.replace(",", ".")}${offset}`);
}

/** Whether a cell is a time of day without a zone. */
function lacksZone(cell: unknown): boolean {
  const [, , clock, zone] = TIME.exec(String(cell).trim()) ?? [];
  return clock !== undefined && zone === undefined;
}

/** The vector of a row; none if all its cells are empty. */
function vectorIn(row: Row, components: readonly string[], number: (column: string) => number | undefined): number[][] {
  const values = components.map(number);
  if (values.every((value) => value === undefined)) return [];
  const gap = values.indexOf(undefined);
  if (gap >= 0) throw wrongCell(row.line, components[gap] ?? "", "", "a number, because other components are there");
  return [values as number[]];
}

function wrongCell(line: number, column: string, cell: unknown, accepted: string): Error {
  return new Error(`line ${line}: ${column} is ${JSON.stringify(cell).slice(0, 80)}; accepted is ${accepted}`);
}
