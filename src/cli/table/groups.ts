/**
 * The groups of a table: rows that together are the events of one sequence. A first pass checks every row, so that
 * nothing of a faulty table is sent, and collects what the second pass needs. Holds groups in memory only if their rows
 * are not contiguous.
 */

import type { Schemas } from "../../client";
import { Binning, type Encoder, quantileEdges } from "./bins";
import { type Columns, RowReader, type Values } from "./columns";
import { orLeftOut, type Row, type Table } from "./row";

/** A group, as the events of a sequence. */
export interface Group {
  /** The values of the grouping columns; without grouping columns, the number of the group, from 1. */
  readonly name: string;
  /** The line on which its first row begins, from 1. */
  readonly line: number;
  /** The records, oldest first. Rows without any values are left out. */
  readonly records: readonly Schemas.Gdf[];
  /**
   * The symbol of the target column in each record; `undefined` if the record has none, or there is no target column.
   */
  readonly targets: readonly (string | undefined)[];
  readonly label: string | undefined;
  /** The parsed cells of each record. */
  readonly rows: readonly Values[];
}

/** How long a group is as a sequence. */
export interface Extent {
  readonly name: string;
  /** The line on which its first row begins, from 1. */
  readonly line: number;
  /** Number of its events, including its label. */
  readonly events: number;
  /** Number of their symbols, each number and each vector being one; without those of the time. */
  readonly symbols: number;
}

/** When groups end. */
export interface Ends {
  /** The times of day, in minutes of UTC. */
  readonly minutes: ReadonlySet<number>;
  /** The days from the first end to the last. */
  readonly days: number;
}

/** The result of the first pass over a table. */
export interface Survey {
  readonly rows: number;
  readonly groups: number;
  /** The group with the most events, and the group with the most symbols: the first of equals. */
  readonly longest: { readonly events: Extent; readonly symbols: Extent };
  /** Whether the rows of every group are contiguous. */
  readonly isTogether: boolean;
  /** When the groups end whose last rows have times. */
  readonly ends: Ends;
  /** How the numbers of each column become symbols, for columns whose rule the options or the file decide. */
  readonly encoders: ReadonlyMap<string, Encoder>;
  /** Sample numbers of the columns whose bins the processor decides: {@link SAMPLE_NUMBERS} each, rising. */
  readonly samples: ReadonlyMap<string, readonly number[]>;
  /** Whether a time of day has no zone; it counts as UTC. */
  readonly lacksZone: boolean;
  /** Number of unreadable rows. */
  readonly bad: number;
  /** The reasons for the first few of them. */
  readonly reasons: readonly string[];
}

/** Number of sample numbers that show a processor the range of a column: as many as it waits for. */
const SAMPLE_NUMBERS = 200;

/** Number of unreadable rows that are reported individually. */
const MAX_REASONS = 5;

/**
 * Reads a table once, and checks every row.
 *
 * @param signal aborts the reading, which then throws
 * @param skipsBad whether unreadable rows are skipped and counted
 * @throws Error that names the line if a row is not accepted, or if the rows of a group have different labels; or if no
 *   row is left
 */
export async function survey(table: Table, columns: Columns, signal: AbortSignal, skipsBad = false): Promise<Survey> {
  const reader = new RowReader(columns);
  const fitted = new Map<string, number[]>();
  for (const { column, rule } of columns.numbers) if (!("bins" in rule)) fitted.set(column, []);
  const bad = new BadRows();
  const onBad = skipsBad ? bad.add : undefined;
  const all = new Map<string, CountedGroup>();
  const grouping = new Grouping(columns, reader);
  let [rows, isTogether, last]: [number, boolean, string | undefined] = [0, true, undefined];
  let lacksZone = false;
  for await (const row of table.rows(onBad)) {
    signal.throwIfAborted();
    const values = orLeftOut(() => reader.valuesOf(row), onBad);
    if (values === undefined) continue;
    const name = grouping.nameOf(row);
    rows++;
    lacksZone ||= values.lacksZone;
    const group = all.get(name);
    if (group === undefined) all.set(name, new CountedGroup(name, values));
    else {
      isTogether &&= name === last;
      assertSameLabel(group.label, values, name, columns);
      group.count(values);
    }
    last = name;
    for (const [column, numbers] of fitted) numbers.push(...valuesFor(values, column));
  }
  const { count, reasons } = bad;
  if (rows === 0) throw nothingIn(table, bad);
  const decided = { encoders: encodersOf(columns, fitted), samples: samplesOf(columns, fitted) };
  const longest = longestOf(all.values());
  return {
    rows,
    groups: all.size,
    longest,
    ends: endsOf(all.values()),
    isTogether,
    lacksZone,
    ...decided,
    bad: count,
    reasons,
  };
}

