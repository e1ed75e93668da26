/**
 * The questions of a verb to the parts, and what they answered. A verb runs in one piece and cannot wait: where it asks
 * what is not known yet, it is taken back, the parts are asked, and it is run again, with all answers so far.
 */

import { Fault } from "../../processor/ports/fault";
import type { PartAnswer, PartQuestion } from "../../processor/ports/parts";
import { isSameValue } from "./same-value";

/**
 * The most questions of one verb. Each is a run of the verb from its beginning: a thousand of them take seconds.
 */
const MOST_QUESTIONS = 4_096;

/** The most bytes of the answers that a verb keeps until it has ended: they are in the head's isolate. */
const MOST_BYTES = 48 * 1024 * 1024;

/** About how many bytes a value takes: what it is made of are plain values and arrays of numbers. */
function bytesOf(value: unknown): number {
  if (ArrayBuffer.isView(value)) return 64 + value.byteLength;
  if (typeof value === "string") return 16 + 2 * value.length;
  if (typeof value !== "object" || value === null) return 8;
  return Object.values(value).reduce<number>((sum, member) => sum + bytesOf(member), 32);
}

/** Ends a run of a verb that asks what is not known yet. The verb is taken back and run again when it is. */
export class PartsNeeded extends Error {
  constructor() {
    super("a verb asks the parts of its processor; it must be taken back and run again with their answers");
  }
}

/** A question that was asked, at a place in the changes of the verb. */
interface Asked {
  readonly question: PartQuestion;
  /** How many changes of the verb came before. */
  readonly changes: number;
  answers: readonly PartAnswer[];
}

/** What one verb has asked. */
export class Journal {
  readonly #asked: Asked[] = [];
  #next = 0;
  /** How many questions were asked, also those that a later run did not ask again. */
  #count = 0;
  #bytes = 0;
  /** What a run has ended for. */
  #open: Omit<Asked, "answers"> | undefined;
  #failure: Fault | undefined;

  /** What has no answer yet; `undefined` when no run has ended for a question. */
  get open(): PartQuestion | undefined {
    return this.#open?.question;
  }

  /** The verb runs again, from its beginning. */
  begins(): void {
    this.#next = 0;
    this.#open = undefined;
  }

  /**
   * The answers to a question.
   *
   * @param changes how many changes of the verb came before
   * @throws PartsNeeded when there are none yet; a Fault `unavailable` when parts are away, `too-large` when the verb
   *   asks too often, or the answers are too large to keep
   */
  answersTo(question: PartQuestion, changes: number): readonly PartAnswer[] {
    const known = this.#asked[this.#next];
    if (known !== undefined && known.changes === changes && isSameValue(known.question, question)) {
      this.#next++;
      return known.answers;
    }
    if (this.#failure !== undefined) throw this.#failure;
    if (this.#count >= MOST_QUESTIONS) {
      throw new Fault(
        "too-large",
        `the request asks the parts of this processor more than ${MOST_QUESTIONS} questions; send fewer records at a time`,
      );
    }
    if (this.#bytes > MOST_BYTES) {
      throw new Fault(
        "too-large",
        `the parts of this processor answer the request with more than ${MOST_BYTES / 1024 ** 2} MiB; send fewer records at a time`,
      );
    }
    this.#count++;
    this.#asked.length = this.#next;
    // What the question is made of may change before it is asked.
    this.#open = { question: structuredClone(question), changes };
    throw new PartsNeeded();
  }

  /** What the parts answered to {@link open}. */
  answered(answers: readonly PartAnswer[]): void {
    if (this.#open === undefined) throw new Error("nothing was asked");
    this.#asked.push({ ...this.#open, answers });
    this.#bytes += bytesOf(answers);
    this.#open = undefined;
  }

  /** The parts could not be asked: the verb gets this for whatever else it asks. */
  failed(failure: Fault): void {
    this.#failure = failure;
    this.#open = undefined;
  }
}
