/**
 * Requests that the gateway refuses: the sentence for the client and the HTTP status of the answer. The only place that
 * maps codes of processors to HTTP. Anything else that is thrown in the gateway is a defect.
 */

import { Code, ConnectError } from "@connectrpc/connect";
import { MemoryFullSchema } from "../gen/noema/v1/memory_full_pb";
import { OverLimitSchema } from "../gen/noema/v1/over_limit_pb";
import { ProcessorUnavailableSchema } from "../gen/noema/v1/processor_unavailable_pb";
import { type Stamp, StampSchema } from "../gen/noema/v1/stamp_pb";
import { RETRY_AFTER_HEADER } from "../rpc/transport/endpoint-transport";

/** What a failed answer may contain in addition to its sentence. */
interface RefusalExtras {
  /** The processor that refused, if one did; fills the members `id` and `interval`. */
  stamp?: Stamp | undefined;
  /** The session in the path, if the request has no operation; fills the member `interval`. */
  session?: string | undefined;
  /** The methods that the path has, for status 405. */
  allow?: string;
  /** The protocol that the path speaks, for status 426. */
  upgrade?: string;
  /** Whether the request's key is missing or not accepted. The server is healthy then, although the status is 500. */
  isOfKey?: boolean;
  /** Whether a processor would refuse it the same way: then a call of a service gets the processor's code. */
  isOfProcessor?: boolean;
  /** Seconds after which the client should try again, for the statuses 429 and 503. */
  retryAfterS?: number | undefined;
  /** Whether a later attempt would fail too, because the client must make room first. */
  isLasting?: boolean;
}

/** A refusal with a sentence for the client. */
export class Refusal extends Error {
  override readonly name = "Refusal";
  /** The HTTP status, 200 to 599. */
  readonly http: number;
  readonly extras: RefusalExtras;

  /**
   * @param http the HTTP status of the answer
   * @param message one sentence for the client: the value that was wrong, and what is accepted
   */
  constructor(http: number, message: string, extras: RefusalExtras = {}) {
    super(message);
    this.http = http;
    this.extras = extras;
  }
}

/**
 * A refusal because of the request's key, for which the interface specification requires 500.
 *
 * @param message one sentence for the client
 */
export function keyRefusal(message: string): Refusal {
  return new Refusal(500, message, { isOfKey: true });
}

const INTERNAL = "internal error: the service failed while it answered this request, and logged the reason";
const UNREACHABLE =
  "the processor cannot be reached or did not answer in time; whether the request took effect is not known";

const DAMAGED =
  "this processor's storage is damaged, or of another release, or the server's disk fails: " +
  "the server's log says more, and docs/damage.md how to restore it";

/**
 * The refusal for anything thrown.
 *
 * @returns a Refusal unchanged; a processor's refusal in the processor's words; for anything else a fixed sentence with
 *   status 500, in which case the caller must log the reason
 */
export function refusalOf(reason: unknown): Refusal {
  if (reason instanceof Refusal) return reason;
  if (!(reason instanceof ConnectError)) return new Refusal(500, INTERNAL);
  const retryAfter = reason.metadata.get(RETRY_AFTER_HEADER);
  const extras = {
    stamp: reason.findDetails(StampSchema)[0],
    retryAfterS: retryAfter === null ? undefined : Number(retryAfter),
  };
  switch (reason.code) {
    case Code.InvalidArgument:
      return new Refusal(400, reason.rawMessage, extras);
    case Code.NotFound:
      return new Refusal(404, reason.rawMessage, extras);
    case Code.OutOfRange:
      return new Refusal(413, reason.rawMessage, extras);
    case Code.AlreadyExists:
      return new Refusal(422, reason.rawMessage, extras);
    case Code.Aborted:
      return new Refusal(409, reason.rawMessage, extras);
    case Code.ResourceExhausted: {
      const isLasting = reason.findDetails(MemoryFullSchema).length > 0;
      const http = reason.findDetails(OverLimitSchema).length > 0 ? 429 : 503;
      return new Refusal(http, reason.rawMessage, { ...extras, isLasting });
    }
    case Code.DataLoss:
      return new Refusal(500, DAMAGED, extras);
    case Code.Unimplemented:
      // The official client shows the sentence of an answer that failed, but only when the HTTP status is a success.
      return new Refusal(200, reason.rawMessage, extras);
    case Code.Unavailable:
      // A processor that was reached says itself what was not.
      if (reason.findDetails(ProcessorUnavailableSchema).length > 0) return new Refusal(503, reason.rawMessage, extras);
      return new Refusal(503, UNREACHABLE, extras);
    case Code.DeadlineExceeded:
      return new Refusal(503, UNREACHABLE, extras);
    default:
      return new Refusal(500, INTERNAL, extras);
  }
}

/** Whether the server refuses only because it is overloaded; then the refusal says when to try again. */
export function isOverload({ http, extras }: Refusal): boolean {
  return http === 503 && extras.retryAfterS !== undefined;
}
