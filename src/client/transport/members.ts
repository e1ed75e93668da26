/**
 * Checks the members of a caller's objects: options and definitions. An unknown one throws before anything is sent:
 * ignoring it would do something other than the caller meant.
 */

/**
 * The names of all members of T, or of all members of a union: the compiler refuses one that is missing or too many.
 */
export type Names<T> = { readonly [M in T extends unknown ? keyof T : never]: 1 };

/**
 * Checks the names of members.
 *
 * @param owner what has them, for the error
 * @param kind what they are, for the error: `option` or `member`
 * @returns the object
 * @throws TypeError if it is not an object, or has a member that is not among the names
 */
export function checked<T>(owner: string, kind: "member" | "option", given: T, names: Names<T>): T {
  if (typeof given !== "object" || given === null || Array.isArray(given)) {
    throw new TypeError(`the ${kind}s of ${owner} must be an object, got ${JSON.stringify(given) ?? typeof given}`);
  }
  // Inherited members count, to catch an AbortSignal passed as the options: all of its members are inherited.
  for (const name in given) {
    if (Object.hasOwn(names, name)) continue;
    const accepted = Object.keys(names);
    throw new TypeError(`${owner} has no ${kind} "${name}"${hint(name, accepted)} (accepted: ${accepted.join(", ")})`);
  }
  return given;
}

function hint(name: string, accepted: readonly string[]): string {
  // Ignoring it would address the memory that all callers share.
  if (name === "session") return `; a session is named by session(processor, "name") in the place of the processor`;
  const [near] = accepted
    .map((other) => ({ other, edits: editsBetween(name, other) }))
    .filter(({ other, edits }) => edits <= other.length * MAX_EDITS)
    .sort((a, b) => a.edits - b.edits);
  return near === undefined ? "" : `; did you mean "${near.other}"?`;
}

/** Maximum share of a name that may be misspelt. */
const MAX_EDITS = 0.45;

/** The number of added, missing, wrong or transposed letters; infinite if the lengths are far apart. */
function editsBetween(a: string, b: string): number {
  if (Math.abs(a.length - b.length) > b.length * MAX_EDITS) return Infinity;
  let before: number[] = [];
  let row = Array.from(`${b} `, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const isEqual = a[i - 1] === b[j - 1];
      const isSwapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      const steps = [row[j], next[j - 1], row[j - 1]].map((edits = 0) => edits + 1);
      next[j] = Math.min(
        ...steps,
        isEqual ? (row[j - 1] ?? 0) : Infinity,
        isSwapped ? (before[j - 2] ?? 0) + 1 : Infinity,
      );
    }
    [before, row] = [row, next];
  }
  return row[b.length] ?? 0;
}
