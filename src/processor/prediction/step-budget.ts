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

  /** Does work whose questions together may take no more steps than one question may. */
  share<Result>(work: () => Result): Result {
    return this.#during(this.whole, work);
  }

  /** Does work whose questions take nothing from those around it: each may take as many steps as one request. */
  apart<Result>(work: () => Result): Result {
    return this.#during(undefined, work);
  }

  #during<Result>(left: number | undefined, work: () => Result): Result {
    const before = this.#left;
    this.#left = left;
    try {
      return work();
    } finally {
      this.#left = before;
    }
  }
}
