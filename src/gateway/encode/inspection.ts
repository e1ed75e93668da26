/** Writes what a processor reports about itself as JSON text. */

import type {
  GetInfoResponse,
  GetStatusResponse,
  PartInfo,
  PingResponse,
} from "../../gen/noema/v1/inspection_service_pb";
import type { NearLimit } from "../../gen/noema/v1/status_pb";
import { number, text } from "../json/writer";
import { emotives, okay, stampOf } from "./envelope";

/** The answer of a processor's ping, which has no envelope. */
export function encodePing(reply: PingResponse): string {
  stampOf(reply);
  return '{"message":"okay","status":"okay"}';
}

/** The answer of time: the processor's time as a string. */
export function encodeTime(reply: PingResponse): string {
  return okay(reply, text(number(stampOf(reply).time)));
}

/** The answer of info. */
export function encodeInfo(reply: GetInfoResponse): string {
  const { id, time } = stampOf(reply);
  return okay(
    reply,
    `{"build_date":${text(reply.buildDate)},"build_number":${text(reply.buildNumber)},` +
      `"classifier":${text(reply.classifier)},` +
      `"id":${text(id)},"memory_bytes":${number(reply.memoryBytes)},` +
      `"memory_limit_bytes":${number(reply.memoryLimitBytes)},` +
      `"name":${text(reply.name)},${parts(reply.parts)}"time":${number(time)},"version":${text(reply.version)}}`,
  );
}

/** The member `parts`, followed by a comma. Empty for a processor that is not split. */
function parts(all: readonly PartInfo[]): string {
  if (all.length === 0) return "";
  const each = all.map(
    ({ memoryBytes, models }) => `{"memory_bytes":${number(memoryBytes)},"models":${number(models)}}`,
  );
  return `"parts":[${each.join(",")}],`;
}

/**
 * The member `near_limits`, followed by a comma. Empty if no limit is near, because the reference agent has no such
 * member.
 */
function nearLimits(limits: readonly NearLimit[]): string {
  if (limits.length === 0) return "";
  const all = limits.map(
    ({ limit, most, used }) => `{"limit":${text(limit)},"most":${number(most)},"used":${number(used)}}`,
  );
  return `"near_limits":[${all.join(",")}],`;
}

/**
 * The answer of status.
 *
 * @throws Error when the processor leaves out its status
 */
export function encodeStatus(reply: GetStatusResponse): string {
  const { status } = reply;
  if (status === undefined) throw new Error("a processor answered without its status");
  return okay(
    reply,
    `{"AUTOLEARN":${status.autolearn},"HYPOTHESIZED":false,"PREDICT":${status.predict},"SLEEPING":${status.sleeping},` +
      `"SNAPSHOT":false,"emotives":${emotives(status.emotives)},` +
      `"last_learned_model_name":${text(status.lastLearnedModelName)},"models_kb":"{KB| objects: ` +
      `${number(status.models)}}",` +
      `"name":${text(status.name)},` +
      `${nearLimits(status.nearLimits)}"num_observe_call":${number(status.numObserveCall)},` +
      `"size_WM":${number(status.workingMemorySize)},"target":${text(status.target)},` +
      `"time":${number(stampOf(reply).time)},` +
      `"vector_dimensionality":${number(status.vectorDimensionality)},"vectors_kb":"{KB| objects: ` +
      `${number(status.vectors)}}"}`,
  );
}
