/** The rows of models, symbols, vectors, the blacklist and the whole knowledge base. */

import { KnowledgeService } from "../../gen/noema/v1/knowledge_service_pb";
import { decodeGetSymbol, decodeGetVector, decodePatterns, decodeSymbols } from "../decode/knowledge";
import { decodeListModels, decodeListSymbols, decodeListVectors, PAGE_QUERY } from "../decode/list-page";
import { decodeAddModel, decodeModelName, decodeUpdateModel } from "../decode/model";
import { okay } from "../encode/envelope";
import {
  encodeFindModels,
  encodeModel,
  encodeRemoveSymbols,
  encodeSymbol,
  encodeUpdateModel,
  encodeVector,
} from "../encode/knowledge";
import { encodeListModels, encodeListSymbols, encodeListVectors } from "../encode/knowledge-lists";
import { encodePredictions } from "../encode/memory";
import { texts } from "../json/writer";
import { rolesFor } from "../keys/role";
import { exportKnowledgeBase, exportRaw } from "../knowledge-base/export";
import { loadKnowledgeBase } from "../knowledge-base/load";
import { type Operation, processorCall } from "./operation";

const knowledge = KnowledgeService.method;

/** Models. */
export const modelOperations: readonly Operation[] = [
  processorCall({
    methods: ["GET"],
    path: "/:id/model/:model",
    rpc: knowledge.getModel,
    decode: decodeModelName,
    encode: encodeModel,
    summary: "Returns a model, or an empty object if there is none with this name.",
  }),
  processorCall({
    methods: ["DELETE"],
    path: "/:id/model/:model",
    rpc: knowledge.deleteModel,
    decode: decodeModelName,
    encode: (reply) => okay(reply, reply.deleted ? '"deleted"' : '"model-not-found"'),
    summary: "Deletes a model.",
  }),
  processorCall({
    methods: ["PUT"],
    path: "/:id/model/:model",
    rpc: knowledge.updateModel,
    decode: decodeUpdateModel,
    encode: encodeUpdateModel,
    summary: "Replaces members of a model; a new sequence gives the model a new name.",
  }),
  processorCall({
    methods: ["PUT"],
    path: "/:id/add-model",
    rpc: knowledge.addModel,
    decode: decodeAddModel,
    summary: "Adds a model as if the processor had learned it.",
  }),
  processorCall({
    methods: ["POST"],
    path: "/:id/forget",
    isOwn: true,
    rpc: knowledge.forgetModels,
    summary: "Forgets rarely learned models, or counts them.",
  }),
  processorCall({
    methods: ["POST"],
    path: "/:id/get-models-with-symbols",
    rpc: knowledge.findModels,
    decode: decodeSymbols,
    encode: encodeFindModels,
    summary: "Returns the names of the models that hold all of the symbols.",
  }),
  processorCall({
    methods: ["POST"],
    path: "/:id/get-models-with-patterns",
    rpc: knowledge.findModels,
    decode: decodePatterns,
    encode: encodeFindModels,
    summary: "Returns the names of the models in which every regular expression matches a whole symbol.",
  }),
  processorCall({
    methods: ["GET"],
    path: "/:id/models",
    isOwn: true,
    query: [...PAGE_QUERY, "name", "symbol", "pattern"],
    rpc: knowledge.listModels,
    decode: decodeListModels,
    encode: encodeListModels,
    summary: "Lists models, sorted and searched, a page at a time.",
  }),
  processorCall({
    methods: ["GET"],
    path: "/:id/prediction-ensemble-for-model/:model",
    isOwn: true,
    rpc: knowledge.getPredictionsForModel,
    decode: (body, address) => ({ ...decodeModelName(body, address), packed: true }),
    encode: (reply) => encodePredictions(reply),
    summary: "Returns predictions as if the model's sequence were in working memory.",
  }),
];

/** The members of the rows that return a vector, except their methods. */
const vectorRow = {
  path: "/:id/vector",
  query: ["data"],
  rpc: knowledge.getVector,
  decode: decodeGetVector,
  encode: encodeVector,
  failureTimeStamp: -1,
};

