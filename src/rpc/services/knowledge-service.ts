/** KnowledgeService: the knowledge of a processor. */

import type { MessageInitShape } from "@bufbuild/protobuf";
import type { HandlerContext, ServiceImpl } from "@connectrpc/connect";
import {
  type ForgetModelsRequest,
  KnowledgeSection,
  KnowledgeService,
  type MergeLoadResponseSchema,
  type RemoveSymbolsRequest,
} from "../../gen/noema/v1/knowledge_service_pb";
import { Fault } from "../../processor/ports/fault";
import type { Processor } from "../../processor/processor";
import { yieldToEventLoop } from "../transport/yield-to-event-loop";
import { assertEnsembleFits } from "./answer-budget";
import type { ProcessorHost, Serve } from "./serve";

const { method } = KnowledgeService;

/** The processor's name of a section of the knowledge base. */
function sectionOf(section: KnowledgeSection): "models" | "symbols" | "vectors" {
  switch (section) {
    case KnowledgeSection.MODELS:
      return "models";
    case KnowledgeSection.SYMBOLS:
      return "symbols";
    case KnowledgeSection.VECTORS:
      return "vectors";
    default:
      // A newer client may send a number unknown to this release.
      throw new Fault("invalid", `the section must be 1 (models), 2 (symbols) or 3 (vectors), got ${section}`);
  }
}

/** Approximate bytes of a changed model in the answer: two names of 40 characters, each with its field and length. */
const RENAME_BYTES = 86;

/**
 * Removes symbols part by part: each part is a transaction, and others get turns in between. With an idempotency key,
 * the answer so far is kept with each part. If the call is repeated, after it broke off or while it is running, it
 * resumes there.
 */
async function removeSymbols(serve: Serve, request: RemoveSymbolsRequest, context: HandlerContext) {
  let removal: ReturnType<Processor["knowledge"]["beginRemoval"]> | undefined;
  const step = serve(method.removeSymbols, ({ knowledge }, asked, keeping) => {
    removal ??= knowledge.beginRemoval(asked);
    if (keeping !== undefined) {
      removal.resume(keeping.before?.renames ?? []);
      if (keeping.before === undefined) keeping.assertFits(RENAME_BYTES * removal.size);
    }
    knowledge.removePart(removal);
    if (keeping !== undefined) keeping.isWhole = removal.isDone;
    return { renames: removal.isDone || keeping !== undefined ? removal.renames : [] };
  });
  for (;;) {
    const reply = await step(request, context);
    if (removal?.isDone || reply.stamp?.replayed) return reply;
    await yieldToEventLoop();
  }
}

/** Forgets models part by part, as {@link removeSymbols} removes symbols. */
async function forgetModels(serve: Serve, request: ForgetModelsRequest, context: HandlerContext) {
  let forgetting: ReturnType<Processor["knowledge"]["beginForgetting"]> | undefined;
  const step = serve(method.forgetModels, ({ knowledge }, asked, keeping) => {
    forgetting ??= knowledge.beginForgetting(asked);
    if (keeping?.before !== undefined) forgetting.resume(keeping.before.models);
    if (!forgetting.isDone) knowledge.forgetPart(forgetting);
    if (keeping !== undefined) keeping.isWhole = forgetting.isDone;
    return { models: forgetting.models };
  });
  for (;;) {
    const reply = await step(request, context);
    if (forgetting?.isDone || reply.stamp?.replayed) return reply;
    await yieldToEventLoop();
  }
}

