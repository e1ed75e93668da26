/** What a verb ran for. */

const PING = "/noema.v1.InspectionService/Ping";
const OBSERVE = "/noema.v1.MemoryService/Observe";

/** What a load of a file does before it has its effect, and what it does when it has none. */
const STAGING = /^\/noema\.v1\.KnowledgeService\/(?:BeginLoad|LoadKnowledge|AbortLoad)$/;

/** What a run of a verb was for: a step of a client, a frame, or an event that another processor has sent. */
export function purposeOf({ call, isGrading, node }) {
  if (call === undefined || isGrading || node.kind !== "PROCESSORS") return undefined;
  if (call.connection !== undefined) return { kind: "frame" };
  if (call.path === undefined) return undefined;
  const { from } = call;
  if (from.node?.kind === "PROCESSORS") return call.path === OBSERVE ? { kind: "delivery" } : undefined;
  if (from.node !== undefined || from.request?.call === undefined) return undefined;
  if (STAGING.test(call.path)) return undefined;
  // A refusal asks for the time, too.
  if (call.path === PING && from.request.call !== "GET time") return undefined;
  return { kind: "step", step: from.request };
}
