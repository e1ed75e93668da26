/** The events of models that the head was told of last: forecasts have many of the same neighbours again. */

import type { ModelBody, PartAnswers } from "../../processor/ports/parts";

/** About how many bytes the events of a model take besides its numbers. */
const BODY_BYTES = 256;

/** The events of models by id. They never change: a model with other events has another id. */
export class KeptBodies {
  /** Those used last are the last. */
  readonly #bodies = new Map<number, ModelBody>();
  #bytes = 0;

  /** About how many bytes all take. */
  get bytes(): number {
    return this.#bytes;
  }

  has(id: number): boolean {
    return this.#bodies.has(id);
  }

  /** The events of models. @returns `undefined` when those of one are missing */
  all(ids: Float64Array): ModelBody[] | undefined {
    const bodies: ModelBody[] = [];
    for (const id of ids) {
      const body = this.#bodies.get(id);
      if (body === undefined) return undefined;
      bodies.push(body);
    }
    for (const [at, id] of ids.entries()) {
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

  /** Keeps what parts have answered. @returns how many models that were */
  putAll(answers: readonly PartAnswers["bodies"][]): number {
    let count = 0;
    for (const { bodies } of answers) {
      let event = 0;
      let symbol = 0;
      for (const [at, id] of bodies.ids.entries()) {
        // Copies: a part of a list would keep all of it in memory.
        const lengths = bodies.lengths.slice(event, event + (bodies.eventCounts[at] ?? 0));
        let size = 0;
        for (const length of lengths) size += length;
        this.put(id, { lengths, symbols: bodies.symbols.slice(symbol, symbol + size) });
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

  /** Drops those that were not used for longest, until all take no more bytes than these. */
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
