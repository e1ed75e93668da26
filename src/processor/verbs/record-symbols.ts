/** Computes the events that records would make, one after the other from an empty memory. Changes nothing. */

import type { Gdf } from "../../gen/plain";
import { MS_PER_SECOND } from "../../text/clock";
import { tooMany } from "../../text/request-limits";
import { checkGdf } from "../input/gdf-input";
import { observedVector } from "../input/observed-vector";
import type { Mind } from "../mind";
import { Fault } from "../ports/fault";
import type { KeptBin } from "../ports/store";
import { eventOf } from "./event-symbols";

/**
 * The symbols of the event that each record would make; none if it would make no event.
 *
 * @throws Fault `invalid` when a record is wrong; `too-large` when there are too many
 */
export function recordSymbols(mind: Mind, records: readonly Gdf[]): string[][] {
  const { sequenceRecords: most, memorySymbols } = mind.budgets;
  if (records.length > most) throw new Fault("too-large", tooMany.records(most, records.length));
  const { encoders, now } = mind.shared;
  let dimensionality = mind.vectors.dimensionality;
  let bins: readonly KeptBin[] = [];
  let before: number | undefined;
  return records.map((record) => {
    const gdf = checkGdf(record, memorySymbols);
    const vector = observedVector(gdf.vectors, dimensionality);
    dimensionality = vector?.length ?? dimensionality;
    const numbers = encoders.encodeUnseen(gdf.numbers, bins);
    bins = numbers.bins;
    const time = gdf.time ?? now() / MS_PER_SECOND;
    const { symbols } = eventOf(mind, gdf, vector, numbers.symbols, () =>
      encoders.encodeTime(() => ({ time, before })),
    );
    if (symbols.length > 0) before = time;
    return symbols;
  });
}
