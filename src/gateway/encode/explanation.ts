/** Writes why something is predicted, as JSON text. */

import type {
  ForecastCorrection,
  ForecastExplanation,
  ForecastSituation,
  LikelyStep,
  MatchedBlock,
  PredictionExplanation,
  RuleTerms,
  SurpriseExplanation,
  SurpriseFactor,
  SymbolChance,
  SymbolTerms,
} from "../../gen/noema/v1/explanation_pb";
import type {
  ExplainForecastResponse,
  ExplainPredictionResponse,
  ExplainSurpriseResponse,
} from "../../gen/noema/v1/memory_service_pb";
import { list, number, numbers, object, text, texts } from "../json/writer";
import { events, okay } from "./envelope";
import { surpriseObject } from "./forecast";
import { predictionObject } from "./prediction";

/** The answer of predictions/explain: the terms, or null when the model does not match. */
export function encodePredictionExplanation(reply: ExplainPredictionResponse): string {
  return okay(reply, reply.explanation === undefined ? "null" : predictionTerms(reply.explanation));
}

/** The answer of forecast/explain: the terms, or null when no model speaks. */
export function encodeForecastExplanation(reply: ExplainForecastResponse): string {
  return okay(reply, reply.explanation === undefined ? "null" : forecastTerms(reply.explanation));
}

/** @throws Error when the processor leaves out the prediction */
function predictionTerms(terms: PredictionExplanation): string {
  const { prediction, blocks, emotives, memory, symbols } = terms;
  if (prediction === undefined) throw new Error("a processor explained a prediction and left it out");
  return (
    `{"blocks":${list(blocks.map(block))},"emotives":${object(emotives.map(({ name, values }) => [name, numbers(values)]))},` +
    `"known_symbols":${number(terms.knownSymbols)},"ln_known_symbols":${number(terms.lnKnownSymbols)},` +
    `"matching_frequencies":${number(terms.matchingFrequencies)},"memory":${events(memory)},` +
    `"prediction":${predictionObject(prediction)},"symbols":${list(symbols.map(symbolTerms))},` +
    `"total_model_frequencies":${number(terms.modelFrequencies)},` +
    `"total_symbols_in_models_frequencies":${number(terms.memberFrequencies)}}`
  );
}

function block({ model, memory, length }: MatchedBlock): string {
  return `{"length":${number(length)},"memory":${number(memory)},"model":${number(model)}}`;
}

function symbolTerms({ frequency, lnProbability, lnShare, log2Probability, symbol, weighs }: SymbolTerms): string {
  return (
    `{"frequency":${number(frequency)},"ln_probability":${orNull(lnProbability)},"ln_share":${orNull(lnShare)},` +
    `"log2_probability":${orNull(log2Probability)},"symbol":${text(symbol)},"weighs":${weighs}}`
  );
}

function orNull(value: number | undefined): string {
  return value === undefined ? "null" : number(value);
}

function forecastTerms(terms: ForecastExplanation): string {
  const { context, correction, likeliestStep, mixed, models, normalizer, probability, rules, share, situation } = terms;
  const { strongest, support, symbol } = terms;
  return (
    `{"context":${events(context)},"correction":${correction === undefined ? "null" : correctionObject(correction)},` +
    `"likeliest_step":${likeliestStep === undefined ? "null" : likelyStep(likeliestStep)},` +
    `"mixed":${number(mixed)},"models":${number(models)},"normalizer":${orNull(normalizer)},` +
    `"probability":${number(probability)},"rules":${list(rules.map(ruleTerms))},"share":${orNull(share)},` +
    `"situation":${situation === undefined ? "null" : situationObject(situation)},"strongest":${texts(strongest)},"support":${number(support)},` +
    `"symbol":${text(symbol)}}`
  );
}

function likelyStep({ horizon, probability, symbol, within }: LikelyStep): string {
  return `{"horizon":${number(horizon)},"probability":${number(probability)},"symbol":${text(symbol)},"within":${within}}`;
}

function situationObject({ behind, bucket, longestOrder, says }: ForecastSituation): string {
  return (
    `{"behind":${number(behind)},"bucket":${number(bucket)},"longest_order":${number(longestOrder)},` +
    `"says":${text(says)}}`
  );
}

function ruleTerms({ evidence, given, name, probability, says, takesPart, weight }: RuleTerms): string {
  return (
    `{"evidence":${number(evidence)},"given":${number(given)},"name":${text(name)},"probability":${number(probability)},"says":${text(says)},"takes_part":${takesPart},` +
    `"weight":${number(weight)}}`
  );
}

function correctionObject(correction: ForecastCorrection): string {
  const { exclusive, first, forecasts, from, mixed, prior, proved, right, to } = correction;
  return (
    `{"exclusive":${exclusive},"first":${text(first)},"forecasts":${number(forecasts)},"from":${number(from)},` +
    `"mixed":${number(mixed)},"prior":${number(prior)},"proved":${number(proved)},"right":${number(right)},` +
    `"to":${number(to)}}`
  );
}

/** The answer of surprise/explain: the terms, or null where there is nothing to expect the event by. */
export function encodeSurpriseExplanation(reply: ExplainSurpriseResponse): string {
  return okay(reply, reply.explanation === undefined ? "null" : surpriseTerms(reply.explanation));
}

function surpriseTerms(terms: SurpriseExplanation): string {
  const { context, factors, knownSymbols, models, occurrences, rest, surprise, symbols, unexpectedProbability } = terms;
  return (
    `{"context":${events(context)},"factors":${list(factors.map(surpriseFactor))},"known_symbols":${number(knownSymbols)},"models":${number(models)},` +
    `"occurrences":${number(occurrences)},"rest":${number(rest)},"surprise":${surpriseObject(surprise)},"symbols":${list(symbols.map(symbolChance))},` +
    `"unexpected_probability":${number(unexpectedProbability)}}`
  );
}

function surpriseFactor({ factor, levels, prior, symbol }: SurpriseFactor): string {
  const each = levels.map(
    ({ holding, level, places }) =>
      `{"holding":${number(holding)},"level":${number(level)},"places":${number(places)}}`,
  );
  return `{"factor":${number(factor)},"levels":${list(each)},"prior":${number(prior)},"symbol":${text(symbol)}}`;
}

function symbolChance({ given, probability, symbol }: SymbolChance): string {
  return `{"given":${number(given)},"probability":${number(probability)},"symbol":${text(symbol)}}`;
}
