/** Forgets rarely learned models on request. */

import type { ForgetModelsRequest } from "../../../gen/plain";
import type { Mind } from "../../mind";
import { Fault } from "../../ports/fault";
import type { ModelRow } from "../../ports/store";

/** Limits of one part, in models and in symbols; some tens of milliseconds. */
const PART_MODELS = 500;
const PART_SYMBOLS = 20_000;

/** The last model to forget, in the order of frequency and then of age. */
interface Border {
  frequency: number;
  /** Number of models with this frequency to forget, oldest first. */
  models: number;
}

/** @throws Fault `invalid` if it is given and not a whole number of 0 or more */
function assertWhole(value: number | undefined, name: string): void {
  if (value === undefined || (Number.isSafeInteger(value) && value >= 0)) return;
  throw new Fault("invalid", `${name} must be a whole number from 0 to ${Number.MAX_SAFE_INTEGER}, got ${value}`);
}

/** The number of models of each frequency, least first. */
function countsByFrequency(mind: Mind): [frequency: number, models: number][] {
  const counts = new Map<number, number>();
  for (const { frequencies } of mind.store.knowledge.corpusBatches()) {
    for (const frequency of frequencies) counts.set(frequency, (counts.get(frequency) ?? 0) + 1);
  }
  return [...counts].sort(([one], [other]) => one - other);
}

/** The number of models to forget, and the last of them. */
function borderOf(mind: Mind, { frequencyBelow = 0, keepAtMost }: ForgetModelsRequest): Border & { all: number } {
  const excess = keepAtMost === undefined ? 0 : mind.knowledge.models - keepAtMost;
  let all = 0;
  let border: Border = { frequency: 0, models: 0 };
  for (const [frequency, models] of countsByFrequency(mind)) {
    const forgotten = frequency < frequencyBelow ? models : Math.min(models, excess - all);
    if (forgotten <= 0) break;
    all += forgotten;
    border = { frequency, models: forgotten };
  }
  return { ...border, all };
}

/** The ids of the models up to the border, and the newest model at the border's frequency. */
function idsWithin(mind: Mind, { frequency, models, all }: Border & { all: number }) {
  const chosen = new Float64Array(all);
  let size = 0;
  let left = models;
  let newest = 0;
  for (const { ids, frequencies } of mind.store.knowledge.corpusBatches()) {
    for (const [at, id] of ids.entries()) {
      const own = frequencies[at] ?? 0;
      if (own > frequency || (own === frequency && left === 0)) continue;
      chosen[size++] = id;
      if (own < frequency) continue;
      left--;
      newest = id;
    }
  }
  return { ids: chosen, newest };
}

/**
 * Forgets the models that qualify at the start. A model that is learned again meanwhile, and so no longer qualifies,
 * stays.
 *
 * Done in parts, each a verb of its own, so that other calls run in between. If it is interrupted, the parts done stay
 * done, and the same request does the rest.
 */
export class Forgetting {
  /** Number of models forgotten, or that would be. */
  models = 0;
  readonly #border: Border;
  readonly #ids: Float64Array;
  readonly #newest: number;
  #at = 0;

  /** Finds what to forget; nothing has changed yet. @throws Fault `invalid` when a number is wrong */
  constructor(mind: Mind, request: ForgetModelsRequest) {
    assertWhole(request.frequencyBelow, "frequency_below");
    assertWhole(request.keepAtMost, "keep_at_most");
    const border = borderOf(mind, request);
    this.#border = border;
    if (request.dryRun) this.models = border.all;
    const { ids, newest } = request.dryRun ? { ids: new Float64Array(0), newest: 0 } : idsWithin(mind, border);
    this.#ids = ids;
    this.#newest = newest;
  }

  /** Whether no part is left. */
  get isDone(): boolean {
    return this.#at >= this.#ids.length;
  }

  /** Adds the models that the same request had forgotten before it was interrupted. */
  resume(models: number): void {
    this.models = models;
  }

  /** Does the next part. */
  step(mind: Mind): void {
    let symbols = 0;
    for (const end = Math.min(this.#at + PART_MODELS, this.#ids.length); this.#at < end && symbols < PART_SYMBOLS; ) {
      const row = mind.store.knowledge.modelById(this.#ids[this.#at++] ?? 0);
      if (row === undefined || !this.#isMeant(row)) continue;
      mind.knowledge.remove(row);
      symbols += row.symbols.length;
      this.models++;
    }
    mind.recordState();
  }

  #isMeant({ id, frequency }: ModelRow): boolean {
    const { frequency: most } = this.#border;
    return frequency < most || (frequency === most && id <= this.#newest);
  }
}
