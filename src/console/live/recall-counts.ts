/**
 * How many models each recall threshold would let match, counted again when the memory changes, and the
 * gene itself. Knows no view.
 */

import { type Signal, signal } from "@preact/signals";
import { changeGenes, countMatchingModels, getGene, type Memory, type Processor } from "../../client";

/** The thresholds that can be chosen: each hundredth. */
export const STEPS = 100;

/** Counting takes at most about this share of the server's time. */
const SHARE = 0.1;

/** Counts are not asked for more often than this. */
const LEAST_PAUSE_MS = 1000;

/** What is known of the thresholds. */
export interface RecallCounts {
  /** The gene recall_threshold. */
  readonly threshold: number;
  /** How many models match with it. */
  readonly matching: number;
  /** How many would match with each hundredth from 0 to 1: {@link STEPS} + 1 counts, never rising. */
  readonly counts: readonly number[];
  /** How many models there are. */
  readonly models: number;
}

/** The counts of one memory. */
export class RecallCounter {
  readonly counts: Signal<RecallCounts | undefined> = signal(undefined);
  /** Why there are none, or why the gene is as it was; `undefined` when nothing failed. */
  readonly error: Signal<unknown> = signal(undefined);
  readonly #memory: Memory;
  readonly #processor: Processor;
  readonly #over = new AbortController();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isAsking = false;
  #isStale = false;
  /** How often the gene was set. */
  #sets = 0;
  #next = 0;

  constructor(memory: Memory, processor: Processor) {
    this.#memory = memory;
    this.#processor = processor;
  }

  /** The memory may have changed: counts again, soon. */
  request(): void {
    if (this.#isAsking) {
      this.#isStale = true;
      return;
    }
    this.#timer ??= setTimeout(() => void this.#ask(), Math.max(0, this.#next - performance.now()));
  }

  /** Sets the gene. If that fails, it stays, and {@link error} says why. @param threshold 0 to 1 */
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

  /** Asks no longer. */
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
      // What was asked before the gene was set would show the slider where it was.
      if (sets !== this.#sets) this.#isStale = true;
      else this.counts.value = { threshold, matching: own, counts, models };
    } catch (error) {
      if (!this.#over.signal.aborted) this.error.value = error;
    } finally {
      const took = performance.now() - began;
      this.#next = performance.now() + Math.max(LEAST_PAUSE_MS, took / SHARE);
      this.#isAsking = false;
      if (this.#isStale && !this.#over.signal.aborted) this.request();
    }
  }
}
