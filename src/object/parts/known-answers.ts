/** What all parts have answered to questions about one state of the models, by question. */

import { bytesOf, type PartAnswer, type PartQuestion, stepsOf } from "../../processor/ports/parts";
import { isSameValue } from "./same-value";

/** The members of a question on which its answer does not depend, where it took no more steps than it might. */
const ALLOWED = "steps";

/** How many numbers of a list decide under which key a question is found. */
const MOST_HASHED = 32;

/** A question that is answered. */
export interface Known {
  readonly question: PartQuestion;
  /** One a part, or one for all. */
  readonly answers: readonly PartAnswer[];
  /** About how many, of both. */
  readonly bytes: number;
}

/** Answers by question. */
export class KnownAnswers {
  readonly #known = new Map<number, Known[]>();
  #bytes = 0;

  /** About how many bytes all take. */
  get bytes(): number {
    return this.#bytes;
  }

  /** What is known of a question. One that allows other steps is the same, where it could not have ended early. */
  find(question: PartQuestion): Known | undefined {
    const allowed = stepsOf(question);
    return this.#known
      .get(hashOf(question))
      ?.find((one) => isWhole(one, allowed) && isSameValue(one.question, question, ALLOWED));
  }

  /** Keeps answers. @param question must not change any more */
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

  /** Drops the oldest until all take no more bytes than these. */
  keepAtMost(bytes: number): void {
    for (const [hash, known] of this.#known) {
      if (this.#bytes <= bytes) return;
      this.#known.delete(hash);
      for (const one of known) this.#bytes -= one.bytes;
    }
  }
}

/** Whether an answer is the one to a question that allows so many steps. */
function isWhole({ question, answers }: Known, allowed: number): boolean {
  const before = stepsOf(question);
  return before >= allowed || answers.every(({ steps }) => steps <= before);
}

/** A number that is the same for the same questions. */
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
    for (let at = 0; at < Math.min(length, MOST_HASHED); at++) mix((value as unknown as ArrayLike<unknown>)[at]);
  } else {
    for (const [name, member] of Object.entries(value)) if (name !== ALLOWED) mix(member);
  }
  return hash;
}
