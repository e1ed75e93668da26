/** The verbs of ModeService: the switches of a processor and its target class. */

import type { Mind } from "../mind";
import { assertWellFormed } from "../text/well-formed";
import { clearWorkingMemory } from "./clearing";

/** One method per rpc of ModeService. */
export class ModeVerbs {
  readonly #mind: Mind;

  constructor(mind: Mind) {
    this.#mind = mind;
  }

  /** Switches predicting. */
  setPredicting(on: boolean): Record<string, never> {
    return this.#update({ predict: on });
  }

  /** Switches automatic learning. */
  setAutolearning(on: boolean): Record<string, never> {
    return this.#update({ autolearn: on });
  }

  /** Switches sleeping. Falling asleep clears working memory. */
  setSleeping(on: boolean): Record<string, never> {
    if (on) clearWorkingMemory(this.#mind);
    return this.#update({ sleeping: on });
  }

  /**
   * Sets the target class: only models whose last event holds this symbol are predicted. Empty clears it.
   * @throws Fault `invalid` when it holds a lone surrogate
   */
  setTargetClass(target: string): Record<string, never> {
    assertWellFormed(target, "the target class");
    return this.#update({ target });
  }

  #update(change: Parameters<Mind["update"]>[0]): Record<string, never> {
    this.#mind.update(change);
    this.#mind.recordState();
    return {};
  }
}
