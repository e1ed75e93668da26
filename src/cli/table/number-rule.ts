/** Reads how the numbers of a column become symbols, as a command line says it. */

import { UsageError } from "../terminal/failure";
import type { Encoder } from "./bins";

/** How numbers of a column become symbols: an encoder, or one whose edges the numbers of the file decide. */
export type NumberRule = Encoder | (Omit<Encoder, "bins"> & { readonly quantiles: number });

const NUMBER = "[+-]?(?:\\d+\\.?\\d*|\\.\\d+)(?:[eE][+-]?\\d+)?";
const DECIMAL = new RegExp(`^${NUMBER}$`);
const RULE = new RegExp(
  `^(?:step=(?<size>${NUMBER})(?:,origin=(?<origin>${NUMBER}))?|edges=(?<edges>${NUMBER}(?:,${NUMBER})*)|quantiles=(?<quantiles>\\d+))` +
    `(?:,hysteresis=(?<hysteresis>${NUMBER}))?(?<change>,on-change)?$`,
);

const MOST_QUANTILES = 1000;

/**
 * Reads how numbers become symbols: `step=0.5`, `step=10,origin=5`, `edges=1,2,5` or `quantiles=8`; behind it
 * `,hysteresis=0.1` and `,on-change`.
 *
 * @param column the column, for the error
 * @throws UsageError if it is none of these, or edges do not rise
 */
export function numberRule(column: string, text: string): NumberRule {
  const { size, origin = "0", edges, quantiles, hysteresis = "0", change } = RULE.exec(text)?.groups ?? {};
  const common = { hysteresis: decimal(hysteresis), onChange: change !== undefined };
  if (common.hysteresis < 0) throw refusal(column, text, "a hysteresis of 0 or more");
  if (size !== undefined) {
    if (!(decimal(size) > 0)) throw refusal(column, text, "a step above 0");
    return { ...common, bins: { kind: "step", size: decimal(size), origin: decimal(origin) } };
  }
  if (edges !== undefined) {
    const all = edges.split(",").map(decimal);
    if (!all.every((edge, at) => edge > (all[at - 1] ?? Number.NEGATIVE_INFINITY))) {
      throw refusal(column, text, "edges that rise");
    }
    return { ...common, bins: { kind: "edges", edges: all } };
  }
  const count = Number(quantiles);
  if (count >= 2 && count <= MOST_QUANTILES) return { ...common, quantiles: count };
  throw refusal(
    column,
    text,
    `step=<size>[,origin=<number>], edges=<number>,<number>,… or quantiles=<2 to ${MOST_QUANTILES}>, then [,hysteresis=<number>][,on-change]`,
  );
}

/** The number that a text writes in decimals; NaN if it writes none, or one beyond the doubles. */
export function decimal(text: string): number {
  const value = DECIMAL.test(text) ? Number(text) : Number.NaN;
  return Number.isFinite(value) ? value : Number.NaN;
}

function refusal(column: string, text: string, accepted: string): UsageError {
  return new UsageError(`--number ${column}:${text} is not accepted; accepted is ${accepted}`);
}
