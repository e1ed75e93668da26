/** What the place says of a list - order, search and page - and how one goes on from there. */

import type { Sorting } from "../parts/data-table";
import { Paging } from "../parts/data-table";
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
export function sortingOf<Sort extends string>(sorts: readonly [Sort, ...Sort[]]): Sorting & { readonly name: Sort } {
  const { sort, direction } = place.value.query;
  return { name: sorts.find((each) => each === sort) ?? sorts[0], order: direction === "asc" ? "asc" : "desc" };
}

/** Goes to the first page in another order. */
export function sortBy({ name, order }: Sorting): void {
  goTo({ query: { ...place.value.query, sort: name, direction: order, cursor: undefined } });
}

/** What a client's query says of the page, as the place has it. */
export function pageQuery<Sort extends string>(sorts: readonly [Sort, ...Sort[]]) {
  const { name: sort, order: direction } = sortingOf(sorts);
  const { cursor } = place.value.query;
  return { sort, direction, ...(cursor !== undefined && { cursor }) };
}

/** Leads from page to page. @param rows how many are on the page */
export function ListPaging({
  page,
  rows,
  noun,
}: {
  readonly page: Page;
  readonly rows: number;
  readonly noun: string;
}) {
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
