/** The client's call for the example of each operation. Add one for every operation that is added to the table. */

import * as client from "../../src/client";
import type { Json } from "./reference/entry";
import { reference } from "./reference/page";

/** The processor of the examples. */
const P1 = "p46b6b076c";
const MODEL = "dd80d2cd4340b28cb9b4ea8e55db91e1f6f60d4e";

interface OperationCall {
  /** The call whose request is that of the operation's example. */
  readonly make: (noema: client.Noema) => Promise<unknown>;
  /** What the call resolves to, from the example's answer. Its message when absent. */
  readonly result?: (answer: Readonly<Record<string, Json>>) => unknown;
  /** Whether it can be made in a session: then its function takes one. */
  readonly inSessions?: true;
  /** The name of the client's function, where it is not that of the operation. */
  readonly as?: keyof typeof client;
}

const at = (
  make: (processor: client.Processor) => Promise<unknown>,
  result?: OperationCall["result"],
): OperationCall => ({
  make: (noema) => make(client.processor(noema, P1)),
  ...(result && { result }),
});

const inMemory = (
  make: (memory: client.Memory) => Promise<unknown>,
  result?: OperationCall["result"],
): OperationCall => ({
  ...at(make, result),
  inSessions: true,
});

const whole: OperationCall["result"] = (answer) => answer;

const member =
  (name: string): OperationCall["result"] =>
  ({ message }) =>
    (message as Readonly<Record<string, Json>>)[name];

const text = async (stream: Promise<ReadableStream<Uint8Array>>) => JSON.parse(await new Response(await stream).text());

const GENOME = {
  agent: "simple",
  elements: {
    nodes: [
      { data: { type: "primitive" as const, id: "p46b6b076c", name: "P1", recall_threshold: 0.1 } },
      { data: { type: "primitive" as const, id: "p2", name: "P2", recall_threshold: 0.3 } },
    ],
  },
};

