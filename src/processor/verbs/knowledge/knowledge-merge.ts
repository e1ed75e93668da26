/** Merges the staged knowledge into the existing one, part by part. */

import { type CarriedRecord, mergedRecords, recordFrom } from "../../knowledge/forecast-record";
import { eventsOf, type SymbolTable } from "../../knowledge/symbol-table";
import type { Mind } from "../../mind";
import type { ForecastRecord } from "../../ports/forecaster";
import { experienceOf, type ModelRow } from "../../ports/store";
import { assertFitting, stagedSymbols, stagingOf } from "./knowledge-load";

/** Limits of one part, in models or vectors and in symbols; some tens of milliseconds. */
const PART_RECORDS = 256;
const PART_SYMBOLS = 5_000;

/** Staged models read at a time: each may take 2 MB. */
const READ_AT_ONCE = 16;

/**
 * A known model gains the frequency and the emotives of the staged one; others are added in the order of staging or of
 * the file, newer than all existing ones. Vectors likewise.
 *
 * Done in parts, each a verb of its own that leaves a whole processor. The caller keeps others from seeing what is
 * between the first part and the last one, and takes all of them back if one fails.
 */
export class Merge {
  readonly #loadId: string;
  /** The record of past forecasts of the staged knowledge. */
  readonly #carried: ForecastRecord;
  /** The ids of the staged model and vector that were merged last. */
  #model = 0;
  #vector = 0;
  #isDone = false;

  /** Nothing has changed yet. @throws Fault `invalid` when the record is wrong */
  constructor(loadId: string, carried: CarriedRecord | undefined) {
    this.#loadId = loadId;
    this.#carried = recordFrom(carried);
  }

  /** Whether no part is left. */
  get isDone(): boolean {
    return this.#isDone;
  }

  /**
   * Does the next part.
   *
   * @throws Fault `conflict` when the load is not under way; `invalid` when vectors do not fit those that are learned
   *   or wait, or the counters would leave the exact whole numbers; `exhausted` when there is no memory for it
   */
  step(mind: Mind): void {
    const { knowledge, shared, store } = mind;
    const staging = stagingOf(shared, this.#loadId);
    const known = mind.vectors.dimensionality >= 0 ? "those that are learned" : "those in working memory";
    assertFitting(staging, mind.vectorLength, `${known}, got ${staging.dimensionality}`);
    const forecastRecord = mergedRecords(knowledge.forecastRecord, this.#carried);
    const [model, areModelsDone] = this.#mergeModels(mind, stagedSymbols(shared, this.#loadId));
    const [vector, areVectorsDone] = areModelsDone ? this.#mergeVectors(mind) : [this.#vector, false];
    if (areVectorsDone) {
      store.record({ kind: "staging-dropped" });
      shared.staged = undefined;
      knowledge.noteForecasts(forecastRecord);
    }
    mind.recordState();
    // Last, because a part that fails may be repeated.
    this.#model = model;
    this.#vector = vector;
    this.#isDone = areVectorsDone;
  }

  /** @returns the id of the last model that is merged now, and whether it is the last of all */
  #mergeModels({ genes, knowledge, store }: Mind, table: SymbolTable): [last: number, isDone: boolean] {
    let last = this.#model;
    let symbols = 0;
    for (let merged = 0; merged < PART_RECORDS; ) {
      const rows = store.staged.modelsAfterId(last, READ_AT_ONCE);
      for (const row of rows) {
        if (symbols >= PART_SYMBOLS) return [last, false];
        const events = eventsOf(row, (id) => table.nameOf(id)).map((event) => event.symbols);
        // Its name was checked when it was staged.
        knowledge.merge({ ...experienceOf(row), events, name: row.name }, genes.persistence);
        last = row.id;
        symbols += sizeOf(row);
        merged++;
      }
      if (rows.length < READ_AT_ONCE) return [last, true];
    }
    return [last, false];
  }

  /** As {@link #mergeModels}. */
  #mergeVectors({ knowledge, shared, store, vectors }: Mind): [last: number, isDone: boolean] {
    const rows = store.staged.vectorsAfterId(this.#vector, PART_RECORDS);
    for (const { name, components } of rows) if (vectors.learn(name, components)) knowledge.touch();
    if (rows.length > 0) shared.update({ vectorDimensionality: vectors.dimensionality });
    return [rows.at(-1)?.id ?? this.#vector, rows.length < PART_RECORDS];
  }
}

/** About how many symbols' work a model takes. */
function sizeOf({ symbols, emotives, metadata }: ModelRow): number {
  return symbols.length + emotives.length + metadata.length;
}
