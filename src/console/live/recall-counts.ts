/**
 * The gene recall_threshold, and the number of models that would match at each threshold, counted again when
 * memory changes. Knows no view.
 */

import { type Signal, signal } from "@preact/signals";
import { changeGenes, countMatchingModels, getGene, type Memory, type Processor } from "../../client";

/** Number of steps of the slider: one for each hundredth. */
export const STEPS = 100;

/** Maximum share of time that the server spends counting, roughly. */
const MAX_SHARE_OF_TIME = 0.1;

/** Minimum pause between counts. */
const MIN_PAUSE_MS = 1000;

/** Counts for the thresholds. */
export interface RecallCounts {
  /** The gene recall_threshold. */
  readonly threshold: number;
  /** Number of models that match at this threshold. */
  readonly matching: number;
  /** Number of models that would match at each hundredth from 0 to 1: {@link STEPS} + 1 counts, never rising. */
  readonly counts: readonly number[];
  /** Number of models. */
  readonly models: number;
}

/** The counts of one memory. */
export class RecallCounter {
  readonly counts: Signal<RecallCounts | undefined> = signal(undefined);
  /** Why counting or setting the gene failed; `undefined` if nothing failed. */
  readonly error: Signal<unknown> = signal(undefined);
  readonly #memory: Memory;
  readonly #processor: Processor;
  readonly #over = new AbortController();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isAsking = false;
  #isStale = false;
  /** Number of times the gene was set. */
  #sets = 0;
  #next = 0;

  constructor(memory: Memory, processor: Processor) {
    this.#memory = memory;
    this.#processor = processor;
  }

  /** Schedules a new count: memory may have changed. */
  request(): void {
    if (this.#isAsking) {
      this.#isStale = true;
      return;
    }
    this.#timer ??= setTimeout(() => void this.#ask(), Math.max(0, this.#next - performance.now()));
  }

  /** Sets the gene. If that fails, the gene keeps its value and {@link error} says why. @param threshold 0 to 1 */
  async set(threshold: number): Promise<void> {
    this.error.value = undefined;
    try {
      await changeGenes(this.#processor, { recall_threshold: threshold });
      this.#sets++;
      const known = this.counts.value;
      if (known !== undefined) {
        const matching = known.counts[Math.round(threshold * STEPS)] ?? known.matching;
        this.counts.value = { ...known, threshold, matching };
      }
    } catch (error) {
      this.error.value = error;
    }
  }

  /** Stops counting. */
  close(): void {
    clearTimeout(this.#timer);
    this.#over.abort();
  }

  async #ask(): Promise<void> {
    this.#timer = undefined;
    this.#isAsking = true;
    this.#isStale = false;
    const began = performance.now();
    const sets = this.#sets;
    try {
      const options = { signal: this.#over.signal };
      const threshold = Number(await getGene(this.#processor, "recall_threshold", options));
      const hundredths = Array.from({ length: STEPS + 1 }, (_, at) => at / STEPS);
      const query = { recall_thresholds: [threshold, ...hundredths] };
      const { matching, models } = await countMatchingModels(this.#memory, query, options);
      const [own = 0, ...counts] = matching.map((one) => one.models);
      // A count requested before the gene was set would move the slider back.
      if (sets !== this.#sets) this.#isStale = true;
      else this.counts.value = { threshold, matching: own, counts, models };
    } catch (error) {
      if (!this.#over.signal.aborted) this.error.value = error;
    } finally {
      const took = performance.now() - began;
      this.#next = performance.now() + Math.max(MIN_PAUSE_MS, took / MAX_SHARE_OF_TIME);
      this.#isAsking = false;
      if (this.#isStale && !this.#over.signal.aborted) this.request();
    }
  }
}
