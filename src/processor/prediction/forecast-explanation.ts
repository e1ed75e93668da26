/** Why a symbol has its probability in a forecast: the answer of the forecaster with names for its numbers, and words for its rules. */

import type { Surprise } from "../ports/activity";
import type {
  ExplainedForecast,
  ForecastCorrection as NumberedCorrection,
  LikelyStep as NumberedStep,
} from "../ports/forecaster";
import type { Event } from "../ports/gdf";
import type { Factor } from "./surprise";

/** A rule in words. */
export interface RuleWords {
  readonly name: string;
  /** One sentence. */
  readonly says: string;
}

/** One for each rule, in the order in which they are mixed. */
export const RULE_WORDS: readonly RuleWords[] = [
  {
    name: "order",
    says: "What came where the same events stood in the same order: the longer they agree, the more it counts.",
  },
  { name: "follows", says: "What came right after the last event that a sequence shares with what is in mind." },
  { name: "behind", says: "What came anywhere later in sequences that share something with what is in mind." },
  { name: "behind the newest", says: "What came anywhere later in sequences that hold a symbol of the newest event." },
  { name: "frequency", says: "How often it occurs at all." },
  {
    name: "alike",
    says: "What came where the latest events were alike, though not the same: the more alike, the more it counts.",
  },
];

/** What a rule gives the symbol. */
export interface RuleTerms extends RuleWords {
  /** Whether it has anything to go by here. */
  takesPart: boolean;
  /** In the mix, 0 to 1. */
  weight: number;
  /** 0 to 1. */
  probability: number;
}

/** As the forecaster's, with the symbol's name. */
export interface ForecastCorrection extends Omit<NumberedCorrection, "first" | "isExclusive"> {
  first: string;
  exclusive: boolean;
}

/** As the forecaster's, with the symbol's name. */
export interface LikelyStep extends Omit<NumberedStep, "symbol" | "isWithin"> {
  symbol: string;
  within: boolean;
}

/** Why a symbol has its probability. */
export interface ForecastExplanation {
  symbol: string;
  /** What a forecast gives it; 0 where it has none. */
  probability: number;
  /** The events that are taken into account, oldest first. */
  context: Event[];
  /** How many models speak, and how many of them say the symbol. */
  models: number;
  support: number;
  /** The names, without prefix, of at most 5 of these, strongest first. */
  strongest: string[];
  /** In the order in which they are mixed. */
  rules: RuleTerms[];
  /** The sum of weight times probability, at most 1. */
  mixed: number;
  /** Missing when no symbol has a probability. */
  correction?: ForecastCorrection;
  /** The step, or the list within fewer events, that raises the probability above the mix within all of them, corrected; missing when none does. */
  likeliestStep?: LikelyStep;
}

/** Why an event is unexpected. */
export interface SurpriseExplanation {
  surprise: Surprise;
  /** The events that the forecast takes into account, oldest first. */
  context: Event[];
  /** The distinct symbols of the event: what the forecast gives each, 0 for none, and what it counts with. */
  symbols: { symbol: string; given: number; probability: number }[];
  /** The factors of the probability, in the order in which they are multiplied. */
  factors: Factor[];
  /** How many models speak, and how many symbols are known. */
  models: number;
  knownSymbols: number;
  /** What the rules leave, of 1, to symbols by how often they occur; 1 when no model speaks. */
  rest: number;
  /** How often sequences and symbols occur in all models. */
  occurrences: number;
  /** What a symbol counts with that the forecast gives none: half an occurrence's part of the rest. */
  unexpectedProbability: number;
}

/** What a forecast was asked about, and the names of what it answers. */
export interface ForecastNames {
  readonly symbol: string;
  /** All events that were asked about, oldest first. */
  readonly events: readonly Event[];
  nameOf(symbol: number): string;
  namesOf(models: readonly number[]): string[];
}

/** Gives the numbers of an answer their names. */
export function explainedWith(
  { context, models, support, strongest, probability, rules, mixed, correction, likeliestStep }: ExplainedForecast,
  { symbol, events, nameOf, namesOf }: ForecastNames,
): ForecastExplanation {
  return {
    symbol,
    probability,
    context: events.slice(events.length - context),
    models,
    support,
    strongest: namesOf(strongest),
    rules: rules.map((rule, at) => ({ ...wordsOf(at), ...rule })),
    mixed,
    ...(correction !== undefined && { correction: named(correction, nameOf) }),
    ...(likeliestStep !== undefined && { likeliestStep: namedStep(likeliestStep, nameOf) }),
  };
}

function wordsOf(rule: number): RuleWords {
  return RULE_WORDS[rule] ?? { name: `rule ${rule + 1}`, says: "" };
}

function named(
  { first, isExclusive, ...numbers }: NumberedCorrection,
  nameOf: (symbol: number) => string,
): ForecastCorrection {
  return { ...numbers, first: nameOf(first), exclusive: isExclusive };
}

function namedStep({ isWithin, symbol, ...numbers }: NumberedStep, nameOf: (symbol: number) => string): LikelyStep {
  return { ...numbers, symbol: nameOf(symbol), within: isWithin };
}
