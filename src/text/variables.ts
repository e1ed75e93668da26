/** The common parts of environment variables: the syntax of lists, and the default agent. */

/** The default agent. It exists whether or not a variable lists it. */
export const DEFAULT_AGENT = "simple";

/** The words of a variable, separated by white space or commas, in their order; none if the variable is not set. */
export function wordsOf(variable: string | undefined): string[] {
  return (variable ?? "").split(/[\s,]+/).filter((word) => word !== "");
}
