/** Writes explanations of predictions as JSON text. */

import {
  ForecastExplanationSchema,
  MatchedBlockSchema,
  type PredictionExplanation,
  SurpriseExplanationSchema,
  SymbolTermsSchema,
} from "../../gen/noema/v1/explanation_pb";
import { SequenceSurpriseSchema } from "../../gen/noema/v1/forecast_pb";
import type {
  ExplainForecastResponse,
  ExplainPredictionResponse,
  ExplainSurpriseResponse,
  GetSequenceSurpriseResponse,
} from "../../gen/noema/v1/memory_service_pb";
import { list, number, numbers, object } from "../json/writer";
import { events, okay } from "./envelope";
import { objectOf } from "./from-contract";
import { predictionObject } from "./prediction";

/** The answer of predictions/explain: the terms, or null when the model does not match. */
export function encodePredictionExplanation(reply: ExplainPredictionResponse): string {
  return okay(reply, reply.explanation === undefined ? "null" : predictionTerms(reply.explanation));
}

/** The answer of forecast/explain: the terms, or null when no model counts. */
export function encodeForecastExplanation(reply: ExplainForecastResponse): string {
  return okay(reply, reply.explanation === undefined ? "null" : objectOf(ForecastExplanationSchema, reply.explanation));
}

/** @throws Error when the processor leaves out the prediction */
function predictionTerms(terms: PredictionExplanation): string {
  const { prediction, blocks, emotives, memory, symbols } = terms;
  if (prediction === undefined) throw new Error("a processor explained a prediction and left it out");
  return (
    `{"blocks":${list(blocks.map((block) => objectOf(MatchedBlockSchema, block)))},"emotives":${object(emotives.map(({ name, values }) => [name, numbers(values)]))},` +
    `"known_symbols":${number(terms.knownSymbols)},"ln_known_symbols":${number(terms.lnKnownSymbols)},` +
    `"matching_frequencies":${number(terms.matchingFrequencies)},"memory":${events(memory)},` +
    `"prediction":${predictionObject(prediction)},"symbols":${list(symbols.map((symbol) => objectOf(SymbolTermsSchema, symbol)))},` +
    `"total_model_frequencies":${number(terms.modelFrequencies)},` +
    `"total_symbols_in_models_frequencies":${number(terms.memberFrequencies)}}`
  );
}

/** The answer of surprise/explain: the terms, or null if there is nothing to base an expectation on. */
export function encodeSurpriseExplanation(reply: ExplainSurpriseResponse): string {
  const { explanation } = reply;
  return okay(reply, explanation === undefined ? "null" : objectOf(SurpriseExplanationSchema, explanation));
}

/** The answer of surprise/sequence: how unusual the sequence is, or null without knowledge. */
export function encodeSequenceSurprise(reply: GetSequenceSurpriseResponse): string {
  return okay(reply, reply.surprise === undefined ? "null" : objectOf(SequenceSurpriseSchema, reply.surprise));
}
