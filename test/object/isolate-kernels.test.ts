/** Which kernels are released when memory or heap is used up, who is told, and what is left for the others. */

import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, test, vi } from "vitest";
import wasm from "../../build/kernel.wasm";
import type { Kernel } from "../../src/kernel/kernel";
import { IsolateKernels, type KernelOwner, MemoryCleared } from "../../src/object/isolate-kernels";

const MEMORY_BYTES = 2 ** 23;

/** What linear memory has from the start. */
const FRESH_BYTES = 3 * 65_536;

/** Ids of models only grow. */
let nextId = 1;

/** An owner that remembers how often it was told. */
class Owner implements KernelOwner {
  released = 0;

  kernelReleased(): void {
    this.released++;
  }
}

/** Makes a kernel hold about this many bytes. */
function hold(kernel: Kernel, bytes: number): void {
  const symbols = Uint32Array.from({ length: 500 }, (_, symbol) => symbol);
  while (kernel.bytes < bytes) kernel.add({ id: nextId++, frequency: 1, symbols, lengths: Uint32Array.of(500) });
}

function isReleased(kernel: Kernel): boolean {
  try {
    return kernel.bytes < 0;
  } catch (error) {
    expect(error).toMatchObject({ message: expect.stringContaining("released its memory") });
    return true;
  }
}

/** Kernels of five objects, each of which holds an eighth of memory. */
function five() {
  const kernels = new IsolateKernels(wasm, { memoryBytes: MEMORY_BYTES });
  const owners = Array.from({ length: 5 }, () => new Owner());
  const all = owners.map((owner, at) => {
    const kernel = kernels.create(`${at}`, owner);
    hold(kernel, MEMORY_BYTES / 8);
    return kernel;
  });
  return { kernels, owners, all };
}

test("an object's next kernel replaces its last, which then throws, and its owner need not be told", () => {
  const kernels = new IsolateKernels(wasm, { memoryBytes: MEMORY_BYTES });
  const owner = new Owner();
  const last = kernels.create("a", owner);
  hold(last, MEMORY_BYTES / 2);
  const { bytes } = kernels;
  const next = kernels.create("a", owner);
  hold(next, MEMORY_BYTES / 2);
  expect([isReleased(last), isReleased(next)]).toEqual([true, false]);
  expect([kernels.size, kernels.bytes, owner.released]).toEqual([1, bytes, 0]);
});

test("a kernel that needs room gets that of the kernel used least recently, whose owner is told", () => {
  const { kernels, owners, all } = five();
  kernels.use("0", 0);
  kernels.use("2", 0);
  hold(all[4] as Kernel, MEMORY_BYTES / 2);
  expect(all.map(isReleased)).toEqual([false, true, false, false, false]);
  hold(all[4] as Kernel, (9 * MEMORY_BYTES) / 16);
  expect(all.map(isReleased)).toEqual([false, true, false, true, false]);
  expect(owners.map(({ released }) => released)).toEqual([0, 1, 0, 1, 0]);
  expect(kernels.bytes).toBeLessThanOrEqual(MEMORY_BYTES);
});

test("when all others are released and it still does not fit, memory is cleared once, and then the refusal is final", () => {
  const { kernels, owners, all } = five();
  expect(() => hold(all[2] as Kernel, MEMORY_BYTES)).toThrow(MemoryCleared);
  expect(all.map(isReleased)).toEqual([true, true, true, true, true]);
  expect(owners.map(({ released }) => released)).toEqual([1, 1, 1, 1, 1]);
  const again = kernels.create("2", owners[2] as Owner);
  expect(() => hold(again, MEMORY_BYTES)).toThrow("used up");
  expect(isReleased(again)).toBe(false);
  expect(kernels.bytes).toBeLessThanOrEqual(MEMORY_BYTES);
});

