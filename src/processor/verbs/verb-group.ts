/** Makes a group of verbs from functions that take the mind first, so that no class repeats them to pass them on. */

import type { Mind } from "../mind";

/** A verb as a function of a mind. */
type Verb = (mind: Mind, ...rest: never[]) => unknown;

/** The same verbs as methods, without the mind. */
type Methods<Table> = {
  [Name in keyof Table]: Table[Name] extends (mind: Mind, ...rest: infer Rest) => infer Reply
    ? (...rest: Rest) => Reply
    : never;
};

/**
 * A class whose methods are the functions of a table, called with the mind of the object.
 *
 * @param table the functions, by the names of the methods
 */
export function verbGroup<Table extends Record<string, Verb>>(
  table: Table,
): new (
  mind: Mind,
) => Methods<Table> & { readonly mind: Mind } {
  class Group {
    readonly mind: Mind;

    constructor(mind: Mind) {
      this.mind = mind;
    }
  }
  for (const [name, verb] of Object.entries(table)) {
    Object.defineProperty(Group.prototype, name, {
      configurable: true,
      writable: true,
      value(this: Group, ...rest: never[]) {
        return verb(this.mind, ...rest);
      },
    });
  }
  return Group as unknown as new (
    mind: Mind,
  ) => Methods<Table> & { readonly mind: Mind };
}
