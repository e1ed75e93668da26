/**
 * What all rpcs of a processor have in common: they run as verbs of the host, inside a transaction unless the contract
 * declares no side effects; their answers get the processor's stamp; and what they throw becomes a Connect error.
 */

import {
  type DescMessage,
  type DescMethod,
  type DescMethodUnary,
  type DescService,
  getOption,
  type Message,
  type MessageInitShape,
  type MessageShape,
} from "@bufbuild/protobuf";
import { MethodOptions_IdempotencyLevel } from "@bufbuild/protobuf/wkt";
import type { HandlerContext, ServiceImpl } from "@connectrpc/connect";
import { MemoryService } from "../../gen/noema/v1/memory_service_pb";
import { serves_session } from "../../gen/noema/v1/session_pb";
import type { Stamp } from "../../gen/noema/v1/stamp_pb";
import type { Device, GetLinksResponse, PartInfo } from "../../gen/plain";
import { Fault } from "../../processor/ports/fault";
import type { DevicesAsked } from "../../processor/ports/incident";
import type { Processor, Usage } from "../../processor/processor";
import { IDEMPOTENCY_HEADER } from "../transport/endpoint-transport";
import { messageFromBytes, messageToBytes } from "../transport/message-bytes";
import { sessionOf } from "../transport/session";
import { type Idempotency, methodPath } from "../transport/unary";
import { UnaryContext } from "../transport/unary-server";
import { assertAnswerFits } from "./answer-budget";
import type { AnswerKeeper } from "./answer-keeper";
import { type PlainStamp, toConnectError } from "./connect-error";

/** How much a processor has learned and how full it is, with its identity. */
export interface StoredUsage extends Usage {
  /** Bytes of its storage. */
  storageBytes: number;
  stamp: PlainStamp;
}

/** Counts of a processor's events for others, with its identity. */
export type ToldOthers = Omit<GetLinksResponse, "stamp"> & { readonly stamp: PlainStamp };

/** Owns one processor and decides when its changes are committed. */
export interface ProcessorHost {
  /**
   * The processor in its current state.
   *
   * @throws ConnectError `FailedPrecondition` when there is none
   */
  processor(): Processor;
  /**
   * Runs a verb. Passes on what the verb throws, after rolling back its changes. It may roll a verb back and run it
   * again, and then returns a promise; so a verb must change nothing but the processor.
   *
   * @param writes whether the verb may record changes; it then runs inside one transaction
   * @param session the session whose memory the verb is about; empty for the processor's own memory
   * @param kind the label for counters: service and method, such as `MemoryService/Observe`
   * @param isMostlyOneRow whether the verb usually records only the change of one memory, so that a host may save the
   *   transaction
   * @throws ConnectError `FailedPrecondition` when there is no processor
   */
  run<Reply>(
    writes: boolean,
    verb: (processor: Processor) => Reply,
    session: string,
    kind: string,
    isMostlyOneRow?: boolean,
  ): Reply | Promise<Reply>;
  /**
   * Runs a change in pieces, all of them or none: other calls of the processor wait until all are stored, and others of
   * the isolate are served between them. If absent, a change runs in one piece.
   *
   * @param piece calls {@link run}. @returns whether it was the last
   * @throws what a piece throws, and a Fault `too-large` when they take too long; then all are rolled back
   */
  inPieces?(piece: () => boolean): Promise<void>;
  /**
   * Called before genes change. The change waits for the result, and does not happen if that rejects. `undefined` if
   * there is nothing to wait for.
   *
   * @throws ConnectError `FailedPrecondition` when there is no processor
   */
  beforeTuning?(): Promise<void> | undefined;
  /**
   * How much the processor has learned and how full it is, without loading it into memory. If absent, the processor
   * itself is asked.
   *
   * @throws ConnectError `FailedPrecondition` when there is no processor
   */
  usage?(): StoredUsage;
  /**
   * What the processor has forwarded to others, without loading it into memory. Absent if the
   * processor forwards nothing.
   *
   * @throws ConnectError `FailedPrecondition` when there is no processor
   */
  toldOthers?(): ToldOthers;
  /**
   * Waits until knowledge that was loaded without a record of forecasts is graded, or grading it has failed: then it is
   * tried again later. Never rejects. If absent, a load grades within its verb.
   */
  graded?(): Promise<void>;
  /** Packs what a load has staged, in pieces between which others are served. If absent, the load packs all at once. */
  stagedPacked?(): Promise<void>;
  /** Waits until the incidents of deleted sessions have ended, as their rows say it. Absent if they always have. */
  incidentsEnded?(): Promise<void>;
  /** Whether the processor's models are split into parts; absent if they never are. */
  readonly isSplit?: boolean;
  /**
   * How full the parts of the processor are; none if its models are not split.
   *
   * @throws ConnectError `FailedPrecondition` when there is no processor
   */
  parts?(): Promise<readonly PartInfo[]>;
  /**
   * The processor's memories at a glance, without loading it into memory. Lets other requests run between its parts. If
   * absent, the processor itself is asked.
   *
   * @throws ConnectError `FailedPrecondition` when there is no processor
   */
  devices?(asked: DevicesAsked): Promise<{ readonly devices: Device[]; readonly stamp: PlainStamp }>;
  /** Keeps answers by idempotency key, in the transactions of {@link run}. If absent, calls with a key are refused. */
  readonly answers?: AnswerKeeper;
}

/** Where services are registered: the library's ConnectRouter, or the server of the unary path. */
export interface Registrar {
  service<Service extends DescService>(service: Service, implementation: Partial<ServiceImpl<Service>>): unknown;
}

