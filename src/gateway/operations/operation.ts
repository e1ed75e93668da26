/**
 * What an operation of the HTTP interface is: a row of the table from which the router, the conformance run and the
 * interface's description all derive. Knows no particular operation.
 */

import type { DescMessage, DescMethodUnary, MessageInitShape, MessageShape } from "@bufbuild/protobuf";
import type { Address } from "../address";
import type { Body } from "../json/body";
import type { Exchange } from "../request-context";

/** The HTTP methods of the interface. */
export type Verb = "DELETE" | "GET" | "POST" | "PUT";

/** The body of an answer: canonical JSON text, whole or in parts. */
export type Answer = string | ReadableStream<Uint8Array>;

/** One row of the table. */
export interface Operation {
  /** The methods that do the same on this path. */
  readonly verbs: readonly Verb[];
  /** Segments, those that begin with a colon named; a plus at the end of the last one takes the rest of the path. */
  readonly path: string;
  /** The calls that it makes over the bridge; none when the gateway answers by itself. */
  readonly rpcs: readonly DescMethodUnary[];
  /** What it does, one sentence. */
  readonly doc: string;
  /** `time_stamp` of a failure, where it is not the time. */
  readonly failureTimeStamp?: number;
  /**
   * Answers a request.
   *
   * @throws Refusal when the request is wrong
   * @throws ConnectError when the processor refuses or cannot be reached
   */
  answer(exchange: Exchange): Promise<Answer>;
}

/** A row that is one call of one processor, as it stands in the table. */
export interface ProcessorRow<I extends DescMessage, O extends DescMessage> {
  readonly verbs: readonly Verb[];
  readonly path: string;
  readonly rpc: DescMethodUnary<I, O>;
  readonly doc: string;
  readonly failureTimeStamp?: number;
  /** JSON to message. */
  decode(body: Body, address: Address): MessageInitShape<I>;
  /** Message to canonical JSON text; `asked` is what decode made. */
  encode(reply: MessageShape<O>, asked: MessageInitShape<I>): string;
}

/** Makes an operation of a row: read the body, decode, one call of the processor that the path names, encode. */
export function processorCall<I extends DescMessage, O extends DescMessage>(row: ProcessorRow<I, O>): Operation {
  const { rpc, decode, encode, ...rest } = row;
  return {
    ...rest,
    rpcs: [rpc],
    async answer(exchange) {
      const asked = decode(await exchange.body(), exchange);
      return encode(await exchange.call(rpc, asked), asked);
    },
  };
}

/** The decoder of operations that ask for nothing: a body is read and must be JSON, but says nothing. */
export function nothing(): Record<string, never> {
  return {};
}
