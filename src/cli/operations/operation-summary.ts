/**
 * What the command line knows of an operation. scripts/cli.mjs makes these from the OpenAPI document and
 * writes them into the bundle.
 */

/** A parameter of the path or of the query. */
export interface Parameter {
  readonly name: string;
  readonly description: string;
  /** The possible values; any text if absent. */
  readonly choices?: readonly string[];
}

/** An operation of the HTTP interface. */
export interface OperationSummary {
  /** Its name in the OpenAPI document: `operationId`. */
  readonly id: string;
  readonly method: string;
  /** With names in braces, such as `/{id}/model/{model}`. `{id}` is the processor. */
  readonly path: string;
  readonly summary: string;
  /** The roles that open it; none if every key does. */
  readonly roles: readonly string[];
  /** The parameters of the path except `{id}`, in order. */
  readonly pathParameters: readonly Parameter[];
  readonly query: readonly Parameter[];
  /** Set where it is also served below `/{id}/sessions/{session}`. */
  readonly inSessions?: true;
  /** Set where an Idempotency-Key makes it take effect once. */
  readonly isKeyed?: true;
  /** Set where it takes a body. */
  readonly body?: { readonly isRequired: boolean; readonly example?: unknown };
}
