/** Says what a client is told when something went wrong. The only place that maps codes of the bridge to HTTP. */

import { Code, ConnectError } from "@connectrpc/connect";
import { StampSchema } from "../gen/noema/v1/stamp_pb";
import { Refusal } from "./json/refusal";

const INTERNAL = "internal error: the service failed while it answered this request, and logged the reason";
const UNREACHABLE =
  "the processor cannot be reached or did not answer in time; whether the request took effect is not known";

/**
 * The refusal that tells a client about anything thrown.
 *
 * @returns a Refusal as it is; the words of a processor where they are meant for clients; else a fixed sentence with
 *   status 500, after which the reason belongs in the log
 */
export function refusalOf(reason: unknown): Refusal {
  if (reason instanceof Refusal) return reason;
  if (!(reason instanceof ConnectError)) return new Refusal(500, INTERNAL);
  const extras = { stamp: reason.findDetails(StampSchema)[0] };
  switch (reason.code) {
    case Code.InvalidArgument:
      return new Refusal(400, reason.rawMessage, extras);
    case Code.NotFound:
      return new Refusal(404, reason.rawMessage, extras);
    case Code.OutOfRange:
      return new Refusal(413, reason.rawMessage, extras);
    case Code.Aborted:
      return new Refusal(409, reason.rawMessage, extras);
    case Code.ResourceExhausted:
      return new Refusal(503, reason.rawMessage, extras);
    case Code.Unimplemented:
      // The official client shows the sentence of an answer that is not okay, but only when HTTP calls it a success.
      return new Refusal(200, reason.rawMessage, extras);
    case Code.Unavailable:
    case Code.DeadlineExceeded:
      return new Refusal(503, UNREACHABLE, extras);
    default:
      return new Refusal(500, INTERNAL, extras);
  }
}
