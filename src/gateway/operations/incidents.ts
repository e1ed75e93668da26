/** The rows of incidents, of the history of a memory, and of all memories at a glance. */

import { AgentService } from "../../gen/noema/v1/agent_service_pb";
import {
  IncidentService,
  type ListDevicesRequest,
  ListDevicesRequestSchema,
} from "../../gen/noema/v1/incident_service_pb";
import {
  decodeGetHistory,
  decodeIncidentId,
  decodeJudgeIncident,
  decodeListIncidents,
  numberIn,
} from "../decode/incident";
import { refuseUnknown } from "../decode/value";
import { ListedDevices } from "../encode/devices";
import { agentEnvelope } from "../encode/envelope";
import { encodeHistory, encodeIncident, encodeJudgement } from "../encode/incident";
import { rolesFor } from "../keys/role";
import type { RequestContext } from "../request-context";
import { decodeNothing, encodeField, type Operation, processorCall } from "./operation";

const incident = IncidentService.method;

/** Incidents, and people's verdicts on them. */
export const incidentOperations: readonly Operation[] = [
  processorCall({
    methods: ["GET"],
    path: "/:id/incidents",
    inSessions: true,
    rpc: incident.listIncidents,
    isOwn: true,
    query: ["after", "limit", "session", "verdict"],
    decode: decodeListIncidents,
    encode: encodeField(incident.listIncidents.output, "incidents"),
    summary: "Lists incidents, newest first: events that passed an alert close together.",
  }),
  processorCall({
    methods: ["GET"],
    path: "/:id/incidents/:incident",
    inSessions: true,
    rpc: incident.getIncident,
    isOwn: true,
    decode: decodeIncidentId,
    encode: encodeIncident,
    summary: "Returns one incident with its evidence.",
  }),
  processorCall({
    methods: ["PUT"],
    path: "/:id/incidents/:incident",
    inSessions: true,
    rpc: incident.judgeIncident,
    isOwn: true,
    decode: decodeJudgeIncident,
    encode: encodeJudgement,
    summary: "Sets an incident's verdict; the first time it is normal, the incident's events are learned.",
  }),
  processorCall({
    methods: ["GET"],
    path: "/:id/history",
    inSessions: true,
    rpc: incident.getHistory,
    isOwn: true,
    query: ["before", "limit"],
    decode: decodeGetHistory,
    encode: encodeHistory,
    summary: "Returns the history of a memory: its newest events, newest first.",
  }),
  {
    methods: ["GET"],
    path: "/devices",
    roles: rolesFor(incident.listDevices),
    rpcs: [AgentService.method.getGenome, incident.listDevices],
    isOwn: true,
    limitsItself: true,
    query: ["limit"],
    answer: listDevices,
    summary: "Lists the memories of all processors that have observed, those that need a look first.",
  },
];

/** Number of processors asked concurrently: each may answer with the full number of memories. */
const ASKED_AT_ONCE = 4;

/** Answers with the memories of all processors that the key opens. A processor that cannot answer is left out. */
async function listDevices(context: RequestContext): Promise<string> {
  const body = await context.body();
  decodeNothing(body);
  refuseUnknown(body);
  const { agent, query, rights } = context;
  const asked: Pick<ListDevicesRequest, "limit" | "sessions"> = {
    ...numberIn(query, "limit", ListDevicesRequestSchema.field.limit),
    sessions: [...(rights.sessions ?? [])],
  };
  const listed = new ListedDevices(asked.limit);
  const { primitives } = (await agent.genome()).topology;
  const opened = primitives.filter(({ id }) => rights.processors?.includes(id) ?? true);
  for (let start = 0; start < opened.length; start += ASKED_AT_ONCE) {
    const together = opened.slice(start, start + ASKED_AT_ONCE);
    const answers = together.map((primitive) => agent.callIfInService(primitive, incident.listDevices, asked));
    for (const [at, answer] of (await Promise.allSettled(answers)).entries()) {
      const { id = "" } = together[at] ?? {};
      if (answer.status === "fulfilled" && answer.value !== undefined) listed.add(id, answer.value.devices);
    }
    listed.cut();
  }
  return agentEnvelope(listed.encode());
}
