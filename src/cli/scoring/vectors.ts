/** The symbols of records' vectors, as the processor would make them with what it has learned. Observes nothing. */

import { recordSymbols, type Schemas } from "../../client";
import type { Judge } from "./judging";

/** Maximum number of vector components in a request, which keeps it below the size limit of a body. */
const MAX_COMPONENTS = 20_000;

/** The beginning of a vector's symbol. */
const VECTOR_PREFIX = "VECTOR|";

/** Maximum number of records in a request. */
const MAX_RECORDS = 500;

/**
 * Records whose vectors are replaced by symbols. These come first among the strings, as in events.
 *
 * @param onDone called with the number of records in each answer
 */
export async function withVectorSymbols(
  records: readonly Schemas.Gdf[],
  { processor, signal }: Judge,
  onDone: (count: number) => void,
): Promise<Schemas.Gdf[]> {
  const converted: Schemas.Gdf[] = [];
  for (let from = 0; from < records.length; ) {
    const piece = pieceOf(records, from);
    from += piece.length;
    const asked = piece.map(({ vectors = [] }) => ({ vectors }));
    const events = await recordSymbols(processor, { records: asked }, { signal });
    for (const [at, { vectors: _, strings = [], ...record }] of piece.entries()) {
      // A record without a time gets symbols of the present one.
      const names = (events[at] ?? []).filter((symbol) => symbol.startsWith(VECTOR_PREFIX));
      converted.push({ ...record, strings: [...names, ...strings] });
    }
    onDone(piece.length);
  }
  return converted;
}

/** The records of one request, starting at index `from`. */
function pieceOf(records: readonly Schemas.Gdf[], from: number): readonly Schemas.Gdf[] {
  let [components, end] = [0, from];
  while (end < records.length && end - from < MAX_RECORDS) {
    const { vectors = [] } = records[end] ?? {};
    components += vectors.reduce((sum, { length }) => sum + length, 0);
    if (components > MAX_COMPONENTS && end > from) break;
    end++;
  }
  return records.slice(from, end);
}
