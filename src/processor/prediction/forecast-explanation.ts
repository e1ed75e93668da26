/**
 * Why a symbol has its probability in a forecast: the forecaster's answer, with names for its numbers and words for its
 * rules.
 */

import type { Event, ForecastExplanation } from "../../gen/plain";
import type {
  CorrectionTerm,
  ExplainedForecast,
  ExplainedRule,
  ForecastCorrection as NumberedCorrection,
  LikelyStep as NumberedStep,
  Situation,
} from "../ports/forecaster";

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
const BEHIND_WORDS = ["almost no event is left", "few events are left", "some events are left", "many events are left"];
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
