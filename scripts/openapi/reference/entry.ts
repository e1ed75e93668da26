/**
 * What the OpenAPI document and the pages made from it say of an operation beyond its row: what it takes and returns, its schemas, and an example
 * that a test runs. Plain data outside src/gateway, so that the Worker does not carry it.
 */

/** A JSON value. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [member: string]: Json };

/** A JSON Schema, version 2020-12. */
export type Schema = { readonly [keyword: string]: Json };

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
  /** The whole answer. The test ignores the values of unique_id, time_stamp, build_date, build_number, memory_bytes and storage_bytes. */
  readonly response: Json;
}

/** What the documents say of one row. */
export interface Entry {
  /** The name of the operation in generated clients, in camel case; one for each method of the row, in their order. Never changes. */
  readonly operationId: readonly string[];
  /**
   * The comment of the TypeScript client's function: a text, then tags such as `@throws`, each a paragraph. The row's
   * summary if absent. Functions written by hand have their own.
   */
  readonly doc?: readonly string[];
  /** The request body in short form, as Markdown; absent when the operation needs none. */
  readonly takes?: string;
  /** The schema of the request body; absent when the operation needs none. */
  readonly request?: Schema;
  /** The media type of the request body, where it is not JSON. */
  readonly requestType?: string;
  /** Whether a request may have no body although there is a schema. */
  readonly isRequestOptional?: true;
  /** The schemas of the parameters of the query, by name. All are optional. */
  readonly query?: { readonly [name: string]: Schema };
  /** The message of the answer in short form, as Markdown. */
  readonly returns: string;
  /** The schema of the answer with HTTP 200, whole: {@link envelope} makes the usual one. */
  readonly answer: Schema;
  /** The HTTP statuses of failures that few operations answer with. Those that many have follow from the row. */
  readonly failures?: readonly number[];
  readonly example: Example;
}

/** Entries by row: its methods, a space and its path, such as `POST /:id/observe`. */
export type Reference = { readonly [row: string]: Entry };
