import { describe, expect, it } from "vitest";
import { operations } from "../../../src/gateway/operations/table";
import { AlertService } from "../../../src/gen/noema/v1/alert_service_pb";
import { EncoderService } from "../../../src/gen/noema/v1/encoder_service_pb";
import { GeneService } from "../../../src/gen/noema/v1/gene_service_pb";
import { IncidentService } from "../../../src/gen/noema/v1/incident_service_pb";
import { InspectionService } from "../../../src/gen/noema/v1/inspection_service_pb";
import { KeyService } from "../../../src/gen/noema/v1/key_service_pb";
import { KnowledgeService } from "../../../src/gen/noema/v1/knowledge_service_pb";
import { MemoryService } from "../../../src/gen/noema/v1/memory_service_pb";
import { RouteService } from "../../../src/gen/noema/v1/route_service_pb";
import { ENVELOPE, type Row, WRONG_BODIES } from "../../support/conformance/interface-row";
import { FILE_ROWS, ROWS, WITH_BODY, wrongBodiesOf } from "../../support/conformance/interface-rows";
import { P1, STAMP, TestGateway } from "../../support/gateway/test-gateway";

/** The identifier of a key, as keys have it. */
const KEY_ID = "5f1d7a0c93be2468";

/** A gateway whose processor gives the least that the bridge's contract asks for. */
function newGateway(): TestGateway {
  const gateway = new TestGateway();
  const observed = { awake: true, autoLearnedModel: "", predictionMade: false, uniqueId: "u" };
  gateway.answer(MemoryService.method.observe, { stamp: STAMP, observed });
  gateway.answer(MemoryService.method.getForecast, { stamp: STAMP, forecast: {} });
  gateway.answer(InspectionService.method.getStatus, { stamp: STAMP, status: {} });
  gateway.answer(KnowledgeService.method.listModels, { stamp: STAMP, place: {} });
  gateway.answer(KnowledgeService.method.listSymbols, { stamp: STAMP, place: {} });
  gateway.answer(KnowledgeService.method.listVectors, { stamp: STAMP, place: {} });
  gateway.answer(KnowledgeService.method.exportKnowledge, { stamp: STAMP, totals: {} });
  const gene = {
    name: "recall_threshold",
    value: { value: { case: "number", value: 0.1 } as const },
    text: "0.100000",
  };
  gateway.answer(KeyService.method.createKey, { key: { id: KEY_ID, rights: { name: "a key", roles: ["read"] } } });
  const route = { name: "x", topic: "sensors/+", processor: "{2}" };
  gateway.answer(RouteService.method.getRoutes, { revision: 1, routes: [route] });
  const encoderJson = '{"kind":"step","size":1}';
  gateway.answer(EncoderService.method.getEncoders, { stamp: STAMP, encoders: [{ name: "x", encoderJson }] });
  gateway.answer(EncoderService.method.putEncoder, { stamp: STAMP, encoderJson });
  const alert = {
    name: "x",
    when: { when: { case: "learned", value: true } as const },
    url: "https://hooks.example.org/",
  };
  gateway.answer(AlertService.method.getAlerts, { stamp: STAMP, alerts: [alert] });
  const incident = { id: 1, alert: "odd", events: 1 };
  gateway.answer(IncidentService.method.listIncidents, { stamp: STAMP, incidents: [incident] });
  gateway.answer(IncidentService.method.getIncident, { stamp: STAMP, incident, evidence: [{ symbols: ["x"] }] });
  const event = { interval: 1, symbols: ["x"] };
  gateway.answer(IncidentService.method.getHistory, { stamp: STAMP, events: [event] });
  gateway.answer(IncidentService.method.listDevices, { stamp: STAMP, devices: [{ session: "s" }] });
  gateway.answer(GeneService.method.getGenes, { stamp: STAMP, genes: [gene] });
  return gateway;
}

function pathOf({ path }: Row): string {
  return path
    .replace("<primitive_id>", P1)
    .replace("<gene>", "recall_threshold")
    .replace("<key>", KEY_ID)
    .replace("<incident>", "1")
    .replace(/<\w+>/, "x");
}

function kindOf(value: unknown): string {
  if (Array.isArray(value)) return "list";
  return typeof value;
}

/** The calls that reached a processor's services. Every request may ask the agent for its genome. */
function callsOfProcessors({ calls }: TestGateway): unknown[] {
  return calls.filter(({ rpc }) => !["GetGenome", "Ping"].includes(rpc));
}

describe("the interface", () => {
  it("is the table of operations, no more and no less", () => {
    const written = [...ROWS, ...FILE_ROWS].map(({ method, path }) => `${method} ${path}`);
    const built = operations.flatMap(({ methods, path }) =>
      methods.map((method) => `${method} ${path.replace(":id", "<primitive_id>").replace(/:(\w+)\+?/, "<$1>")}`),
    );
    expect([...built].sort()).toEqual([...written].sort());
    expect(new Set(built).size).toBe(built.length);
    for (const { summary } of operations) expect(summary).toMatch(/^[A-Z].*[^.]\.$/);
  });

  it.each(ROWS)("answers $method $path", async (row) => {
    const { status, json } = await newGateway().ask(
      row.method,
      pathOf(row),
      row.body === undefined ? {} : { body: row.body },
    );
    expect(status).toBe(200);
    expect(Object.keys(json)).toEqual(row.members ?? ENVELOPE);
    if (row.message !== undefined) expect(json.message).toEqual(row.message);
    if (row.kind !== undefined) expect(kindOf(json.message)).toBe(row.kind);
  });

  it.each(WITH_BODY)("refuses $method $path with a body cut short", async (row) => {
    const gateway = newGateway();
    const { status, json } = await gateway.ask(row.method, pathOf(row), { body: '{"data":' });
    expect([status, json.status, json.message]).toEqual([400, "failed", expect.any(String)]);
    expect(callsOfProcessors(gateway)).toEqual([]);
  });

  it.each(WITH_BODY)("answers $method $path with a wrong body as its row says", async (row) => {
    const gateway = newGateway();
    for (const [kind, { http, status, message }] of wrongBodiesOf(row)) {
      const answer = await gateway.ask(row.method, pathOf(row), { body: WRONG_BODIES[kind] });
      const { json } = answer;
      expect([kind, answer.status, json.status]).toEqual([kind, http, status]);
      expect(json.message).toEqual(message ?? expect.any(String));
      if (status === "okay") expect(json.detail).toMatch(/./);
    }
    expect(callsOfProcessors(gateway)).toEqual([]);
  });
});
