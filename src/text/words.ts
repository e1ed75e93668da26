/** Lists in variables of the environment: words separated by white space or commas. */

/** The words of a variable, in their order; none when it is not set. */
export function wordsOf(variable: string | undefined): string[] {
  return (variable ?? "").split(/[\s,]+/).filter((word) => word !== "");
}
