/** What the view *Now* shows of a memory, however it comes by it. Knows no view. */

import type { ReadonlySignal } from "@preact/signals";
import type { Schemas } from "../../client";
import type { HeldEvent } from "./held-events";

/** So many predictions are asked for: more than a screen shows at once. */
export const MOST_PREDICTIONS = 20;

/** What lanes show of a prediction. */
export const FIELDS = [
  "name",
  "past",
  "present",
  "future",
  "matches",
  "extras",
  "frequency",
  "potential",
  "similarity",
] as const;

/** A prediction with what lanes show of it. */
export type ShownPrediction = Required<Pick<Schemas.PartialPrediction, (typeof FIELDS)[number]>>;

/** A memory that somebody looks at. What is `undefined` is not known, or not yet. */
export interface ShownMemory {
  /** The events of working memory, oldest first; empty until {@link status} is known. */
  readonly events: ReadonlySignal<readonly HeldEvent[]>;
  /** The events that predictions and forecast are about; `undefined` while that is not known for sure. */
  readonly answered: ReadonlySignal<readonly HeldEvent[] | undefined>;
  readonly predictions: ReadonlySignal<readonly ShownPrediction[] | undefined>;
  readonly forecast: ReadonlySignal<Schemas.Forecast | undefined>;
  readonly status: ReadonlySignal<Schemas.Status | undefined>;
  /**
   * Observes a record. @returns whether it was taken: a processor that sleeps ignores it @throws
   * NoemaError if it is refused
   */
  observe(gdf: Schemas.Gdf): Promise<boolean>;
  /**
   * Learns working memory. @returns the model, or `null` if there was nothing to learn. @throws
   * NoemaError if it is refused
   */
  learn(): Promise<string | null>;
  /** Clears working memory. @throws NoemaError if it is refused */
  clear(): Promise<void>;
  /** Reads everything again, because something changed of which nobody is told. */
  refresh(): void;
}
