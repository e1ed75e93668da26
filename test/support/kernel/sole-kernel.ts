/** A kernel that has a memory for itself, as a processor does that is alone in its isolate. */

import wasm from "../../../build/kernel.wasm";
import { Kernel } from "../../../src/kernel/kernel";
import { KernelMemory } from "../../../src/kernel/memory";

/** An empty kernel. @param limitBytes how many bytes it may hold */
export function soleKernel(limitBytes?: number): Kernel {
  return Kernel.create(new KernelMemory(wasm, limitBytes));
}
