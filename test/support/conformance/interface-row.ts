/** What a row of the interface specification says: its request, and what the answer holds. The rows stand in interface-rows.ts. */

/** How a row answers a body that is wrong. */
export interface Outcome {
  readonly http: 200 | 400;
  readonly status: "failed" | "okay";
  /** The message, where it is not a sentence about the value. */
  readonly message?: string;
}

/** Two bodies that are valid JSON and wrong: not an object at all, and an object whose members have the wrong types. */
export const WRONG_BODIES = {
  number: "5",
  types: '{"data":{"data":[{}]},"increment":true,"model":7,"sequence":7,"models_kb":7}',
} as const;

/** The outcome of each wrong body. */
export type WrongBodyOutcomes = { readonly [Body in keyof typeof WRONG_BODIES]: Outcome };

/** One row: its request, and what the answer holds. */
export interface Row {
  readonly method: "DELETE" | "GET" | "POST" | "PUT";
  /** As the specification writes it. */
  readonly path: string;
  /** A valid body; absent where the operation reads none. */
  readonly body?: unknown;
  /** What wrong bodies lead to; given exactly where a body is. */
  readonly wrong?: WrongBodyOutcomes;
  /** The members of the answer, sorted; the envelope's when absent. */
  readonly members?: readonly string[];
  /** The message, where the specification gives its text. */
  readonly message?: unknown;
  /** The kind of the message, where the specification says no more. */
  readonly kind?: "list" | "object" | "string";
  /** The members of a message that is an object, sorted; of each member of a message that is a list of objects. */
  readonly record?: readonly string[];
  /** The form of a string message that depends on what was learned. */
  readonly form?: RegExp;
  /** The genome with which it has something to show, where the one that an agent begins with has nothing. */
  readonly genome?: unknown;
  /** The media type of an answer that is text, and no JSON with members. */
  readonly type?: string;
  /** Set where the feature does not exist, so that the envelope always says failed. */
  readonly absent?: true;
  /** Set where a failed answer carries no time: its time_stamp is -1. */
  readonly untimedFailure?: true;
}

/** The members of the envelope. */
export const ENVELOPE = ["id", "interval", "message", "status", "time_stamp"];
