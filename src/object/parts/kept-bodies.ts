/** The events of the models that the head used last: successive forecasts share many neighbours. */

import type { ModelBody, PartAnswers } from "../../processor/ports/parts";

/** Approximate heap bytes of a model's events, without their numbers. */
const BODY_BYTES = 256;

/** The events of models by id. They never change: a model with other events has another id. */
export class KeptBodies {
  /** In the order of their last use, the latest last. */
  readonly #bodies = new Map<number, ModelBody>();
  #bytes = 0;

  /** Approximate heap bytes. */
  get bytes(): number {
    return this.#bytes;
  }

  has(id: number): boolean {
    return this.#bodies.has(id);
  }

  /** The events of models. @returns `undefined` when any are missing */
  all(ids: Float64Array): ModelBody[] | undefined {
    const bodies: ModelBody[] = [];
    for (const id of ids) {
      const body = this.#bodies.get(id);
      if (body === undefined) return undefined;
      bodies.push(body);
    }
    for (let at = 0; at < ids.length; at++) {
      const id = ids[at] as number;
      this.#bodies.delete(id);
      this.#bodies.set(id, bodies[at] as ModelBody);
    }
    return bodies;
  }

  put(id: number, body: ModelBody): void {
    this.drop(id);
    this.#bodies.set(id, body);
    this.#bytes += bytesOf(body);
  }

  /** Keeps the answers of parts. @returns the number of models in them */
  putAll(answers: readonly PartAnswers["bodies"][]): number {
    let count = 0;
    for (const { bodies } of answers) {
      let event = 0;
      let symbol = 0;
      for (let at = 0; at < bodies.ids.length; at++) {
        // Copy: a view would keep the whole list in memory.
        const lengths = bodies.lengths.slice(event, event + (bodies.eventCounts[at] ?? 0));
        let size = 0;
        for (const length of lengths) size += length;
        this.put(bodies.ids[at] as number, { lengths, symbols: bodies.symbols.slice(symbol, symbol + size) });
        event += lengths.length;
        symbol += size;
        count++;
      }
    }
    return count;
  }

  drop(id: number): void {
    const body = this.#bodies.get(id);
    if (body === undefined) return;
    this.#bodies.delete(id);
    this.#bytes -= bytesOf(body);
  }

  /** Drops the least recently used until the rest take at most these bytes. */
  keepAtMost(bytes: number): void {
    for (const id of this.#bodies.keys()) {
      if (this.#bytes <= bytes) return;
      this.drop(id);
    }
  }
}

function bytesOf({ lengths, symbols }: ModelBody): number {
  return BODY_BYTES + lengths.byteLength + symbols.byteLength;
}
