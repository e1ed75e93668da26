/** Output manipulatives: which parts of a processor's predictions go to which other processors. Plain data; the owner delivers. */

/** The parts of a prediction that the manipulative "abstraction" can send. */
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
export interface Manipulative {
  /** Its identifier. */
  id: string;
  /** The parts of each prediction that it sends, in order. */
  fields: readonly AbstractionField[];
  /** The identifiers of the processors that observe what it sends, in order. */
  targets: readonly string[];
}

/** Whether there is a field of this name. */
export function isAbstractionField(name: string): name is AbstractionField {
  return (ABSTRACTION_FIELDS as readonly string[]).includes(name);
}
