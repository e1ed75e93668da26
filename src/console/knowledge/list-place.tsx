/** Order, search and page of a list in the URL, and links to other pages. */

import type { Answer } from "../parts/answer";
import { type Column, DataTable, Paging, type Sorting } from "../parts/data-table";
import { Failure } from "../parts/failure";
import { whole } from "../parts/figures";
import { goTo, place } from "../place";

/** The cursors in a list's answer. */
interface Page {
  readonly first: number;
  readonly total: number;
  readonly next: string | null;
  readonly previous: string | null;
}

/** The order in the URL, or the default. */
function sortingOf<Sort extends string>(sorts: readonly [Sort, ...Sort[]]): Sorting & { readonly name: Sort } {
  const { sort, direction } = place.value.query;
  return { name: sorts.find((each) => each === sort) ?? sorts[0], order: direction === "asc" ? "asc" : "desc" };
}

/** Re-sorts, from the first page. */
function sortBy({ name, order }: Sorting): void {
  goTo({ query: { ...place.value.query, sort: name, direction: order, cursor: undefined } });
}

/** The page's part of the client's query, from the URL. */
export function pageQuery<Sort extends string>(sorts: readonly [Sort, ...Sort[]]) {
  const { name: sort, order: direction } = sortingOf(sorts);
  const { cursor } = place.value.query;
  return { sort, direction, ...(cursor !== undefined && { cursor }) };
}

/** Links between pages. @param rows the number of rows on the page */
function ListPaging({ page, rows, noun }: { readonly page: Page; readonly rows: number; readonly noun: string }) {
  const { first, total, next, previous } = page;
  const to = (cursor: string | null) =>
    cursor === null ? undefined : () => goTo({ query: { ...place.value.query, cursor } });
  const where =
    rows === 0 ? `none of ${whole(total)}` : `${whole(first + 1)} – ${whole(first + rows)} of ${whole(total)}`;
  // A page past the end, after rows were deleted, links back to the first page.
  const earlier =
    rows === 0 && first > 0 ? () => goTo({ query: { ...place.value.query, cursor: undefined } }) : to(previous);
  return <Paging label={`Pages of ${noun}`} where={`${where} ${noun}`} onPrevious={earlier} onNext={to(next)} />;
}

/** A page of a list as a table that the server sorts, with links to other pages; or the error. */
export function ListTable<Row>({
  asked: { value: page, error, again },
  rows,
  noun,
  sorts,
  nothing,
  ...table
}: {
  readonly asked: Answer<Page>;
  readonly rows: readonly Row[] | undefined;
  /** What is listed, as in "models". */
  readonly noun: string;
  /** The sort keys; the default first. */
  readonly sorts: readonly [string, ...string[]];
  /** The text for an empty result. */
  readonly nothing: string;
  readonly caption: string;
  readonly columns: readonly Column<Row>[];
  readonly keyOf: (row: Row) => string;
}) {
  return (
    <>
      <Failure error={error} onRetry={() => void again()} />
      {page !== undefined && rows !== undefined && error === undefined && (
        <>
          <DataTable
            {...table}
            rows={rows}
            sorting={sortingOf(sorts)}
            onSort={sortBy}
            nothing={page.total > 0 ? `These ${noun} no longer exist.` : nothing}
          />
          <ListPaging page={page} rows={rows.length} noun={noun} />
        </>
      )}
    </>
  );
}
