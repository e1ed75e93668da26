/** Turns groups into questions: what comes after these events? Does not depend on who answers. */

import type { Schemas } from "../../client";
import type { Group } from "../table/groups";

/** A question with its right answer. */
export interface Question {
  /** The records before the answer, oldest first. */
  readonly context: readonly Schemas.Gdf[];
  /** The symbol that came next. */
  readonly actual: string;
}

/**
 * The questions of a group. A group with a label has one question, whose answer is the label and whose context is the
 * last events of the group. A group without a label has a question for each event after the first that has a symbol of
 * the target column: the answer is that symbol, and the context is the events before it.
 *
 * @param most maximum number of events in a context
 */
export function questionsOf({ records, targets, label }: Group, most: number): Question[] {
  if (label !== undefined) return records.length === 0 ? [] : [{ context: records.slice(-most), actual: label }];
  return targets.flatMap((actual, at) =>
    actual === undefined || at === 0 ? [] : [{ context: records.slice(Math.max(0, at - most), at), actual }],
  );
}

/** The symbols of a record as one text, equal for records with the same symbols in any order. */
export function stateOf({ strings = [] }: Schemas.Gdf): string {
  return JSON.stringify([...strings].sort());
}
