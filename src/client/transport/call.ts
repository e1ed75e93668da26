/**
 * Makes a call whose answer is an envelope, and returns the envelope. Every operation with such an
 * answer goes through here.
 */

import type { Operations } from "../gen/operations";
import type { Noema, Processor, Session } from "./connection";
import { exchange, type Outgoing, textOf, type WriteOptions } from "./exchange";
import { NoemaError } from "./noema-error";

/** The operations by their names in the OpenAPI document. */
export type OperationName = keyof Operations;

/** The envelope that an operation answers with. */
export type Answer<O extends OperationName> = Operations[O]["answer"];

/** The message in that envelope. */
export type Message<O extends OperationName> = Answer<O> extends { message: infer M } ? M : never;

/** The target of an operation: the agent, a processor or a session. */
export type Place = Noema | Processor | Session;

/** An operation as its function states it. */
export interface Call<O extends OperationName> extends Pick<Outgoing, "repeats"> {
  readonly operation: O;
  readonly method: "DELETE" | "GET" | "POST" | "PUT";
  /** The path below the place, percent-encoded, with the query. */
  readonly path: string;
  /** The body, to be sent as JSON. Nothing is sent if it is `undefined`. */
  readonly body?: unknown;
}

/** The server of a place and the path of an operation there. */
export function under(place: Place, path: string): { readonly noema: Noema; readonly path: string } {
  if (place.kind === "noema") return { noema: place, path: `/${path}` };
  return { noema: place.noema, path: `${place.path}/${path}` };
}

/**
 * Makes a call.
 *
 * @returns the envelope
 * @throws NoemaError, TypeError, RangeError or the signal's reason, as {@link exchange} does; and if
 *   the envelope says `failed`
 */
export async function envelope<O extends OperationName>(
  place: Place,
  { path, body, ...call }: Call<O>,
  options: WriteOptions = {},
): Promise<Answer<O>> {
  if (place?.kind === undefined) {
    const makers = "connect, processor or session returns";
    throw new TypeError(`the first argument of ${call.operation} must be what ${makers}`);
  }
  const { noema, path: whole } = under(place, path);
  const outgoing = { ...call, path: whole, body: body === undefined ? undefined : JSON.stringify(body) };
  return exchange(noema, outgoing, options, async (response, watch) => {
    const answer = answerIn(await textOf(response, watch), call.operation, response.status);
    watch.end();
    return answer as Answer<O>;
  });
}

/** Makes a call, and returns the message of the envelope. Throws as {@link envelope}. */
export async function message<O extends OperationName>(
  place: Place,
  call: Call<O>,
  options?: WriteOptions,
): Promise<Message<O>> {
  const answer = await envelope(place, call, options);
  return (answer as { message: Message<O> }).message;
}

/** The envelope in an answer with a status of success. */
export function answerIn(text: string, operation: string, status: number): object {
  const answer = parsed(text);
  if (typeof answer !== "object" || answer === null || !("status" in answer)) {
    throw new NoemaError("the answer does not come from Noema; check the address", { operation, status });
  }
  const { status: word, message } = answer as { status: unknown; message?: unknown };
  if (word === "okay") return answer;
  throw new NoemaError(String(message), { operation, status });
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
