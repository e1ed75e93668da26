/**
 * A page of a sorted list: checks the query, and selects the page's rows from candidates in any order, while holding
 * only a few pages of them. Reads no row itself.
 */

import { ListPage } from "../../../gen/limits";
import type { ListPlace } from "../../../gen/plain";
import { excerpt } from "../../../text/excerpt";
import { Fault } from "../../ports/fault";

/** A query for a page of a list. */
export interface PageAsked {
  /** What to sort by; empty for the list's default. */
  sort: string;
  /** Whether the order is reversed, including the order of ties. */
  descending: boolean;
  /** The `next` or `previous` of an answer; empty for the first page. */
  cursor: string;
  /** Maximum number of rows, 1 to 500; 50 if absent. */
  limit?: number | undefined;
}

/** A sort key: a number or a text, the same type throughout a list. */
export type Key = number | string;

/** A row that may stand on the page. */
export interface Entry {
  key: Key;
  /** Identifies the row, and orders rows with the same key: a whole number, 0 or more. */
  id: number;
}

/** A place between rows: right after a row, or right before it. */
interface Cursor extends Entry {
  side: "after" | "before";
}

/** Maximum number of rows on a page, and the default. */
const { most: MAX_ROWS, standard: USUAL_ROWS } = ListPage.limit;

/**
 * Number of pages of rows held before they are sorted and cut to one, so that rows that come in sorted order are cheap
 * too.
 */
const KEPT_PAGES = 4;

/** Approximate maximum bytes of a page: the row that reaches it is the last. */
const PAGE_BYTES = 256 * 1024;

/** Number of UTF-16 units by which texts are sorted. They are part of cursors, and so of URLs. */
const MAX_KEY_UNITS = 1000;

/** A text as a key: its start, cut between characters. */
export function textKey(text: string): string {
  if (text.length <= MAX_KEY_UNITS) return text;
  const cut = text.slice(0, MAX_KEY_UNITS);
  return cut.isWellFormed() ? cut : cut.slice(0, -1);
}

function checkLimit(limit: number = USUAL_ROWS): number {
  if (Number.isSafeInteger(limit) && limit >= 1 && limit <= MAX_ROWS) return limit;
  throw new Fault("invalid", `limit must be a whole number from 1 to ${MAX_ROWS}, got ${limit}`);
}

/** The order as the start of a cursor, so that a cursor of another order is refused. */
function orderOf(sort: string, descending: boolean): string {
  return `${sort}:${descending ? "desc" : "asc"}`;
}

/** A cursor is `<sort>:<asc or desc>:<after or before>:<id>:<key>`. */
const CURSOR = /^([a-z_]+:(?:asc|desc)):(after|before):(\d{1,16}):([\s\S]*)$/u;

function cursorText(order: string, { side, id, key }: Cursor): string {
  return `${order}:${side}:${id}:${key}`;
}

function readCursor(text: string, order: string, isText: boolean): Cursor | undefined {
  if (text === "") return undefined;
  const [, ofOrder, side = "", id = "", key = ""] = CURSOR.exec(text) ?? [];
  const isKey = isText || (key !== "" && Number.isFinite(Number(key)));
  if (ofOrder === undefined || !isKey || !Number.isSafeInteger(Number(id))) {
    throw new Fault(
      "invalid",
      `cursor must be what an answer gave as next or previous, or nothing for the first page, got ${excerpt(text)}`,
    );
  }
  if (ofOrder !== order) {
    throw new Fault(
      "invalid",
      `cursor ${excerpt(text)} is of another order: ${excerpt(ofOrder)}, not ${excerpt(order)}`,
    );
  }
  return { side: side === "after" ? "after" : "before", id: Number(id), key: isText ? key : Number(key) };
}

/** @throws Fault `invalid` for an unknown sort key */
function checkSort<Sort extends string>(sorts: readonly [Sort, ...Sort[]], sort: string): Sort {
  if (sort === "") return sorts[0];
  const known = sorts.find((one) => one === sort);
  if (known !== undefined) return known;
  throw new Fault("invalid", `sort must be one of ${sorts.join(", ")}, got ${excerpt(sort)}`);
}