/** A group while its rows are counted. */
class CountedGroup implements Extent {
  readonly name: string;
  readonly line: number;
  readonly label: string | undefined;
  events: number;
  symbols: number;
  /** The time of the latest row, in epoch seconds. */
  last: number | undefined;

  constructor(name: string, values: Values) {
    this.name = name;
    this.line = values.line;
    this.label = values.label;
    this.events = values.label === undefined ? 0 : 1;
    this.symbols = this.events;
    this.count(values);
  }

  count({ symbols, numbers, vectors, seconds }: Values): void {
    this.last = seconds;
    let own = numbers.size + vectors.length;
    for (const each of symbols.values()) own += each.length;
    this.events += own > 0 ? 1 : 0;
    this.symbols += own;
  }
}

const [SECONDS_PER_MINUTE, MINUTES_PER_DAY] = [60, 1_440];

function endsOf(groups: Iterable<CountedGroup>): Ends {
  const minutes = new Set<number>();
  let [least, most] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const { last } of groups) {
    if (last === undefined) continue;
    const minute = Math.floor(last / SECONDS_PER_MINUTE);
    minutes.add(minute % MINUTES_PER_DAY);
    least = Math.min(least, minute);
    most = Math.max(most, minute);
  }
  return { minutes, days: minutes.size === 0 ? 0 : (most - least) / MINUTES_PER_DAY };
}

/** @param groups at least one */
function longestOf(groups: Iterable<Extent>): Survey["longest"] {
  const none: Extent = { name: "", line: 0, events: -1, symbols: -1 };
  let longest = { events: none, symbols: none };
  for (const group of groups) {
    if (group.events > longest.events.events) longest = { ...longest, events: group };
    if (group.symbols > longest.symbols.symbols) longest = { ...longest, symbols: group };
  }
  return longest;
}

/** The number of unreadable rows, and the reasons. */
class BadRows {
  count = 0;
  /** The reasons for the first few. */
  readonly reasons: string[] = [];

  readonly add = ({ message }: Error): void => {
    if (++this.count <= MAX_REASONS) this.reasons.push(message);
  };
}

function nothingIn({ name }: Table, { count, reasons }: BadRows): Error {
  if (count > 0) return new Error(`${name} has no row that can be read; the first of ${count}: ${reasons[0]}`);
  return new Error(
    `${name} has no rows; accepted is a first line with the names of the columns and a line for each row, ` +
      "or a line of JSON for each row",
  );
}

/** A sample of a column's numbers that reflects their distribution, including the minimum and the maximum. */
function samplesOf(columns: Columns, fitted: ReadonlyMap<string, number[]>): Map<string, number[]> {
  const samples = new Map<string, number[]>();
  for (const { column, rule } of columns.numbers) {
    const numbers = fitted.get(column) ?? [];
    if (!("auto" in rule) || numbers.length === 0) continue;
    numbers.sort((one, other) => one - other);
    const place = (at: number) => Math.round((at * (numbers.length - 1)) / (SAMPLE_NUMBERS - 1));
    samples.set(
      column,
      Array.from({ length: SAMPLE_NUMBERS }, (_, at) => numbers[place(at)] ?? 0),
    );
  }
  return samples;
}

function valuesFor({ numbers }: Values, column: string): number[] {
  const value = numbers.get(column);
  return value === undefined ? [] : [value];
}

function assertSameLabel(
  label: string | undefined,
  { line, label: other }: Values,
  group: string,
  columns: Columns,
): void {
  if (columns.label === undefined || label === other) return;
  throw new Error(
    `line ${line}: ${columns.label.column} is ${JSON.stringify(other ?? "")}, ` +
      `but it is ${JSON.stringify(label ?? "")} in an earlier row of the group ${group}; ` +
      "accepted is one label for a group",
  );
}

function encodersOf(columns: Columns, fitted: ReadonlyMap<string, number[]>): Map<string, Encoder> {
  const encoders = new Map<string, Encoder>();
  for (const { column, rule } of columns.numbers) {
    if ("bins" in rule) encoders.set(column, rule);
    else if ("quantiles" in rule) {
      const { quantiles, ...rest } = rule;
      const edges = quantileEdges(fitted.get(column) ?? [], quantiles);
      encoders.set(column, { ...rest, bins: { kind: "edges", edges } });
    }
  }
  return encoders;
}

/** The group of each row, in the order of the rows. */
class Grouping {
  readonly #columns: Columns;
  readonly #reader: RowReader;
  #rows = 0;

  constructor(columns: Columns, reader: RowReader) {
    this.#columns = columns;
    this.#reader = reader;
  }

  nameOf(row: Row): string {
    const { every } = this.#columns;
    return every === undefined ? this.#reader.groupOf(row) : String(1 + Math.floor(this.#rows++ / every));
  }
}

