/** The rows of observing, learning, predicting, explaining and working memory. */

import { MemoryService } from "../../gen/noema/v1/memory_service_pb";
import { decodeExplainPrediction } from "../decode/explanation";
import { decodeData } from "../decode/from-contract";
import {
  decodeClearAllMemory,
  decodeEndSession,
  decodeGetPredictions,
  decodeGetRecordSymbols,
  decodeListSessions,
  decodeObserve,
  decodeObserveSequence,
  EXPLAIN,
} from "../decode/memory";
import { okay } from "../encode/envelope";
import { encodePredictionExplanation } from "../encode/explanation";
import { encodeForecast } from "../encode/forecast";
import {
  encodeCognition,
  encodeLearn,
  encodeMatchingModels,
  encodeObserve,
  encodeObserveSequence,
  encodePercept,
  encodePredictions,
} from "../encode/memory";
import { rolesForObserving } from "../keys/role";
import { encodeField, type Operation, processorCall } from "./operation";

const memory = MemoryService.method;

/** Observing and learning, and reading what was observed. */
export const observingOperations: readonly Operation[] = [
  processorCall({
    methods: ["POST"],
    path: "/:id/observe",
    inSessions: true,
    rpc: memory.observe,
    query: [EXPLAIN],
    alsoNeeds: rolesForObserving,
    decode: decodeObserve,
    encode: encodeObserve,
    summary: "Adds one record (a GDF) to working memory.",
  }),
  processorCall({
    methods: ["POST"],
    path: "/:id/learn",
    inSessions: true,
    rpc: memory.learn,
    encode: encodeLearn,
    summary: "Stores working memory as a model, then clears working memory.",
  }),
  processorCall({
    methods: ["POST"],
    path: "/:id/sequence-observe",
    inSessions: true,
    rpc: memory.observeSequence,
    isOwn: true,
    query: [EXPLAIN],
    alsoNeeds: rolesForObserving,
    decode: decodeObserveSequence,
    encode: encodeObserveSequence,
    summary: "Observes several records in order, all or none; clears before and learns after if asked.",
  }),
  processorCall({
    methods: ["POST"],
    path: "/:id/working-memory/clear",
    inSessions: true,
    rpc: memory.clearWorkingMemory,
    encode: (reply) => okay(reply, '"wm-cleared"'),
    summary: "Empties working memory without learning it.",
  }),
  processorCall({
    methods: ["GET"],
    path: "/:id/working-memory",
    inSessions: true,
    rpc: memory.getWorkingMemory,
    encode: encodeField(memory.getWorkingMemory.output, "events"),
    summary: "Returns working memory.",
  }),
  processorCall({
    methods: ["POST"],
    path: "/:id/clear-all-memory",
    rpc: memory.clearAllMemory,
    decode: decodeClearAllMemory,
    encode: (reply) => okay(reply, '"all-cleared"'),
    summary: "Deletes everything learned and observed; genes, flags and the target class stay.",
  }),
  processorCall({
    methods: ["GET"],
    path: "/:id/percept-data",
    inSessions: true,
    rpc: memory.getPercept,
    encode: encodePercept,
    summary: "Returns the last observation as it was sent.",
  }),
];

/** Forecasts, and the surprise of whole sequences. */
export const predictingOperations: readonly Operation[] = [
  processorCall({
    methods: ["POST"],
    path: "/:id/predictions",
    inSessions: true,
    rpc: memory.getPredictions,
    decode: decodeGetPredictions,
    encode: encodePredictions,
    summary: "Returns what working memory predicts, or what a sequence would, best prediction first.",
  }),
  processorCall({
    methods: ["POST"],
    path: "/:id/forecast",
    inSessions: true,
    rpc: memory.getForecast,
    isOwn: true,
    decode: decodeData(memory.getForecast.input, { isBodyOptional: true }),
    encode: encodeForecast,
    summary: "Says what comes next after working memory, or after a sequence, and how likely it is.",
  }),
  processorCall({
    methods: ["POST"],
    path: "/:id/matching-models",
    inSessions: true,
    rpc: memory.countMatchingModels,
    isOwn: true,
    decode: decodeData(memory.countMatchingModels.input, { isBodyOptional: true }),
    encode: encodeMatchingModels,
    summary: "Counts how many models working memory, or a sequence, would match with each recall threshold.",
  }),
  processorCall({
    methods: ["POST"],
    path: "/:id/surprise/sequence",
    inSessions: true,
    rpc: memory.getSequenceSurprise,
    isOwn: true,
    encode: encodeField(memory.getSequenceSurprise.output, "surprise"),
    summary: "Says how unusual a whole sequence would be, and why; nothing is observed.",
  }),
  processorCall({
    methods: ["POST"],
    path: "/:id/record-symbols",
    rpc: memory.getRecordSymbols,
    isOwn: true,
    decode: decodeGetRecordSymbols,
    encode: encodeField(memory.getRecordSymbols.output, "events"),
    summary: "Says which symbols records would make, vectors too; nothing is observed.",
  }),
  processorCall({
    methods: ["GET"],
    path: "/:id/cognition-data",
    inSessions: true,
    rpc: memory.getCognition,
    encode: encodeCognition,
    summary: "Returns the last observation as the processor understood it, with working memory and predictions.",
  }),
];

/** Explanations of predictions, forecasts and surprises. */
export const explainingOperations: readonly Operation[] = [
  processorCall({
    methods: ["POST"],
    path: "/:id/predictions/explain",
    inSessions: true,
    rpc: memory.explainPrediction,
    isOwn: true,
    decode: decodeExplainPrediction,
    encode: encodePredictionExplanation,
    summary: "Returns what the numbers of a prediction are computed from.",
  }),
  processorCall({
    methods: ["POST"],
    path: "/:id/forecast/explain",
    inSessions: true,
    rpc: memory.explainForecast,
    isOwn: true,
    encode: encodeField(memory.explainForecast.output, "explanation"),
    summary: "Says why a symbol has its probability in a forecast.",
  }),
  processorCall({
    methods: ["POST"],
    path: "/:id/surprise/explain",
    inSessions: true,
    rpc: memory.explainSurprise,
    isOwn: true,
    encode: encodeField(memory.explainSurprise.output, "explanation"),
    summary: "Says how unexpected an event would be, and why; nothing is observed.",
  }),
];

/** The sessions of a processor. */
export const sessionOperations: readonly Operation[] = [
  processorCall({
    methods: ["GET"],
    path: "/:id/sessions",
    rpc: memory.listSessions,
    isOwn: true,
    query: ["after", "limit"],
    decode: decodeListSessions,
    encode: encodeField(memory.listSessions.output, "sessions"),
    summary: "Lists sessions by name.",
  }),
  processorCall({
    methods: ["DELETE"],
    path: "/:id/sessions/:session",
    rpc: memory.endSession,
    isOwn: true,
    decode: decodeEndSession,
    encode: (reply) => okay(reply, '"session-ended"'),
    summary: "Ends a session: its memory is gone, and what it has learned stays.",
  }),
];