/** Selects the rows of one page. Offer every row of the list once, in any order; then read {@link page}. */
export class PageSelector<Sort extends string> {
  readonly sort: Sort;
  readonly #order: string;
  readonly #limit: number;
  readonly #cursor: Cursor | undefined;
  readonly #turned: number;
  readonly #compareKeys: (a: Key, b: Key) => number;
  /**
   * The rows of the page so far and some others, in any order until {@link #cut} sorts them by distance from the
   * cursor.
   */
  readonly #rows: Entry[] = [];
  /** The last row of a full page: farther rows are not on it. */
  #farthest: Entry | undefined;
  #total = 0;
  /** Number of rows on the other side of the cursor. */
  #beyond = 0;

  /**
   * @param sorts the sort keys of the list; the first is the default
   * @param textSort the sort with texts as keys; the others have numbers
   * @param compareTexts the order of texts
   * @throws Fault `invalid` naming the wrong value
   */
  constructor(
    asked: PageAsked,
    sorts: readonly [Sort, ...Sort[]],
    textSort: Sort,
    compareTexts: (a: string, b: string) => number,
  ) {
    this.sort = checkSort(sorts, asked.sort);
    this.#limit = checkLimit(asked.limit);
    this.#order = orderOf(this.sort, asked.descending);
    const isText = this.sort === textSort;
    this.#cursor = readCursor(asked.cursor, this.#order, isText);
    this.#compareKeys = isText
      ? (a, b) => compareTexts(a as string, b as string)
      : (a, b) => (a as number) - (b as number);
    this.#turned = asked.descending === this.#isBackward ? 1 : -1;
  }

  /** A row of the list. */
  offer(key: Key, id: number): void {
    this.#total++;
    const cursor = this.#cursor;
    if (cursor !== undefined && this.#compare(key, id, cursor) <= 0) {
      this.#beyond++;
      return;
    }
    if (this.#farthest !== undefined && this.#compare(key, id, this.#farthest) > 0) return;
    this.#rows.push({ key, id });
    if (this.#rows.length >= KEPT_PAGES * this.#limit) this.#cut();
  }

  /**
   * The page, after all rows were offered. It has fewer rows than the limit if they are long, but at least one.
   * @param read reads the row of an entry
   * @param bytesOf approximate bytes of a row in an answer
   */
  page<Row>(read: (entry: Entry) => Row, bytesOf: (row: Row) => number): { rows: Row[]; place: ListPlace } {
    this.#cut();
    const rows: Row[] = [];
    let bytes = 0;
    for (const entry of this.#rows) {
      if (bytes >= PAGE_BYTES) break;
      const row = read(entry);
      rows.push(row);
      bytes += bytesOf(row);
    }
    const shown = this.#rows.slice(0, rows.length);
    if (!this.#isBackward) return { rows, place: this.#placeOf(shown, this.#beyond) };
    const first = this.#total - this.#beyond - rows.length;
    return { rows: rows.reverse(), place: this.#placeOf(shown.reverse(), first) };
  }

  get #isBackward(): boolean {
    return this.#cursor?.side === "before";
  }

  #placeOf(shown: readonly Entry[], first: number): ListPlace {
    const [from, to] = [shown[0], shown.at(-1)];
    return {
      first,
      total: this.#total,
      next: to !== undefined && first + shown.length < this.#total ? this.#at("after", to) : "",
      previous: from !== undefined && first > 0 ? this.#at("before", from) : "",
    };
  }

  #at(side: "after" | "before", { key, id }: Entry): string {
    return cursorText(this.#order, { side, key, id });
  }

  /** Positive if the row is farther in the direction of reading. */
  #compare(key: Key, id: number, other: Entry): number {
    return this.#turned * (this.#compareKeys(key, other.key) || id - other.id);
  }

  /** Drops the rows that are not on the page. */
  #cut(): void {
    this.#rows.sort((a, b) => this.#compare(a.key, a.id, b));
    if (this.#rows.length < this.#limit) return;
    this.#rows.length = this.#limit;
    this.#farthest = this.#rows.at(-1);
  }
}
