/** The prefixes that the names of models and vectors carry for people and clients. Messages carry the bare names. */

/** What stands before the name of a model. */
export const MODEL_PREFIX = "MODEL|";

/** What stands before the name of a vector: the whole is a symbol. */
export const VECTOR_PREFIX = "VECTOR|";

/** A name without its prefix, whether or not the sender put the prefix before it. */
export function withoutPrefix(name: string, prefix: string): string {
  return name.startsWith(prefix) ? name.slice(prefix.length) : name;
}
