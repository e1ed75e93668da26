/**
 * Grades knowledge without a record of forecasts, which an earlier release has learned. Works in the background, in
 * short parts between the turns of calls, and tries again later if it fails. Stores nothing before the end: an object
 * that is lost meanwhile starts over at its next call or alarm.
 */

import { yieldToEventLoop } from "../rpc/transport/yield-to-event-loop";
import type { ObjectAlarm, ScheduledTask } from "./object-alarm";
import type { StoredProcessor } from "./stored-processor";
import { ownCaller, type Take } from "./turns/turns";

const CALLER = ownCaller("gradings");

/**
 * The first and the longest pause after a failure, in milliseconds; each pause is twice the previous one. A failure may
 * cost calls their processor, which then has to be rebuilt.
 */
const FIRST_PAUSE_MS = 60_000;
const MAX_PAUSE_MS = 3_600_000;

/** The processor whose knowledge is graded. */
type GradedProcessor = Pick<StoredProcessor, "isInService" | "isUngraded" | "run">;

/** The gradings of one object's knowledge. */
export class KnowledgeGrading implements ScheduledTask {
  readonly #stored: GradedProcessor;
  readonly #alarm: Pick<ObjectAlarm, "ringBy">;
  readonly #take: Take;
  readonly #now: () => number;
  /** The pause after the next failure, in milliseconds. */
  #pauseMs = FIRST_PAUSE_MS;
  /** The time of the next try, epoch milliseconds; `undefined` if nothing has failed since all was graded. */
  #retryAt: number | undefined;

  /** @param now the time, epoch milliseconds */
  constructor(stored: GradedProcessor, alarm: Pick<ObjectAlarm, "ringBy">, take: Take, now = () => Date.now()) {
    this.#stored = stored;
    this.#alarm = alarm;
    this.#take = take;
    this.#now = now;
  }

  /** Call it when knowledge is to be graded. After a failure, grading still waits for the next try. */
  isDue(): void {
    if (this.#retryAt === undefined) this.#alarm.ringBy(this.#now());
  }

  /** Grades everything, if there is anything to grade and no pause after a failure. */
  async wake(): Promise<void> {
    if (this.#retryAt === undefined || this.#now() >= this.#retryAt) await this.grade();
  }

  /** Grades everything, if there is anything to grade, also in a pause after a failure. Never rejects. */
  async grade(): Promise<void> {
    try {
      // The work that made it necessary may have taken a whole turn.
      do await yieldToEventLoop();
      while (this.#isWanted && !(await this.#take(CALLER, () => this.#part())));
      this.#retryAt = undefined;
      this.#pauseMs = FIRST_PAUSE_MS;
    } catch (error) {
      this.#retryAt = this.#now() + this.#pauseMs;
      const pause = `${this.#pauseMs / 1000} s`;
      console.error(`knowledge without a record of forecasts could not be graded; trying again in ${pause}: ${error}`);
      this.#pauseMs = Math.min(MAX_PAUSE_MS, 2 * this.#pauseMs);
    }
  }

  /** The next try after a failure. Otherwise none: callers that find something to grade call {@link isDue}. */
  nextWake(): number | undefined {
    return this.#retryAt;
  }

  /** Others may have graded or replaced the knowledge, so each part checks whether there is still work. */
  get #isWanted(): boolean {
    return this.#stored.isInService && (this.#stored.isUngraded || this.#retryAt !== undefined);
  }

  /** Others may have changed the processor before its turn. @returns whether everything is graded */
  #part(): boolean | Promise<boolean> {
    if (!this.#isWanted) return true;
    const part = this.#stored.run(true, (processor) => processor.knowledge.gradePart());
    return part instanceof Promise ? part.then(({ isDone }) => isDone) : part.isDone;
  }
}
