/** Writes the remembered requests of an isolate as canonical JSON. */

import { list, number, text } from "../json/writer";

/** A request that failed, was refused or was slow. */
interface RecentRequest {
  /** When its answer began, in milliseconds since 1970. */
  readonly ms: number;
  readonly event: string;
  readonly requestId: string;
  readonly operation: string | undefined;
  readonly processor: string | undefined;
  readonly milliseconds: number;
  readonly status: number;
  readonly message: string | undefined;
}

/** Requests, and since when they were remembered. */
interface RecentRequests {
  readonly requests: readonly RecentRequest[];
  /** In milliseconds since 1970. */
  readonly sinceMs: number;
}

/** The requests, in their order. */
export function encodeRecentRequests({ requests, sinceMs }: RecentRequests): string {
  return `{"requests":${list(requests.map(encodeRequest))},"since":${text(isoTime(sinceMs))}}`;
}

/** The members have the names of the log. */
function encodeRequest(request: RecentRequest): string {
  const { ms, event, requestId, operation, processor, milliseconds, status, message } = request;
  return (
    `{"event":${text(event)},"message":${orNull(message)},"milliseconds":${number(milliseconds)},` +
    `"operation":${orNull(operation)},"processor":${orNull(processor)},"request_id":${text(requestId)},` +
    `"status":${number(status)},"time":${text(isoTime(ms))}}`
  );
}

function isoTime(ms: number): string {
  return new Date(ms).toISOString();
}

function orNull(value: string | undefined): string {
  return value === undefined ? "null" : text(value);
}
