/**
 * Tables that the server sorts and pages: they draw rows, and report clicks on headings. On a phone, a row is a block:
 * the cell that names it, and below it each other value after its column's title.
 */

import type { ComponentChildren } from "preact";

/** A column. */
export interface Column<Row> {
  /** Its name in the query parameter `sort`; also the key of the column. */
  readonly name: string;
  readonly title: string;
  readonly cell: (row: Row) => ComponentChildren;
  /** Numbers are aligned right. */
  readonly isNumber?: boolean;
  readonly isSortable?: boolean;
  /** The cell that names the row, for screen readers. */
  readonly isRowHeader?: boolean;
  /** Whether its cells explain themselves, such as buttons: on a phone, they have no title. */
  readonly isPlain?: boolean;
}

export interface Sorting {
  readonly name: string;
  readonly order: "asc" | "desc";
}

export function DataTable<Row>({
  caption,
  columns,
  rows,
  keyOf,
  sorting,
  onSort,
  nothing,
}: {
  /** The heading above the table. */
  readonly caption: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string;
  readonly sorting?: Sorting;
  /** Called with the wanted order. */
  readonly onSort?: (sorting: Sorting) => void;
  /** The text for an empty table. */
  readonly nothing: string;
}) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard must reach it.
    <section class="table data" tabIndex={0} aria-label={caption}>
      <table>
        <caption>{caption}</caption>
        <thead>
          <tr>
            {columns.map((column) => (
              <Heading key={column.name} column={column} sorting={sorting} onSort={onSort} />
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={keyOf(row)}>
              {columns.map(({ name, title, cell, isNumber, isRowHeader, isPlain }) =>
                isRowHeader ? (
                  <th key={name} scope="row">
                    {cell(row)}
                  </th>
                ) : (
                  <td key={name} class={isNumber ? "number" : ""} {...(!isPlain && { "data-title": title })}>
                    {cell(row)}
                  </td>
                ),
              )}
            </tr>
          ))}
        </tbody>
      </table>
      {rows.length === 0 && <p class="nothing">{nothing}</p>}
    </section>
  );
}

const UNSORTED = { sort: undefined, sign: "" } as const;
const SORTED = { asc: { sort: "ascending", sign: "▲" }, desc: { sort: "descending", sign: "▼" } } as const;

function Heading<Row>({
  column: { name, title, isNumber, isSortable, isPlain },
  sorting,
  onSort,
}: {
  readonly column: Column<Row>;
  readonly sorting: Sorting | undefined;
  readonly onSort: ((sorting: Sorting) => void) | undefined;
}) {
  const order = sorting?.name === name ? sorting.order : undefined;
  const { sort, sign } = order === undefined ? UNSORTED : SORTED[order];
  return (
    <th scope="col" class={`${isNumber ? "number" : ""} ${isSortable ? "sorts" : ""}`} aria-sort={sort}>
      {isSortable && onSort !== undefined ? (
        <button type="button" onClick={() => onSort({ name, order: order === "desc" ? "asc" : "desc" })}>
          {title} <span aria-hidden="true">{sign}</span>
        </button>
      ) : (
        <span class={isPlain ? "hidden" : ""}>{title}</span>
      )}
    </th>
  );
}

/** Buttons between pages. The first page leaves `onPrevious` out, the last one `onNext`. */
export function Paging({
  label,
  where,
  onPrevious,
  onNext,
}: {
  /** What is paged, for screen readers, as in "Pages of models". */
  readonly label: string;
  /** What is on the page, as in "1 – 50 of 12,034". */
  readonly where: string;
  readonly onPrevious?: (() => void) | undefined;
  readonly onNext?: (() => void) | undefined;
}) {
  return (
    <nav class="paging" aria-label={label}>
      <button type="button" onClick={onPrevious} disabled={onPrevious === undefined}>
        Previous
      </button>
      <span role="status">{where}</span>
      <button type="button" onClick={onNext} disabled={onNext === undefined}>
        Next
      </button>
    </nav>
  );
}
