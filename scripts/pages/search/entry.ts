/** What the search in the browser gets from the build. Knows neither. */

/** Where the browser gets it when a reader first searches. */
export const SEARCH_PATH = "/docs/search.json";

/** How many results the console shows, beside the devices, models and symbols that it finds. The documents show more. */
export const SHOWN_IN_CONSOLE = 8;

/** Something that can be found. */
export interface Entry {
  /** Where it leads: a path, with an anchor where it is a part of a page. */
  readonly id: string;
  /** What it is called. */
  readonly name: string;
  /** What it is: an operation, a gene, a schema, a member of one, a failure, a guide, or a part of the guide named here. */
  readonly kind: string;
  /** What it is about, as plain text, shown beside the name; empty where the name says it. */
  readonly text: string;
}

/** All entries, and what is in them. */
export interface SearchData {
  readonly entries: readonly Entry[];
  /** The words of the texts that the entries lead to, as {@link packWords} writes them. */
  readonly words: string;
}
