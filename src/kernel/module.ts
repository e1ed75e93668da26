/**
 * The compiled kernel as TypeScript sees it. Its compiler also writes the types, so a call that no longer fits is a
 * compile error. `npm run kernel` builds both.
 */

import type { instantiate } from "../../build/kernel";
import { log, log2 } from "../processor/prediction/logarithms";

/** What the kernel exports. Addresses and counts are unsigned. */
export type KernelExports = Awaited<ReturnType<typeof instantiate>>;

/** Pages of 64 KiB of a fresh memory: the `initialMemory` of asconfig.json. With fewer, instantiating fails. */
const INITIAL_PAGES = 3;

/**
 * Creates an instance. It imports its logarithms from the processor, so that its doubles are the same in every runtime.
 *
 * @param module the compiled kernel
 * @param memory fresh, or one whose earlier instance of the module was ended
 */
export function instantiateKernel(
  module: WebAssembly.Module,
  memory = new WebAssembly.Memory({ initial: INITIAL_PAGES }),
): KernelExports {
  const host = { log, log2 };
  const instance = new WebAssembly.Instance(module, { env: { memory }, host });
  const exports = instance.exports as unknown as KernelExports;
  exports.start();
  return exports;
}
