/**
 * Collects the members of a body that its operation does not know, while the body is decoded, and names them in a
 * sentence: otherwise a typo in a name would silently have no effect. Decides nothing: the operation either refuses
 * them or reports that it ignored them.
 */

import { type JsonObject, type Located, memberPath } from "../../text/located";

/** Maximum number of members that a sentence names. The others are only counted. */
const MAX_NAMED = 5;

/** Unknown members in places where the same members are accepted. */
interface Part {
  readonly paths: string[];
  readonly accepted: readonly string[];
}

/** The unknown members of one body. */
export class UnknownMembers {
  readonly #parts: Part[] = [];
  #named = 0;
  #more = 0;

  /**
   * Adds the unknown members of an object.
   *
   * @param accepted the names that a sentence may suggest
   * @param known the names of other members that clients send although they mean nothing here
   */
  note({ value, path }: Located<JsonObject>, accepted: readonly string[], known: readonly string[] = []): void {
    for (const name of Object.keys(value)) {
      if (accepted.includes(name) || known.includes(name)) continue;
      // There may be very many.
      if (this.#named === MAX_NAMED) this.#more += 1;
      else this.#add(memberPath(path, name), accepted);
    }
  }

  #add(path: string, accepted: readonly string[]): void {
    this.#named += 1;
    const last = this.#parts.at(-1);
    if (last?.accepted === accepted) last.paths.push(path);
    else this.#parts.push({ paths: [path], accepted });
  }

  /** The members, and what is accepted in their places; empty for none. */
  get sentence(): string {
    if (this.#named === 0) return "";
    const all = this.#parts.map(
      ({ paths, accepted }) =>
        `${paths.join(", ")} ${paths.length === 1 ? "is" : "are"} unknown (accepted: ${accepted.join(", ") || "none"})`,
    );
    return this.#more === 0 ? all.join("; ") : `${all.join("; ")}, and ${this.#more} more`;
  }

  /** The detail of an answer whose operation ignored the members; empty for none. */
  get ignored(): string {
    return this.#named === 0 ? "" : `ignored: ${this.sentence}`;
  }
}
