/** The expected events after the last reading, as positions on the time axis. Plain data; asks no server. */

import type { Schemas } from "../../client";
import type { Bin } from "../parts/rounded-ranges";

/** Minimum probability of an expected bin that is drawn. */
const MIN_DRAWN = 0.03;

/** Minimum distance between two positions on the axis, in seconds: several steps may be expected at the same time. */
const MIN_GAP_S = 0.001;

/** One of the next events. Times in epoch seconds. */
export interface Ahead {
  /** The median of the expected time. */
  readonly time: number;
  /** The 10 % quantile of the expected time. */
  readonly from: number;
  /** The 90 % quantile of the expected time. */
  readonly to: number;
  /** Most probable first. */
  readonly symbols: Schemas.ForecastStep["symbols"];
}

/** A bin in which a number is expected. */
export interface ExpectedBin extends Bin {
  readonly symbol: string;
  readonly probability: number;
}

/**
 * The next events whose times can be predicted.
 *
 * @param last the time of the newest reading, in seconds since 1970
 */
export function aheadOf(forecast: Schemas.Forecast | undefined, last: number | undefined): readonly Ahead[] {
  const all: Ahead[] = [];
  for (const { symbols, when } of forecast?.steps ?? []) {
    if (when == null || last === undefined || symbols.length === 0) break;
    const time = Math.max(last + when.p50, (all.at(-1)?.time ?? last) + MIN_GAP_S);
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
    const bin = probability < MIN_DRAWN ? undefined : binOf(symbol);
    return bin?.name === name ? [{ ...bin, symbol, probability }] : [];
  });
}
