/** What is learned from a group: its records, followed by its label as an event of its own. */

import type { Schemas } from "../../client";
import type { Group } from "../table/groups";

/** The sequence of a group, with a name for messages. */
export function lessonOf({ name, line, records, label }: Group): {
  readonly name: string;
  readonly records: readonly Schemas.Gdf[];
} {
  // The label belongs to the time of the last record, not to the time at which it is sent.
  const time = records.at(-1)?.time;
  const last = { strings: label === undefined ? [] : [label], ...(time !== undefined && { time }) };
  const all = label === undefined ? records : [...records, last];
  return { name: `the group ${name} from line ${line}`, records: all };
}