/** Symbols, vectors and the blacklist. */
export const symbolOperations: readonly Operation[] = [
  processorCall({
    methods: ["GET"],
    path: "/:id/symbol/:symbol+",
    isOwn: true,
    rpc: knowledge.getSymbol,
    decode: decodeGetSymbol,
    encode: encodeSymbol,
    summary: "Returns a symbol's counters, or null if the symbol is unknown.",
  }),
  processorCall({
    methods: ["GET"],
    ...vectorRow,
    summary: "Returns a learned vector; the body or the query's `data` names it.",
  }),
  processorCall({
    methods: ["POST"],
    isOwn: true,
    ...vectorRow,
    summary: "Does the same as GET, for clients that cannot send a body with GET.",
  }),
  processorCall({
    methods: ["GET"],
    path: "/:id/symbols",
    isOwn: true,
    query: [...PAGE_QUERY, "name", "pattern"],
    rpc: knowledge.listSymbols,
    decode: decodeListSymbols,
    encode: encodeListSymbols,
    summary: "Lists the symbols in models, sorted and searched, a page at a time.",
  }),
  processorCall({
    methods: ["GET"],
    path: "/:id/vectors",
    isOwn: true,
    query: [...PAGE_QUERY, "name"],
    rpc: knowledge.listVectors,
    decode: decodeListVectors,
    encode: encodeListVectors,
    summary: "Lists the learned vectors, sorted and searched, a page at a time.",
  }),
  processorCall({
    methods: ["DELETE", "POST"],
    path: "/:id/symbols/remove",
    rpc: knowledge.removeSymbols,
    decode: decodeSymbols,
    encode: encodeRemoveSymbols,
    summary: "Removes symbols from all models and blacklists them.",
  }),
  processorCall({
    methods: ["DELETE"],
    path: "/:id/patterns/remove",
    rpc: knowledge.removeSymbols,
    decode: decodePatterns,
    encode: encodeRemoveSymbols,
    summary: "Removes the symbols that the regular expressions match from all models, without blacklisting them.",
  }),
  processorCall({
    methods: ["POST"],
    path: "/:id/blacklisted-symbols/add",
    rpc: knowledge.addBlacklistedSymbols,
    decode: decodeSymbols,
    encode: (reply) => okay(reply, '"added-blacklisted-symbols"'),
    summary: "Blacklists symbols: later observations drop them.",
  }),
  processorCall({
    methods: ["GET"],
    path: "/:id/list-blacklisted-symbols",
    rpc: knowledge.listBlacklistedSymbols,
    encode: (reply) => okay(reply, texts(reply.symbols)),
    summary: "Returns the blacklisted symbols in the order in which they were added.",
  }),
  processorCall({
    methods: ["DELETE"],
    path: "/:id/blacklisted-symbols/remove",
    rpc: knowledge.removeBlacklistedSymbols,
    decode: decodeSymbols,
    encode: (reply) =>
      okay(
        reply,
        reply.unknown.length === 0 ? '"removed-blacklisted-symbols"' : '"failed-to-remove-some-symbols-from-blacklist"',
      ),
    summary: "Takes symbols off the blacklist.",
  }),
];

/** The whole knowledge base. */
export const baseOperations: readonly Operation[] = [
  {
    methods: ["GET"],
    path: "/:id/get_kb",
    roles: rolesFor(knowledge.exportKnowledge),
    query: ["order"],
    rpcs: [knowledge.exportKnowledge],
    answer: exportKnowledgeBase,
    summary: "Returns the knowledge base, as an object or as a list of records.",
  },
  {
    methods: ["GET"],
    path: "/:id/get_kb/raw",
    roles: rolesFor(knowledge.exportKnowledge),
    isOwn: true,
    query: ["order"],
    rpcs: [knowledge.exportKnowledge],
    answer: exportRaw,
    summary: "Returns the knowledge base without an envelope, as a file for load_kb.",
  },
  {
    methods: ["POST"],
    path: "/:id/load_kb",
    roles: rolesFor(knowledge.beginLoad),
    query: ["mode"],
    rpcs: [
      knowledge.beginLoad,
      knowledge.loadKnowledge,
      knowledge.commitLoad,
      knowledge.mergeLoad,
      knowledge.abortLoad,
    ],
    answer: loadKnowledgeBase,
    summary: "Replaces the knowledge base by a file, or merges the file into it, all or nothing.",
  },
];