/** Merges what is staged: in pieces where the host can take all of them back, and else at once. */
function mergeLoad(
  serve: Serve,
  host: Pick<ProcessorHost, "inPieces">,
): ServiceImpl<typeof KnowledgeService>["mergeLoad"] {
  if (host.inPieces === undefined) {
    return serve(method.mergeLoad, ({ knowledge }, { loadId, forecastRecord }) =>
      knowledge.mergeLoad(loadId, forecastRecord),
    );
  }
  return async (request, context) => {
    let merge: ReturnType<Processor["knowledge"]["beginMerge"]> | undefined;
    const step = serve(method.mergeLoad, ({ knowledge }, { loadId, forecastRecord }, keeping) => {
      merge ??= knowledge.beginMerge(loadId, forecastRecord);
      knowledge.mergePart(merge);
      if (keeping !== undefined) keeping.isWhole = merge.isDone;
      return {};
    });
    let reply: MessageInitShape<typeof MergeLoadResponseSchema> = {};
    await host.inPieces?.(() => {
      const next = step(request, context);
      if (next instanceof Promise) throw new Error("a piece of a merge waits for something");
      reply = next;
      return merge?.isDone === true || reply.stamp?.replayed === true;
    });
    return reply;
  };
}

/** Implements the service by the processor's verbs. */
export function knowledgeService(
  serve: Serve,
  host: Pick<ProcessorHost, "graded" | "inPieces" | "stagedPacked">,
): ServiceImpl<typeof KnowledgeService> {
  const commitLoad = serve(method.commitLoad, ({ knowledge }, { loadId, forecastRecord }) =>
    knowledge.commitLoad(loadId, forecastRecord),
  );
  return {
    getModel: serve(method.getModel, (processor, { name }) => processor.knowledge.getModel(name)),
    deleteModel: serve(method.deleteModel, (processor, { name }) => processor.knowledge.deleteModel(name)),
    updateModel: serve(method.updateModel, (processor, request) => processor.knowledge.updateModel(request)),
    addModel: serve(method.addModel, (processor, request) => processor.knowledge.addModel(request)),
    findModels: serve(method.findModels, (processor, request) => processor.knowledge.findModels(request)),
    listModels: serve(method.listModels, (processor, request) => processor.knowledge.listModels(request)),
    listSymbols: serve(method.listSymbols, (processor, request) => processor.knowledge.listSymbols(request)),
    listVectors: serve(method.listVectors, (processor, request) => processor.knowledge.listVectors(request)),
    getPredictionsForModel: serve(method.getPredictionsForModel, (processor, { name, packed }) => {
      if (!packed) return processor.knowledge.getPredictionsForModel(name);
      const predictions = processor.knowledge.getPackedPredictionsForModel(name);
      assertEnsembleFits(method.getPredictionsForModel, predictions.packed, []);
      return predictions;
    }),
    getSymbol: serve(method.getSymbol, (processor, { name }) => processor.knowledge.getSymbol(name)),
    getVector: serve(method.getVector, (processor, { name }) => processor.knowledge.getVector(name)),
    removeSymbols: (request, context) => removeSymbols(serve, request, context),
    forgetModels: (request, context) => forgetModels(serve, request, context),
    addBlacklistedSymbols: serve(method.addBlacklistedSymbols, (processor, { symbols }) =>
      processor.knowledge.addBlacklistedSymbols(symbols),
    ),
    removeBlacklistedSymbols: serve(method.removeBlacklistedSymbols, (processor, { symbols }) =>
      processor.knowledge.removeBlacklistedSymbols(symbols),
    ),
    listBlacklistedSymbols: serve(method.listBlacklistedSymbols, (processor) =>
      processor.knowledge.listBlacklistedSymbols(),
    ),
    exportKnowledge: serve(method.exportKnowledge, (processor, { section, after, revision, snapshot, order }) =>
      processor.knowledge.exportKnowledge({ section: sectionOf(section), after, revision, snapshot, order }),
    ),
    beginLoad: serve(method.beginLoad, (processor) => processor.knowledge.beginLoad(crypto.randomUUID())),
    loadKnowledge: serve(method.loadKnowledge, (processor, part) => processor.knowledge.loadKnowledge(part)),
    commitLoad: async (request, context) => {
      await host.stagedPacked?.();
      const reply = await commitLoad(request, context);
      // Otherwise what is learned or asked next would find it ungraded.
      await host.graded?.();
      return reply;
    },
    mergeLoad: mergeLoad(serve, host),
    abortLoad: serve(method.abortLoad, (processor, { loadId }) => processor.knowledge.abortLoad(loadId)),
  };
}
