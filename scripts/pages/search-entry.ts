/** What the search in the browser gets from the build. Knows neither. */

/** Where the browser gets the entries when a reader first searches. */
export const SEARCH_PATH = "/docs/search.json";

/** Something that can be found. */
export interface Entry {
  /** Where it leads: a path, with an anchor where it is a part of a page. */
  readonly id: string;
  /** What it is called. */
  readonly name: string;
  /** What it is: an operation, a gene, a schema, a member of one, a failure or a guide. */
  readonly kind: string;
  /** What it is about, as plain text. */
  readonly text: string;
}
