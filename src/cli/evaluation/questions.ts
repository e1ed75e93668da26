/** Makes questions of groups: what comes after these events? Says nothing of who answers. */

import type { Schemas } from "../../client";
import type { Group } from "../table/groups";

/** A question with its right answer. */
export interface Question {
  /** The records before, oldest first. */
  readonly context: readonly Schemas.Gdf[];
  /** The symbol that came. */
  readonly actual: string;
}

/**
 * The questions of a group. With a label there is one: the label, after the last events of the group. Without, there is
 * one for each event but the first that has a symbol of the target column: that symbol, after the events before it.
 *
 * @param most the most events that a context may have
 */
export function questionsOf({ records, targets, label }: Group, most: number): Question[] {
  if (label !== undefined) return records.length === 0 ? [] : [{ context: records.slice(-most), actual: label }];
  return targets.flatMap((actual, at) =>
    actual === undefined || at === 0 ? [] : [{ context: records.slice(Math.max(0, at - most), at), actual }],
  );
}

/** The symbols of a record as one text, equal for records that have the same ones in any order. */
export function stateOf({ strings = [] }: Schemas.Gdf): string {
  return JSON.stringify([...strings].sort());
}