/** By operation. */
export const CALLS: { readonly [operation: string]: OperationCall } = {
  observe: inMemory((p) => client.observe(p, { strings: ["bus"], emotives: { joy: 1 }, unique_id: "bus-1" })),
  getPredictions: inMemory((p) => client.getPredictions(p)),
  countMatchingModels: inMemory((p) => client.countMatchingModels(p, { recall_thresholds: [0, 0.5, 0.9] })),
  getForecast: inMemory((p) => client.getForecast(p)),
  explainPrediction: inMemory((p) =>
    client.explainPrediction(p, { model: MODEL, sequence: [["coffee", "morning"], ["bus"]] }),
  ),
  explainForecast: inMemory((p) => client.explainForecast(p, { symbol: "bus" })),
  sequenceSurprise: inMemory((p) => client.sequenceSurprise(p, { sequence: [["coffee", "morning"], ["rain"]] })),
  explainSurprise: inMemory((p) => client.explainSurprise(p, { event: ["bus", "rain"] })),
  recordSymbols: at((p) => client.recordSymbols(p, { records: [{ strings: ["tea", "bread"] }] })),
  learn: inMemory((p) => client.learn(p)),
  observeSequence: inMemory(
    (p) =>
      client.observeSequence(p, { sequence: [{ strings: ["tea"] }, { strings: ["train"] }], clear: true, learn: true }),
    ({ message, learned_model }) => ({ observed: message, learned: learned_model }),
  ),
  clearWorkingMemory: inMemory((p) => client.clearWorkingMemory(p)),
  getWorkingMemory: inMemory((p) => client.getWorkingMemory(p)),
  clearAllMemory: at((p) => client.clearAllMemory(p)),
  listIncidents: inMemory((p) => client.listIncidents(p, { limit: 10 })),
  getIncident: inMemory((p) => client.getIncident(p, 1)),
  judgeIncident: inMemory((p) => client.judgeIncident(p, 1, { verdict: "fault", note: "wet sensor" })),
  getHistory: inMemory((p) => client.getHistory(p, { limit: 1 })),
  listDevices: { make: (noema) => client.listDevices(noema) },
  getPercept: inMemory((p) => client.getPercept(p)),
  getCognition: inMemory((p) => client.getCognition(p)),
  listSessions: at((p) => client.listSessions(p, { limit: 10 })),
  endSession: at((p) => client.endSession(p, "robot-1")),
  getLinks: { make: (noema) => client.getLinks(noema) },
  getProcessors: { make: (noema) => client.getProcessors(noema) },
  backup: {
    make: async (noema) => new Response(await client.backup(noema, { processor: "p46b6b076c" })).text(),
    result: whole,
  },
  restore: {
    make: (noema) => {
      const { body } = reference["POST /restore"]?.example.request ?? {};
      return client.restore(noema, String(body), { processor: "p46b6b076c" });
    },
  },
  getRecentRequests: { make: (noema) => client.getRecentRequests(noema) },
  getMetrics: { make: (noema) => client.getMetrics(noema), result: whole },
  pingAgent: { make: (noema) => client.pingAgent(noema), result: whole },
  connect: { make: (noema) => client.getConnection(noema), result: whole, as: "getConnection" },
  hotswapGenome: { make: (noema) => client.hotswapGenome(noema, GENOME), result: whole },
  createKey: {
    make: (noema) =>
      client.createKey(noema, { name: "sensor-7", roles: ["observe"], sessions: ["sensor-7"], per_minute: 600 }),
  },
  listKeys: { make: (noema) => client.listKeys(noema) },
  deleteKey: { make: (noema) => client.deleteKey(noema, "5f1d7a0c93be2468"), result: () => undefined },
  listMqttRoutes: { make: (noema) => client.listMqttRoutes(noema) },
  getMqttRoute: { make: (noema) => client.getMqttRoute(noema, "zigbee") },
  putMqttRoute: {
    make: (noema) =>
      client.putMqttRoute(noema, "zigbee", {
        topic: "zigbee2mqtt/+",
        processor: P1,
        session: "{2}",
        strings: ["occupancy"],
        numbers: ["temperature"],
      }),
  },
  deleteMqttRoute: { make: (noema) => client.deleteMqttRoute(noema, "zigbee"), result: () => undefined },
  ping: at((p) => client.ping(p), whole),
  getStatus: inMemory((p) => client.getStatus(p)),
  getName: at((p) => client.getName(p)),
  getInfo: at((p) => client.getInfo(p)),
  getTime: inMemory(
    (p) => client.getTime(p),
    ({ message }) => Number(message),
  ),
  startPredicting: at((p) => client.startPredicting(p)),
  stopPredicting: at((p) => client.stopPredicting(p)),
  startAutolearning: at((p) => client.startAutolearning(p)),
  stopAutolearning: at((p) => client.stopAutolearning(p)),
  startSleeping: at((p) => client.startSleeping(p)),
  stopSleeping: at((p) => client.stopSleeping(p)),
  setTargetClass: inMemory((p) => client.setTargetClass(p, "bus")),
  clearTargetClass: inMemory((p) => client.clearTargetClass(p)),
  incrementRecallThreshold: at((p) => client.incrementRecallThreshold(p, 0.2)),
  getGene: at((p) => client.getGene(p, "recall_threshold")),
  getAllGenes: at((p) => client.getAllGenes(p), member("genes")),
  listEncoders: at((p) => client.listEncoders(p)),
  getEncoder: at((p) => client.getEncoder(p, "temp")),
  putEncoder: at((p) => client.putEncoder(p, "temp", { kind: "step", size: 0.5, hysteresis: 0.1 })),
  deleteEncoder: at(
    (p) => client.deleteEncoder(p, "temp"),
    () => undefined,
  ),
  changeGenes: at((p) => client.changeGenes(p, { recall_threshold: 0.3, max_predictions: 10 })),
  listAlerts: at((p) => client.listAlerts(p)),
  getAlert: at((p) => client.getAlert(p, "failure")),
  setAlert: at((p) =>
    client.setAlert(p, "failure", {
      when: { forecast: { symbol: "bus", above: 0.5, horizon: 3 } },
      url: "https://hooks.example.org/noema",
      secret: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo=",
    }),
  ),
  deleteAlert: at(
    (p) => client.deleteAlert(p, "failure"),
    () => undefined,
  ),
  testAlert: at((p) => client.testAlert(p, "failure")),
  getModel: at((p) => client.getModel(p, MODEL)),
  deleteModel: at((p) => client.deleteModel(p, MODEL)),
  updateModel: at((p) => client.updateModel(p, MODEL, { sequence: [["coffee"], ["bus"]] })),
  addModel: at(
    (p) => client.addModel(p, { sequence: [["tea"], ["train"]], frequency: 2, emotives: { joy: [0.25, 0.75] } }),
    member("name"),
  ),
  forgetModels: at(
    (p) => client.forgetModels(p, { frequency_below: 2, keep_at_most: 1000, dry_run: true }),
    member("models"),
  ),
  findModelsWithSymbols: at((p) => client.findModelsWithSymbols(p, ["coffee", "bus"]), member("model_list")),
  findModelsWithPatterns: at((p) => client.findModelsWithPatterns(p, ["b.s", "cof+ee"]), member("model_list")),
  getPredictionsForModel: at((p) => client.getPredictionsForModel(p, MODEL)),
  listModels: at((p) => client.listModels(p, { sort: "frequency", name: "dd", limit: 10 })),
  listSymbols: at((p) => client.listSymbols(p, { sort: "name", direction: "asc", limit: 1 })),
  listVectors: at((p) => client.listVectors(p)),
  getSymbol: at((p) => client.getSymbol(p, "coffee")),
  getVector: at((p) => client.getVector(p, "VECTOR|33f9e6a09aa622f5e8a6e3338f1ce4e988a7f660")),
  removeSymbols: at((p) => client.removeSymbols(p, ["coffee"]), member("models")),
  removePatterns: at((p) => client.removePatterns(p, ["b.*"]), member("models")),
  addBlacklistedSymbols: at((p) => client.addBlacklistedSymbols(p, ["noise"])),
  listBlacklistedSymbols: at((p) => client.listBlacklistedSymbols(p)),
  removeBlacklistedSymbols: at((p) => client.removeBlacklistedSymbols(p, ["noise"])),
  getKnowledgeBase: at((p) => client.getKnowledgeBase(p)),
  exportKnowledgeBase: at((p) => text(client.exportKnowledgeBase(p)), whole),
  loadKnowledgeBase: at((p) =>
    client.loadKnowledgeBase(p, {
      models_kb: {
        d6139421d8d06e214d15781108601f8e69e5ae49: {
          sequence: [["tea"], ["train"]],
          frequency: 2,
          emotives: {},
          metadata: [{}, {}],
        },
      },
      symbols_kb: {},
      vectors_kb: {},
    }),
  ),
};

/** Operations that do the same as another one, which the client calls. */
export const SAME: { readonly [operation: string]: string } = {
  connectProcessor: "connect",
  hotswapProcessorGenome: "hotswapGenome",
  pingGateway: "pingAgent",
  readVector: "getVector",
  removeSymbolsByDelete: "removeSymbols",
};
