/** The steps of matching that a request has left. All its questions to the matcher and the forecaster share them. */

import type { Budgets } from "../../text/budgets";
import { Fault } from "../ports/fault";

/**
 * Steps a model that a request may take besides the budget: with a million models, others wait half a second longer.
 */
const STEPS_PER_MODEL = 80;

/** The matching of all minds of the isolate since it started. */
export const matching = {
  /** Steps that their questions have taken. */
  steps: 0,
};

/**
 * Fraction of the budget that the records of a request may use together to find out whether there is any prediction,
 * because they are not questions.
 */
const RECORDS_PART = 1 / 5;

/** Fraction of that for one of several records. */
const RECORD_PART = 1 / 16;

/** The inputs of the budget. */
interface StepSource {
  readonly budgets: Budgets;
  readonly knowledge: { readonly models: number };
}

/**
 * The steps that the records of one request may use to find out whether there is any prediction. When one of many
 * records exceeds its share, most records after it would too, so the next 1, 2, 4, ... records only glance at the model
 * found last, until a record settles it within its share.
 */
class RecordSteps {
  #left: number;
  /** Maximum steps of one record. */
  readonly #most: number;
  /** Number of records left that only glance; and the number after the next excess. */
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

  /** Maximum steps of the next record. */
  get next(): number {
    return Math.min(this.#left, this.#most);
  }

  /** Notes the steps of a record, and whether they settled the question. */
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
  /** Steps left to the current request; `undefined` when each of its questions may use all of them. */
  #left: number | undefined;
  /** Steps left to its work for others, such as alerts; `undefined` as above. */
  #leftForOthers: number | undefined;
  /** What its records may use; `undefined` when each may use all of it. */
  #records: RecordSteps | undefined;

  constructor(source: StepSource) {
    this.#source = source;
  }

  /** Maximum steps of one request. */
  get whole(): number {
    const { budgets, knowledge } = this.#source;
    return budgets.matchingSteps + STEPS_PER_MODEL * knowledge.models;
  }

  /** Maximum steps of the next question. */
  get left(): number {
    return this.#left ?? this.whole;
  }

  /** Maximum steps of the next record, to find out whether there is any prediction. */
  get leftForRecord(): number {
    return this.#records?.next ?? this.#forRecords;
  }

  /** Whether the next record only glances at the model found last. */
  get onlyGlances(): boolean {
    return this.#records?.onlyGlances ?? false;
  }

  /** Notes the steps of a question. */
  spend(steps: number): void {
    matching.steps += steps;
    if (this.#left !== undefined) this.#left = Math.max(0, this.#left - steps);
  }

  /** Notes the steps that a record used of {@link leftForRecord}, and whether they sufficed. */
  spendForRecord(steps: number, isFound: boolean): void {
    this.spend(steps);
    this.#records?.spend(steps, isFound);
  }

  /**
   * The refusal of a question that takes more steps than are left. None are left afterwards.
   *
   * @param question what was attempted, such as "to match the models with …"
   * @param advice how to ask for less
   * @returns a Fault `too-large`, which names the budget, whether earlier questions of the request have used part of
   *   it, and the advice
   */
  exceededBy(question: string, advice: string): Fault {
    const isShared = this.left < this.whole;
    const [before, parts] = isShared
      ? [", after all that the request has done before it,", "send fewer records at a time, "]
      : ["", ""];
    const refusal = `${question}${before} takes more than ${this.whole} steps, the most that one request may take`;
    matching.steps += this.left;
    if (this.#left !== undefined) this.#left = 0;
    return new Fault("too-large", `${refusal} (NOEMA_MATCHING_STEPS); ${parts}${advice}`);
  }

  /**
   * Does work whose questions together may take only the steps of one. Nested calls share the outermost call's steps.
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

  /** {@link share} for work that observes records. @param records number of records */
  shareAmong<Result>(records: number, work: () => Result): Result {
    return this.share(() => {
      this.#records ??= new RecordSteps(this.#forRecords, records);
      return work();
    });
  }

  /**
   * Does work outside the request's own questions, such as alerts: it has as many steps of its own. Once they are used
   * up, or do not suffice for a question, none is left.
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
