/**
 * What docs/http.md says of an operation beyond its row: what it takes and returns, and an example that a test runs. Plain data beside
 * the table, so that the Worker does not carry it.
 */

/** A JSON value. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [member: string]: Json };

/** One call as a client makes it. */
export interface Call {
  readonly method: "DELETE" | "GET" | "POST" | "PUT";
  /** Path and query. */
  readonly path: string;
  /** Absent when nothing is sent. */
  readonly body?: Json;
}

/** One call and its answer. It starts from the situation that the page describes (see `situation`). */
export interface Example {
  /** Calls that come between the situation and the request. */
  readonly after?: readonly Call[];
  readonly request: Call;
  /** The whole answer. The test ignores the values of unique_id, time_stamp, build_date, build_number and memory_bytes. */
  readonly response: Json;
}

/** What the page says of one row. */
export interface Entry {
  /** The request body in short form, as Markdown; absent when the operation needs none. */
  readonly takes?: string;
  /** The message of the answer in short form, as Markdown. */
  readonly returns: string;
  readonly example: Example;
}

/** Entries by row: its methods, a space and its path, such as `POST /:id/observe`. */
export type Reference = { readonly [row: string]: Entry };
