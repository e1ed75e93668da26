/** Turns the JSON of queries for explanations of predictions into messages. */

import type { MessageInitShape } from "@bufbuild/protobuf";
import { ExplainPredictionRequestSchema } from "../../gen/noema/v1/memory_service_pb";
import { MODEL_PREFIX, withoutPrefix } from "../../text/names";
import type { Body } from "../json/body";
import { decodeData } from "./from-contract";

const decode = decodeData(ExplainPredictionRequestSchema);

/**
 * Reads the body of predictions/explain: `{data: {model, sequence?}}`.
 *
 * @throws Refusal 400 naming the wrong member
 */
export function decodeExplainPrediction(body: Body): MessageInitShape<typeof ExplainPredictionRequestSchema> {
  const { model = "", ...rest } = decode(body);
  return { ...rest, model: withoutPrefix(model, MODEL_PREFIX) };
}
