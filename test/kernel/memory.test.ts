/**
 * Kernels that share a memory answer as each alone would, whatever the others do; what they held is free after their release; and cleared
 * memory is as good as fresh memory.
 */

import { describe, expect, test } from "vitest";
import wasm from "../../build/kernel.wasm";
import { Kernel } from "../../src/kernel/kernel";
import { KernelMemory } from "../../src/kernel/memory";
import { Oracle } from "../oracle/oracle";
import { seedsHere, timesHere } from "../support/engine";
import { Corpus, type Shape } from "../support/kernel/corpus";
import { soleKernel } from "../support/kernel/sole-kernel";
import { Random } from "../support/random";

const MANY: Shape = {
  models: 2_500,
  symbols: 900,
  events: 5,
  eventSymbols: 12,
  memory: 16,
  skew: "steep",
  frequency: 9,
};
const SHAPES: Record<string, Shape> = {
  "small alphabet": { models: 60, symbols: 6, events: 4, eventSymbols: 4, memory: 12, skew: "flat", frequency: 1 },
  "several segments": { ...MANY, symbols: 60, eventSymbols: 3 },
  "long memory": { models: 30, symbols: 40, events: 8, eventSymbols: 20, memory: 150, skew: "steep", frequency: 2 },
  "wide alphabet": {
    models: 60,
    symbols: 70_000,
    events: 3,
    eventSymbols: 4,
    memory: 12,
    skew: "steep",
    frequency: 1000,
  },
};

function vectorOf(random: Random): Float64Array {
  return Float64Array.from({ length: 20 }, () => random.fraction());
}

/** Fresh memory; static data is in it. */
const FRESH_BYTES = 3 * 65_536;

/** Uses all parts of a kernel. */
function live(kernel: Kernel, seed: number): void {
  const random = new Random(seed);
  const corpus = new Corpus(random, MANY);
  corpus.fill(kernel);
  for (let question = 0; question < 20; question++) {
    kernel.predict(corpus.query());
  }
  for (let count = 0; count < 3_000; count++) {
    kernel.neighbours.add(vectorOf(random));
  }
  kernel.neighbours.nearest(vectorOf(random), 3);
}

/** Memory that was used and cleared. Beyond static data, which clearing makes zero, every bit is set. */
function usedMemory(): KernelMemory {
  const memory = new KernelMemory(wasm);
  live(Kernel.create(memory), 1);
  memory.clear();
  new Uint8Array(memory.exports.memory.buffer, FRESH_BYTES).fill(0xff);
  return memory;
}

/** A query with more symbols than memory can grow for, so that the kernel traps. */
function trap(kernel: Kernel): void {
  const query = new Corpus(new Random(1), MANY).query();
  expect(() => kernel.predict({ ...query, symbols: new Uint32Array(5_000_000) })).toThrow(WebAssembly.RuntimeError);
}

/** A memory that can grow to 16 MiB, whatever its limit. */
function smallMemory(limitBytes?: number): KernelMemory {
  return new KernelMemory(wasm, limitBytes, new WebAssembly.Memory({ initial: 3, maximum: 256 }));
}

function trappedMemory(): KernelMemory {
  const memory = smallMemory();
  const kernel = Kernel.create(memory);
  live(kernel, 1);
  trap(kernel);
  memory.clear();
  return memory;
}

