/**
 * The questions of a verb to the parts, and their answers. A verb runs in one piece and cannot wait. If it asks
 * something unknown, it continues with an empty answer, which shows what else it will ask. Then it is rolled back, the
 * parts are asked everything at once, and it runs again. The number of runs therefore depends on how many questions
 * follow from earlier answers, not on the number of questions.
 */

import { Fault } from "../../processor/ports/fault";
import type { PartAnswer, PartAnswers, PartQuestion } from "../../processor/ports/parts";
import { KeptBodies } from "./kept-bodies";
import { type Known, KnownAnswers } from "./known-answers";

/** Maximum number of rounds of a verb. Each runs it from its beginning: a thousand rounds take seconds. */
const MAX_ROUNDS = 4_096;

/** Maximum bytes of questions, answers and models that a verb keeps until its end, in the head's isolate. */
const MAX_BYTES = 48 * 1024 * 1024;

/**
 * Number of questions that the first run of a verb asks ahead, and the maximum. A run asks twice as many as the one
 * before if at least half of those were needed, and otherwise as many as were needed.
 */
const FIRST_AHEAD = 256;
const MAX_AHEAD = 1_024;

/** Maximum bytes of answers and of models' events that a head keeps between verbs. */
const KEPT_ANSWER_BYTES = 4 * 1024 * 1024;
const KEPT_BODY_BYTES = 8 * 1024 * 1024;

/** Ends a run of a verb that asks something unknown. The verb is rolled back, and runs again when it is known. */
export class PartsNeeded extends Error {
  constructor() {
    super("a verb asks the parts of its processor; it must be taken back and run again with their answers");
  }
}

/** The answers and models' events that a head keeps between verbs. */
export class HeadMemory {
  /** Answers about the stored models. */
  answers = new KnownAnswers();
  readonly bodies = new KeptBodies();

  /** Approximate heap bytes. */
  get heapBytes(): number {
    return this.answers.bytes + this.bodies.bytes;
  }

  /** Drops what exceeds the maximum. */
  trim(): void {
    this.answers.keepAtMost(KEPT_ANSWER_BYTES);
    this.bodies.keepAtMost(KEPT_BODY_BYTES);
  }

  /** Drops everything, because all models were replaced. */
  clear(): void {
    this.answers = new KnownAnswers();
    this.bodies.keepAtMost(0);
  }
}

/** The questions of one verb. */
export class Journal {
  readonly #memory: HeadMemory;
  /** Answers by the number of changes that the verb had made before. */
  readonly #answers = new Map<number, KnownAnswers>();
  /** The unanswered questions of the run, and the number of changes before them. */
  #open: PartQuestion[] = [];
  #place = 0;
  /** Whether the current run is a rehearsal, and whether the next one is. */
  #isRehearsal = false;
  #rehearsesNext = false;
  /** Models whose events were requested. */
  readonly #wanted = new Set<number>();
  #rounds = 0;
  #ahead = FIRST_AHEAD;
  /** The answers of the last round that no run has used yet, and their number at first. */
  readonly #unused = new Set<Known>();
  #fresh = 0;
  #failure: Error | undefined;
  /** Models that any run of the verb added, and those that the last run removed. */
  readonly #added = new Set<number>();
  readonly #removed = new Set<number>();

  /** @param memory what the head keeps between verbs */
  constructor(memory = new HeadMemory()) {
    this.#memory = memory;
  }

  /** The unanswered questions of the run. */
  get open(): readonly PartQuestion[] {
    return this.#open;
  }

  /**
   * Whether the result of the current run is meaningless: it has asked something unknown, or it is a rehearsal. In a
   * rehearsal, something unknown will surely be asked, so that whatever is computed before is computed in vain.
   */
  get isAhead(): boolean {
    return this.#isRehearsal || this.#open.length > 0;
  }

  /** Notes that the verb runs again from its beginning. */
  begins(): void {
    this.#isRehearsal = this.#rehearsesNext;
    this.#rehearsesNext = false;
    this.#open = [];
    this.#wanted.clear();
    this.#removed.clear();
  }

  /**
   * The answers to a question; empty if unknown.
   *
   * @param place number of changes that the verb has made before
   * @throws PartsNeeded when the run must not ask more; a Fault `unavailable` when parts cannot be reached, `too-large`
   *   when the verb needs too many rounds, or its answers are too large to keep
   */
  answersTo(question: PartQuestion, place: number): readonly PartAnswer[] {
    const known = this.#answers.get(place)?.find(question) ?? this.#keptAt(place)?.find(question);
    if (known !== undefined) {
      this.#unused.delete(known);
      return known.answers;
    }
    // Cloned, because the question may change before it is asked.
    this.#want(structuredClone(question), place);
    return [];
  }

