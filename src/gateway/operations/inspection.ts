/** The rows that look at the gateway, at an agent and at a processor without changing them. */

import { AgentService } from "../../gen/noema/v1/agent_service_pb";
import { GeneService } from "../../gen/noema/v1/gene_service_pb";
import { InspectionService } from "../../gen/noema/v1/inspection_service_pb";
import { encodeInfo, encodeName, encodePing, encodeStatus, encodeTime } from "../encode/inspection";
import type { Exchange } from "../request-context";
import { connect } from "./connect";
import { hotswap } from "./hotswap";
import { nothing, type Operation, processorCall } from "./operation";

const inspection = InspectionService.method;

/** The answer of the gateway's own ping, which asks no one. */
async function gatewayPing(exchange: Exchange): Promise<string> {
  await exchange.body();
  return '{"status":"okay"}';
}

/** Signs of life, and the genome. They stand before the rows of processors, because `agent` is not one. */
export const gatewayOperations: readonly Operation[] = [
  { verbs: ["GET"], path: "/agent/ping", rpcs: [], answer: gatewayPing, doc: "Answers when the gateway lives." },
  { verbs: ["GET"], path: "/gaius-api/ping", rpcs: [], answer: gatewayPing, doc: "Answers when the gateway lives." },
  {
    verbs: ["GET"],
    path: "/connect",
    rpcs: [AgentService.method.getGenome, GeneService.method.getGenes],
    answer: connect,
    doc: "Reads the agent's genome, live genes in it.",
  },
  {
    verbs: ["GET"],
    path: "/:id/connect",
    rpcs: [AgentService.method.getGenome, GeneService.method.getGenes],
    answer: connect,
    doc: "Reads the agent's genome, live genes in it, when the agent has the processor.",
  },
  {
    verbs: ["POST"],
    path: "/genome/hotswap",
    rpcs: [AgentService.method.hotswap],
    answer: hotswap,
    doc: "Replaces the agent's genome: processors that stay keep memory and genes, others come and go.",
  },
  {
    verbs: ["POST"],
    path: "/:id/genome/hotswap",
    rpcs: [AgentService.method.hotswap],
    answer: hotswap,
    doc: "Replaces the agent's genome, when the path names one of its processors or is `agent`.",
  },
];

/** What a processor says of itself. */
export const inspectionOperations: readonly Operation[] = [
  processorCall({
    verbs: ["GET"],
    path: "/:id/ping",
    rpc: inspection.ping,
    decode: nothing,
    encode: encodePing,
    doc: "Answers when the processor lives.",
  }),
  processorCall({
    verbs: ["GET"],
    path: "/:id/status",
    rpc: inspection.getStatus,
    decode: nothing,
    encode: encodeStatus,
    doc: "Reads the state at a glance.",
  }),
  processorCall({
    verbs: ["GET"],
    path: "/:id/name",
    rpc: inspection.getInfo,
    decode: nothing,
    encode: encodeName,
    doc: "Reads the friendly name.",
  }),
  processorCall({
    verbs: ["GET"],
    path: "/:id/info",
    rpc: inspection.getInfo,
    decode: nothing,
    encode: encodeInfo,
    doc: "Reads the debug record: version, build, classifier, use of memory.",
  }),
  processorCall({
    verbs: ["GET"],
    path: "/:id/time",
    rpc: inspection.ping,
    decode: nothing,
    encode: encodeTime,
    doc: "Reads the discrete time as a string.",
  }),
];
