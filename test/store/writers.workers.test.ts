/** Thousands of random Changes, recorded in SQLite and in the store in memory: every read must agree. */

import { expect, test } from "vitest";
import type { Change, Reader } from "../../src/processor/ports/store";
import { MemoryStore } from "../support/memory-store";
import { Random } from "../support/random";
import { onFreshStore } from "../support/store/in-object";
import { Life } from "../support/store/memory-life";
import { fullState, HARD_TEXTS, model, nameOf, symbol, vector } from "../support/store/rows";

const STEPS = 2_000;
const READ_EVERY = 50;
const SESSIONS = ["", "a", "\u{1F600}", "\uFFEE", "e\u0301"];

/** Makes Changes that a processor could make: names are unique, and only what exists is renewed or removed. */
class Changes {
  readonly #random: Random;
  readonly #models = new Set<number>();
  #blacklist = new Set<string>();
  readonly #symbols = new Set<number>();
  readonly #lives = new Map<string, Life>();
  #next = 1;

  constructor(random: Random) {
    this.#random = random;
  }

  next(): Change {
    const id = this.#next++;
    const drawn = this.#random.below(12);
    switch (drawn) {
      case 0:
        return { kind: "state", state: { ...fullState(), revision: id } };
      case 1:
        return {
          kind: "genes",
          genes: { SORT: id % 2 === 0, persistence: id, classifier: this.#random.pick(HARD_TEXTS) },
        };
      case 2:
      case 3:
      case 4:
        return this.#memoryChange();
      case 5:
        return { kind: "vector-learned", vector: vector(id, { name: nameOf(id) }) };
      case 6:
        return { kind: "symbols-added", symbols: this.#addSymbols() };
      case 7:
        return { kind: "symbols-removed", ids: this.#removeSymbols() };
      case 8:
        return this.#random.below(2) === 0 ? this.#blacklisting() : this.#encoding();
      default:
        return this.#modelChange(id, drawn);
    }
  }

  #memoryChange(): Change {
    const session = this.#random.pick(SESSIONS);
    const drawn = this.#random.below(20);
    if (drawn === 0 || (drawn === 1 && session !== "")) {
      for (const ended of drawn === 0 ? SESSIONS.slice(1) : [session]) this.#lives.delete(ended);
      return drawn === 0 ? { kind: "sessions-ended" } : { kind: "session-ended", session };
    }
    if (drawn === 2) {
      return {
        kind: "source-kept",
        session,
        sender: "client",
        source: this.#random.pick(HARD_TEXTS),
        number: this.#next,
      };
    }
    const life = this.#lives.get(session) ?? new Life(session);
    this.#lives.set(session, life);
    return life.liveOn(this.#random);
  }

  #addSymbols() {
    const ids = Array.from({ length: 1 + this.#random.below(60) }, () => this.#random.below(80));
    const fresh = [...new Set(ids)].filter((id) => !this.#symbols.has(id));
    for (const id of fresh) this.#symbols.add(id);
    return fresh.map((id) => symbol(id, { name: this.#random.pick(HARD_TEXTS) + id }));
  }

  #removeSymbols(): number[] {
    const ids = [this.#random.below(60), 70];
    for (const id of ids) this.#symbols.delete(id);
    return ids;
  }

  #encoding(): Change {
    const name = this.#random.pick(HARD_TEXTS.slice(0, 4));
    if (this.#random.below(3) === 0) return { kind: "encoder-deleted", name };
    return { kind: "encoder-put", name, definition: `{"kind":"step","size":${this.#next}}` };
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
      const learnedAt = id % 2 === 0 ? 1_700_000_000 + id : undefined;
      return { kind: "model-renewed", id: chosen, frequency: 1 + this.#random.below(9), emotives, learnedAt };
    }
    if (known.length > 40 && id % 7 === 0) {
      this.#models.clear();
      this.#symbols.clear();
      return { kind: "knowledge-cleared" };
    }
    this.#models.delete(chosen);
    return { kind: "model-removed", id: chosen };
  }
}

const byId = (a: { id: number }, b: { id: number }) => a.id - b.id;

/** Everything that can be read. */
function everything(store: Reader) {
  const corpus = Array.from(store.knowledge.corpus()).map(({ id, frequency, symbols, lengths }) => ({
    id,
    frequency,
    symbols,
    lengths,
  }));
  const ids = corpus.map(({ id }) => id).reverse();
  const models = store.knowledge.modelsById(ids);
  const middle = models[models.length >> 1]?.name ?? nameOf(0);
  return {
    corpus,
    models,
    names: store.knowledge.modelNames(ids),
    page: store.knowledge.modelsAfter(middle, 5),
    found: store.knowledge.modelByName(middle),
    symbols: Array.from(store.knowledge.symbols()).sort(byId),
    vectors: Array.from(store.knowledge.vectors()),
    vectorPage: store.knowledge.vectorsAfter("", 4),
    memories: SESSIONS.map((session) => store.memories.read(session)),
    sessions: store.memories.list("", 100),
    middle: store.memories.list("\u{1F600}", 1),
    sessionCount: store.memories.sessionCount(),
    oldest: store.memories.oldestChange(),
    unchanged: store.memories.unchangedSince(30, 100).toSorted(),
    sources: SESSIONS.map((session) => HARD_TEXTS.map((source) => store.keptSource(session, "client", source))),
    state: store.state(),
    genes: store.genes(),
    blacklist: store.blacklist(),
    encoders: store.encoders(),
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
    return plain.knowledge.corpus().length;
  });
  expect(differing).toBeGreaterThan(0);
});