  /**
   * The events of models; `undefined` if unknown.
   *
   * @param ids ascending
   * @throws as {@link answersTo}
   */
  bodiesOf(ids: Float64Array, place: number) {
    const { bodies } = this.#memory;
    const known = bodies.all(ids);
    if (known !== undefined) return known;
    const missing = ids.filter((id) => !bodies.has(id) && !this.#wanted.has(id));
    if (missing.length > 0) {
      this.#want({ kind: "bodies", ids: missing }, place);
      for (const id of missing) this.#wanted.add(id);
    }
    return undefined;
  }

  #keptAt(place: number): KnownAnswers | undefined {
    return place === 0 ? this.#memory.answers : undefined;
  }

  #want(question: PartQuestion, place: number): void {
    if (this.#failure !== undefined) throw this.#failure;
    if (this.#rounds >= MAX_ROUNDS) {
      throw new Fault(
        "too-large",
        `the request asks the parts of this processor more than ${MAX_ROUNDS} times; send fewer records at a time`,
      );
    }
    if (this.#bytes > MAX_BYTES) {
      throw new Fault(
        "too-large",
        `the parts of this processor answer the request with more than ${MAX_BYTES / 1024 ** 2} MiB; send fewer ` +
          "records at a time",
      );
    }
    // One round asks about one state of the models.
    if (this.#open.length > 0 && place !== this.#place) throw new PartsNeeded();
    this.#place = place;
    this.#open.push(question);
    if (this.#open.length >= this.#ahead) throw new PartsNeeded();
  }

  get #bytes(): number {
    let bytes = this.#memory.bodies.bytes;
    for (const answers of this.#answers.values()) bytes += answers.bytes;
    return bytes;
  }

  /**
   * Notes the answers to the first questions of {@link open}, one or more.
   *
   * @param answers for each question those of all parts, or one for all parts
   */
  answered(answers: readonly (readonly PartAnswer[])[]): void {
    if (this.#open.length === 0 || answers.length === 0) throw new Error("nothing was asked, or nothing is answered");
    this.#rounds++;
    // Behind changes nothing can be rehearsed. A run that ended at its limit has not asked everything.
    const isFirst = this.#place === 0;
    this.#rehearsesNext = isFirst && (answers.length < this.#open.length || this.#open.length >= this.#ahead);
    this.#adapt();
    const known = this.#answers.get(this.#place) ?? new KnownAnswers();
    this.#answers.set(this.#place, known);
    for (const [at, one] of answers.entries()) {
      const question = this.#open[at];
      if (question === undefined) throw new Error("more is answered than was asked");
      if (question.kind === "bodies") this.#noteBodies(question.ids, one as Parameters<KeptBodies["putAll"]>[0]);
      else this.#unused.add(known.add(question, one));
      if (question.kind !== "neighbours" || !isFirst) continue;
      this.#rehearsesNext ||= this.#areMissing(one as PartAnswers["neighbours"][]);
    }
    this.#fresh = this.#unused.size;
    this.#open = [];
  }

  /** Whether the events of any of these neighbours are unknown: they are asked for next. */
  #areMissing(answers: readonly PartAnswers["neighbours"][]): boolean {
    return answers.some(({ found }) => found.some(({ ids }) => ids.some((id) => !this.#memory.bodies.has(id))));
  }

  /** Changes how many questions are asked ahead, by how many of the last ones were needed. */
  #adapt(): void {
    const used = this.#fresh - this.#unused.size;
    const isRight = 2 * used >= this.#fresh;
    this.#ahead = isRight ? Math.min(MAX_AHEAD, 2 * this.#ahead) : Math.max(1, used);
    this.#unused.clear();
  }

  #noteBodies(ids: Float64Array, answers: Parameters<KeptBodies["putAll"]>[0]): void {
    const count = this.#memory.bodies.putAll(answers);
    if (count === ids.length) return;
    this.#failure = new Error(`the parts have ${count} of the ${ids.length} models that they named before`);
  }

  /** Notes that the parts could not be asked: every further question of the verb fails with this. */
  failed(failure: Fault): void {
    this.#failure = failure;
    this.#open = [];
  }

  /** Notes that the run adds a model. */
  adds(id: number, body: Parameters<KeptBodies["put"]>[1]): void {
    this.#memory.bodies.put(id, body);
    this.#added.add(id);
  }

  /** Notes that the run removes a model. */
  removes(id: number): void {
    this.#removed.add(id);
  }

  /** Notes that the changes of the verb are stored. @param place their number */
  commits(place: number): void {
    const answers = this.#answers.get(place);
    if (place > 0) this.#memory.answers = answers ?? new KnownAnswers();
    else if (answers !== undefined) this.#memory.answers.addAll(answers);
    for (const id of this.#removed) this.#memory.bodies.drop(id);
    this.#memory.trim();
  }

  /** Notes that the verb has failed and its changes are rolled back. */
  fails(): void {
    const answers = this.#answers.get(0);
    if (answers !== undefined) this.#memory.answers.addAll(answers);
    for (const id of this.#added) this.#memory.bodies.drop(id);
    this.#memory.trim();
  }
}
