/** The rows of the interface specification's core operations: observe, learn, clear, predict; and of their kin. */

import { MemoryService } from "../../gen/noema/v1/memory_service_pb";
import { decodeGetPredictions, decodeObserve, decodeObserveSequence } from "../decode/gdf";
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

/** What a processor lives through. */
export const coreOperations: readonly Operation[] = [
  processorCall({
    verbs: ["POST"],
    path: "/:id/observe",
    rpc: memory.observe,
    decode: decodeObserve,
    encode: encodeObserve,
    doc: "Takes one record (a GDF) into working memory.",
  }),
  processorCall({
    verbs: ["POST"],
    path: "/:id/predictions",
    rpc: memory.getPredictions,
    decode: decodeGetPredictions,
    encode: encodePredictions,
    doc: "Lists what the current working memory predicts, best first.",
  }),
  processorCall({
    verbs: ["POST"],
    path: "/:id/learn",
    rpc: memory.learn,
    decode: nothing,
    encode: encodeLearn,
    doc: "Stores working memory as a model and clears it.",
  }),
  processorCall({
    verbs: ["POST"],
    path: "/:id/sequence-observe",
    rpc: memory.observeSequence,
    decode: decodeObserveSequence,
    encode: encodeObserveSequence,
    doc: "Takes several records in order, all or none; clears before and learns after when asked.",
  }),
  processorCall({
    verbs: ["POST"],
    path: "/:id/working-memory/clear",
    rpc: memory.clearWorkingMemory,
    decode: nothing,
    encode: (reply) => okay(reply, '"wm-cleared"'),
    doc: "Empties working memory.",
  }),
  processorCall({
    verbs: ["GET"],
    path: "/:id/working-memory",
    rpc: memory.getWorkingMemory,
    decode: nothing,
    encode: encodeWorkingMemory,
    doc: "Reads working memory: a list of events, each a list of symbols.",
  }),
  processorCall({
    verbs: ["POST"],
    path: "/:id/clear-all-memory",
    rpc: memory.clearAllMemory,
    decode: decodeClearAllMemory,
    encode: (reply) => okay(reply, '"all-cleared"'),
    doc: "Forgets everything learned and observed; genes and flags stay.",
  }),
  processorCall({
    verbs: ["GET"],
    path: "/:id/percept-data",
    rpc: memory.getPercept,
    decode: nothing,
    encode: encodePercept,
    doc: "Reads the last observation as it came.",
  }),
  processorCall({
    verbs: ["GET"],
    path: "/:id/cognition-data",
    rpc: memory.getCognition,
    decode: nothing,
    encode: encodeCognition,
    doc: "Reads the last observation as it was understood, with working memory and predictions.",
  }),
];
