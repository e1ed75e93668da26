/**
 * Grades a knowledge that has no record of forecasts: one that a former release has taught. Works in the background, in
 * short parts between the turns of calls, and tries again later when it fails. Nothing of it is stored before its end:
 * an object that is lost meanwhile begins anew with its next call.
 */

import { yieldToEventLoop } from "../rpc/transport/yield-to-event-loop";
import type { ObjectAlarm, ScheduledTask } from "./object-alarm";
import type { StoredProcessor } from "./stored-processor";
import type { Caller } from "./turns/turns";

/** Asks for turns as a key of its own, which is none: its work makes no call of another wait longer. */
const CALLER: Caller = { keyId: "gradings of the object", flow: () => "gradings" };

/**
 * How long it waits after it has failed, in milliseconds: twice as long each time, up to the most. What fails may cost
 * calls their processor, which is then built anew.
 */
const FIRST_PAUSE_MS = 60_000;
const MOST_PAUSE_MS = 3_600_000;

/** The processor whose knowledge is graded. */
type GradedProcessor = Pick<StoredProcessor, "isInService" | "isUngraded" | "run">;

/** What does work when it is its turn. */
export type Take = <Reply>(caller: Caller, work: () => Reply) => Reply | Promise<Awaited<Reply>>;

/** The gradings of one object's knowledge. */
export class KnowledgeGrading implements ScheduledTask {
  readonly #stored: GradedProcessor;
  readonly #alarm: Pick<ObjectAlarm, "ringBy">;
  readonly #take: Take;
  readonly #now: () => number;
  /** How long the next failure makes it wait, in milliseconds. */
  #pauseMs = FIRST_PAUSE_MS;
  /** When it is tried again, epoch milliseconds; `undefined` when it has not failed since all was graded last. */
  #retryAt: number | undefined;

  /** @param now the time, epoch milliseconds */
  constructor(stored: GradedProcessor, alarm: Pick<ObjectAlarm, "ringBy">, take: Take, now = () => Date.now()) {
    this.#stored = stored;
    this.#alarm = alarm;
    this.#take = take;
    this.#now = now;
  }

  /** Call it when there is a knowledge to grade. After a failure, it waits for the next try nevertheless. */
  isDue(): void {
    if (this.#retryAt === undefined) this.#alarm.ringBy(this.#now());
  }

  /** Grades all, if there is anything to grade and it is not waiting. */
  async wake(): Promise<void> {
    if (this.#retryAt !== undefined && this.#now() < this.#retryAt) return;
    try {
      while (this.#isWanted && !(await this.#take(CALLER, () => this.#part()))) await yieldToEventLoop();
      this.#retryAt = undefined;
      this.#pauseMs = FIRST_PAUSE_MS;
    } catch (error) {
      this.#retryAt = this.#now() + this.#pauseMs;
      const pause = `${this.#pauseMs / 1000} s`;
      console.error(`a knowledge without a record of forecasts could not be graded, tried again in ${pause}: ${error}`);
      this.#pauseMs = Math.min(MOST_PAUSE_MS, 2 * this.#pauseMs);
    }
  }

  /** The next try after a failure. Else never by itself: the caller that finds something to grade says so. */
  nextWake(): number | undefined {
    return this.#retryAt;
  }

  /** A failure may have dropped the processor that is in memory: a part finds out whether there is still work. */
  get #isWanted(): boolean {
    return this.#stored.isInService && (this.#stored.isUngraded || this.#retryAt !== undefined);
  }

  /** Others may have changed the processor before its turn. @returns whether all is graded */
  #part(): boolean | Promise<boolean> {
    if (!this.#isWanted) return true;
    const part = this.#stored.run(true, (processor) => processor.knowledge.gradePart());
    return part instanceof Promise ? part.then(({ isDone }) => isDone) : part.isDone;
  }
}
