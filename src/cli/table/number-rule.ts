/** Parses the command line's rules for turning a column's numbers into symbols. */

import { UsageError } from "../terminal/failure";
import type { Encoder } from "./bins";

/** Bins whose edges the processor finds. */
export interface AutoRule extends Omit<Encoder, "bins"> {
  /** Number of bins. */
  readonly auto: number;
  /** Whether the processor's existing encoder stays, whatever it is, because no option defines the bins. */
  readonly isDefault: boolean;
}

/** How a column's numbers become symbols: an encoder, or one whose edges the numbers of the file decide. */
export type NumberRule = AutoRule | Encoder | (Omit<Encoder, "bins"> & { readonly quantiles: number });

/** Default number of bins that an encoder finds, as on the server. */
const DEFAULT_BINS = 8;

/** The rule for a column without an option for its bins. */
export const DEFAULT_RULE: AutoRule = { auto: DEFAULT_BINS, isDefault: true, hysteresis: 0, onChange: false };

const NUMBER = "[+-]?(?:\\d+\\.?\\d*|\\.\\d+)(?:[eE][+-]?\\d+)?";
const DECIMAL = new RegExp(`^${NUMBER}$`);
const RULE = new RegExp(
  `^(?:step=(?<size>${NUMBER})(?:,origin=(?<origin>${NUMBER}))?|edges=(?<edges>${NUMBER}(?:,` +
    `${NUMBER})*)|quantiles=(?<quantiles>\\d+)|(?<auto>auto)(?:=(?<bins>\\d+))?)` +
    `(?:,hysteresis=(?<hysteresis>${NUMBER}))?(?<change>,on-change)?$`,
);

const MAX_QUANTILES = 1000;

const MAX_AUTO = 100;

/**
 * Parses a rule: `auto`, `auto=16`, `step=0.5`, `step=10,origin=5`, `edges=1,2,5` or `quantiles=8`; optionally followed
 * by `,hysteresis=0.1` and `,on-change`.
 *
 * @param column the column, for the error
 * @throws UsageError if the text is none of these, or the edges do not rise
 */
export function numberRule(column: string, text: string): NumberRule {
  const found = RULE.exec(text)?.groups ?? {};
  const { size, origin = "0", edges, quantiles, auto, bins, hysteresis = "0", change } = found;
  const common = { hysteresis: decimal(hysteresis), onChange: change !== undefined };
  if (common.hysteresis < 0) throw refusal(column, text, "a hysteresis of 0 or more");
  if (size !== undefined) {
    if (!(decimal(size) > 0)) throw refusal(column, text, "a step above 0");
    return { ...common, bins: { kind: "step", size: decimal(size), origin: decimal(origin) } };
  }
  if (auto !== undefined) {
    const count = Number(bins ?? DEFAULT_BINS);
    if (count < 2 || count > MAX_AUTO) throw refusal(column, text, `auto=<2 to ${MAX_AUTO}>`);
    return { ...common, auto: count, isDefault: false };
  }
  if (edges !== undefined) {
    const all = edges.split(",").map(decimal);
    if (!all.every((edge, at) => edge > (all[at - 1] ?? Number.NEGATIVE_INFINITY))) {
      throw refusal(column, text, "edges in ascending order");
    }
    return { ...common, bins: { kind: "edges", edges: all } };
  }
  const count = Number(quantiles);
  if (count >= 2 && count <= MAX_QUANTILES) return { ...common, quantiles: count };
  throw refusal(
    column,
    text,
    "auto[=<bins>], step=<size>[,origin=<number>], edges=<number>,<number>,… or quantiles=<2 to " +
      `${MAX_QUANTILES}>, then [,hysteresis=<number>][,on-change]`,
  );
}

/** Whether a text is a number with a decimal comma, as in 20,5. */
export function hasDecimalComma(text: string): boolean {
  return /^[+-]?\d*,\d+(?:[eE][+-]?\d+)?$/.test(text);
}

/** The number that a text gives in decimal notation; NaN if it is not a number, or too large for a double. */
export function decimal(text: string): number {
  const value = DECIMAL.test(text) ? Number(text) : Number.NaN;
  return Number.isFinite(value) ? value : Number.NaN;
}

function refusal(column: string, text: string, accepted: string): UsageError {
  return new UsageError(`--number ${column}:${text} is not accepted; accepted is ${accepted}`);
}
