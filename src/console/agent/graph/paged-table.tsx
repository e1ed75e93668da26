/** Pages through the rows of a table that are all in memory. */

import type { ComponentProps } from "preact";
import { DataTable, Paging } from "../../parts/data-table";
import { whole } from "../../parts/figures";
import { goTo, place } from "../../place";

/** Rows on a page: drawing more takes noticeably long. */
const ROWS_PER_PAGE = 100;

export function PagedTable<Row>({
  name,
  label,
  rows,
  ...rest
}: {
  /** The parameter of the fragment that says which page is shown. */
  readonly name: string;
  /** What is paged, for screen readers. */
  readonly label: string;
} & ComponentProps<typeof DataTable<Row>>) {
  const { query } = place.value;
  const pages = Math.max(1, Math.ceil(rows.length / ROWS_PER_PAGE));
  const page = Math.min(pages, Math.max(1, Math.floor(Number(query[name] ?? 1)) || 1));
  const first = (page - 1) * ROWS_PER_PAGE;
  const shown = rows.slice(first, first + ROWS_PER_PAGE);
  const leadTo = (to: number) => () => goTo({ query: { ...query, [name]: to === 1 ? undefined : String(to) } });
  return (
    <>
      <DataTable {...rest} rows={shown} />
      {pages > 1 && (
        <Paging
          label={label}
          where={`${whole(first + 1)} – ${whole(first + shown.length)} of ${whole(rows.length)}`}
          onPrevious={page > 1 ? leadTo(page - 1) : undefined}
          onNext={page < pages ? leadTo(page + 1) : undefined}
        />
      )}
    </>
  );
}
