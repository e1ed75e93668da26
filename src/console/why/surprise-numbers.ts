/** The bits of an event as formulas with the values put in: the probability of the least probable symbol, and its logarithm (docs/surprise.md). */

import type { Schemas } from "../../client";
import { constant, type Expression, logarithm, named, negative, over, plus, times } from "./expression";

/** The probability of the event: that of its least probable symbol. Where it is too small for full precision, the least that there is takes its place. */
export function probabilityOf({ symbols, surprise }: Schemas.SurpriseExplanation): Expression {
  const least = Math.min(...symbols.map(({ probability }) => probability));
  const first = symbols.find(({ probability }) => probability === least);
  return first !== undefined && least === surprise.probability
    ? named(`P(${first.symbol})`, least)
    : named("least", surprise.probability);
}

/** What a symbol counts with to which the forecast gives none. */
export function unexpectedOf({ models, known_symbols: known }: Schemas.SurpriseExplanation): Expression {
  const one = constant(1);
  return over(one, times(plus(named("models", models), constant(2)), plus(named("known symbols", known), one)));
}

/** The bits. */
export function bitsOf({ surprise: { bits, probability } }: Schemas.SurpriseExplanation): Expression {
  // The server answers with 0 where the logarithm is −0.
  if (bits === 0) return named("bits of what is certain", 0);
  return negative(logarithm("2", named("P", probability), -bits));
}
