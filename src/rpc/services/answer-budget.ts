/**
 * Refuses an answer that is too large before it is created, inside the verb, so that a call whose answer cannot be sent
 * changes nothing.
 */

import type { DescMethod } from "@bufbuild/protobuf";
import { BackupService } from "../../gen/noema/v1/backup_service_pb";
import type { FrameAnswer } from "../../gen/noema/v1/frame_pb";
import { KnowledgeService } from "../../gen/noema/v1/knowledge_service_pb";
import { MemoryService } from "../../gen/noema/v1/memory_service_pb";
import { Fault } from "../../processor/ports/fault";
import {
  answerBytes,
  type EnsembleColumns,
  ensembleBytes,
  MAX_ANSWER_BYTES,
  MAX_FRAME_ANSWER_BYTES,
} from "../../text/answer-bytes";

const memory = MemoryService.method;
const knowledge = KnowledgeService.method;

const FEWER_PREDICTIONS = "ask for fewer predictions with top, or for some of their members with fields";
const SHORTER_SEQUENCE = "ask about a shorter memory or sequence";

/** For some methods: how to ask for less. */
const ADVICE: ReadonlyMap<DescMethod, string> = new Map<DescMethod, string>([
  [memory.observe, "observe without explain"],
  [memory.observeSequence, "send fewer records at a time, or observe without explain"],
  [memory.getWorkingMemory, "learn or clear working memory, or limit it with the gene max_sequence_length"],
  [memory.getPredictions, FEWER_PREDICTIONS],
  [memory.getForecast, "ask for fewer symbols with top, or for a smaller horizon"],
  [memory.explainPrediction, SHORTER_SEQUENCE],
  [memory.explainForecast, SHORTER_SEQUENCE],
  [memory.explainSurprise, SHORTER_SEQUENCE],
  [memory.getSequenceSurprise, SHORTER_SEQUENCE],
  [memory.getRecordSymbols, "send fewer records at a time"],
  [memory.getPercept, "observe a smaller record, or clear working memory"],
  [memory.getCognition, "ask for predictions with top or fields, working-memory and percept-data one by one"],
  [memory.listSessions, "ask for fewer with limit"],
  [knowledge.getModel, "delete the model, or remove symbols from it"],
  [knowledge.findModels, "ask for models that hold more symbols, or list them page by page with models"],
  [knowledge.listModels, "ask for fewer with limit"],
  [knowledge.listSymbols, "ask for fewer with limit"],
  [knowledge.listVectors, "ask for fewer with limit"],
  [
    knowledge.getPredictionsForModel,
    "lower the gene max_predictions, or ask predictions about a sequence with top or fields",
  ],
  [knowledge.removeSymbols, "remove fewer symbols at a time"],
  [knowledge.listBlacklistedSymbols, "remove some from the blacklist"],
]);

/** Methods whose pages are bounded when they are filled: the refusal there names what is too large. */
const BOUNDED: ReadonlySet<DescMethod> = new Set<DescMethod>([
  knowledge.exportKnowledge,
  BackupService.method.readBackup,
]);

function tooLarge(bytes: number, most: number, advice: string): Fault {
  return new Fault("too-large", `the answer would take ${bytes} bytes as JSON, and it may take ${most}; ${advice}`);
}

/**
 * Refuses a reply that is too large. The columns of a packed ensemble do not count.
 *
 * @throws Fault `too-large` that tells how to ask for less
 */
export function assertAnswerFits(method: DescMethod, reply: object): void {
  if (BOUNDED.has(method)) return;
  const bytes = answerBytes(reply, MAX_ANSWER_BYTES);
  if (bytes > MAX_ANSWER_BYTES) throw tooLarge(bytes, MAX_ANSWER_BYTES, ADVICE.get(method) ?? "ask for less");
}

/**
 * Refuses a packed ensemble whose predictions would be too large.
 *
 * @param fields the requested members; all if empty
 */
export function assertEnsembleFits(method: DescMethod, ensemble: EnsembleColumns, fields: readonly string[]): void {
  const bytes = ensembleBytes(ensemble, fields, MAX_ANSWER_BYTES);
  if (bytes > MAX_ANSWER_BYTES) throw tooLarge(bytes, MAX_ANSWER_BYTES, ADVICE.get(method) ?? "ask for less");
}

/** Refuses a frame whose answer is too large for a stream. @param fields the requested members of predictions */
export function assertFrameAnswerFits(answer: FrameAnswer, fields: readonly string[]): void {
  const most = MAX_FRAME_ANSWER_BYTES;
  const { packed } = answer.predictions ?? {};
  const ensemble = packed === undefined ? 0 : ensembleBytes(packed, fields, most);
  const bytes = ensemble > most ? ensemble : ensemble + answerBytes(answer, most - ensemble);
  if (bytes <= most) return;
  throw tooLarge(
    bytes,
    most,
    "ask with top or fields, send fewer records in a frame, or with brief; " +
      "predictions and forecast answer more over HTTP",
  );
}
