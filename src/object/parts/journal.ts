/**
 * The questions of a verb to the parts, and what they answered. A verb runs in one piece and cannot wait. Where it asks
 * what is not known yet, it goes on with an answer that stands for nothing, so that all shows that it asks; then it is
 * taken back, the parts are asked everything at once, and it runs again. So a verb runs once more than its questions
 * follow from each other, however many there are.
 */

import { Fault } from "../../processor/ports/fault";
import type { PartAnswer, PartQuestion } from "../../processor/ports/parts";
import { KeptBodies } from "./kept-bodies";
import { type Known, KnownAnswers } from "./known-answers";

/** How often one verb may ask. Each time is a run of the verb from its beginning: a thousand of them take seconds. */
const MOST_ROUNDS = 4_096;

/** The most bytes of questions, answers and models that a verb keeps until it has ended, in the head's isolate. */
const MOST_BYTES = 48 * 1024 * 1024;

/**
 * How many questions the first run of a verb asks ahead. A later one asks twice as many as the one before where that
 * was right, and no more than were right where most were not.
 */
const FIRST_AHEAD = 256;
const MOST_AHEAD = 1_024;

/** What heads keep between verbs, at most. */
const KEPT_ANSWER_BYTES = 4 * 1024 * 1024;
const KEPT_BODY_BYTES = 8 * 1024 * 1024;

/** Ends a run of a verb that asks something unknown. The verb is rolled back, and runs again when it is known. */
export class PartsNeeded extends Error {
  constructor() {
    super("a verb asks the parts of its processor; it must be taken back and run again with their answers");
  }
}

/** What a head knows of its parts between verbs. */
export class HeadMemory {
  /** What was asked of the models as they are stored. */
  answers = new KnownAnswers();
  readonly bodies = new KeptBodies();

  /** About how many bytes of heap it takes. */
  get heapBytes(): number {
    return this.answers.bytes + this.bodies.bytes;
  }

  /** Keeps within its bounds. */
  trim(): void {
    this.answers.keepAtMost(KEPT_ANSWER_BYTES);
    this.bodies.keepAtMost(KEPT_BODY_BYTES);
  }

  /** All models are others. */
  clear(): void {
    this.answers = new KnownAnswers();
    this.bodies.keepAtMost(0);
  }
}

/** The questions of one verb. */
export class Journal {
  readonly #memory: HeadMemory;
  /** By how many changes of the verb came before: what was answered. */
  readonly #answers = new Map<number, KnownAnswers>();
  /** What runs have asked that is not known yet, and how many changes came before. */
  #open: PartQuestion[] = [];
  #place = 0;
  /** Models whose events are asked for. */
  readonly #wanted = new Set<number>();
  #rounds = 0;
  #ahead = FIRST_AHEAD;
  /** The answers of the last round that no run has used yet, and how many there were. */
  readonly #unused = new Set<Known>();
  #fresh = 0;
  #failure: Error | undefined;
  /** Models that the verb adds, in any run; and those that the last run has removed. */
  readonly #added = new Set<number>();
  readonly #removed = new Set<number>();

  /** @param memory what is known before the verb, and after it */
  constructor(memory = new HeadMemory()) {
    this.#memory = memory;
  }

  /** What has no answer yet; none when the run has asked nothing that is not known. */
  get open(): readonly PartQuestion[] {
    return this.#open;
  }

  /** Whether the run under way has asked what is not known yet: whatever it makes of that stands for nothing. */
  get isAhead(): boolean {
    return this.#open.length > 0;
  }

  /** Notes that the verb runs again from its beginning. */
  begins(): void {
    this.#open = [];
    this.#wanted.clear();
    this.#removed.clear();
  }

  /**
   * The answers to a question; none when they are not known yet.
   *
   * @param place how many changes of the verb came before
   * @throws PartsNeeded when the run is not to ask anything more; a Fault `unavailable` when parts are away,
   *   `too-large` when the verb asks too often, or the answers are too large to keep
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
   * The events of models; `undefined` when they are not known yet.
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
    if (this.#rounds >= MOST_ROUNDS) {
      throw new Fault(
        "too-large",
        `the request asks the parts of this processor more than ${MOST_ROUNDS} times; send fewer records at a time`,
      );
    }
    if (this.#bytes > MOST_BYTES) {
      throw new Fault(
        "too-large",
        `the parts of this processor answer the request with more than ${MOST_BYTES / 1024 ** 2} MiB; send fewer records at a time`,
      );
    }
    // The parts are asked at one place.
    if (this.isAhead && place !== this.#place) throw new PartsNeeded();
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
   * What the parts answered to the first questions of {@link open}, one or more.
   *
   * @param answers of all parts, or one for all
   */
  answered(answers: readonly (readonly PartAnswer[])[]): void {
    if (!this.isAhead || answers.length === 0) throw new Error("nothing was asked, or nothing is answered");
    this.#rounds++;
    this.#adapt();
    const known = this.#answers.get(this.#place) ?? new KnownAnswers();
    this.#answers.set(this.#place, known);
    for (const [at, one] of answers.entries()) {
      const question = this.#open[at];
      if (question === undefined) throw new Error("more is answered than was asked");
      if (question.kind === "bodies") this.#noteBodies(question.ids, one as Parameters<KeptBodies["putAll"]>[0]);
      else this.#unused.add(known.add(question, one));
    }
    this.#fresh = this.#unused.size;
    this.#open = [];
  }

  /** Asks more or fewer questions ahead, by how many of the last ones were right. */
  #adapt(): void {
    const used = this.#fresh - this.#unused.size;
    const isRight = 2 * used >= this.#fresh;
    this.#ahead = isRight ? Math.min(MOST_AHEAD, 2 * this.#ahead) : Math.max(1, used);
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

  /** The run adds a model. */
  adds(id: number, body: Parameters<KeptBodies["put"]>[1]): void {
    this.#memory.bodies.put(id, body);
    this.#added.add(id);
  }

  /** The run removes a model. */
  removes(id: number): void {
    this.#removed.add(id);
  }

  /** What the verb has changed is stored. @param place how many changes it has made */
  commits(place: number): void {
    const answers = this.#answers.get(place);
    if (place > 0) this.#memory.answers = answers ?? new KnownAnswers();
    else if (answers !== undefined) this.#memory.answers.addAll(answers);
    for (const id of this.#removed) this.#memory.bodies.drop(id);
    this.#memory.trim();
  }

  /** What the verb has changed is taken back for good. */
  fails(): void {
    const answers = this.#answers.get(0);
    if (answers !== undefined) this.#memory.answers.addAll(answers);
    for (const id of this.#added) this.#memory.bodies.drop(id);
    this.#memory.trim();
  }
}
