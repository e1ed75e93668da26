/**
 * Grades a knowledge that has no record of forecasts: one that a former release has taught. Works in the background, in
 * short parts between the turns of calls. Nothing of it is stored before its end: an object that is lost meanwhile
 * begins anew with its next call.
 */

import { yieldToEventLoop } from "../rpc/transport/yield-to-event-loop";
import type { ObjectAlarm, ScheduledTask } from "./object-alarm";
import type { StoredProcessor } from "./stored-processor";
import type { Caller } from "./turns/turns";

/** Asks for turns as a key of its own, which is none: its work makes no call of another wait longer. */
const CALLER: Caller = { keyId: "gradings of the object", flow: () => "gradings" };

/** The processor whose knowledge is graded. */
type GradedProcessor = Pick<StoredProcessor, "isInService" | "isUngraded" | "run">;

/** What does work when it is its turn. */
export type Take = <Reply>(caller: Caller, work: () => Reply) => Reply | Promise<Awaited<Reply>>;

/** The gradings of one object's knowledge. */
export class KnowledgeGrading implements ScheduledTask {
  readonly #stored: GradedProcessor;
  readonly #alarm: Pick<ObjectAlarm, "ringBy">;
  readonly #take: Take;
  /** Whether it has failed in this life of the object: then it is not tried again, so that no call pays for it. */
  #hasFailed = false;

  constructor(stored: GradedProcessor, alarm: Pick<ObjectAlarm, "ringBy">, take: Take) {
    this.#stored = stored;
    this.#alarm = alarm;
    this.#take = take;
  }

  /** Call it when there is a knowledge to grade. */
  isDue(): void {
    if (!this.#hasFailed) this.#alarm.ringBy(Date.now());
  }

  /** Grades all, if there is anything to grade. */
  async wake(): Promise<void> {
    try {
      while (this.#isWanted && !(await this.#take(CALLER, () => this.#part()))) await yieldToEventLoop();
    } catch (error) {
      this.#hasFailed = true;
      console.error(`a knowledge without a record of forecasts could not be graded: ${error}`);
    }
  }

  /** Never by itself: the caller that finds something to grade says so by {@link isDue}. */
  nextWake(): undefined {
    return undefined;
  }

  get #isWanted(): boolean {
    return !this.#hasFailed && this.#stored.isInService && this.#stored.isUngraded;
  }

  /** Others may have changed the processor before its turn. @returns whether all is graded */
  #part(): boolean {
    if (!this.#isWanted) return true;
    return this.#stored.run(true, (processor) => processor.knowledge.gradePart()).isDone;
  }
}
