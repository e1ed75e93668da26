/** How many steps of matching a request may still take. All questions of a request to the matcher and the forecaster share them. */

import type { Budgets } from "../../text/budgets";
import { Fault } from "../ports/fault";

/** What a request may take for each model, besides the budget: with a million models, others wait half a second longer. */
const STEPS_PER_MODEL = 80;

/** What all minds of the isolate have matched since it started. */
export const matching = {
  /** How many steps their questions have taken. */
  steps: 0,
};

/** What the steps depend on. */
interface StepSource {
  readonly budgets: Budgets;
  readonly knowledge: { readonly models: number };
}

/** The steps of one mind's requests. */
export class StepBudget {
  readonly #source: StepSource;
  /** How many steps are left to the request under way; `undefined` when each of its questions has all of them. */
  #left: number | undefined;
  /** How many are left to what it does for others, such as alerts; `undefined` as above. */
  #leftForOthers: number | undefined;

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

  /** Notes what a question has taken. */
  spend(steps: number): void {
    matching.steps += steps;
    if (this.#left !== undefined) this.#left -= steps;
  }

  /**
   * Why a question is refused that takes more steps than are left.
   *
   * @param question what would have been done, such as "to match the models with …"
   * @param advice what else to do so that it takes less
   * @returns a Fault `too-large`, which names the budget, whether earlier questions of the request have used part of it, and the advice
   */
  exceededBy(question: string, advice: string): Fault {
    matching.steps += this.left;
    const isShared = this.left < this.whole;
    const [before, parts] = isShared
      ? [", after all that the request has done before it,", "send fewer records at a time, "]
      : ["", ""];
    const what = `${question}${before} takes more than ${this.whole} steps, which is all that one request may take`;
    return new Fault("too-large", `${what} (NOEMA_MATCHING_STEPS); ${parts}${advice}`);
  }

  /** Does work whose questions together may take no more steps than one question may. Within other such work they share its steps. */
  share<Result>(work: () => Result): Result {
    if (this.#left !== undefined) return work();
    this.#left = this.whole;
    this.#leftForOthers = this.whole;
    try {
      return work();
    } finally {
      this.#left = undefined;
      this.#leftForOthers = undefined;
    }
  }

  /**
   * Does work whose questions take nothing from those of the request itself: what a request does for others, such as alerts, has as many steps
   * of its own. When they are used up, or not enough for a question, none is left.
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
}
