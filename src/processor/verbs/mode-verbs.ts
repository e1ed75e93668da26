/** The verbs of ModeService: the switches of a processor and its target class. */

import type { Mind } from "../mind";
import { assertWellFormed } from "../text/well-formed";
import { clearWorkingMemory } from "./clearing";

/** One method per rpc of ModeService. */
export class ModeVerbs {
  readonly #mind: Mind;
  readonly #own: Mind;

  /** @param mind the memory whose target class is set @param own the processor's own memory */
  constructor(mind: Mind, own: Mind) {
    this.#mind = mind;
    this.#own = own;
  }

  /** Switches predicting. */
  setPredicting(on: boolean): Record<string, never> {
    return this.#switch({ predict: on });
  }

  /** Switches automatic learning. */
  setAutolearning(on: boolean): Record<string, never> {
    return this.#switch({ autolearn: on });
  }

  /** Switches sleeping. Falling asleep clears the processor's own working memory. */
  setSleeping(on: boolean): Record<string, never> {
    if (on) clearWorkingMemory(this.#own);
    const { shared } = this.#own;
    const isWaking = !on && shared.state.sleeping;
    return this.#switch({ sleeping: on, ...(isWaking && { awakeSince: shared.now() }) });
  }

  /**
   * Sets the target class: only models whose last event holds this symbol are predicted. Empty clears it.
   * @throws Fault `invalid` when it holds a lone surrogate
   */
  setTargetClass(target: string): Record<string, never> {
    assertWellFormed(target, "the target class");
    this.#mind.update({ target });
    this.#mind.recordState();
    return {};
  }

  #switch(change: Parameters<Mind["shared"]["update"]>[0]): Record<string, never> {
    this.#own.shared.update(change);
    this.#own.recordState();
    return {};
  }
}