test("a processor that is alone starts in cleared memory: it always holds as much as in a fresh isolate", () => {
  const kernels = new IsolateKernels(wasm, { memoryBytes: MEMORY_BYTES });
  const owner = new Owner();
  const filled = () => {
    const kernel = kernels.create("a", owner);
    expect(() => hold(kernel, MEMORY_BYTES)).toThrow("used up");
    return kernel.bytes;
  };
  expect([filled(), filled(), filled()]).toEqual(Array(3).fill(filled()));
});

test("when the heap is used up, the kernels used least recently are released, but never the one in use", () => {
  const kernels = new IsolateKernels(wasm, { memoryBytes: FRESH_BYTES, heapBytes: 100 });
  const owners = Array.from({ length: 4 }, () => new Owner());
  const all = owners.map((owner, at) => {
    const kernel = kernels.create(`${at}`, owner);
    kernels.use(`${at}`, 30);
    return kernel;
  });
  expect(all.map(isReleased)).toEqual([true, false, false, false]);
  kernels.use("1", 45);
  expect(all.map(isReleased)).toEqual([true, false, true, false]);
  kernels.use("3", 1_000);
  expect(all.map(isReleased)).toEqual([true, true, true, false]);
  kernels.use("3", 20);
  kernels.use("0", 1_000);
  expect(owners.map(({ released }) => released)).toEqual([1, 1, 1, 0]);
  expect(kernels.size).toBe(1);
});

test("when the heap is used up, kernels of parts stay, because they have no heap", () => {
  const kernels = new IsolateKernels(wasm, { memoryBytes: FRESH_BYTES, heapBytes: 100 });
  const owners = Array.from({ length: 3 }, () => new Owner());
  const [part, other, head] = owners.map((owner, at) => kernels.create(`${at}`, owner)) as [Kernel, Kernel, Kernel];
  kernels.use("0", 0);
  kernels.use("1", 30);
  kernels.use("2", 1_000);
  expect([part, other, head].map(isReleased)).toEqual([false, true, false]);
});

test("while linear memory has not grown, more heap may be held", () => {
  const heldWith = (memoryBytes: number, grown: number) => {
    const kernels = new IsolateKernels(wasm, { memoryBytes, heapBytes: 100 });
    hold(kernels.create("a", new Owner()), grown);
    kernels.create("b", new Owner());
    kernels.use("a", FRESH_BYTES);
    kernels.use("b", FRESH_BYTES);
    return kernels.size;
  };
  expect([heldWith(FRESH_BYTES * 8, 0), heldWith(FRESH_BYTES * 8, FRESH_BYTES * 4)]).toEqual([2, 1]);
});

test.each([
  ["a trap", new WebAssembly.RuntimeError("unreachable"), true],
  ["an exhausted stack", new RangeError("Maximum call stack size exceeded"), true],
  ["a defect", new Error("no model has the id 3"), false],
])("after %s the object's kernel is released; after a trap all are", (_, error, all) => {
  const { kernels, owners, all: made } = five();
  kernels.discard("1", error);
  expect(made.map(isReleased)).toEqual([all, true, all, all, all]);
  expect(owners.map(({ released }) => released)).toEqual(all ? [1, 1, 1, 1, 1] : [0, 0, 0, 0, 0]);
  hold(kernels.create("1", new Owner()), MEMORY_BYTES / 8);
  expect(kernels.size).toBe(all ? 1 : 5);
});

test("an owner without another reference is collected; its kernel is released like any other", async () => {
  const kernels = new IsolateKernels(wasm, { memoryBytes: MEMORY_BYTES });
  const owner = new Owner();
  const watched = new WeakRef(new Owner());
  const unowned = kernels.create("unowned", watched.deref() as Owner);
  const kernel = kernels.create("a", owner);
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;
  await vi.waitFor(
    () => {
      collect();
      expect(watched.deref() === undefined).toBe(true);
    },
    { timeout: 20_000 },
  );
  hold(unowned, MEMORY_BYTES / 2);
  hold(kernel, MEMORY_BYTES / 2);
  expect([isReleased(unowned), isReleased(kernel), owner.released]).toEqual([true, false, 0]);
});