describe.each<[string, () => KernelMemory]>([
  ["another kernel", usedMemory],
  ["a kernel that trapped", trappedMemory],
])("on the cleared memory of %s", (_, used) => {
  test.each(Object.entries(SHAPES))("same predictions as the oracle: %s", (_name, shape) => {
    const corpus = new Corpus(new Random(2), shape);
    const kernel = Kernel.create(used());
    const oracle = new Oracle();
    expect(kernel.matchesAny(corpus.query())).toBe(false);
    corpus.fill(kernel);
    corpus.fill(oracle);
    for (let question = 0; question < 20; question++) {
      const query = corpus.query();
      const expected = oracle.predict(query);
      expect(kernel.predict(query), JSON.stringify(query)).toEqual(expected);
      expect(kernel.matchesAny(query)).toBe(expected.length > 0);
    }
  });

  test("same neighbours as on fresh memory", () => {
    const random = new Random(3);
    const fresh = soleKernel().neighbours;
    const { neighbours } = Kernel.create(used());
    expect(neighbours.nearest(vectorOf(random), 3)).toEqual([]);
    for (let count = 0; count < 3_000; count++) {
      const vector = vectorOf(random);
      fresh.add(vector);
      neighbours.add(vector);
    }
    for (let question = 0; question < 20; question++) {
      const vector = vectorOf(random);
      expect(neighbours.nearest(vector, 7)).toEqual(fresh.nearest(vector, 7));
    }
  });
});

/** A kernel among others, and what it should answer: the oracle holds what the kernel accepted, a kernel alone the same vectors. */
class Neighbour {
  kernel: Kernel;
  readonly #corpus: Corpus;
  readonly #oracle = new Oracle();
  readonly #vectors = soleKernel();
  readonly #random: Random;

  constructor(memory: KernelMemory, seed: number, shape: Shape) {
    this.kernel = Kernel.create(memory);
    this.#random = new Random(seed);
    this.#corpus = new Corpus(this.#random, { ...shape, models: 0 });
  }

