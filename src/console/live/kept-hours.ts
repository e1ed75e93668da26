/**
 * Keeps the surprises of the last hour of each memory while the user looks at other views. Forgotten with the key.
 */

import type { Memory, Noema } from "../../client";
import { SurpriseHour } from "./surprise-hour";

/** Maximum number of memories kept; beyond it the least recently viewed is dropped. */
const MAX_MEMORIES = 50;

/** The surprises of a memory, and since when they are collected. */
export interface KeptHour {
  readonly hour: SurpriseHour;
  /** In milliseconds since 1970. */
  readonly since: number;
}

const kept = new WeakMap<Noema, Map<string, KeptHour>>();

/** The hour of a memory: the kept one, or a new one. */
export function hourOf({ noema, path }: Memory): KeptHour {
  const hours = kept.get(noema) ?? new Map<string, KeptHour>();
  kept.set(noema, hours);
  const found = hours.get(path) ?? { hour: new SurpriseHour(), since: Date.now() };
  // Re-insert it: the most recently viewed is last.
  hours.delete(path);
  hours.set(path, found);
  const [earliest] = hours.keys();
  if (hours.size > MAX_MEMORIES && earliest !== undefined) hours.delete(earliest);
  return found;
}
