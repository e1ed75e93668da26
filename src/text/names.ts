/** The prefixes that the names of models and vectors carry for people and clients. Messages carry the bare names. */

/** The prefix of a model's name. */
export const MODEL_PREFIX = "MODEL|";

/** The prefix of a vector's name. Prefix and name together are a symbol. */
export const VECTOR_PREFIX = "VECTOR|";

/** A name without its prefix, if it has one. */
export function withoutPrefix(name: string, prefix: string): string {
  return name.startsWith(prefix) ? name.slice(prefix.length) : name;
}
