/** Writes explanations of predictions as JSON text. */

import { MatchedBlockSchema, type PredictionExplanation, SymbolTermsSchema } from "../../gen/noema/v1/explanation_pb";
import type { ExplainPredictionResponse } from "../../gen/noema/v1/memory_service_pb";
import { list, number, numbers, object } from "../json/writer";
import { events, okay } from "./envelope";
import { objectOf } from "./from-contract";
import { predictionObject } from "./prediction";

/** The answer of predictions/explain: the terms, or null when the model does not match. */
export function encodePredictionExplanation(reply: ExplainPredictionResponse): string {
  return okay(reply, reply.explanation === undefined ? "null" : predictionTerms(reply.explanation));
}

/** @throws Error when the processor leaves out the prediction */
function predictionTerms(terms: PredictionExplanation): string {
  const { prediction, blocks, emotives, memory, symbols } = terms;
  if (prediction === undefined) throw new Error("a processor explained a prediction and left it out");
  return (
    `{"blocks":${list(blocks.map((block) => objectOf(MatchedBlockSchema, block)))},` +
    `"emotives":${object(emotives.map(({ name, values }) => [name, numbers(values)]))},` +
    `"known_symbols":${number(terms.knownSymbols)},"ln_known_symbols":${number(terms.lnKnownSymbols)},` +
    `"matching_frequencies":${number(terms.matchingFrequencies)},"memory":${events(memory)},` +
    `"prediction":${predictionObject(prediction)},` +
    `"symbols":${list(symbols.map((symbol) => objectOf(SymbolTermsSchema, symbol)))},` +
    `"total_model_frequencies":${number(terms.modelFrequencies)},` +
    `"total_symbols_in_models_frequencies":${number(terms.memberFrequencies)}}`
  );
}
