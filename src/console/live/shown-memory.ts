/** What the view *Now* shows of a memory, whether followed or read. Knows no view. */

import type { ReadonlySignal } from "@preact/signals";
import type { Schemas } from "../../client";
import type { HeldEvent } from "./held-events";
import type { Surprise } from "./surprise-hour";

/** Number of predictions requested: more than a screen shows at once. */
export const MAX_PREDICTIONS = 20;

/** Number of expected symbols requested: as many as a forecast names by itself. */
export const MAX_EXPECTED = 10;

/** The members of a prediction that lanes show. */
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

/** A prediction with the members that lanes show. */
export type ShownPrediction = Required<Pick<Schemas.PartialPrediction, (typeof FIELDS)[number]>>;

/** Whether even one prediction, or one expected symbol, is too large for an answer. */
export interface TooLarge {
  readonly predictions: boolean;
  readonly forecast: boolean;
}

/** A memory that is on screen. `undefined` members are not known, or not yet. */
export interface ShownMemory {
  /** The events of working memory, oldest first; empty until {@link status} is known. */
  readonly events: ReadonlySignal<readonly HeldEvent[]>;
  /** The events that predictions and forecast were made from; `undefined` while that is uncertain. */
  readonly answered: ReadonlySignal<readonly HeldEvent[] | undefined>;
  readonly predictions: ReadonlySignal<readonly ShownPrediction[] | undefined>;
  readonly forecast: ReadonlySignal<Schemas.Forecast | undefined>;
  readonly status: ReadonlySignal<Schemas.Status | undefined>;
  /** The last hour in slots, oldest first; absent where surprise is not heard. */
  readonly surprises?: ReadonlySignal<readonly (Surprise | undefined)[]>;
  /** The bits of observed events, by the memory's time after each; absent where surprise is not heard. */
  readonly bits?: ReadonlySignal<ReadonlyMap<number, number>>;
  /** What is not shown because it is too large for an answer, which a frame of a stream may hold less of. */
  readonly tooLarge: ReadonlySignal<TooLarge>;
  /** Why the last question was refused, or the link is down or ended; empty if all is well. */
  readonly trouble?: ReadonlySignal<string>;
  /**
   * Observes a record.
   *
   * @returns whether it was accepted: a sleeping processor ignores it
   * @throws NoemaError if it is refused
   */
  observe(gdf: Schemas.Gdf): Promise<boolean>;
  /**
   * Learns working memory.
   *
   * @returns the model, or `null` if there was nothing to learn.
   * @throws NoemaError if it is refused
   */
  learn(): Promise<string | null>;
  /** Clears working memory. @throws NoemaError if it is refused */
  clear(): Promise<void>;
  /** Reads everything again, after a change for which there is no event. */
  refresh(): void;
}
