/** Thousands of random Changes, recorded in SQLite and in the store in memory: every read must agree. */

import { expect, test } from "vitest";
import type { Change, Reader } from "../../src/processor/ports/store";
import { MemoryStore } from "../support/memory-store";
import { Random } from "../support/random";
import { onFreshStore } from "../support/store/in-object";
import { fullState, HARD_TEXTS, model, nameOf, symbol, vector } from "../support/store/rows";

const STEPS = 2_000;
const READ_EVERY = 50;

/** Makes Changes that a processor could make: names are unique, and only what exists is renewed or removed. */
class Changes {
  readonly #random: Random;
  readonly #models = new Set<number>();
  #blacklist = new Set<string>();
  #next = 1;

  constructor(random: Random) {
    this.#random = random;
  }

  next(): Change {
    const id = this.#next++;
    const drawn = this.#random.below(12);
    switch (drawn) {
      case 0:
        return {
          kind: "state",
          state: { ...fullState(), time: id, percept: id % 2 ? fullState().percept : undefined },
        };
      case 1:
        return {
          kind: "genes",
          genes: { SORT: id % 2 === 0, persistence: id, classifier: this.#random.pick(HARD_TEXTS) },
        };
      case 2:
        return {
          kind: "event-appended",
          event: { position: id, symbols: [this.#random.pick(HARD_TEXTS)], metadata: "{}" },
        };
      case 3:
        return { kind: "events-dropped", before: id - this.#random.below(50) };
      case 4:
        return { kind: "vector-waiting", vector: vector(id, { name: nameOf(id) }) };
      case 5:
        return id % 5 === 0
          ? { kind: "waiting-dropped" }
          : { kind: "vector-learned", vector: vector(id, { name: nameOf(id) }) };
      case 6:
        return { kind: "symbols-put", symbols: this.#symbols() };
      case 7:
        return { kind: "symbols-removed", ids: [this.#random.below(60), 70] };
      case 8:
        return this.#blacklisting();
      default:
        return this.#modelChange(id, drawn);
    }
  }

  #symbols() {
    const start = this.#random.below(20);
    const count = 1 + this.#random.below(40);
    return Array.from({ length: count }, (_, at) => symbol(start + at, { frequency: this.#random.below(1000) }));
  }

  #blacklisting(): Change {
    const text = this.#random.pick(HARD_TEXTS);
    if (this.#blacklist.delete(text)) return { kind: "blacklist-removed", symbols: [text] };
    this.#blacklist.add(text);
    return { kind: "blacklist-added", symbols: [text] };
  }

  #modelChange(id: number, drawn: number): Change {
    const known = Array.from(this.#models);
    if (drawn === 9 || known.length === 0) {
      this.#models.add(id);
      return { kind: "model-put", model: model(id, { name: nameOf(this.#random.below(2 ** 20) * STEPS * 2 + id) }) };
    }
    const chosen = this.#random.pick(known);
    if (drawn === 10) {
      const emotives = [{ name: "joy", values: [this.#random.fraction(), -0] }];
      return { kind: "model-renewed", id: chosen, frequency: 1 + this.#random.below(9), emotives };
    }
    if (known.length > 40 && id % 7 === 0) {
      this.#models.clear();
      return { kind: "knowledge-cleared" };
    }
    this.#models.delete(chosen);
    return { kind: "model-removed", id: chosen };
  }
}

const byId = (a: { id: number }, b: { id: number }) => a.id - b.id;

/** Everything that can be read. */
function everything(store: Reader) {
  const corpus = Array.from(store.corpus()).map(({ id, frequency, symbols, lengths }) => ({
    id,
    frequency,
    symbols,
    lengths,
  }));
  const ids = corpus.map(({ id }) => id).reverse();
  const models = store.modelsById(ids);
  const middle = models[models.length >> 1]?.name ?? nameOf(0);
  return {
    corpus,
    models,
    names: store.modelNames(ids),
    page: store.modelsAfter(middle, 5),
    found: store.modelByName(middle),
    symbols: Array.from(store.symbols()).sort(byId),
    vectors: Array.from(store.vectors()),
    vectorPage: store.vectorsAfter("", 4),
    waiting: store.waitingVectors(),
    events: store.events(),
    state: store.state(),
    genes: store.genes(),
    blacklist: store.blacklist(),
  };
}

test.each([1, 2, 3])("seed %d", async (seed) => {
  const differing = await onFreshStore((store) => {
    const plain = new MemoryStore();
    const changes = new Changes(new Random(seed));
    for (let step = 1; step <= STEPS; step++) {
      const change = changes.next();
      plain.record(change);
      store.record(change);
      if (step % READ_EVERY === 0) expect(everything(store), `after step ${step}`).toStrictEqual(everything(plain));
    }
    return plain.corpus().length;
  });
  expect(differing).toBeGreaterThan(0);
});
