/** What is expected after the last reading, as places on the axis of time. Plain data; asks no server. */

import type { Schemas } from "../../client";
import type { Bin } from "../parts/rounded-ranges";

/** What is less probable is not drawn. */
const LEAST_DRAWN = 0.03;

/** The least distance of two places on the axis, in seconds: steps may be expected at the same time. */
const LEAST_GAP_S = 0.001;

/** One of the next events. Times in seconds since 1970. */
export interface Ahead {
  /** Half of the cases are before it. */
  readonly time: number;
  /** Nine of ten cases are after it. */
  readonly from: number;
  /** Nine of ten cases are before it. */
  readonly to: number;
  /** Most probable first. */
  readonly symbols: Schemas.ForecastStep["symbols"];
}

/** Where a number is expected. */
export interface ExpectedBin extends Bin {
  readonly symbol: string;
  readonly probability: number;
}

/**
 * The next events, as far as it is known when they come.
 *
 * @param last the time of the newest reading, in seconds since 1970
 */
export function aheadOf(forecast: Schemas.Forecast | undefined, last: number | undefined): readonly Ahead[] {
  const all: Ahead[] = [];
  for (const { symbols, when } of forecast?.steps ?? []) {
    if (when == null || last === undefined || symbols.length === 0) break;
    const time = Math.max(last + when.p50, (all.at(-1)?.time ?? last) + LEAST_GAP_S);
    all.push({ time, from: last + when.p10, to: Math.max(time, last + when.p90), symbols });
  }
  return all;
}

/** The bins of a number that an event may hold, most probable first. @param binOf the bin of a symbol */
export function binsOf(
  { symbols }: Pick<Ahead, "symbols">,
  name: string,
  binOf: (symbol: string) => Bin | undefined,
): readonly ExpectedBin[] {
  return symbols.flatMap(({ symbol, probability }) => {
    const bin = probability < LEAST_DRAWN ? undefined : binOf(symbol);
    return bin?.name === name ? [{ ...bin, symbol, probability }] : [];
  });
}
