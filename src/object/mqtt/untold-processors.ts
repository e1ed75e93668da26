/**
 * Processors that could not be told what the endpoint wants to hear of. They are told again until they were, also by a
 * later life of the object: a subscription was granted that hears nothing before.
 */

import type { MqttTables } from "../../store/mqtt/mqtt-tables";

/**
 * The first and the longest pause before a processor is told again, in milliseconds; each pause is twice the previous
 * one.
 */
const FIRST_PAUSE_MS = 1_000;
const MAX_PAUSE_MS = 60_000;

/** Time after which attempts end, in milliseconds; the next subscription tries again. */
const GIVEN_UP_MS = 86_400_000;

/** When a processor is told again, and until when that is tried. Epoch milliseconds. */
interface Untold {
  readonly at: number;
  readonly until: number;
  readonly pauseMs: number;
}

/** What the processors of an agent that could not be told need. */
export interface UntoldProcessorsParts {
  readonly tables: Pick<MqttTables, "addUntold" | "removeUntold" | "untold">;
  /** Something must be done at a time, epoch milliseconds. */
  ringBy(at: number): void;
}

/** The processors of one agent that could not be told. */
export class UntoldProcessors {
  readonly #parts: UntoldProcessorsParts;
  #untold: Map<string, Untold> | undefined;

  constructor(parts: UntoldProcessorsParts) {
    this.#parts = parts;
  }

  /** Whether a processor could not be told, and was not since. */
  has(processorId: string): boolean {
    return this.#all().has(processorId);
  }

  /** Notes a processor that could not be told. */
  add(processorId: string): void {
    const all = this.#all();
    if (all.has(processorId)) return;
    this.#parts.tables.addUntold(processorId);
    const first = firstAfter(Date.now());
    all.set(processorId, first);
    this.#parts.ringBy(first.at);
  }

  /** Removes a processor that was told, or need not be. */
  remove(processorId: string): void {
    if (this.#all().delete(processorId)) this.#parts.tables.removeUntold(processorId);
  }

  /** The processors to be told now. Each is due again later, until it is removed. */
  due(): string[] {
    const now = Date.now();
    const due: string[] = [];
    for (const [processorId, { at, until, pauseMs }] of this.#all()) {
      if (now >= until) this.remove(processorId);
      else if (now >= at) {
        due.push(processorId);
        const next = Math.min(2 * pauseMs, MAX_PAUSE_MS);
        this.#all().set(processorId, { at: now + next, until, pauseMs: next });
      }
    }
    return due;
  }

  /** When the next processor is due, in epoch milliseconds; `undefined` when there is none. */
  nextWake(): number | undefined {
    const times = [...this.#all().values()].map(({ at }) => at);
    return times.length === 0 ? undefined : Math.min(...times);
  }

  #all(): Map<string, Untold> {
    const now = Date.now();
    this.#untold ??= new Map(this.#parts.tables.untold().map((processorId) => [processorId, firstAfter(now)]));
    return this.#untold;
  }
}

function firstAfter(now: number): Untold {
  return { at: now + FIRST_PAUSE_MS, until: now + GIVEN_UP_MS, pauseMs: FIRST_PAUSE_MS };
}
