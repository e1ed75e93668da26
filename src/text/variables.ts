/**
 * What both towers know of the variables of the environment: how lists are written in them, and the
 * agent that needs no variable.
 */

/** The agent of a deployment that names no other. It is there whether or not a variable lists it. */
export const DEFAULT_AGENT = "simple";

/** The words of a variable, separated by white space or commas, in their order; none when the variable is not set. */
export function wordsOf(variable: string | undefined): string[] {
  return (variable ?? "").split(/[\s,]+/).filter((word) => word !== "");
}
