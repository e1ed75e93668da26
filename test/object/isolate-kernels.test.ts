/** Which kernel takes over which memory; the memory of an object that does not come back is freed. */

import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, test, vi } from "vitest";
import wasm from "../../build/kernel.wasm";
import type { Kernel } from "../../src/kernel/kernel";
import { IsolateKernels } from "../../src/object/isolate-kernels";

const LIMIT_BYTES = 2 ** 24;

/** Makes a kernel's memory larger than a fresh one. */
function grow(kernel: Kernel): number {
  const fresh = kernel.bytes;
  kernel.setSymbolFrequency(100_000, 1);
  expect(kernel.bytes).toBeGreaterThan(fresh);
  return kernel.bytes;
}

/** V8's collector, which Node shows only on demand. */
function collector(): () => void {
  setFlagsFromString("--expose-gc");
  return runInNewContext("gc") as () => void;
}

test("the next kernel of an object takes over the memory of the last, which then throws", () => {
  const kernels = new IsolateKernels(wasm);
  const last = kernels.create("a", LIMIT_BYTES);
  const grown = grow(last);
  const next = kernels.create("a", LIMIT_BYTES);
  expect(next.bytes).toBe(grown);
  expect(() => last.bytes).toThrow("released its memory");
  const third = kernels.create("a", LIMIT_BYTES / 2);
  expect([third.bytes, third.limitBytes]).toEqual([grown, LIMIT_BYTES / 2]);
  expect(() => next.bytes).toThrow("released its memory");
  expect(kernels.size).toBe(1);
});

test("objects never share memory", () => {
  const kernels = new IsolateKernels(wasm);
  const one = kernels.create("a", LIMIT_BYTES);
  const grown = grow(one);
  const other = kernels.create("b", LIMIT_BYTES);
  expect(other.bytes).toBeLessThan(grown);
  expect(one.bytes).toBe(grown);
  expect(kernels.size).toBe(2);
});

test("a kernel that was released already is asked for its memory only once", () => {
  const kernels = new IsolateKernels(wasm);
  const last = kernels.create("a", LIMIT_BYTES);
  last.release();
  expect(() => kernels.create("a", LIMIT_BYTES)).toThrow("released its memory");
  expect(kernels.create("a", LIMIT_BYTES).bytes).toBeGreaterThan(0);
});

test("unused kernels are collected and forgotten", async () => {
  const collect = collector();
  const kernels = new IsolateKernels(wasm);
  const kept = kernels.create("kept", LIMIT_BYTES);
  for (let object = 0; object < 5; object++) grow(kernels.create(`object ${object}`, LIMIT_BYTES));
  const again = kernels.create("object 0", LIMIT_BYTES);
  await vi.waitFor(
    () => {
      collect();
      expect(kernels.size).toBe(2);
    },
    { timeout: 20_000 },
  );
  expect(kernels.create("object 1", LIMIT_BYTES).bytes).toBeLessThan(again.bytes);
  expect(kernels.create("kept", LIMIT_BYTES).bytes).toBeGreaterThan(0);
  expect(() => kept.bytes).toThrow("released its memory");
});
