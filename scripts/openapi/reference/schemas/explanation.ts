/** Schemas of why something is predicted. */

import {
  CorrectionTermSchema,
  ForecastCorrectionSchema,
  ForecastExplanationSchema,
  ForecastFollowedSchema,
  ForecastSituationSchema,
  LikelyStepSchema,
  MatchedBlockSchema,
  PredictionExplanationSchema,
  RuleTermsSchema,
  SurpriseExplanationSchema,
  SurpriseFactorSchema,
  SurpriseLevelSchema,
  SymbolChanceSchema,
  SymbolTermsSchema,
} from "../../../../src/gen/noema/v1/explanation_pb";
import {
  ExplainForecastRequestSchema,
  ExplainPredictionRequestSchema,
  ExplainSurpriseRequestSchema,
} from "../../../../src/gen/noema/v1/memory_service_pb";
import { answered, answeredByName, asked, commentOn, schemaOf } from "../../from-contract";
import { byName, list, type Schemas, text } from "./schema";

const { emotives, memberFrequencies, modelFrequencies } = PredictionExplanationSchema.field;

/** By name. */
export const explanationSchemas: Schemas = {
  AskPredictionExplanation: asked(ExplainPredictionRequestSchema, {
    says: "Which prediction to explain.",
    further: { model: text("The model's hash, with or without `MODEL|`.") },
  }),
  PredictionExplanation: answered(PredictionExplanationSchema, {
    without: [modelFrequencies.name, memberFrequencies.name],
    further: {
      emotives: byName(
        commentOn(`${PredictionExplanationSchema.typeName}.${emotives.name}`),
        list("The values.", { type: "number", format: "double" }),
      ),
      total_model_frequencies: schemaOf(modelFrequencies),
      total_symbols_in_models_frequencies: schemaOf(memberFrequencies),
    },
  }),
  AskForecastExplanation: asked(ExplainForecastRequestSchema, { says: "Which probability to explain." }),
  AskSurpriseExplanation: asked(ExplainSurpriseRequestSchema, { says: "Of which event to explain the surprise." }),
  ...answeredByName(
    CorrectionTermSchema,
    ForecastCorrectionSchema,
    ForecastExplanationSchema,
    ForecastFollowedSchema,
    ForecastSituationSchema,
    LikelyStepSchema,
    MatchedBlockSchema,
    RuleTermsSchema,
    SurpriseExplanationSchema,
    SurpriseFactorSchema,
    SurpriseLevelSchema,
    SymbolChanceSchema,
    SymbolTermsSchema,
  ),
};
