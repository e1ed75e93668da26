/** The probability of a symbol as formulas with the values put in: the mix of the rules, and its correction (docs/forecast.md). */

import type { Schemas } from "../../client";
import {
  constant,
  type Expression,
  evaluate,
  greatest,
  least,
  minus,
  named,
  over,
  plus,
  sumOf,
  times,
} from "./expression";

/** A number times this is the next one below it: a symbol that the rules gave less than the first stays below that. */
const NEXT_BELOW = 1 - 2 ** -53;

/** The mix: the sum of what the rules give, each by its weight. */
export function mixOf({ rules }: Schemas.ForecastExplanation): Expression {
  const terms = rules.map(({ name, weight, probability }) => ({
    label: name,
    value: times(named("weight", weight), named("gives", probability)),
  }));
  return least(constant(1), sumOf("rules", terms));
}

/** What has proved true of the first symbol: q. */
export function provedOf({ forecasts, right, prior, mixed }: Schemas.ForecastCorrection): Expression {
  return over(
    plus(named("right", right), times(constant(prior), named("p", mixed))),
    plus(named("forecasts", forecasts), constant(prior)),
  );
}

/** The probability that a forecast answers with: within several events, no less than at any of them, or within fewer. */
export function probabilityOf(terms: Schemas.ForecastExplanation): Expression {
  const { likeliest_step: step } = terms;
  const own = correctedOf(terms);
  if (step === null) return own;
  const there = named(`${step.within ? "within" : "at step"} ${step.horizon}`, step.probability);
  return step.symbol === terms.symbol ? greatest(own, there) : least(constant(1), over(there, constant(NEXT_BELOW)));
}

/** The mix, corrected. */
function correctedOf(terms: Schemas.ForecastExplanation): Expression {
  const { correction, symbol, mixed } = terms;
  const mix = named("mix", mixed);
  if (correction === null || mixed === 0) return mix;
  if (correction.first === symbol) return provedOf(correction);
  const { exclusive, mixed: first, proved } = correction;
  const [one, p, q] = [constant(1), named("p", first), named("q", proved)];
  const left = exclusive && first < 1 ? times(mix, over(minus(one, q), minus(one, p))) : mix;
  const most = mixed === first ? q : times(q, constant(NEXT_BELOW));
  return least(most, left);
}

/** Whether the rules, the mix and the correction give exactly what was answered. */
export function isExact(terms: Schemas.ForecastExplanation): boolean {
  return evaluate(mixOf(terms)) === terms.mixed && evaluate(probabilityOf(terms)) === terms.probability;
}
