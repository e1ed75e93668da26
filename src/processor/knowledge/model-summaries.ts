/** What predictions tell of models beyond the match, their names and mean emotives; kept for the models recalled lately. */

import type { Emotive } from "../ports/gdf";
import type { Reader } from "../ports/store";
import { meanEmotives } from "./emotives";

/** Some thousand models cost a megabyte or two. */
const MOST_KEPT = 8192;

/** What is recalled of a model. */
export interface Recollection {
  name: string;
  emotives: Emotive[];
}

/** A bounded memory of models by id; whoever changes a model must have it forgotten here. */
export class Recall {
  readonly #reader: Reader;
  readonly #kept = new Map<number, Recollection>();

  constructor(reader: Reader) {
    this.#reader = reader;
  }

  /** The recollections of existing models, in the order of `ids`; reads only those not kept. */
  of(ids: readonly number[]): Recollection[] {
    const missing = ids.filter((id) => !this.#kept.has(id));
    const read = new Map<number, Recollection>();
    if (missing.length > 0) {
      for (const row of this.#reader.modelsById(missing)) {
        read.set(row.id, { name: row.name, emotives: meanEmotives(row.emotives) });
      }
    }
    const found = ids.map((id) => this.#found(id, read));
    for (const [id, recollection] of read) this.#keep(id, recollection);
    return found;
  }

  /** Forgets one model. */
  forget(id: number): void {
    this.#kept.delete(id);
  }

  /** Forgets all models. */
  clear(): void {
    this.#kept.clear();
  }

  #found(id: number, read: ReadonlyMap<number, Recollection>): Recollection {
    const recollection = this.#kept.get(id) ?? read.get(id);
    if (recollection === undefined) throw new Error(`no model has the id ${id}`);
    return recollection;
  }

  #keep(id: number, recollection: Recollection): void {
    if (this.#kept.size >= MOST_KEPT) {
      const oldest = this.#kept.keys().next();
      if (!oldest.done) this.#kept.delete(oldest.value);
    }
    this.#kept.set(id, recollection);
  }
}
