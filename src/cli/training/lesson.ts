/** What is learned of a group: its records, and its label as an event of its own after them. */

import type { Schemas } from "../../client";
import type { Group } from "../table/groups";

/** The sequence of a group, with a name for messages. */
export function lessonOf({ name, line, records, label }: Group): {
  readonly name: string;
  readonly records: readonly Schemas.Gdf[];
} {
  const all = label === undefined ? records : [...records, { strings: [label] }];
  return { name: `the group ${name} from line ${line}`, records: all };
}
