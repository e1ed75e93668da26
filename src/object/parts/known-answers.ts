/** What all parts have answered to questions about one state of the models, by question. */

import { bytesOf, type PartAnswer, type PartQuestion, stepsOf } from "../../processor/ports/parts";
import { isSameValue } from "./same-value";

/** The name of the members of a question that limit its steps: a complete answer does not depend on them. */
const STEP_LIMIT = "steps";

/** Number of elements at the start of a list that its hash depends on. */
const MAX_HASHED = 32;

/** A question that is answered. */
export interface Known {
  readonly question: PartQuestion;
  /** One for each part, or one for all parts. */
  readonly answers: readonly PartAnswer[];
  /** Approximate heap bytes of question and answers. */
  readonly bytes: number;
}

/** Answers by question. */
export class KnownAnswers {
  readonly #known = new Map<number, Known[]>();
  #bytes = 0;

  /** Approximate heap bytes. */
  get bytes(): number {
    return this.#bytes;
  }

  /** The answers to a question, also from one with another limit of steps if that limit did not cut them short. */
  find(question: PartQuestion): Known | undefined {
    const allowed = stepsOf(question);
    return this.#known
      .get(hashOf(question))
      ?.find((one) => isWhole(one, allowed) && isSameValue(one.question, question, STEP_LIMIT));
  }

  /** Keeps answers. @param question must not change afterwards */
  add(question: PartQuestion, answers: readonly PartAnswer[]): Known {
    const known = { question, answers, bytes: bytesOf(question) + bytesOf(answers) };
    this.#put(known);
    return known;
  }

  /** Keeps all that others keep. */
  addAll(others: KnownAnswers): void {
    for (const known of others.#known.values()) for (const one of known) this.#put(one);
  }

  #put(known: Known): void {
    const hash = hashOf(known.question);
    this.#known.set(hash, [...(this.#known.get(hash) ?? []), known]);
    this.#bytes += known.bytes;
  }

  /** Drops the oldest answers until the rest take at most these bytes. */
  keepAtMost(bytes: number): void {
    for (const [hash, known] of this.#known) {
      if (this.#bytes <= bytes) return;
      this.#known.delete(hash);
      for (const one of known) this.#bytes -= one.bytes;
    }
  }
}

/** Whether the answers would be the same with this limit of steps. */
function isWhole({ question, answers }: Known, allowed: number): boolean {
  const before = stepsOf(question);
  return before >= allowed || answers.every(({ steps }) => steps <= before);
}

/** A hash of a question: equal for equal questions. */
function hashOf(value: unknown): number {
  if (typeof value === "number") return Math.floor(value) | 0;
  if (typeof value === "string") return value.length;
  if (typeof value !== "object" || value === null) return 1;
  let hash = 1;
  const mix = (member: unknown) => {
    hash = (Math.imul(hash, 31) + hashOf(member)) | 0;
  };
  if (ArrayBuffer.isView(value) || Array.isArray(value)) {
    const { length } = value as unknown as ArrayLike<unknown>;
    mix(length);
    for (let at = 0; at < Math.min(length, MAX_HASHED); at++) mix((value as unknown as ArrayLike<unknown>)[at]);
  } else {
    for (const [name, member] of Object.entries(value)) if (name !== STEP_LIMIT) mix(member);
  }
  return hash;
}
