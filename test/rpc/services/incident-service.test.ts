/** Lists of incidents are read in parts, and others are served between them. */

import { expect, test } from "vitest";
import { IncidentService } from "../../../src/gen/noema/v1/incident_service_pb";
import type { IncidentFilter } from "../../../src/processor/ports/incident";
import type { Processor } from "../../../src/processor/processor";
import { incidentService } from "../../../src/rpc/services/incident-service";
import { type ProcessorHost, serveOn } from "../../../src/rpc/services/serve";
import { messageFromBytes, messageToBytes } from "../../../src/rpc/transport/message-bytes";
import { UnaryServer } from "../../../src/rpc/transport/unary-server";

/** The newest incident of the processor that is asked. */
const NEWEST = 100;

/** A host of a processor that notes when its incidents are listed. */
function listing(happened: string[]): UnaryServer {
  const list = ({ before = NEWEST + 1, session }: IncidentFilter, limit: number) => {
    happened.push("listed");
    const ids = Array.from({ length: Math.min(limit, before - 1) }, (_, at) => before - 1 - at);
    return ids.map((id) => ({
      id,
      alert: "odd",
      session,
      note: "",
      events: 1,
      from: id,
      to: id,
      interval: id,
      bits: 9,
    }));
  };
  const processor = { id: "p", time: 7, incidents: { list } } as unknown as Processor;
  const run = <Reply>(_: boolean, verb: (processor: Processor) => Reply) => verb(processor);
  const host = { run, processor: () => processor } as unknown as ProcessorHost;
  const server = new UnaryServer((error) => {
    throw error;
  });
  server.service(IncidentService, incidentService(serveOn(host), host));
  return server;
}

test.each([
  [undefined, 100],
  [1000, 100],
  [50, 50],
  [16, 16],
  [1, 1],
])("a limit of %s lists %i incidents, newest first, and others are served between parts", async (limit, listed) => {
  const happened: string[] = [];
  const server = listing(happened);
  const { input, output } = IncidentService.method.listIncidents;
  const other = () => {
    happened.push("other");
    timer = setTimeout(other);
  };
  let timer = setTimeout(other);
  const request = { session: "s", ...(limit !== undefined && { limit }) };
  const reply = await server.call("/noema.v1.IncidentService/ListIncidents", messageToBytes(input, request));
  clearTimeout(timer);
  if (typeof reply === "string") throw new Error(reply);
  const { incidents, stamp } = messageFromBytes(output, reply);
  expect(incidents.map(({ id }) => id)).toEqual(Array.from({ length: listed }, (_, at) => NEWEST - at));
  expect(incidents.every(({ session }) => session === "s")).toBe(true);
  expect(stamp).toMatchObject({ id: "p", time: 7 });
  expect(happened.join(" ")).not.toContain("listed listed");
});
