/**
 * How many steps of matching a request may still take. All questions of a request to the matcher and the forecaster
 * share them.
 */

import type { Budgets } from "../../text/budgets";
import { Fault } from "../ports/fault";

/**
 * What a request may take for each model, besides the budget: with a million models, others wait half a second longer.
 */
const STEPS_PER_MODEL = 80;

/** What all minds of the isolate have matched since it started. */
export const matching = {
  /** How many steps their questions have taken. */
  steps: 0,
};

/**
 * Which part of the budget the records of a request may take together to find out whether there is any prediction: they
 * are no questions.
 */
const RECORDS_PART = 1 / 5;

/** Which part of that one of several records may take. */
const RECORD_PART = 1 / 16;

/** What the steps depend on. */
interface StepSource {
  readonly budgets: Budgets;
  readonly knowledge: { readonly models: number };
}

/**
 * What the records of one request may take to find out whether there is any prediction. When one of many takes too
 * much, most of those after it would take as much: so the next 1, 2, 4, ... records only glance at the model found
 * last, until one that does not finds it out.
 */
class RecordSteps {
  #left: number;
  /** How many steps one record may take. */
  readonly #most: number;
  /** How many records only glance; and how many will, after the next that takes too much. */
  #glances = 0;
  #nextGlances = 1;

  constructor(steps: number, records: number) {
    this.#left = steps;
    this.#most = records === 1 ? steps : Math.floor(steps * RECORD_PART);
  }

  /** Whether the next record only glances at the model found last. */
  get onlyGlances(): boolean {
    return this.#glances > 0;
  }

  /** How many steps the next record may take. */
  get next(): number {
    return Math.min(this.#left, this.#most);
  }

  /** Notes what a record has taken, and whether it was found out. */
  spend(steps: number, isFound: boolean): void {
    this.#left = Math.max(0, this.#left - steps);
    if (this.#glances > 0) {
      this.#glances--;
    } else if (isFound) {
      this.#nextGlances = 1;
    } else {
      this.#glances = this.#nextGlances;
      this.#nextGlances *= 2;
    }
  }
}

/** The steps of one mind's requests. */
export class StepBudget {
  readonly #source: StepSource;
  /** How many steps are left to the request under way; `undefined` when each of its questions has all of them. */
  #left: number | undefined;
  /** How many are left to what it does for others, such as alerts; `undefined` as above. */
  #leftForOthers: number | undefined;
  /** What its records may take; `undefined` when each has all of it. */
  #records: RecordSteps | undefined;

  constructor(source: StepSource) {
    this.#source = source;
  }

  /** How many steps one request may take. */
  get whole(): number {
    const { budgets, knowledge } = this.#source;
    return budgets.matchingSteps + STEPS_PER_MODEL * knowledge.models;
  }

  /** How many steps the next question may take. */
  get left(): number {
    return this.#left ?? this.whole;
  }

  /** How many steps the next record may take to find out whether there is any prediction. */
  get leftForRecord(): number {
    return this.#records?.next ?? this.#forRecords;
  }

  /** Whether it only glances at the model found last. */
  get onlyGlances(): boolean {
    return this.#records?.onlyGlances ?? false;
  }

  /** Notes what a question has taken. */
  spend(steps: number): void {
    matching.steps += steps;
    if (this.#left !== undefined) this.#left = Math.max(0, this.#left - steps);
  }

  /** Notes what a record has taken of {@link leftForRecord}, and whether that was enough. */
  spendForRecord(steps: number, isFound: boolean): void {
    this.spend(steps);
    this.#records?.spend(steps, isFound);
  }

  /**
   * Why a question is refused that takes more steps than are left. It has taken them: none are left.
   *
   * @param question what would have been done, such as "to match the models with …"
   * @param advice what else to do so that it takes less
   * @returns a Fault `too-large`, which names the budget, whether earlier questions of the request have used part of
   *   it, and the advice
   */
  exceededBy(question: string, advice: string): Fault {
    const isShared = this.left < this.whole;
    const [before, parts] = isShared
      ? [", after all that the request has done before it,", "send fewer records at a time, "]
      : ["", ""];
    const what = `${question}${before} takes more than ${this.whole} steps, which is all that one request may take`;
    matching.steps += this.left;
    if (this.#left !== undefined) this.#left = 0;
    return new Fault("too-large", `${what} (NOEMA_MATCHING_STEPS); ${parts}${advice}`);
  }

  /**
   * Does work whose questions together may take no more steps than one question may. Within other such work they share
   * its steps.
   */
  share<Result>(work: () => Result): Result {
    if (this.#left !== undefined) return work();
    this.#left = this.whole;
    this.#leftForOthers = this.whole;
    try {
      return work();
    } finally {
      this.#left = undefined;
      this.#leftForOthers = undefined;
      this.#records = undefined;
    }
  }

  /** The same for work that observes records. @param records how many */
  shareAmong<Result>(records: number, work: () => Result): Result {
    return this.share(() => {
      this.#records ??= new RecordSteps(this.#forRecords, records);
      return work();
    });
  }

  /**
   * Does work whose questions take nothing from those of the request itself: what a request does for others, such as
   * alerts, has as many steps of its own. When they are used up, or not enough for a question, none is left.
   */
  apart<Result>(work: () => Result): Result {
    const left = this.#left;
    this.#left = this.#leftForOthers;
    let isAnswered = false;
    try {
      const result = work();
      isAnswered = true;
      return result;
    } finally {
      if (this.#leftForOthers !== undefined) this.#leftForOthers = isAnswered ? this.#left : 0;
      this.#left = left;
    }
  }

  get #forRecords(): number {
    const { budgets, knowledge } = this.#source;
    return Math.floor(budgets.matchingSteps * RECORDS_PART) + STEPS_PER_MODEL * knowledge.models;
  }
}
