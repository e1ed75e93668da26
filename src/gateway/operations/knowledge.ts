/** The rows about models, symbols and vectors, and about symbols that must not be seen. */

import { KnowledgeService } from "../../gen/noema/v1/knowledge_service_pb";
import { decodeGetSymbol, decodeGetVector, decodePatterns, decodeSymbols } from "../decode/knowledge";
import { decodeAddModel, decodeModelName, decodeUpdateModel } from "../decode/model";
import { okay } from "../encode/envelope";
import {
  encodeAddModel,
  encodeFindModels,
  encodeModel,
  encodeRemoveSymbols,
  encodeSymbol,
  encodeUpdateModel,
  encodeVector,
} from "../encode/knowledge";
import { foretold } from "../encode/prediction";
import { texts } from "../json/writer";
import { exportKnowledgeBase, exportRaw } from "../knowledge-base/export";
import { loadKnowledgeBase } from "../knowledge-base/load";
import { nothing, type Operation, processorCall } from "./operation";

const knowledge = KnowledgeService.method;

/** The models. */
export const modelOperations: readonly Operation[] = [
  processorCall({
    verbs: ["GET"],
    path: "/:id/model/:model",
    rpc: knowledge.getModel,
    decode: decodeModelName,
    encode: encodeModel,
    doc: "Reads a model; an empty object when there is none of the name.",
  }),
  processorCall({
    verbs: ["DELETE"],
    path: "/:id/model/:model",
    rpc: knowledge.deleteModel,
    decode: decodeModelName,
    encode: (reply) => okay(reply, reply.deleted ? '"deleted"' : '"model-not-found"'),
    doc: "Removes a model.",
  }),
  processorCall({
    verbs: ["PUT"],
    path: "/:id/model/:model",
    rpc: knowledge.updateModel,
    decode: decodeUpdateModel,
    encode: encodeUpdateModel,
    doc: "Replaces members of a model; a new sequence renames it.",
  }),
  processorCall({
    verbs: ["PUT"],
    path: "/:id/add-model",
    rpc: knowledge.addModel,
    decode: decodeAddModel,
    encode: encodeAddModel,
    doc: "Adds a model as if it had been learned.",
  }),
  processorCall({
    verbs: ["POST"],
    path: "/:id/get-models-with-symbols",
    rpc: knowledge.findModels,
    decode: decodeSymbols,
    encode: encodeFindModels,
    doc: "Lists the models that hold all of the symbols.",
  }),
  processorCall({
    verbs: ["POST"],
    path: "/:id/get-models-with-patterns",
    rpc: knowledge.findModels,
    decode: decodePatterns,
    encode: encodeFindModels,
    doc: "Lists the models in which every regular expression matches a whole symbol.",
  }),
  processorCall({
    verbs: ["GET"],
    path: "/:id/prediction-ensemble-for-model/:model",
    rpc: knowledge.getPredictionsForModel,
    decode: (body, address) => ({ ...decodeModelName(body, address), packed: true }),
    encode: (reply) => okay(reply, foretold(reply)),
    doc: "Predicts as if the model's sequence were in working memory.",
  }),
];

/** The symbols and vectors. */
export const symbolOperations: readonly Operation[] = [
  processorCall({
    verbs: ["GET"],
    path: "/:id/symbol/:symbol+",
    rpc: knowledge.getSymbol,
    decode: decodeGetSymbol,
    encode: encodeSymbol,
    doc: "Reads a symbol; null when it is not known.",
  }),
  processorCall({
    verbs: ["GET", "POST"],
    path: "/:id/vector",
    rpc: knowledge.getVector,
    decode: decodeGetVector,
    encode: encodeVector,
    failureTimeStamp: -1,
    doc: "Reads a learned vector, named in the body or in the query's data.",
  }),
  processorCall({
    verbs: ["DELETE", "POST"],
    path: "/:id/symbols/remove",
    rpc: knowledge.removeSymbols,
    decode: decodeSymbols,
    encode: encodeRemoveSymbols,
    doc: "Removes symbols from every model and blacklists them.",
  }),
  processorCall({
    verbs: ["DELETE"],
    path: "/:id/patterns/remove",
    rpc: knowledge.removeSymbols,
    decode: decodePatterns,
    encode: encodeRemoveSymbols,
    doc: "Removes the symbols that regular expressions match whole from every model.",
  }),
  processorCall({
    verbs: ["POST"],
    path: "/:id/blacklisted-symbols/add",
    rpc: knowledge.addBlacklistedSymbols,
    decode: decodeSymbols,
    encode: (reply) => okay(reply, '"added-blacklisted-symbols"'),
    doc: "Drops symbols from observations from now on.",
  }),
  processorCall({
    verbs: ["GET"],
    path: "/:id/list-blacklisted-symbols",
    rpc: knowledge.listBlacklistedSymbols,
    decode: nothing,
    encode: (reply) => okay(reply, texts(reply.symbols)),
    doc: "Lists the symbols that are dropped from observations, in the order of adding.",
  }),
  processorCall({
    verbs: ["DELETE"],
    path: "/:id/blacklisted-symbols/remove",
    rpc: knowledge.removeBlacklistedSymbols,
    decode: decodeSymbols,
    encode: (reply) =>
      okay(
        reply,
        reply.unknown.length === 0 ? '"removed-blacklisted-symbols"' : '"failed-to-remove-some-symbols-from-blacklist"',
      ),
    doc: "Stops dropping symbols from observations.",
  }),
];

/** The knowledge base as a whole. */
export const baseOperations: readonly Operation[] = [
  {
    verbs: ["GET"],
    path: "/:id/get_kb",
    rpcs: [knowledge.exportKnowledge],
    answer: exportKnowledgeBase,
    doc: "Reads the knowledge base, as an object or, when asked, as a list of lines.",
  },
  {
    verbs: ["GET"],
    path: "/:id/get_kb/raw",
    rpcs: [knowledge.exportKnowledge],
    answer: exportRaw,
    doc: "Reads the knowledge base alone, as a file that load_kb takes.",
  },
  {
    verbs: ["POST"],
    path: "/:id/load_kb",
    rpcs: [knowledge.beginLoad, knowledge.loadKnowledge, knowledge.commitLoad, knowledge.abortLoad],
    answer: loadKnowledgeBase,
    doc: "Replaces the knowledge base, all or nothing.",
  },
];
