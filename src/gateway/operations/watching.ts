/** The rows by which operators watch the deployment. */

import { ConnectError } from "@connectrpc/connect";
import { AgentService } from "../../gen/noema/v1/agent_service_pb";
import { InspectionService } from "../../gen/noema/v1/inspection_service_pb";
import type { Agent } from "../agents/agent";
import type { Primitive } from "../agents/topology";
import { refuseUnknown } from "../decode/value";
import { agentEnvelope } from "../encode/envelope";
import { encodeProcessor } from "../encode/usage";
import { list } from "../json/writer";
import type { RequestContext } from "../request-context";
import { PROMETHEUS_TYPE, prometheusText } from "../watching/prometheus";
import { decodeNothing, type Operation } from "./operation";

/** Answers with the metrics of this isolate. */
async function metrics(context: RequestContext): Promise<string> {
  const body = await context.body();
  decodeNothing(body);
  refuseUnknown(body);
  return prometheusText();
}

/** How many processors are asked at the same time. */
const ASKED_AT_ONCE = 16;

/** Answers with how much each processor of the agent has learned and how full it is, in the order of the genome. */
async function processors(context: RequestContext): Promise<string> {
  const body = await context.body();
  decodeNothing(body);
  refuseUnknown(body);
  const { agent } = context;
  const { primitives } = (await agent.genome()).topology;
  const reports: string[] = [];
  for (let start = 0; start < primitives.length; start += ASKED_AT_ONCE) {
    const together = primitives.slice(start, start + ASKED_AT_ONCE);
    reports.push(...(await Promise.all(together.map((primitive) => reportOf(agent, primitive)))));
  }
  return agentEnvelope(list(reports));
}

/** What is said of one processor. One that cannot answer must not hide the others. */
async function reportOf(agent: Agent, primitive: Primitive): Promise<string> {
  const { id, name } = primitive;
  try {
    const usage = await agent.callIfInService(primitive, InspectionService.method.getUsage, {});
    return encodeProcessor({ id, name, status: usage === undefined ? "unused" : "okay", usage });
  } catch (reason) {
    if (!(reason instanceof ConnectError)) throw reason;
    return encodeProcessor({ id, name, status: "failed", usage: undefined });
  }
}

/** What operators ask. */
export const watchingOperations: readonly Operation[] = [
  {
    methods: ["GET"],
    path: "/metrics",
    roles: ["read"],
    rpcs: [],
    isOwn: true,
    mediaType: PROMETHEUS_TYPE,
    answer: metrics,
    summary: "Returns what this server has counted since it started, as Prometheus reads it; asks no processor.",
  },
  {
    methods: ["GET"],
    path: "/processors",
    roles: ["read"],
    rpcs: [AgentService.method.getGenome, InspectionService.method.getUsage],
    isOwn: true,
    answer: processors,
    summary: "Returns how much each processor of the agent has learned and how full it is; brings none into memory.",
  },
];
