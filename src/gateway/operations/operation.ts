/**
 * An operation of the HTTP interface: one row of the table. The router, the conformance run and the reference are made
 * from these rows. Knows no particular operation.
 */

import type { DescMessage, DescMethodUnary, MessageInitShape, MessageShape } from "@bufbuild/protobuf";
import { decodeData } from "../decode/from-contract";
import { objectExcess } from "../decode/list-bounds";
import { noteAll, refuseUnknown } from "../decode/value";
import { okay, type Stamped, withDetail } from "../encode/envelope";
import { objectOf } from "../encode/from-contract";
import type { Body } from "../json/body";
import { type Role, rolesFor } from "../keys/role";
import { Refusal } from "../refusal";
import type { Address, Answer, RequestContext } from "../request-context";

/** The HTTP methods of the interface. */
export type HttpMethod = "DELETE" | "GET" | "POST" | "PUT";

/** One row of the table. */
export interface Operation {
  /** The HTTP methods that this row answers. */
  readonly methods: readonly HttpMethod[];
  /**
   * The path. A segment that begins with a colon is a parameter; a plus at the end of the last one lets it
   * take the rest of the path.
   */
  readonly path: string;
  /** The roles of which a key must have one; any key will do when there are none. */
  readonly roles: readonly Role[];
  /**
   * The calls that it makes to processors and the agent; none when the gateway answers by itself.
   * The reference shows them.
   */
  readonly rpcs: readonly DescMethodUnary[];
  /** What it does, in one sentence for the reference. */
  readonly summary: string;
  /** The `time_stamp` of a failed answer, where it is not the time. */
  readonly failureTimeStamp?: number;
  /**
   * Set where the interface specification does not have the operation: then the members of the body and the parameters
   * of the query that it does not know are refused. The specification's operations ignore them, and say in `detail`
   * which members they ignored.
   */
  readonly isOwn?: true;
  /** The parameters of the query that it knows. */
  readonly query?: readonly string[];
  /** The media type of its answer, where that is neither JSON nor a script. */
  readonly mediaType?: string;
  /**
   * Set where it is about one memory: then it is served in sessions too, below `/:id/sessions/:session`. All its
   * calls are about one memory.
   */
  readonly inSessions?: true;
  /**
   * Set where it is about the whole agent and shows each key what that key may see: then limited keys may ask, too.
   */
  readonly limitsItself?: true;
  /** Set where it answers with a WebSocket. */
  readonly opensStream?: true;
  /**
   * Answers a request.
   *
   * @throws Refusal if the request is wrong
   * @throws ConnectError if the processor refuses it or cannot be reached
   */
  answer(context: RequestContext): Promise<Answer>;
}

/** A row that makes one call to one processor, as the table states it. */
interface ProcessorRow<I extends DescMessage, O extends DescMessage> {
  readonly methods: readonly HttpMethod[];
  readonly path: string;
  /** The roles, where they are others than those of the call. */
  readonly roles?: readonly Role[];
  readonly rpc: DescMethodUnary<I, O>;
  readonly summary: string;
  readonly failureTimeStamp?: number;
  readonly isOwn?: true;
  readonly query?: readonly string[];
  readonly inSessions?: true;
  /** The roles that a key must have besides, all of them, by what it asks for. */
  alsoNeeds?(asked: MessageInitShape<I>): readonly Role[];
  /**
   * Turns the request into a message, and notes the members of the body that it does not know. Absent where the
   * contract says it all: then the members of the body's data are the fields.
   */
  decode?(body: Body, address: Address): MessageInitShape<I>;
  /**
   * Turns the reply into canonical JSON text; `asked` is the message that decode returned. Absent where the message of
   * the answer is the reply with all its fields.
   */
  encode?(reply: MessageShape<O>, asked: MessageInitShape<I>): string;
}

/**
 * Turns a row into an operation: reads the body, decodes it, calls the processor that the path
 * names, encodes the reply.
 */
export function processorCall<I extends DescMessage, O extends DescMessage>(row: ProcessorRow<I, O>): Operation {
  const { rpc, decode = decodeData(rpc.input), encode = encodeReply(rpc.output), alsoNeeds, ...rest } = row;
  return {
    roles: rolesFor(rpc),
    ...rest,
    rpcs: [rpc],
    async answer(context) {
      const body = await context.body();
      const asked = decode(body, context);
      if (row.isOwn) refuseUnknown(body);
      const excess = body.budgets && objectExcess(rpc.input, asked, body.budgets);
      if (excess !== undefined) throw new Refusal(413, excess);
      for (const role of alsoNeeds?.(asked) ?? []) context.checkRole(role);
      return namingIgnored(encode(await context.call(rpc, asked), asked), body);
    },
  };
}

/** The encoder of replies that are the message of the answer. */
function encodeReply<O extends DescMessage>(desc: O): (reply: MessageShape<O>) => string {
  return (reply) => okay(reply as Stamped, objectOf(desc, reply));
}

/** An envelope with a detail that names the members of the body that were ignored, if there are any. */
export function namingIgnored(envelope: string, { unknown }: Body): string {
  const { ignored } = unknown;
  return ignored === "" ? envelope : withDetail(envelope, ignored);
}

/**
 * The decoder of operations without a request body. A body that comes anyway must be JSON; its
 * members are noted as unknown.
 */
export function decodeNothing(body: Body): Record<string, never> {
  noteAll(body);
  return {};
}
