/** The rows of watching: operators' queries about the deployment, and the alerts of processors. */

import type { DescMessage, DescMethodUnary, MessageInitShape, MessageShape } from "@bufbuild/protobuf";
import { ConnectError } from "@connectrpc/connect";
import { AgentService } from "../../gen/noema/v1/agent_service_pb";
import { AlertService } from "../../gen/noema/v1/alert_service_pb";
import { InspectionService } from "../../gen/noema/v1/inspection_service_pb";
import type { Agent } from "../agents/agent";
import type { Primitive } from "../agents/topology";
import { decodeAlertName, decodeGetAlerts, decodePutAlert } from "../decode/alert";
import { refuseUnknown } from "../decode/value";
import { encodeAlert, encodeAlerts } from "../encode/alert";
import { agentEnvelope, okay } from "../encode/envelope";
import { encodeRecentRequests } from "../encode/request";
import { type Answered, encodeProcessor, encodeToldOthers } from "../encode/usage";
import { list } from "../json/writer";
import { rolesFor } from "../keys/role";
import type { RequestContext } from "../request-context";
import { PROMETHEUS_TYPE, prometheusText } from "../watching/prometheus";
import { recentRequests } from "../watching/recent-requests";
import { decodeNothing, type Operation, processorCall } from "./operation";

const alert = AlertService.method;

/** Answers with the metrics of this isolate. */
async function metrics(context: RequestContext): Promise<string> {
  const body = await context.body();
  decodeNothing(body);
  refuseUnknown(body);
  return prometheusText();
}

/** Answers with the newest requests to this agent that this isolate remembers. */
async function recent(context: RequestContext): Promise<string> {
  const body = await context.body();
  decodeNothing(body);
  refuseUnknown(body);
  return agentEnvelope(encodeRecentRequests(recentRequests.of(context.agent.name)));
}

/** Number of processors asked concurrently. */
const ASKED_AT_ONCE = 16;

/** A question to several processors of the agent. */
interface Question<Input extends DescMessage, Output extends DescMessage> {
  readonly rpc: DescMethodUnary<Input, Output>;
  /** Whether to ask a processor. */
  asks(primitive: Primitive): boolean;
  encode(answered: Answered<MessageShape<Output>>): string;
}

/** Answers with the reply of each processor, in the order of the genome. Puts none into service. */
function askingAll<Input extends DescMessage, Output extends DescMessage>(question: Question<Input, Output>) {
  return async (context: RequestContext): Promise<string> => {
    const body = await context.body();
    decodeNothing(body);
    refuseUnknown(body);
    const { agent } = context;
    const primitives = (await agent.genome()).topology.primitives.filter(question.asks);
    const reports: string[] = [];
    for (let start = 0; start < primitives.length; start += ASKED_AT_ONCE) {
      const together = primitives.slice(start, start + ASKED_AT_ONCE);
      reports.push(...(await Promise.all(together.map((primitive) => reportOf(agent, primitive, question)))));
    }
    return agentEnvelope(list(reports));
  };
}

/** The report of one processor. A processor that cannot answer must not hide the others. */
async function reportOf<Input extends DescMessage, Output extends DescMessage>(
  agent: Agent,
  primitive: Primitive,
  { rpc, encode }: Question<Input, Output>,
): Promise<string> {
  const { id, name } = primitive;
  try {
    const answer = await agent.callIfInService(primitive, rpc, {} as MessageInitShape<Input>);
    return encode({ id, name, status: answer === undefined ? "unused" : "okay", answer });
  } catch (reason) {
    if (!(reason instanceof ConnectError)) throw reason;
    return encode({ id, name, status: "failed", answer: undefined });
  }
}

/** Operators' queries. */
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
    path: "/requests/recent",
    roles: ["read"],
    rpcs: [],
    isOwn: true,
    answer: recent,
    summary: "Returns the newest requests that failed, were refused or were slow, as this server remembers them.",
  },
  {
    methods: ["GET"],
    path: "/processors",
    roles: rolesFor(InspectionService.method.getUsage),
    rpcs: [AgentService.method.getGenome, InspectionService.method.getUsage],
    isOwn: true,
    answer: askingAll({ rpc: InspectionService.method.getUsage, asks: () => true, encode: encodeProcessor }),
    summary: "Returns how much each processor of the agent has learned and how full it is; loads none into memory.",
  },
  {
    methods: ["GET"],
    path: "/links",
    roles: rolesFor(InspectionService.method.getLinks),
    rpcs: [AgentService.method.getGenome, InspectionService.method.getLinks],
    isOwn: true,
    answer: askingAll({
      rpc: InspectionService.method.getLinks,
      // A processor on another server has no manipulatives here.
      asks: ({ tells, endpoint }) => tells && endpoint === "",
      encode: encodeToldOthers,
    }),
    summary: "Returns how many events went from processor to processor, and how many wait; loads none into memory.",
  },
];

/** Webhooks that a processor calls when something happens. */
export const alertOperations: readonly Operation[] = [
  processorCall({
    methods: ["GET"],
    path: "/:id/alerts",
    rpc: alert.getAlerts,
    isOwn: true,
    decode: decodeGetAlerts,
    encode: encodeAlerts,
    summary: "Returns all alerts by name, without their secrets.",
  }),
  processorCall({
    methods: ["GET"],
    path: "/:id/alerts/:alert",
    rpc: alert.getAlerts,
    isOwn: true,
    decode: decodeGetAlerts,
    encode: encodeAlert,
    summary: "Returns one alert, without its secret, and how its last delivery ended.",
  }),
  processorCall({
    methods: ["PUT"],
    path: "/:id/alerts/:alert",
    rpc: alert.putAlert,
    isOwn: true,
    decode: decodePutAlert,
    summary:
      "Sets an alert: what stands out becomes an incident, and a webhook is notified of that, of a forecast, " +
      "or of what is learned.",
  }),
  processorCall({
    methods: ["DELETE"],
    path: "/:id/alerts/:alert",
    rpc: alert.deleteAlert,
    isOwn: true,
    decode: decodeAlertName,
    encode: (reply) => okay(reply, '"alert-deleted"'),
    summary: "Deletes an alert, and what it has not delivered yet.",
  }),
  processorCall({
    methods: ["POST"],
    path: "/:id/alerts/:alert/test",
    rpc: alert.testAlert,
    isOwn: true,
    decode: decodeAlertName,
    summary: "Queues a test delivery, to see whether it arrives.",
  }),
];
