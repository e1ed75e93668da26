/** A cache of the parts of a model that predictions show beyond the match: its name and its mean emotives. */

import type { Emotive } from "../../gen/plain";
import type { Reader } from "../ports/store";
import { meanEmotives } from "./emotives";
import { TimedModels } from "./timed-models";

/** Maximum number of cached models; beyond it the oldest is evicted. Some thousand models take a megabyte or two. */
const MAX_MODELS = 8192;

/** Approximate heap bytes of a cached summary with a few emotives. */
const SUMMARY_HEAP_BYTES = 256;

/** The summary of one model. */
export interface ModelSummary {
  /** 40 hex digits, without prefix. */
  name: string;
  /** The mean of the kept values, by name. */
  emotives: Emotive[];
}

/** The cache, by model id. Call {@link forget} whenever a model changes. */
export class ModelSummaries {
  /** The cache of models with times, for forecasts of time. */
  readonly timed: TimedModels;
  readonly #reader: Reader;
  readonly #cached = new Map<number, ModelSummary>();

  constructor(reader: Reader) {
    this.#reader = reader;
    this.timed = new TimedModels(reader);
  }

  /** Approximate heap bytes of the cache. */
  get heapBytes(): number {
    return this.#cached.size * SUMMARY_HEAP_BYTES + this.timed.heapBytes;
  }

  /** The summaries of existing models, in the order of `ids`. Reads only those that are not cached. */
  of(ids: readonly number[]): ModelSummary[] {
    const missing = ids.filter((id) => !this.#cached.has(id));
    const read = new Map<number, ModelSummary>();
    if (missing.length > 0) {
      for (const row of this.#reader.knowledge.modelsById(missing)) {
        read.set(row.id, { name: row.name, emotives: meanEmotives(row.emotives) });
      }
    }
    const summaries = ids.map((id) => this.#existing(id, read));
    for (const [id, summary] of read) this.#keep(id, summary);
    return summaries;
  }

  /** Drops one model. */
  forget(id: number): void {
    this.#cached.delete(id);
    this.timed.forget(id);
  }

  /** Drops all models. */
  clear(): void {
    this.#cached.clear();
    this.timed.clear();
  }

  #existing(id: number, read: ReadonlyMap<number, ModelSummary>): ModelSummary {
    const summary = this.#cached.get(id) ?? read.get(id);
    if (summary === undefined) throw new Error(`no model has the id ${id}`);
    return summary;
  }

  #keep(id: number, summary: ModelSummary): void {
    if (this.#cached.size >= MAX_MODELS) {
      const oldest = this.#cached.keys().next();
      if (!oldest.done) this.#cached.delete(oldest.value);
    }
    this.#cached.set(id, summary);
  }
}