/**
 * Reads a table again, group by group, in the order of their first rows.
 *
 * @param found what {@link survey} found in it; its encoders may be those of another table. Numbers without an encoder
 *   stay numbers
 * @param target the column whose symbols are returned separately
 */
export async function* groupsOf(table: Table, columns: Columns, found: Found, target?: string): AsyncGenerator<Group> {
  const maker = new RecordMaker(found.encoders, target, columns.every === undefined);
  for await (const [name, rows] of found.isTogether
    ? streamed(table, columns, found)
    : gathered(table, columns, found)) {
    yield maker.group(name, rows);
  }
}

/** The parts of a survey that affect how groups are read. */
type Found = Pick<Survey, "bad" | "encoders" | "isTogether">;

type NamedRows = readonly [name: string, rows: readonly Values[]];

async function* streamed(table: Table, columns: Columns, found: Found): AsyncGenerator<NamedRows> {
  let [name, rows]: [string, Values[]] = ["", []];
  for await (const [next, values] of namedValues(table, columns, found)) {
    if (next !== name && rows.length > 0) {
      yield [name, rows];
      rows = [];
    }
    name = next;
    rows.push(values);
  }
  if (rows.length > 0) yield [name, rows];
}

async function* gathered(table: Table, columns: Columns, found: Found): AsyncGenerator<NamedRows> {
  const groups = new Map<string, Values[]>();
  for await (const [name, values] of namedValues(table, columns, found)) {
    const rows = groups.get(name);
    if (rows === undefined) groups.set(name, [values]);
    else rows.push(values);
  }
  yield* groups;
}

async function* namedValues(table: Table, columns: Columns, { bad }: Found): AsyncGenerator<[string, Values]> {
  const reader = new RowReader(columns);
  const grouping = new Grouping(columns, reader);
  // The survey has already counted them.
  const onBad = bad > 0 ? () => {} : undefined;
  for await (const row of table.rows(onBad)) {
    const values = orLeftOut(() => reader.valuesOf(row), onBad);
    if (values !== undefined) yield [grouping.nameOf(row), values];
  }
}

/** Makes records from rows. Remembers the last bin of each column within a group. */
class RecordMaker {
  readonly #binnings: ReadonlyMap<string, Binning>;
  readonly #target: string | undefined;
  readonly #isSorted: boolean;

  constructor(encoders: ReadonlyMap<string, Encoder>, target: string | undefined, isSorted: boolean) {
    this.#isSorted = isSorted;
    this.#binnings = new Map([...encoders].map(([column, encoder]) => [column, new Binning(column, encoder)]));
    this.#target = target;
  }

  group(name: string, rowsOfFile: readonly Values[]): Group {
    // Rows with equal times keep the order of the file: sorting is stable.
    const rows = this.#isSorted ? rowsOfFile.toSorted((a, b) => a.time - b.time) : rowsOfFile;
    for (const binning of this.#binnings.values()) binning.clear();
    const events = rows.map((values) => this.#made(values)).filter(({ isEmpty }) => !isEmpty);
    return {
      name,
      line: rowsOfFile[0]?.line ?? 0,
      records: events.map(({ record }) => record),
      targets: events.map(({ target }) => target),
      label: rows[0]?.label,
      rows: events.map(({ values }) => values),
    };
  }

  #made(values: Values): { record: Schemas.Gdf; target: string | undefined; values: Values; isEmpty: boolean } {
    const { symbols, numbers, vectors, emotives, line, seconds } = values;
    const isBinned = ([column]: readonly [string, number]) => this.#binnings.has(column);
    const binned = [...numbers]
      .filter(isBinned)
      .map(([column, value]) => [column, this.#symbols(column, value, line)] as const);
    const sent = [...numbers].filter((number) => !isBinned(number));
    const all = [...symbols, ...binned];
    const strings = all.flatMap(([, made]) => made);
    const record = {
      ...(strings.length > 0 && { strings }),
      ...(vectors.length > 0 && { vectors: vectors.map((vector) => [...vector]) }),
      ...(sent.length > 0 && { numbers: Object.fromEntries(sent) }),
      ...(Object.keys(emotives).length > 0 && { emotives }),
    };
    const isEmpty = Object.keys(record).length === 0;
    const timed = seconds === undefined ? record : { ...record, time: seconds };
    const target = all.find(([column]) => column === this.#target)?.[1][0];
    return { record: timed, target, values, isEmpty };
  }

  #symbols(column: string, value: number, line: number): string[] {
    try {
      const symbol = this.#binnings.get(column)?.symbol(value);
      return symbol === undefined ? [] : [symbol];
    } catch (error) {
      throw new Error(`line ${line}: ${column}: ${(error as Error).message}`, { cause: error });
    }
  }
}
