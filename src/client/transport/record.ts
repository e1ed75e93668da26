/** The members of records, which single calls and streams send. */

import type { Gdf, Percept } from "../gen/operations";
import { checked, type Names } from "./members";

const RECORD: Names<Gdf | Percept> = {
  strings: 1,
  vectors: 1,
  numbers: 1,
  emotives: 1,
  metadata: 1,
  time: 1,
  unique_id: 1,
  command: 1,
  // A percept that was read may be observed again.
  path: 1,
};

/** @throws TypeError if a record is not an object, or has a member that no record has */
export function checkedRecord(gdf: Gdf): Gdf {
  return checked<Gdf | Percept>("a record", "member", gdf, RECORD);
}
