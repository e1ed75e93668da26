/** Short texts about a device: durations, incidents, and the most telling symbol. */

import type { Schemas } from "../../client";
import { bitsText } from "./bits";
import { ranged } from "./ranges";
import { expectedOf } from "./sensors";

/** A state is named instead of a number's range that is at most twice as probable. */
const NAMED_SHARE = 0.5;

const MINUTE_S = 60;
const HOUR_S = 3600;
const DAY_S = 86_400;

/** How long something takes, as people say it. */
export function duration(seconds: number): string {
  if (seconds < MINUTE_S) return `${Math.max(1, Math.round(seconds))} s`;
  if (seconds < HOUR_S) return `${Math.round(seconds / MINUTE_S)} min`;
  return seconds < 2 * DAY_S ? `${Math.round(seconds / HOUR_S)} h` : `${Math.round(seconds / DAY_S)} days`;
}

/** An incident in a few words, as in "jam: 157 bits, expected idle": what the odd sensor was expected to say. */
export function oddity({ bits, causes, expected }: Schemas.Incident): string {
  const cause = causes[0];
  const came = cause === undefined ? "" : `${ranged(cause.symbol)}: `;
  const instead = leading(expectedOf(cause?.symbol ?? "", expected));
  const usual = instead === undefined ? "" : `, expected ${ranged(instead.symbol)}`;
  return `${came}${bitsText(bits)} bits${usual}`;
}

/** The most probable symbol that says something by itself: a state rather than a range of a number. */
export function leading<S extends { readonly symbol: string; readonly probability: number }>(symbols: readonly S[]) {
  const [first] = symbols;
  if (first === undefined) return undefined;
  const named = symbols.find(({ symbol }) => ranged(symbol) === symbol && !/=-?[\d.]+$/.test(symbol));
  return named !== undefined && named.probability > NAMED_SHARE * first.probability ? named : first;
}
