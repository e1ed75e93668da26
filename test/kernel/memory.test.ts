/** A kernel on the memory of an earlier one answers and holds what a kernel on fresh memory does, and the earlier one cannot harm it. */

import { describe, expect, test } from "vitest";
import wasm from "../../build/kernel.wasm";
import { Kernel } from "../../src/kernel/kernel";
import { Oracle } from "../oracle/oracle";
import { Corpus, type Shape } from "../support/kernel/corpus";
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

/** The memory of a released kernel. Beyond the first pages, every bit is set. */
function usedMemory(seed: number): WebAssembly.Memory {
  const kernel = Kernel.create(wasm);
  const fresh = kernel.bytes;
  live(kernel, seed);
  const memory = kernel.release();
  new Uint8Array(memory.buffer, fresh).fill(0xff);
  return memory;
}

/** The memory of a kernel that trapped, because it could not grow for a query. */
function trapped(): WebAssembly.Memory {
  const kernel = Kernel.create(wasm, undefined, new WebAssembly.Memory({ initial: 3, maximum: 256 }));
  live(kernel, 1);
  const query = new Corpus(new Random(1), MANY).query();
  expect(() => kernel.predict({ ...query, symbols: new Uint32Array(5_000_000) })).toThrow(WebAssembly.RuntimeError);
  return kernel.release();
}

describe.each<[string, () => WebAssembly.Memory]>([
  ["another kernel", () => usedMemory(1)],
  ["a kernel that trapped", trapped],
])("on the memory of %s", (_, used) => {
  test.each(Object.entries(SHAPES))("same predictions as the oracle: %s", (_name, shape) => {
    const corpus = new Corpus(new Random(2), shape);
    const kernel = Kernel.create(wasm, undefined, used());
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
    const fresh = Kernel.create(wasm).neighbours;
    const { neighbours } = Kernel.create(wasm, undefined, used());
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

test("memory can be taken over again and again, and does not grow", () => {
  const memory = usedMemory(1);
  const { byteLength } = memory.buffer;
  for (let life = 0; life < 10; life++) {
    const kernel = Kernel.create(wasm, undefined, memory);
    expect(kernel.bytes).toBe(byteLength);
    live(kernel, 1);
    expect(kernel.release()).toBe(memory);
  }
  expect(memory.buffer.byteLength).toBe(byteLength);
});

test("used memory holds as much as fresh memory, and no more", () => {
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
  const kernel = Kernel.create(wasm, limitBytes);
  const held = heldBy(kernel);
  expect(held).toBeGreaterThan(1_000);
  expect(heldBy(Kernel.create(wasm, limitBytes, kernel.release()))).toBe(held);
  expect(heldBy(Kernel.create(wasm, limitBytes, usedMemory(1)))).toBe(held);
});

test("a kernel that has released its memory refuses every call, and what is in the memory stays as it is", () => {
  const released = Kernel.create(wasm);
  live(released, 5);
  const kernel = Kernel.create(wasm, undefined, released.release());
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
    release: () => released.release(),
    "neighbours.add": () => released.neighbours.add(vectorOf(new Random(1))),
    "neighbours.nearest": () => released.neighbours.nearest(vectorOf(new Random(1)), 1),
    "neighbours.clear": () => released.neighbours.clear(),
  };
  for (const [name, use] of Object.entries(uses)) {
    expect(use, name).toThrow("this kernel has released its memory");
  }
  expect(kernel.predict(query)).toEqual(oracle.predict(query));
});
