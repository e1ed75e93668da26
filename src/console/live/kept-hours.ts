/**
 * Keeps what was heard of surprises while one looks at other views: who comes back to a memory finds its hour. With
 * the key, all is forgotten.
 */

import type { Memory, Noema } from "../../client";
import { SurpriseHour } from "./surprise-hour";

/** So many memories; who goes through more of them finds the earliest empty. */
const MOST_MEMORIES = 50;

/** The surprises of a memory, and when somebody first listened. */
export interface KeptHour {
  readonly hour: SurpriseHour;
  /** In milliseconds since 1970. */
  readonly since: number;
}

const kept = new WeakMap<Noema, Map<string, KeptHour>>();

/** The hour of a memory: what was heard of it before, or an empty one. */
export function hourOf({ noema, path }: Memory): KeptHour {
  const hours = kept.get(noema) ?? new Map<string, KeptHour>();
  kept.set(noema, hours);
  const found = hours.get(path) ?? { hour: new SurpriseHour(), since: Date.now() };
  // The one that was looked at last stands at the end.
  hours.delete(path);
  hours.set(path, found);
  const [earliest] = hours.keys();
  if (hours.size > MOST_MEMORIES && earliest !== undefined) hours.delete(earliest);
  return found;
}
