/**
 * The bits of an event as formulas with their values: the factors of its probability, their product, and the logarithm
 * (docs/surprise.md).
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
 * The probability of the event: the product of its factors. If that is too small for full precision, it is replaced by
 * the smallest number with full precision.
 */
export function probabilityOf({ factors, surprise }: Schemas.SurpriseExplanation): Expression {
  const product = productOf(
    "symbols",
    factors.map(({ symbol, factor }) => ({ label: symbol, value: named("factor", factor) })),
  );
  return evaluate(product) === surprise.probability ? product : named("least", surprise.probability);
}

/** A factor: the symbol's prior, corrected by each level from the lowest up. */
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

/** The probability of a symbol that the forecast does not contain. */
export function unexpectedOf({ rest, occurrences }: Schemas.SurpriseExplanation): Expression {
  return over(times(constant(0.5), named("rest", rest)), named("occurrences", occurrences));
}

/** The bits. */
export function bitsOf({ surprise: { bits, probability } }: Schemas.SurpriseExplanation): Expression {
  // The server answers 0 if the logarithm is −0.
  if (bits === 0) return named("bits of what is certain", 0);
  return negative(logarithm("2", named("P", probability), -bits));
}
