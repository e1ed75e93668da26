/** Walks the models of a batch, whose columns store lengths of events and not their positions. */

import type { ModelBatch } from "../ports/matcher";

/**
 * Called for a model with its index in the batch. Its symbols are those of the batch from index `from`
 * (inclusive) to `to` (exclusive).
 */
export type ModelVisit = (at: number, from: number, to: number) => void;

/** Calls `visit` for each model, in order. */
export function eachModel({ eventCounts, lengths }: ModelBatch, visit: ModelVisit): void {
  let event = 0;
  let from = 0;
  for (let at = 0; at < eventCounts.length; at++) {
    let to = from;
    for (const end = event + (eventCounts[at] ?? 0); event < end; event++) to += lengths[event] ?? 0;
    visit(at, from, to);
    from = to;
  }
}
