/**
 * IncidentService: surprising events in the memories of a processor, people's verdicts on them, and the latest events.
 */

import { getOption, type MessageInitShape } from "@bufbuild/protobuf";
import type { ServiceImpl } from "@connectrpc/connect";
import { type Bounds, bounds } from "../../gen/noema/v1/bounds_pb";
import type { IncidentSchema } from "../../gen/noema/v1/incident_pb";
import {
  GetHistoryRequestSchema,
  IncidentService,
  ListDevicesRequestSchema,
  ListIncidentsRequestSchema,
} from "../../gen/noema/v1/incident_service_pb";
import type { Device } from "../../gen/plain";
import { Fault } from "../../processor/ports/fault";
import { type DevicesAsked, type IncidentSummary, VERDICTS, type Verdict } from "../../processor/ports/incident";
import { excerpt } from "../../text/excerpt";
import { yieldToEventLoop } from "../transport/yield-to-event-loop";
import { incidentCounts } from "./memory/incident-counts";
import type { ProcessorHost, Serve } from "./serve";

const { method } = IncidentService;

/** The filter value besides the verdicts. */
const OPEN = "open" as const;

/** Incidents listed before other requests are served: the stored state of a running incident's memory can be 2 MB. */
const LISTED_AT_ONCE = 16;

type Listed = MessageInitShape<typeof IncidentSchema>;

/** Implements the service by the processor's verbs. */
export function incidentService(serve: Serve, host: ProcessorHost): ServiceImpl<typeof IncidentService> {
  const devices = serve(method.listDevices, (processor, request) => ({
    devices: processor.listDevices(devicesAsked(request)).map(deviceMessage),
  }));
  const listPart = serve(method.listIncidents, ({ incidents }, { after, limit, session, verdict }) => {
    const most = within("limit", limit, getOption(ListIncidentsRequestSchema.field.limit, bounds));
    const wanted = verdict === OPEN ? OPEN : verdictOf(verdict, [OPEN]);
    return { incidents: incidents.list({ before: after, session, verdict: wanted }, most).map(incidentMessage) };
  });
  return {
    listIncidents: async (request, context) => {
      const { standard = 0, most = 0 } = getOption(ListIncidentsRequestSchema.field.limit, bounds);
      const { limit = standard } = request;
      if (limit > most) return listPart(request, context);
      const incidents: Listed[] = [];
      for (let { after } = request; ; await yieldToEventLoop()) {
        const part = Math.min(limit - incidents.length, LISTED_AT_ONCE);
        const { incidents: more = [], stamp } = await listPart({ ...request, after, limit: part }, context);
        incidents.push(...more);
        after = more.at(-1)?.id;
        const isWhole = more.length < part || incidents.length === limit;
        if (isWhole) return { ...(stamp !== undefined && { stamp }), incidents };
      }
    },
    getIncident: serve(method.getIncident, ({ incidents }, { id }) => {
      const { evidence, ...incident } = incidents.get(id);
      return { incident: incidentMessage(incident), evidence };
    }),
    judgeIncident: serve(method.judgeIncident, ({ incidents }, { id, verdict, note }) => {
      const outcome = incidents.judge({ id, verdict: verdictOf(verdict), note });
      incidentCounts.judged++;
      return outcome;
    }),
    getHistory: serve(method.getHistory, ({ incidents }, { before, limit }) => {
      const most = within("limit", limit, getOption(GetHistoryRequestSchema.field.limit, bounds));
      const events = incidents.history(before, most);
      return { events: events.map(({ numbers, ...event }) => ({ ...event, numbers: [...numbers] })) };
    }),
    listDevices: async (request, context) => {
      const known = await host.devices?.(devicesAsked(request));
      if (known === undefined) return devices(request, context);
      return { stamp: known.stamp, devices: known.devices.map(deviceMessage) };
    },
  };
}

function devicesAsked({ limit, sessions }: { limit?: number | undefined; sessions: string[] }): DevicesAsked {
  return { limit: within("limit", limit, getOption(ListDevicesRequestSchema.field.limit, bounds)), sessions };
}

/** @throws Fault `invalid` for a number out of bounds */
function within(name: string, value: number | undefined, { least = 1, most = 0, standard = 0 }: Bounds): number {
  if (value === undefined) return standard;
  if (value >= least && value <= most) return value;
  throw new Fault("invalid", `${name} must be a whole number from ${least} to ${most}, got ${value}`);
}

/** @throws Fault `invalid` for any other word. @param besides other accepted words */
function verdictOf(word: string, besides: readonly string[] = []): Verdict | undefined {
  if (word === "") return undefined;
  const verdict = VERDICTS.find((one) => one === word);
  if (verdict !== undefined) return verdict;
  throw new Fault("invalid", `verdict must be one of ${[...besides, ...VERDICTS].join(", ")}, got ${excerpt(word)}`);
}

/** An incident as a message. */
export function incidentMessage(incident: IncidentSummary): MessageInitShape<typeof IncidentSchema> {
  const { isLearned: _, isRunning: __, verdict = "", ...rest } = incident;
  return { ...rest, verdict };
}

function deviceMessage({ lastSurprise, ...device }: Device) {
  return { ...device, ...(lastSurprise !== undefined && { lastSurprise }) };
}
