/**
 * Why a symbol has its probability in a forecast: the forecaster's answer, with names for its numbers and words for its
 * rules.
 */

import type { Surprise } from "../ports/activity";
import type {
  CorrectionTerm,
  ExplainedForecast,
  ExplainedRule,
  Followed,
  ForecastCorrection as NumberedCorrection,
  LikelyStep as NumberedStep,
  Situation,
} from "../ports/forecaster";
import type { Event } from "../ports/gdf";
import type { Factor } from "./surprise";

/** A rule in words. */
export interface RuleWords {
  readonly name: string;
  /** A description in one sentence. */
  readonly says: string;
}

/** One for each rule, in their order. */
export const RULE_WORDS: readonly RuleWords[] = [
  {
    name: "order",
    says: "What came where the same events stood in the same order: the longer they agree, the more it counts.",
  },
  { name: "behind", says: "What came anywhere later in sequences that share something with working memory." },
  {
    name: "alike",
    says: "What came where the latest events were alike, though not the same: the more alike, the more it counts.",
  },
  {
    name: "near",
    says: "What stands anywhere in sequences that share much with working memory, above all its newest events.",
  },
];

/** A situation in words: the events behind the last shared one, and the length of the longest match in order. */
const BEHIND_WORDS = ["hardly an event is left", "few events are left", "some events are left", "many events are left"];
const ORDER_WORDS = ["at most one event matches", "two or three events match", "four or more events match"];

/** One rule's contribution to the symbol. */
export interface RuleTerms extends RuleWords, ExplainedRule {}

/** As the forecaster has it, with words. */
export interface ForecastSituation extends Situation {
  says: string;
}

/** The terms of the next event's correction in words, in their order. */
const TERM_WORDS: readonly RuleWords[] = [
  { name: "odds", says: "the logarithm of its odds by the rules" },
  { name: "probability", says: "its probability by the rules" },
  { name: "behind", says: "how many events are left behind, at most 12, in fours" },
];

/** A term of the correction. */
export interface CorrectionTerms extends RuleWords, CorrectionTerm {}

/** As the forecaster has it, with the symbol's name, and words. */
export interface ForecastCorrection extends Omit<NumberedCorrection, "first" | "isExclusive" | "terms"> {
  first: string;
  exclusive: boolean;
  terms: CorrectionTerms[];
}

/** As the forecaster has it, with the symbol's name. */
export interface LikelyStep extends Omit<NumberedStep, "symbol" | "isWithin"> {
  symbol: string;
  within: boolean;
}

/** Why a symbol has its probability. */
export interface ForecastExplanation {
  symbol: string;
  /** Its probability in the forecast; 0 if it has none. */
  probability: number;
  /** The events taken into account, oldest first. */
  context: Event[];
  /** Number of models that count, and of those that predict the symbol. */
  models: number;
  support: number;
  /** The names, without prefix, of at most 5 of these, strongest first. */
  strongest: string[];
  /** One for each rule, in order. */
  rules: RuleTerms[];
  /** The pooled probability before correction. */
  mixed: number;
  /**
   * The symbol's share of the pool, and the normalizer of the shares; absent if a counted event holds several symbols.
   */
  share?: number;
  normalizer?: number;
  /** What updates the share in a single event; absent if nothing does. */
  followed?: Followed;
  /** The situation that the weights depend on; absent as the share. */
  situation?: ForecastSituation;
  /**
   * Absent when no symbol has a probability, for a step beyond the next event, and if a counted event holds several
   * symbols.
   */
  correction?: ForecastCorrection;
  /**
   * The step, or list within a shorter horizon, that raises the probability above the list's own corrected one; absent
   * if none does.
   */
  likeliestStep?: LikelyStep;
  /**
   * The sum of the symbol's probabilities in the steps, which limits the list's own; absent for a single step, and as the
   * share.
   */
  sumOfSteps?: number;
}

/** Why an event is unexpected. */
export interface SurpriseExplanation {
  surprise: Surprise;
  /** The events taken into account, oldest first. */
  context: Event[];
  /**
   * The distinct symbols of the event: the probability that the forecast gives each, 0 for none, and the one that
   * counts.
   */
  symbols: { symbol: string; given: number; probability: number }[];
  /** The factors of the probability, in the order in which they are multiplied. */
  factors: Factor[];
  /** Number of models that count, and of known symbols. */
  models: number;
  knownSymbols: number;
  /** The probability of all symbols that none of the counted models holds; 1 when no model counts. */
  rest: number;
  /** How often sequences and symbols occur in all models. */
  occurrences: number;
  /** The probability of a symbol without one in the forecast: half an occurrence's share of the rest. */
  unexpectedProbability: number;
}

/** The query's events, and the names of the numbers in the answer. */
export interface ForecastNames {
  readonly symbol: string;
  /** All events of the query, oldest first. */
  readonly events: readonly Event[];
  nameOf(symbol: number): string;
  namesOf(models: readonly number[]): string[];
}

/** Replaces the numbers of an answer by names. */
export function explainedWith(
  { context, strongest, rules, correction, likeliestStep, situation, ...numbers }: ExplainedForecast,
  { symbol, events, nameOf, namesOf }: ForecastNames,
): ForecastExplanation {
  return {
    symbol,
    ...numbers,
    context: events.slice(events.length - context),
    strongest: namesOf(strongest),
    rules: rules.map((rule, at) => ({ ...wordsOf(at), ...rule })),
    ...(situation !== undefined && { situation: { ...situation, says: inWords(situation) } }),
    ...(correction !== undefined && { correction: named(correction, nameOf) }),
    ...(likeliestStep !== undefined && { likeliestStep: namedStep(likeliestStep, nameOf) }),
  };
}

function inWords({ bucket }: Situation): string {
  const orders = ORDER_WORDS.length;
  return `${BEHIND_WORDS[Math.floor(bucket / orders)]}; ${ORDER_WORDS[bucket % orders]}`;
}

function wordsOf(rule: number): RuleWords {
  return RULE_WORDS[rule] ?? { name: `rule ${rule + 1}`, says: "" };
}

function named(
  { first, isExclusive, terms, ...numbers }: NumberedCorrection,
  nameOf: (symbol: number) => string,
): ForecastCorrection {
  const named = terms.map((term, at) => ({ ...(TERM_WORDS[at] ?? { name: `term ${at + 1}`, says: "" }), ...term }));
  return { ...numbers, first: nameOf(first), exclusive: isExclusive, terms: named };
}

function namedStep({ isWithin, symbol, ...numbers }: NumberedStep, nameOf: (symbol: number) => string): LikelyStep {
  return { ...numbers, symbol: nameOf(symbol), within: isWithin };
}
