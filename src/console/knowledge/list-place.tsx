/** What the place says of a list - order, search and page - and how one goes on from there. */

import type { Answer } from "../parts/answer";
import { type Column, DataTable, Paging, type Sorting } from "../parts/data-table";
import { Failure } from "../parts/failure";
import { whole } from "../parts/figures";
import { goTo, place } from "../place";

/** Where a page is, as every list says it. */
interface Page {
  readonly first: number;
  readonly total: number;
  readonly next: string | null;
  readonly previous: string | null;
}

/** The order that the place names, or the usual one. */
function sortingOf<Sort extends string>(sorts: readonly [Sort, ...Sort[]]): Sorting & { readonly name: Sort } {
  const { sort, direction } = place.value.query;
  return { name: sorts.find((each) => each === sort) ?? sorts[0], order: direction === "asc" ? "asc" : "desc" };
}

/** Goes to the first page in another order. */
function sortBy({ name, order }: Sorting): void {
  goTo({ query: { ...place.value.query, sort: name, direction: order, cursor: undefined } });
}

/** What a client's query says of the page, as the place has it. */
export function pageQuery<Sort extends string>(sorts: readonly [Sort, ...Sort[]]) {
  const { name: sort, order: direction } = sortingOf(sorts);
  const { cursor } = place.value.query;
  return { sort, direction, ...(cursor !== undefined && { cursor }) };
}

/** Leads from page to page. @param rows how many are on the page */
function ListPaging({ page, rows, noun }: { readonly page: Page; readonly rows: number; readonly noun: string }) {
  const { first, total, next, previous } = page;
  const to = (cursor: string | null) =>
    cursor === null ? undefined : () => goTo({ query: { ...place.value.query, cursor } });
  const where =
    rows === 0 ? `none of ${whole(total)}` : `${whole(first + 1)} – ${whole(first + rows)} of ${whole(total)}`;
  // A page behind the end, where the rows have gone, leads back to the beginning.
  const earlier =
    rows === 0 && first > 0 ? () => goTo({ query: { ...place.value.query, cursor: undefined } }) : to(previous);
  return <Paging label={`Pages of ${noun}`} where={`${where} ${noun}`} onEarlier={earlier} onLater={to(next)} />;
}

/** A page of a list as a table that the server sorts, with the way to other pages; or what failed. */
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
  /** What the list can be sorted by; the usual one first. */
  readonly sorts: readonly [string, ...string[]];
  /** What it says when the search finds nothing. */
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
            nothing={page.total > 0 ? `These ${noun} have gone meanwhile.` : nothing}
          />
          <ListPaging page={page} rows={rows.length} noun={noun} />
        </>
      )}
    </>
  );
}
