/** Writes the answers of observing, learning, predicting and working memory as JSON text. */

import type { Gdf } from "../../gen/noema/v1/gdf_pb";
import type { GetPredictionsForModelResponse } from "../../gen/noema/v1/knowledge_service_pb";
import type {
  CountMatchingModelsResponse,
  GetCognitionResponse,
  GetPerceptResponse,
  GetPredictionsResponse,
  LearnResponse,
  Observed,
  ObserveResponse,
  ObserveSequenceResponse,
} from "../../gen/noema/v1/memory_service_pb";
import { list, number, text, texts } from "../json/writer";
import { emotives, events, metadata, modelLabel, okay, vectors } from "./envelope";
import { surpriseObject } from "./forecast";
import { ensembleList } from "./prediction";

/** The parts of an observation's request that affect its answer. */
interface Asked {
  readonly explain?: boolean;
}

/**
 * The answer of observe.
 *
 * @throws Error when the processor leaves out the result of the observation
 */
export function encodeObserve(reply: ObserveResponse, { explain = false }: Asked = {}): string {
  if (reply.observed === undefined) throw new Error("a processor left out the result of an observation");
  return okay(reply, observed(reply.observed, { redelivered: reply.redelivered, explain }), {
    uniqueId: text(reply.observed.uniqueId),
  });
}

/** The answer of sequence-observe: the result of each record, and the model learned at the end, if any. */
export function encodeObserveSequence(reply: ObserveSequenceResponse, { explain = false }: Asked = {}): string {
  const manner = { redelivered: reply.redelivered, explain };
  const extra = reply.learnedModel === "" ? {} : { learnedModel: text(modelLabel(reply.learnedModel)) };
  return okay(reply, list(reply.observed.map((one) => observed(one, manner))), extra);
}

/** Options for writing the result of observing a record. */
interface Manner {
  readonly redelivered: boolean;
  /** Whether to include the surprise. */
  readonly explain: boolean;
}

/** The result of observing one record. */
export function observed(one: Observed, { redelivered, explain }: Manner): string {
  const surprise = explain ? `"surprise":${surpriseObject(one.surprise)},` : "";
  return (
    `{"auto_learned_model":${text(modelLabel(one.autoLearnedModel))},"prediction_made":${one.predictionMade},` +
    `${redelivered ? '"redelivered":true,' : ""}"status":"${one.awake ? "observed" : "asleep"}",` +
    `${surprise}"unique_id":${text(one.uniqueId)}}`
  );
}

/** The answer of learn: the model's name, or null. */
export function encodeLearn(reply: LearnResponse): string {
  return okay(reply, reply.model === "" ? "null" : text(modelLabel(reply.model)));
}

/** The answer of matching-models. */
export function encodeMatchingModels({ counts, recallThresholds, ...reply }: CountMatchingModelsResponse): string {
  const matching = recallThresholds.map(
    (threshold, at) => `{"models":${number(counts[at] ?? 0)},"recall_threshold":${number(threshold)}}`,
  );
  return okay(reply, `{"matching":${list(matching)},"models":${number(reply.models)}}`);
}

/**
 * The answer of predictions.
 *
 * @param fields the members of each prediction; all if empty
 * @throws Error as {@link ensembleList}
 */
export function encodePredictions(
  reply: GetPredictionsResponse | GetPredictionsForModelResponse,
  { fields = [] }: { readonly fields?: readonly string[] } = {},
): string {
  return okay(reply, ensembleList(reply, fields));
}

/** The member `numbers` of a record with numbers, followed by a comma; empty for others. */
function numbers(gdf: Gdf | undefined): string {
  return gdf === undefined || gdf.numbers.length === 0 ? "" : `"numbers":${emotives(gdf.numbers)},`;
}

/** The member `time` of a record with a time, followed by a comma; empty for others. */
function time(gdf: Gdf | undefined): string {
  return gdf?.time === undefined ? "" : `"time":${number(gdf.time)},`;
}

/** The answer of percept-data: the last observation as received, or an empty object. */
export function encodePercept(reply: GetPerceptResponse): string {
  const { gdf, path } = reply;
  if (gdf === undefined) return okay(reply, "{}");
  return okay(
    reply,
    `{"emotives":${emotives(gdf.emotives)},"metadata":${metadata(gdf.metadataJson)},` +
      `${numbers(gdf)}"path":${texts(path)},` +
      `"strings":${texts(gdf.strings)},${time(gdf)}"unique_id":${text(gdf.uniqueId)},` +
      `"vectors":${vectors(gdf.vectors)}}`,
  );
}

/** The answer of cognition-data: the last observation as interpreted; all members are empty if there is none. */
export function encodeCognition(reply: GetCognitionResponse): string {
  const { gdf } = reply;
  return okay(
    reply,
    `{"command":${text(gdf?.command ?? "")},"emotives":${emotives(gdf?.emotives ?? [])},` +
      `"metadata":${metadata(gdf?.metadataJson ?? "")},${numbers(gdf)}"path":${texts(reply.path)},` +
      `"predictions":${ensembleList(reply)},"strings":${texts(gdf?.strings ?? [])},` +
      `"symbols":${texts(reply.symbols)},${time(gdf)}"unique_id":${text(gdf?.uniqueId ?? "")},` +
      `"vectors":${vectors(gdf?.vectors ?? [])},"working_memory":${events(reply.workingMemory)}}`,
  );
}
