/**
 * The probability of a symbol as formulas with the values put in: the pool of the rules, and its correction
 * (docs/forecast.md).
 */

import type { Schemas } from "../../client";
import {
  constant,
  type Expression,
  evaluate,
  exponential,
  greatest,
  least,
  logarithm,
  minus,
  named,
  over,
  plus,
  productOf,
  sumOf,
  times,
} from "./expression";

/**
 * The factor from a number to the next one below it: a symbol with a smaller share than the first one stays below it.
 */
const NEXT_BELOW = 1 - 2 ** -53;

/** The combined evidence of the rules. */
export interface Evidence {
  /** The rules, each with by how many times it makes the symbol more probable than a typical outcome. */
  readonly factors: readonly number[];
  /**
   * The share of a typical outcome: the geometric mean of the shares of all outcomes, weighted by how often each
   * occurs.
   */
  readonly typical: number;
}

/** What the rules say together: the share is the typical one times all factors. @param share of the pool, above 0 */
export function evidenceOf({ rules }: Schemas.ForecastExplanation, share: number): Evidence {
  const factors = rules.map(({ evidence }) => Math.exp(evidence));
  return { factors, typical: share / factors.reduce((all, factor) => all * factor, 1) };
}

/**
 * The symbol's share of the pool; `undefined` if nothing is pooled, because events contain several symbols, or no model
 * contains the symbol.
 */
export function shareOf({ rules, normalizer, share }: Schemas.ForecastExplanation): Expression | undefined {
  if (share === null || normalizer === null || share === 0) return undefined;
  const terms = rules.map(({ name, weight, probability }) => ({
    label: name,
    value: times(named("weight", weight), logarithm("e", named("q", probability), Math.log(probability))),
  }));
  return exponential(minus(sumOf("rules", terms), named("normalizer", normalizer)), share);
}

/**
 * The probability before the correction: the share, updated by what followed the longest order, or the probability that
 * the symbol comes within several events.
 *
 * @param events how many events the list is about
 */
export function mixOf({ share, mixed, followed }: Schemas.ForecastExplanation, events: number): Expression {
  if (share === null) return named("alike", mixed);
  const one = named("share", share);
  if (events === 1) return followed === null ? one : updatedBy(followed, one);
  const misses = Array.from({ length: events }, (_, at) => ({
    label: at === 0 ? "the next event" : `${at + 1} ahead`,
    value: minus(constant(1), one),
  }));
  return minus(constant(1), productOf("events", misses));
}

/** A share, updated by how often its symbol followed the longest order. */
function updatedBy({ count, of, prior }: NonNullable<Schemas.ForecastExplanation["followed"]>, share: Expression) {
  const worth = named("prior", prior);
  return over(plus(named("followed", count), times(worth, share)), plus(named("of", of), worth));
}

/** The sum of the terms of a correction is limited to plus or minus this number. */
const MAX_EXPONENT = 20;

/** The factor for the odds of the next event's first symbol; `undefined` for other lists. */
export function factorOf({ terms, factor }: Schemas.ForecastCorrection): Expression | undefined {
  if (factor === null) return undefined;
  const weighed = terms.map(({ name, weight, value }) => ({
    label: name,
    value: times(named("weight", weight), named("value", value)),
  }));
  const sum = sumOf("terms", weighed);
  const isCut = Math.abs(evaluate(sum)) > MAX_EXPONENT;
  const exponent = isCut ? greatest(constant(-MAX_EXPONENT), least(constant(MAX_EXPONENT), sum)) : sum;
  return exponential(exponent, factor);
}

/** What a step beyond the next event lacks of what its first symbol has within all events up to it. */
function missingOf(within: number, sumBefore: number): Expression {
  const missing = minus(named("within", within), named("sum before", sumBefore));
  return sumBefore + evaluate(missing) < within ? over(missing, constant(NEXT_BELOW)) : missing;
}

/** The probability of the first symbol, corrected by how often such forecasts were right: q. */
export function provedOf(correction: Schemas.ForecastCorrection): Expression {
  const { forecasts, right, prior, mixed, factor, within, sum_before: sumBefore } = correction;
  if (within !== null && sumBefore !== null) return missingOf(within, sumBefore);
  const p = named("p", mixed);
  if (factor !== null) {
    const odds = times(p, named("f", factor));
    return over(odds, plus(odds, minus(constant(1), p)));
  }
  return over(
    plus(named("right", right ?? 0), times(constant(prior ?? 0), p)),
    plus(named("forecasts", forecasts ?? 0), constant(prior ?? 0)),
  );
}

/** Whether the list's own probability is more than all its steps give together: then that sum is the answer. */
export function isLimited(terms: Schemas.ForecastExplanation): boolean {
  return terms.sum_of_steps !== null && terms.sum_of_steps < evaluate(correctedOf(terms));
}

/**
 * The probability in the forecast's answer: within several events, at least that of any of them, at least that within
 * fewer, and at most the sum over them.
 */
export function probabilityOf(terms: Schemas.ForecastExplanation): Expression {
  const { likeliest_step: step, sum_of_steps: sum } = terms;
  const own = correctedOf(terms);
  if (sum !== null && isLimited(terms)) return least(own, named("sum over steps", sum));
  if (step === null) return own;
  const there = named(`${step.within ? "within" : "at step"} ${step.horizon}`, step.probability);
  return step.symbol === terms.symbol ? greatest(own, there) : least(constant(1), over(there, constant(NEXT_BELOW)));
}

/** The list's own probability, after any correction. */
function correctedOf(terms: Schemas.ForecastExplanation): Expression {
  const { correction, symbol, mixed } = terms;
  const mix = named("mixed", mixed);
  if (correction === null || mixed === 0) return mix;
  if (correction.first === symbol) return provedOf(correction);
  const { exclusive, mixed: first, proved, within } = correction;
  const [one, p, q] = [constant(1), named("p", first), named("q", proved)];
  const left = exclusive && first < 1 ? times(mix, over(minus(one, q), minus(one, p))) : mix;
  if (within !== null) return left;
  const most = mixed === first ? q : times(q, constant(NEXT_BELOW));
  return least(most, left);
}

/**
 * Whether the rules, the pool and the correction give exactly the answered probability. @param events as in {@link
 * mixOf}
 */
export function isExact(terms: Schemas.ForecastExplanation, events: number): boolean {
  const share = shareOf(terms);
  const isPooled = share === undefined || evaluate(share) === terms.share;
  const factor = terms.correction === null ? undefined : factorOf(terms.correction);
  const isMultiplied = factor === undefined || evaluate(factor) === terms.correction?.factor;
  return (
    isPooled &&
    isMultiplied &&
    evaluate(mixOf(terms, events)) === terms.mixed &&
    evaluate(probabilityOf(terms)) === terms.probability
  );
}
