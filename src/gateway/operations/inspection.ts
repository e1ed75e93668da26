/** The rows that describe the gateway, the agent and a processor, and the row that replaces the genome. */

import { AgentService } from "../../gen/noema/v1/agent_service_pb";
import { GeneService } from "../../gen/noema/v1/gene_service_pb";
import { InspectionService } from "../../gen/noema/v1/inspection_service_pb";
import { encodeInfo, encodePing, encodeStatus, encodeTime } from "../encode/inspection";
import { rolesFor } from "../keys/role";
import type { RequestContext } from "../request-context";
import { connect, RIGHTS } from "./connect";
import { hotswap } from "./hotswap";
import { encodeField, type Operation, processorCall } from "./operation";

const inspection = InspectionService.method;

/** Answers a ping of the gateway itself. */
async function gatewayPing(context: RequestContext): Promise<string> {
  await context.body();
  return '{"status":"okay"}';
}

/** The gateway and the agent. They come before the rows of processors, because `agent` in a path is not a processor. */
export const gatewayOperations: readonly Operation[] = [
  {
    methods: ["GET"],
    path: "/agent/ping",
    roles: [],
    rpcs: [],
    answer: gatewayPing,
    summary: "Answers as long as the gateway runs; asks no processor.",
  },
  {
    methods: ["GET"],
    path: "/gaius-api/ping",
    roles: [],
    rpcs: [],
    answer: gatewayPing,
    summary: "Answers as long as the gateway runs; asks no processor.",
  },
  {
    methods: ["GET"],
    path: "/connect",
    roles: rolesFor(AgentService.method.getGenome),
    rpcs: [AgentService.method.getGenome, GeneService.method.getGenes],
    query: [RIGHTS],
    answer: connect,
    summary: "Returns the agent's genome with the genes as they are now, and what the key allows if asked.",
  },
  {
    methods: ["GET"],
    path: "/:id/connect",
    roles: rolesFor(AgentService.method.getGenome),
    rpcs: [AgentService.method.getGenome, GeneService.method.getGenes],
    query: [RIGHTS],
    answer: connect,
    summary: "Returns the same as GET /connect, if the agent has the processor.",
  },
  {
    methods: ["POST"],
    path: "/genome/hotswap",
    roles: rolesFor(AgentService.method.hotswap),
    rpcs: [AgentService.method.hotswap, AgentService.method.previewHotswap],
    isOwn: true,
    query: ["purge", "dry_run"],
    answer: hotswap,
    summary:
      "Replaces the agent's genome, or says what that would do: adds and removes processors; " +
      "those that stay keep their memory and genes.",
  },
  {
    methods: ["POST"],
    path: "/:id/genome/hotswap",
    roles: rolesFor(AgentService.method.hotswap),
    rpcs: [AgentService.method.previewHotswap, AgentService.method.hotswap],
    isOwn: true,
    query: ["purge", "dry_run"],
    answer: hotswap,
    summary: "Does the same as POST /genome/hotswap; the id is one of the agent's processors or the word `agent`.",
  },
];

/** What a processor reports about itself. */
export const inspectionOperations: readonly Operation[] = [
  processorCall({
    methods: ["GET"],
    path: "/:id/ping",
    rpc: inspection.ping,
    // Its answer is not an envelope and has no room for a detail.
    decode: () => ({}),
    encode: encodePing,
    summary: "Answers as long as the processor can be reached.",
  }),
  processorCall({
    methods: ["GET"],
    path: "/:id/status",
    inSessions: true,
    rpc: inspection.getStatus,
    encode: encodeStatus,
    summary: "Returns the processor's flags, counters and sizes.",
  }),
  processorCall({
    methods: ["GET"],
    path: "/:id/name",
    rpc: inspection.getInfo,
    encode: encodeField(inspection.getInfo.output, "name"),
    summary: "Returns the processor's friendly name.",
  }),
  processorCall({
    methods: ["GET"],
    path: "/:id/info",
    rpc: inspection.getInfo,
    encode: encodeInfo,
    summary: "Returns version, build, classifier and memory use.",
  }),
  processorCall({
    methods: ["GET"],
    path: "/:id/time",
    inSessions: true,
    roles: ["read", "observe"],
    rpc: inspection.ping,
    encode: encodeTime,
    summary: "Returns the processor's time (the number of its observations) as a string.",
  }),
];
