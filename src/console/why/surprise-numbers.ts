/**
 * The bits of an event as formulas with the values put in: the factors of its probability, their product, and its
 * logarithm (docs/surprise.md).
 */

import type { Schemas } from "../../client";
import {
  constant,
  type Expression,
  evaluate,
  logarithm,
  named,
  negative,
  over,
  part,
  plus,
  productOf,
  times,
} from "./expression";

/** One factor of the probability. */
export type Factor = Schemas.SurpriseExplanation["factors"][number];

/**
 * The probability of the event: the product of its factors. Where that is too small for full precision, the least that
 * there is takes its place.
 */
export function probabilityOf({ factors, surprise }: Schemas.SurpriseExplanation): Expression {
  const product = productOf(
    "symbols",
    factors.map(({ symbol, factor }) => ({ label: symbol, value: named("factor", factor) })),
  );
  return evaluate(product) === surprise.probability ? product : named("least", surprise.probability);
}

/** A factor: what a symbol begins with, corrected by each level from the lowest on. */
export function factorOf({ prior, levels }: Factor): Expression {
  return levels.reduce<Expression>(
    (chance, { level, places, holding }, at) =>
      over(
        plus(named(`c${level}`, holding), at === 0 ? chance : part(`P${levels[at - 1]?.level}`, chance)),
        plus(named(`p${level}`, places), constant(1)),
      ),
    named("begins with", prior),
  );
}

/** What a symbol counts with to which the forecast gives none. */
export function unexpectedOf({ rest, occurrences }: Schemas.SurpriseExplanation): Expression {
  return over(times(constant(0.5), named("rest", rest)), named("occurrences", occurrences));
}

/** The bits. */
export function bitsOf({ surprise: { bits, probability } }: Schemas.SurpriseExplanation): Expression {
  // The server answers with 0 where the logarithm is −0.
  if (bits === 0) return named("bits of what is certain", 0);
  return negative(logarithm("2", named("P", probability), -bits));
}
