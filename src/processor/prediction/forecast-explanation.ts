/**
 * Why a symbol has its probability in a forecast: the answer of the forecaster with names for its numbers, and words
 * for its rules.
 */

import type { Surprise } from "../ports/activity";
import type {
  CorrectionTerm,
  ExplainedForecast,
  ExplainedRule,
  ForecastCorrection as NumberedCorrection,
  LikelyStep as NumberedStep,
  Situation,
} from "../ports/forecaster";
import type { Event } from "../ports/gdf";
import type { Factor } from "./surprise";

/** A rule in words. */
export interface RuleWords {
  readonly name: string;
  /** One sentence. */
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

/**
 * A situation in words: how many events are left behind the last shared one, and how many of the latest match in order.
 */
const BEHIND_WORDS = ["hardly an event is left", "few events are left", "some events are left", "many events are left"];
const ORDER_WORDS = ["at most one event matches", "two or three events match", "four or more events match"];

/** What a rule gives the symbol. */
export interface RuleTerms extends RuleWords, ExplainedRule {}

/** As the forecaster's, with words. */
export interface ForecastSituation extends Situation {
  says: string;
}

/** What the correction of the next event goes by, in words: one for each term, in their order. */
const TERM_WORDS: readonly RuleWords[] = [
  { name: "odds", says: "the logarithm of its odds by the rules" },
  { name: "probability", says: "its probability by the rules" },
  { name: "behind", says: "how many events are left behind, at most 12, in fours" },
];

/** A term of the correction. */
export interface CorrectionTerms extends RuleWords, CorrectionTerm {}

/** As the forecaster's, with the symbol's name, and words. */
export interface ForecastCorrection extends Omit<NumberedCorrection, "first" | "isExclusive" | "terms"> {
  first: string;
  exclusive: boolean;
  terms: CorrectionTerms[];
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
  /** In their order. */
  rules: RuleTerms[];
  /** The probability of the list before it is corrected. */
  mixed: number;
  /**
   * The symbol's share of the pool, and by what shares sum to 1; missing where an event that was counted holds several
   * symbols.
   */
  share?: number;
  normalizer?: number;
  /** What the weights depend on; missing as the share. */
  situation?: ForecastSituation;
  /**
   * Missing when no symbol has a probability, for a step beyond the next event, and where an event that was counted
   * holds several symbols.
   */
  correction?: ForecastCorrection;
  /**
   * The step, or the list within fewer events, that raises the probability above the list's own, corrected; missing
   * when none does.
   */
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
  /** The probability of all symbols that no model that was heard holds; 1 when no model speaks. */
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
