/** The rows of observing, learning, predicting and working memory. */

import { MemoryService } from "../../gen/noema/v1/memory_service_pb";
import { decodeGetPredictions, decodeObserve, decodeObserveSequence } from "../decode/memory";
import { decodeClearAllMemory } from "../decode/mode";
import { okay } from "../encode/envelope";
import {
  encodeCognition,
  encodeLearn,
  encodeObserve,
  encodeObserveSequence,
  encodePercept,
  encodePredictions,
  encodeWorkingMemory,
} from "../encode/memory";
import { nothing, type Operation, processorCall } from "./operation";

const memory = MemoryService.method;

/** Observing, learning, predicting. */
export const coreOperations: readonly Operation[] = [
  processorCall({
    verbs: ["POST"],
    path: "/:id/observe",
    rpc: memory.observe,
    decode: decodeObserve,
    encode: encodeObserve,
    summary: "Adds one record (a GDF) to working memory.",
  }),
  processorCall({
    verbs: ["POST"],
    path: "/:id/predictions",
    rpc: memory.getPredictions,
    decode: decodeGetPredictions,
    encode: encodePredictions,
    summary: "Returns what working memory predicts, best prediction first.",
  }),
  processorCall({
    verbs: ["POST"],
    path: "/:id/learn",
    rpc: memory.learn,
    decode: nothing,
    encode: encodeLearn,
    summary: "Stores working memory as a model, then clears working memory.",
  }),
  processorCall({
    verbs: ["POST"],
    path: "/:id/sequence-observe",
    rpc: memory.observeSequence,
    decode: decodeObserveSequence,
    encode: encodeObserveSequence,
    summary: "Observes several records in order, all or none; clears before and learns after if asked.",
  }),
  processorCall({
    verbs: ["POST"],
    path: "/:id/working-memory/clear",
    rpc: memory.clearWorkingMemory,
    decode: nothing,
    encode: (reply) => okay(reply, '"wm-cleared"'),
    summary: "Empties working memory without learning it.",
  }),
  processorCall({
    verbs: ["GET"],
    path: "/:id/working-memory",
    rpc: memory.getWorkingMemory,
    decode: nothing,
    encode: encodeWorkingMemory,
    summary: "Returns working memory.",
  }),
  processorCall({
    verbs: ["POST"],
    path: "/:id/clear-all-memory",
    rpc: memory.clearAllMemory,
    decode: decodeClearAllMemory,
    encode: (reply) => okay(reply, '"all-cleared"'),
    summary: "Deletes everything learned and observed; genes, flags and the target class stay.",
  }),
  processorCall({
    verbs: ["GET"],
    path: "/:id/percept-data",
    rpc: memory.getPercept,
    decode: nothing,
    encode: encodePercept,
    summary: "Returns the last observation as it was sent.",
  }),
  processorCall({
    verbs: ["GET"],
    path: "/:id/cognition-data",
    rpc: memory.getCognition,
    decode: nothing,
    encode: encodeCognition,
    summary: "Returns the last observation as the processor understood it, with working memory and predictions.",
  }),
];
