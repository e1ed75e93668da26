/** Output manipulatives: what of a processor's predictions is told to which other processors. Plain data, no delivery. */

/** What the manipulative "abstraction" can tell of a prediction. */
export const ABSTRACTION_FIELDS = [
  "name",
  "past",
  "present",
  "future",
  "missing",
  "extras",
  "matches",
  "classification",
] as const;

/** One of {@link ABSTRACTION_FIELDS}. */
export type AbstractionField = (typeof ABSTRACTION_FIELDS)[number];

/** One manipulative of a processor. */
export interface Outlet {
  /** The manipulative's identifier. */
  manipulative: string;
  /** What is told of each prediction, in order. */
  fields: readonly AbstractionField[];
  /** The identifiers of the processors that observe it, in order. */
  targets: readonly string[];
}

/** Whether there is a field of this name. */
export function isAbstractionField(name: string): name is AbstractionField {
  return (ABSTRACTION_FIELDS as readonly string[]).includes(name);
}