  /** Learns, forgets, or is refused. @returns whether it was refused */
  change(): boolean {
    const { models } = this.#corpus;
    try {
      const [gone] = this.#random.below(4) === 0 ? models.splice(this.#random.below(models.length + 1), 1) : [];
      if (gone !== undefined) {
        this.kernel.remove(gone.id);
        this.#oracle.remove(gone.id);
      } else if (this.#random.below(4) === 0) {
        const vector = vectorOf(this.#random);
        this.kernel.neighbours.add(vector);
        this.#vectors.neighbours.add(vector);
      } else {
        const model = this.#corpus.draw();
        this.kernel.add(model);
        this.#oracle.add(model);
        models.push(model);
      }
      return false;
    } catch (error) {
      expect(error).toMatchObject({ name: "Fault", kind: "exhausted" });
      return true;
    }
  }

  expectAnswers(): void {
    try {
      this.#corpus.count(this.kernel);
      this.#corpus.count(this.#oracle);
    } catch (error) {
      expect(error).toMatchObject({ name: "Fault", kind: "exhausted" });
      return;
    }
    const query = this.#corpus.query();
    if (this.#random.below(3) === 0) {
      // Ends in the middle, and leaves nothing behind that another query could find.
      this.kernel.predict({ ...query, steps: this.#random.below(200) });
    }
    expect(this.kernel.predict(query)).toEqual(this.#oracle.predict(query));
    const vector = vectorOf(this.#random);
    expect(this.kernel.neighbours.nearest(vector, 5)).toEqual(this.#vectors.neighbours.nearest(vector, 5));
  }
}

const SMALL: Shape[] = [
  SHAPES["small alphabet"] as Shape,
  { ...(SHAPES["wide alphabet"] as Shape), symbols: 3_000 },
  SHAPES["long memory"] as Shape,
];

test.each(
  seedsHere(1, 2, 3),
)("many kernels answer as each alone, through releases, refusals and traps: seed %i", (seed) => {
  const random = new Random(seed);
  const memory = smallMemory(2 ** 20);
  let serial = 0;
  const fresh = () => new Neighbour(memory, 1_000 * seed + serial++, random.pick(SMALL));
  let all = Array.from({ length: 12 }, fresh);
  let refused = 0;
  const turns = timesHere(600, 400);
  for (let turn = 0; turn < turns; turn++) {
    const at = random.below(all.length);
    const one = all[at] as Neighbour;
    for (let changes = random.below(12); changes > 0; changes--) {
      refused += Number(one.change());
    }
    one.expectAnswers();
    if (random.below(40) === 0) {
      memory.joinFree();
    }
    if (random.below(60) === 0) {
      one.kernel.release();
      all[at] = fresh();
    }
    if (turn % 300 === 299) {
      trap(one.kernel);
      memory.clear();
      expect(() => one.kernel.bytes).toThrow("released its memory");
      all = Array.from({ length: 12 }, fresh);
    }
  }
  expect(refused).toBeGreaterThan(0);
});

test("what a released kernel held is free: hundreds of lives leave memory as large as the first ones did", () => {
  const memory = new KernelMemory(wasm);
  const lasting = Kernel.create(memory);
  const corpus = new Corpus(new Random(8), SHAPES["several segments"] as Shape);
  const oracle = new Oracle();
  corpus.fill(lasting);
  corpus.fill(oracle);
  const empty = lasting.bytes;
  const own = new Corpus(new Random(9), { ...MANY, models: 300 });
  const asked = own.query();
  const vectors = Array.from({ length: 100 }, (_, count) => vectorOf(new Random(count)));
  const oneLife = () => {
    const kernel = Kernel.create(memory);
    own.fill(kernel);
    kernel.predict(asked);
    for (const { id } of own.models.slice(0, 50)) kernel.remove(id);
    for (const vector of vectors) kernel.neighbours.add(vector);
    kernel.release();
  };
  for (let life = 0; life < 3; life++) oneLife();
  const { bytes } = memory;
  for (let lives = timesHere(300, 100); lives > 0; lives--) oneLife();
  expect(memory.bytes).toBe(bytes);
  expect(lasting.bytes).toBe(empty);
  const query = corpus.query();
  expect(lasting.predict(query)).toEqual(oracle.predict(query));
});

test("a kernel counts what it holds, and nothing of others or of queries", () => {
  const memory = new KernelMemory(wasm);
  const [one, other] = [Kernel.create(memory), Kernel.create(memory)];
  const empty = one.bytes;
  expect(empty).toBeGreaterThan(0);
  live(one, 1);
  const held = one.bytes;
  expect(held).toBeGreaterThan(3_000 * 20 * 8);
  expect(other.bytes).toBe(empty);
  one.predict(new Corpus(new Random(3), MANY).query());
  live(other, 2);
  expect(one.bytes).toBe(held);
  one.clear();
  one.neighbours.clear();
  expect(one.bytes).toBe(empty);
  other.release();
  expect(one.bytes).toBe(empty);
});

test("a change that does not fit is repeated while room can be made, and refused after that", () => {
  const memory = new KernelMemory(wasm, 640 * 1024);
  const others = Array.from({ length: 4 }, () => Kernel.create(memory));
  for (const other of others) new Corpus(new Random(4), { ...MANY, models: 200 }).fill(other);
  const kernel = Kernel.create(memory, () => {
    const other = others.pop();
    other?.release();
    memory.joinFree();
    return other !== undefined;
  });
  const corpus = new Corpus(new Random(5), { ...MANY, models: 700 });
  const oracle = new Oracle();
  corpus.fill(kernel);
  corpus.fill(oracle);
  expect(others.length).toBeLessThan(4);
  const query = corpus.query();
  expect(kernel.predict(query)).toEqual(oracle.predict(query));
  expect(() => {
    for (;;) kernel.add(corpus.draw());
  }).toThrow("used up");
  expect(others).toEqual([]);
});

test("a batch for which room must be made in the middle is added whole", () => {
  // Room for the static data and for the models of one kernel, but not of two.
  const memory = new KernelMemory(wasm, 672 * 1024);
  const other = Kernel.create(memory);
  new Corpus(new Random(4), { ...MANY, models: 700 }).fill(other);
  let released = 0;
  const kernel = Kernel.create(memory, () => {
    other.release();
    memory.joinFree();
    return released++ === 0;
  });
  const corpus = new Corpus(new Random(5), { ...MANY, models: 700 });
  const { models } = corpus;
  kernel.addBatch({
    ids: Float64Array.from(models, ({ id }) => id),
    frequencies: Float64Array.from(models, ({ frequency }) => frequency),
    eventCounts: Uint32Array.from(models, ({ lengths }) => lengths.length),
    lengths: Uint32Array.from(models.flatMap(({ lengths }) => [...lengths])),
    symbols: Uint32Array.from(models.flatMap(({ symbols }) => [...symbols])),
  });
  expect(released).toBe(1);
  corpus.count(kernel);
  const oracle = new Oracle();
  corpus.fill(oracle);
  for (let question = 0; question < 20; question++) {
    const query = corpus.query();
    expect(kernel.predict(query)).toEqual(oracle.predict(query));
  }
});

test("cleared memory holds as much as fresh memory, and no more", () => {
  const limitBytes = 2 ** 20;
  const heldBy = (kernel: Kernel) => {
    const corpus = new Corpus(new Random(4), { ...MANY, models: 1 });
    let held = 0;
    const fill = () => {
      for (;;) {
        kernel.add(corpus.draw());
        held++;
      }
    };
    expect(fill).toThrow("used up");
    return held;
  };
  const memory = new KernelMemory(wasm, limitBytes);
  const held = heldBy(Kernel.create(memory));
  expect(held).toBeGreaterThan(1_000);
  memory.clear();
  new Uint8Array(memory.exports.memory.buffer, FRESH_BYTES).fill(0xff);
  expect(heldBy(Kernel.create(memory))).toBe(held);
});

test("a kernel that has released its memory refuses every call, and what is in the memory stays as it is", () => {
  const memory = new KernelMemory(wasm);
  const released = Kernel.create(memory);
  live(released, 5);
  released.release();
  const kernel = Kernel.create(memory);
  const oracle = new Oracle();
  const corpus = new Corpus(new Random(6), SHAPES["small alphabet"] as Shape);
  corpus.fill(kernel);
  corpus.fill(oracle);
  const query = corpus.query();
  const uses: Record<string, () => unknown> = {
    bytes: () => released.bytes,
    add: () => released.add(corpus.draw()),
    remove: () => released.remove(2),
    setFrequency: () => released.setFrequency(2, 3),
    setSymbolFrequency: () => released.setSymbolFrequency(1, 3),
    clear: () => released.clear(),
    predict: () => released.predict(query),
    matchesAny: () => released.matchesAny(query),
    "neighbours.add": () => released.neighbours.add(vectorOf(new Random(1))),
    "neighbours.nearest": () => released.neighbours.nearest(vectorOf(new Random(1)), 1),
    "neighbours.clear": () => released.neighbours.clear(),
  };
  released.release();
  for (const [name, use] of Object.entries(uses)) {
    expect(use, name).toThrow("this kernel has released its memory");
  }
  expect(kernel.predict(query)).toEqual(oracle.predict(query));
});

test("a forecast takes no more memory than its few symbols need", () => {
  const memory = new KernelMemory(wasm);
  const kernel = Kernel.create(memory);
  const context = {
    symbols: Uint32Array.from([1]),
    lengths: Uint32Array.from([1]),
    target: undefined,
    totals: { modelFrequencies: 1, symbolFrequencies: 2, memberFrequencies: 2 },
    record: [],
    steps: 1e9,
  };
  kernel.add({ id: 1, frequency: 1, symbols: Uint32Array.from([1, 2]), lengths: Uint32Array.from([1, 1]) });
  for (const symbol of [1, 2]) kernel.setSymbolFrequency(symbol, 1);
  expect(kernel.forecastRules.ask(context, 0, ({ ahead }) => ahead(1, 1).symbols.length)).toBe(3);
  // The candidates of three lists, 64 KiB each, and the lanes of the context's events, 16 KiB.
  expect(memory.bytes).toBeLessThanOrEqual(FRESH_BYTES + 4 * 65_536);
});
