/** What is learned of a group: its records, and its label as an event of its own after them. */

import type { Schemas } from "../../client";
import type { Group } from "../table/groups";

/** The sequence of a group, with a name for messages. */
export function lessonOf({ name, line, records, label }: Group): {
  readonly name: string;
  readonly records: readonly Schemas.Gdf[];
} {
  // The label belongs to what happened, and not to when it is sent.
  const time = records.at(-1)?.time;
  const last = { strings: label === undefined ? [] : [label], ...(time !== undefined && { time }) };
  const all = label === undefined ? records : [...records, last];
  return { name: `the group ${name} from line ${line}`, records: all };
}
