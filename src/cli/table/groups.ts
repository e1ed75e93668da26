/**
 * The groups of a table: rows that belong together, as the events of one sequence. A first reading checks every row, so
 * that nothing is sent of a table that is wrong, and finds what the second reading needs. Holds groups in memory only
 * where their rows are not together.
 */

import type { Schemas } from "../../client";
import { Binning, type Encoder, quantileEdges } from "./bins";
import { type Columns, RowReader, type Values } from "./columns";
import type { Row, Table } from "./rows";

/** A group, as the events of a sequence. */
export interface Group {
  /** What the columns that group say; the number of the group, from 1, where no column does. */
  readonly name: string;
  /** The line on which its first row begins, from 1. */
  readonly line: number;
  /** The records, oldest first. Rows that say nothing are left out. */
  readonly records: readonly Schemas.Gdf[];
  /** The symbol of the target column in each record; `undefined` where it has none, or no column is the target. */
  readonly targets: readonly (string | undefined)[];
  readonly label: string | undefined;
}

/** What a first reading of a table finds. */
export interface Survey {
  readonly rows: number;
  readonly groups: number;
  /** Whether the rows of every group are together. */
  readonly isTogether: boolean;
  /** How the numbers of each column become symbols. */
  readonly encoders: ReadonlyMap<string, Encoder>;
}

/**
 * Reads a table once, and checks every row.
 *
 * @param signal ends the reading, which then throws
 * @throws Error that names the line if a row is not accepted, or if the rows of a group have different labels
 */
export async function survey(table: Table, columns: Columns, signal: AbortSignal): Promise<Survey> {
  const reader = new RowReader(columns);
  const fitted = new Map<string, number[]>();
  for (const { column, rule } of columns.numbers) if ("quantiles" in rule) fitted.set(column, []);
  const labels = new Map<string, string | undefined>();
  const grouping = new Grouping(columns, reader);
  let [rows, isTogether, last]: [number, boolean, string | undefined] = [0, true, undefined];
  for await (const row of table.rows()) {
    signal.throwIfAborted();
    const values = reader.valuesOf(row);
    const name = grouping.nameOf(row);
    rows++;
    if (labels.has(name)) {
      isTogether &&= name === last;
      assertSameLabel(labels.get(name), values, name, columns);
    } else labels.set(name, values.label);
    last = name;
    for (const [column, numbers] of fitted) numbers.push(...valuesFor(values, column));
  }
  return { rows, groups: labels.size, isTogether, encoders: encodersOf(columns, fitted) };
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
    `line ${line}: ${columns.label.column} is ${JSON.stringify(other ?? "")}, but it is ${JSON.stringify(label ?? "")} in a row before of the group ${group}; accepted is one label for a group`,
  );
}

function encodersOf(columns: Columns, fitted: ReadonlyMap<string, number[]>): Map<string, Encoder> {
  return new Map(
    columns.numbers.map(({ column, rule }) => {
      if (!("quantiles" in rule)) return [column, rule];
      const { quantiles, ...rest } = rule;
      return [column, { ...rest, bins: { kind: "edges", edges: quantileEdges(fitted.get(column) ?? [], quantiles) } }];
    }),
  );
}

/** Which group each row is of, in the order of the rows. */
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
 * @param found what {@link survey} found in it; its encoders may be those of another table. Numbers
 *   without an encoder stay numbers
 * @param target the column whose symbols are wanted apart
 */
export async function* groupsOf(
  table: Table,
  columns: Columns,
  found: Pick<Survey, "encoders" | "isTogether">,
  target?: string,
): AsyncGenerator<Group> {
  const maker = new RecordMaker(found.encoders, target);
  for await (const [name, rows] of found.isTogether ? streamed(table, columns) : gathered(table, columns)) {
    yield maker.group(name, rows);
  }
}

type NamedRows = readonly [name: string, rows: readonly Values[]];

async function* streamed(table: Table, columns: Columns): AsyncGenerator<NamedRows> {
  let [name, rows]: [string, Values[]] = ["", []];
  for await (const [next, values] of namedValues(table, columns)) {
    if (next !== name && rows.length > 0) {
      yield [name, rows];
      rows = [];
    }
    name = next;
    rows.push(values);
  }
  if (rows.length > 0) yield [name, rows];
}

async function* gathered(table: Table, columns: Columns): AsyncGenerator<NamedRows> {
  const groups = new Map<string, Values[]>();
  for await (const [name, values] of namedValues(table, columns)) {
    const rows = groups.get(name);
    if (rows === undefined) groups.set(name, [values]);
    else rows.push(values);
  }
  yield* groups;
}

async function* namedValues(table: Table, columns: Columns): AsyncGenerator<[string, Values]> {
  const reader = new RowReader(columns);
  const grouping = new Grouping(columns, reader);
  for await (const row of table.rows()) yield [grouping.nameOf(row), reader.valuesOf(row)];
}

/** Makes records of rows. Keeps the last bin of each column within a group. */
class RecordMaker {
  readonly #binnings: ReadonlyMap<string, Binning>;
  readonly #target: string | undefined;

  constructor(encoders: ReadonlyMap<string, Encoder>, target: string | undefined) {
    this.#binnings = new Map([...encoders].map(([column, encoder]) => [column, new Binning(column, encoder)]));
    this.#target = target;
  }

  group(name: string, rowsOfFile: readonly Values[]): Group {
    // Equal times keep the order of the file: sorting is stable.
    const rows = rowsOfFile.toSorted((a, b) => a.time - b.time);
    for (const binning of this.#binnings.values()) binning.clear();
    const made = rows.map((values) => this.#made(values)).filter(({ record }) => Object.keys(record).length > 0);
    return {
      name,
      line: rowsOfFile[0]?.line ?? 0,
      records: made.map(({ record }) => record),
      targets: made.map(({ target }) => target),
      label: rows[0]?.label,
    };
  }

  #made({ symbols, numbers, vectors, emotives, line }: Values): { record: Schemas.Gdf; target: string | undefined } {
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
    return { record, target: all.find(([column]) => column === this.#target)?.[1][0] };
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