/** The kept answer, for a verb whose call has an idempotency key. */
export interface Keeping<Output extends DescMessage> {
  /** The answer so far, if some parts of the call are done. */
  readonly before: MessageShape<Output> | undefined;
  /** Whether the call is done. A verb that has done only a part sets it to false. */
  isWhole: boolean;
  /**
   * Refuses the call before it has an effect if its answer will be too large.
   *
   * @param bytes size of the answer
   * @throws Fault `too-large`
   */
  assertFits(bytes: number): void;
}

/**
 * A verb behind an rpc: returns the answer without its stamp. `keeping` is given when the call has an idempotency key.
 */
type Verb<Input extends DescMessage, Output extends DescMessage> = (
  processor: Processor,
  request: MessageShape<Input>,
  keeping?: Keeping<Output>,
) => MessageInitShape<Output>;

/** Creates the implementation of an rpc from a verb. */
export type Serve = <Input extends DescMessage, Output extends DescMessage>(
  method: DescMethodUnary<Input, Output>,
  verb: Verb<Input, Output>,
) => (
  request: MessageShape<Input>,
  context: HandlerContext,
) => MessageInitShape<Output> | Promise<MessageInitShape<Output>>;

/** Whether rpcs serve sessions. Cached, because options are parsed each time and every processor serves all rpcs. */
const SERVE_SESSIONS = new WeakMap<DescMethod, boolean>();

function doesServeSession(method: DescMethod): boolean {
  const known = SERVE_SESSIONS.get(method);
  if (known !== undefined) return known;
  const serves = getOption(method, serves_session);
  SERVE_SESSIONS.set(method, serves);
  return serves;
}

/** Serves the processor of a host. */
export function serveOn(host: ProcessorHost): Serve {
  return (method, verb) => {
    const writes = method.idempotency !== MethodOptions_IdempotencyLevel.NO_SIDE_EFFECTS;
    const servesSession = doesServeSession(method);
    const kind = `${method.parent.name}/${method.name}`;
    const isMostlyOneRow = (method as DescMethod) === MemoryService.method.observe;
    return (request, context) => {
      let session = "";
      const refused = (error: unknown) =>
        toConnectError(error, methodPath(method), () => stampOf(host.processor().in(session)));
      const withRefusals = <Reply>(reply: Reply | Promise<Reply>) =>
        reply instanceof Promise
          ? reply.catch((error: unknown) => {
              throw refused(error);
            })
          : reply;
      try {
        session = sessionOf(context);
        if (session !== "" && !servesSession) throw noSession(method);
        const idempotency = writes ? idempotencyOf(context) : undefined;
        if (idempotency !== undefined) {
          const answerOnce = (processor: Processor) =>
            once({ host, method, idempotency }, processor, (keeping) => verb(processor, request, keeping));
          return withRefusals(host.run(writes, answerOnce, session, kind));
        }
        const answer = (processor: Processor) => {
          const reply = verb(processor, request);
          assertAnswerFits(method, reply);
          return Object.assign(reply, { stamp: stampOf(processor) });
        };
        return withRefusals(host.run(writes, answer, session, kind, isMostlyOneRow));
      } catch (error) {
        throw refused(error);
      }
    };
  };
}

/**
 * The idempotency key of a call, with its fingerprint; `undefined` for none.
 *
 * @throws Fault `invalid` for a call over HTTP that has a key
 */
export function idempotencyOf(context: HandlerContext): Idempotency | undefined {
  if (context instanceof UnaryContext) return context.idempotency;
  if (context.requestHeader.has(IDEMPOTENCY_HEADER)) throw keepsNoAnswers();
  return undefined;
}

function keepsNoAnswers(): Fault {
  return new Fault("invalid", "this processor keeps no answers; send the call without the header Idempotency-Key");
}

/** A call with an idempotency key. */
interface RepeatableCall<Output extends DescMessage> {
  readonly host: ProcessorHost;
  readonly method: DescMethodUnary<DescMessage, Output>;
  readonly idempotency: Idempotency;
}

/** The kept answer of a call; if there is none, runs its verb and keeps the answer, in the verb's transaction. */
function once<Output extends DescMessage>(
  { host: { answers }, method: { output }, idempotency }: RepeatableCall<Output>,
  processor: Processor,
  verb: (keeping: Keeping<Output>) => MessageInitShape<Output>,
): MessageInitShape<Output> {
  if (answers === undefined) throw keepsNoAnswers();
  const kept = answers.find(idempotency);
  const before = kept === undefined ? undefined : messageFromBytes(output, kept.reply);
  if (before !== undefined && kept?.isWhole) {
    markReplayed(before);
    return before;
  }
  const keeping = { before, isWhole: true, assertFits: (bytes: number) => answers.assertFits(bytes) };
  const reply = Object.assign(verb(keeping), {
    stamp: { ...stampOf(processor), answeredAt: Math.floor(Date.now() / 1000) },
  });
  answers.keep(idempotency, { reply: messageToBytes(output, reply), isWhole: keeping.isWhole });
  return reply;
}

/** Marks a kept answer in its stamp, which all answers of processors have. */
function markReplayed(answer: Message & { stamp?: Stamp }): void {
  if (answer.stamp !== undefined) answer.stamp.replayed = true;
}

/** The refusal of a session if the call is not about one memory. */
function noSession({ parent, name }: DescMethod): Fault {
  return new Fault("invalid", `${parent.name}/${name} concerns no single memory: it takes no session`);
}

function stampOf(processor: Processor): Stamp {
  return { $typeName: "noema.v1.Stamp", id: processor.id, time: processor.time };
}
