/**
 * An operation of the HTTP interface: one row of the table. The router, the conformance run and the reference are
 * derived from these rows. Knows no particular operation.
 */

import type { DescMessage, DescMethodUnary, MessageInitShape, MessageShape } from "@bufbuild/protobuf";
import { decodeData } from "../decode/from-contract";
import { objectExcess } from "../decode/list-bounds";
import { noteAll, refuseUnknown } from "../decode/value";
import { okay, type Stamped, withDetail } from "../encode/envelope";
import { fieldOf, objectOf } from "../encode/from-contract";
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
   * The path. A segment that begins with a colon is a parameter; a plus at the end of the last one makes it match the
   * rest of the path.
   */
  readonly path: string;
  /** A key must have one of these roles; any key will do if there are none. */
  readonly roles: readonly Role[];
  /**
   * The calls that it makes to processors and the agent; none if the gateway answers by itself. Shown in the reference.
   */
  readonly rpcs: readonly DescMethodUnary[];
  /** Its effect, in one sentence for the reference. */
  readonly summary: string;
  /** The `time_stamp` of a failed answer, if it is not the time. */
  readonly failureTimeStamp?: number;
  /**
   * Set if the operation is beyond the interface specification: then unknown members of the body and unknown query
   * parameters are refused. The specification's operations ignore such members and name them in `detail`; they ignore
   * such parameters too, unless they take any.
   */
  readonly isOwn?: true;
  /** Its query parameters. They are beyond the interface specification, so an operation with a list refuses others. */
  readonly query?: readonly string[];
  /** The media type of its answer, if it is neither JSON nor a script. */
  readonly mediaType?: string;
  /**
   * Set if it is about one memory: then it is also served in sessions, below `/:id/sessions/:session`. All its calls
   * are about one memory.
   */
  readonly inSessions?: true;
  /**
   * Set if it is about the whole agent but shows each key only what that key may see: then limited keys may call it
   * too.
   */
  readonly limitsItself?: true;
  /** Set if it answers with a WebSocket. */
  readonly opensStream?: true;
  /**
   * Answers a request.
   *
   * @throws Refusal if the request is wrong
   * @throws ConnectError if the processor refuses it or cannot be reached
   */
  answer(context: RequestContext): Promise<Answer>;
}

/** A row of the table that makes one call to one processor. */
interface ProcessorRow<I extends DescMessage, O extends DescMessage> {
  readonly methods: readonly HttpMethod[];
  readonly path: string;
  /** The roles, if they differ from the call's. */
  readonly roles?: readonly Role[];
  readonly rpc: DescMethodUnary<I, O>;
  readonly summary: string;
  readonly failureTimeStamp?: number;
  readonly isOwn?: true;
  readonly query?: readonly string[];
  readonly inSessions?: true;
  /** Additional roles, all of which the key needs, depending on the request. */
  alsoNeeds?(asked: MessageInitShape<I>): readonly Role[];
  /**
   * Turns the request into a message, and notes unknown members of the body. Absent if the contract suffices: then the
   * members of the body's data are the fields. A message without fields needs no body.
   */
  decode?(body: Body, address: Address): MessageInitShape<I>;
  /**
   * Turns the reply into canonical JSON text; `asked` is the message that decode returned. Absent if the message of the
   * answer is the reply with all its fields.
   */
  encode?(reply: MessageShape<O>, asked: MessageInitShape<I>): string;
}

/**
 * Turns a row into an operation: reads the body, decodes it, calls the processor that the path
 * names, encodes the reply.
 */
export function processorCall<I extends DescMessage, O extends DescMessage>(row: ProcessorRow<I, O>): Operation {
  const { rpc, decode = decoderOf(rpc.input), encode = encodeReply(rpc.output), alsoNeeds, ...rest } = row;
  return {
    roles: rolesFor(rpc),
    ...rest,
    rpcs: [rpc],
    async answer(context) {
      const body = await context.body();
      const asked = decode(body, context);
      if (row.isOwn) refuseUnknown(body);
      checkBounds(rpc.input, asked, body);
      for (const role of alsoNeeds?.(asked) ?? []) context.checkRole(role);
      return namingIgnored(encode(await context.call(rpc, asked), asked), body);
    },
  };
}

/** The decoder of bodies whose members are the fields. */
function decoderOf<I extends DescMessage>(desc: I): (body: Body) => MessageInitShape<I> {
  return desc.fields.length === 0 ? (decodeNothing as (body: Body) => MessageInitShape<I>) : decodeData(desc);
}

/** @throws Refusal 413 when a list of a message from a large body exceeds its bound */
export function checkBounds(desc: DescMessage, message: unknown, { budgets }: Body): void {
  const excess = budgets && objectExcess(desc, message, budgets);
  if (excess !== undefined) throw new Refusal(413, excess);
}

/** The encoder of replies that are the message of the answer. */
function encodeReply<O extends DescMessage>(desc: O): (reply: MessageShape<O>) => string {
  return (reply) => okay(reply as Stamped, objectOf(desc, reply));
}

/** The encoder of replies of which one field is the message of the answer; null if it is a message and missing. */
export function encodeField<O extends DescMessage>(desc: O, name: string): (reply: MessageShape<O>) => string {
  return (reply) => okay(reply as Stamped, fieldOf(desc, reply, name));
}

/** An envelope with a detail that names the ignored members of the body, if any. */
export function namingIgnored(envelope: string, { unknown }: Body): string {
  const { ignored } = unknown;
  return ignored === "" ? envelope : withDetail(envelope, ignored);
}

/**
 * The decoder of operations without a request body. If there is a body anyway, it must be JSON; its members are noted
 * as unknown.
 */
export function decodeNothing(body: Body): Record<string, never> {
  noteAll(body);
  return {};
}
